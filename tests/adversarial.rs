//! Tests that adversarial files give a finding within limits of time and memory.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Folder, part};

/// The size of a file that repeats one part. Quadratic time already takes minutes at this size.
const SIZE: usize = 400_000;

/// The maximum duration of a run.
const PATIENCE: Duration = Duration::from_secs(60);

/// The memory in bytes that a run may use in addition to twenty times the size of its file.
const FREE_MEMORY: usize = 10 << 20;

/// Checks a file, and expects a finding of a rule or group and exit status 1 within the limits of time and memory.
#[track_caller]
fn gives(name: &str, bytes: impl AsRef<[u8]>, rule: &str) -> String {
    let (code, out) = check(name, bytes.as_ref(), 20 * bytes.as_ref().len() + FREE_MEMORY);
    let start: String = out.chars().take(2_000).collect();
    assert_eq!(code, Some(1), "{name}: {start}");
    assert!(out.contains(&format!("[{rule}")), "{name} has no {rule}: {start}");
    out
}

/// The exit status and standard output of a run with limited memory in bytes; the status is `None` if it was killed.
fn check(name: &str, bytes: &[u8], memory: usize) -> (Option<i32>, String) {
    let folder = Folder::new(&format!("adversarial-{name}")).file(name, bytes);
    let out = folder.0.join("out.txt");
    let mut command = Command::new("sh");
    // The shell sets the limit on heap and private mappings, and then replaces itself with tollproof.
    command.args(["-c", "ulimit -d \"$0\" && exec \"$@\"", &(memory / 1024).to_string()]);
    command.args([env!("CARGO_BIN_EXE_tollproof"), "check", "--no-config", "--output-format=concise", name]);
    command.current_dir(&folder.0).stdin(Stdio::null());
    let mut run = command.stdout(File::create(&out).expect("writable")).spawn().expect("there is a shell");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = run.try_wait().expect("it is our child") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            run.kill().expect("it is our child");
            run.wait().expect("it was killed");
            panic!("{name} takes longer than {PATIENCE:?}");
        }
        sleep(Duration::from_millis(2));
    };
    let text = fs::read_to_string(&out).expect("all output is UTF-8");
    fs::remove_dir_all(&folder.0).expect("it was made for this run");
    (status.code(), text)
}

/// `head`, then `part` as often as it fits into [`SIZE`] bytes, then `tail`.
fn filled(head: &str, part: &str, tail: &str) -> String {
    [head, &part.repeat(SIZE / part.len()), tail].concat()
}

/// A list or object with as many items as fit into [`SIZE`] bytes.
fn listed(head: &str, part: &str, tail: &str) -> String {
    let parts = filled(head, &format!("{part},"), "");
    [parts.trim_end_matches(','), tail].concat()
}

#[test]
fn the_limit_on_memory_is_felt() {
    let big = listed("[", r#"{"businessName":"x"}"#, "]");
    let (code, _) = check("limited.json", big.as_bytes(), 1 << 20);
    assert_eq!(code, None, "a run within 1 MiB cannot hold this file's tree");
}

#[test]
fn bytes_that_are_no_text() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for ending in ["json", "ndjson", "yaml"] {
        let gives = |name: &str, bytes: &[u8]| gives(&format!("{name}.{ending}"), bytes, "input/encoding");
        gives("latin-1", b"{\"businessName\": \"Caf\xe9\"}");
        gives("cut", b"{\"businessName\": \"x\"}\n\xf0\x9f");
        gives("all-invalid", &[0xff; SIZE]);
        gives("alternating", &b"\xffa".repeat(SIZE / 2));
        gives("utf16", &utf16("{\"businessName\": \"x\"}"));
        gives("utf16-mark", &utf16("\u{feff}{}"));
        gives("utf16-big", b"\xfe\xff\0{\0}");
        gives("nul", b"{\"businessName\": \"a\0b\"}");
        gives("nuls", &[0; SIZE]);
    }
}

#[test]
fn a_byte_order_mark_is_a_warning_with_a_safe_fix() {
    for (ending, text) in [
        ("json", r#"{"limit": 1, "country": "US"}"#),
        ("ndjson", "{\"limit\": 1, \"country\": \"US\"}\n"),
        ("yaml", "limit: 1\ncountry: US\n"),
    ] {
        let folder = Folder::new(&format!("mark-{ending}")).file("a", format!("\u{feff}{text}"));
        let name = format!("a.{ending}");
        fs::rename(folder.0.join("a"), folder.0.join(&name)).expect("writable");
        let ran = folder.run(&["check", "--output-format=json", &name]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("a report is JSON");
        let findings = report["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "{ran:?}");
        assert_eq!(
            (&findings[0]["rule"], &findings[0]["severity"]),
            (&"input/encoding".into(), &"warning".into())
        );
        assert_eq!(findings[0]["fix"]["safety"], "safe");
        assert_eq!(findings[0]["fix"]["edits"], serde_json::json!([{"start": 0, "end": 3, "text": ""}]));
    }
}

#[test]
fn files_of_nothing() {
    for ending in ["json", "ndjson", "yaml"] {
        gives(&format!("empty.{ending}"), "", "input/syntax");
        gives(&format!("blank.{ending}"), " \n\t\r\n".repeat(100), "input/syntax");
        gives(&format!("breaks.{ending}"), filled("", "\r", ""), "input/syntax");
    }
    gives("mark.json", "\u{feff}", "input/syntax");
    gives("comment.yaml", filled("", "# x\n", ""), "input/syntax");
    gives("marks.yaml", filled("", "---\n", ""), "structure/wrong-type");
    gives("ends.yaml", filled("", "...\n", ""), "input/syntax");
}

#[test]
fn nesting_without_end() {
    let deep = 200_000;
    for ending in ["json", "ndjson"] {
        gives(&format!("open.{ending}"), "[".repeat(deep), "input/limit");
        gives(&format!("closed.{ending}"), "[".repeat(deep) + &"]".repeat(deep), "input/limit");
        gives(&format!("objects.{ending}"), r#"{"a":"#.repeat(deep), "input/limit");
    }
    gives("flow.yaml", "[".repeat(deep), "input/limit");
    gives("braces.yaml", "{a: ".repeat(deep), "input/limit");
    gives("mixed.yaml", "[{a: ".repeat(deep / 2), "input/limit");
    gives("dashes.yaml", "- ".repeat(deep), "input/limit");
    gives("questions.yaml", "? ".repeat(deep), "input/syntax");
    let staircase: String = (0..900).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    gives("block.yaml", staircase, "input/limit");
}

#[test]
fn aliases_that_grow() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let mut laughs = "x: &x [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    let mut last = "x";
    for name in names {
        laughs += &format!("{name}: &{name} [{}]\n", vec![format!("*{last}"); 9].join(", "));
        last = name;
    }
    gives("laughs.yaml", laughs, "input/limit");
    let long = "x".repeat(20_000);
    let quadratic = format!("a: &a \"{long}\"\nb: [{}]\n", vec!["*a"; SIZE / 4].join(", "));
    gives("quadratic.yaml", quadratic, "input/limit");
    let owned = format!("a: &a \"\\n{long}\"\nb: [{}]\n", vec!["*a"; SIZE / 4].join(", "));
    gives("owned.yaml", owned, "input/limit");
    let urls = format!(
        "isvReseller: &a \"{long}\"\noptInWorkflowImageURLs: [{}]\n",
        vec!["*a"; SIZE / 4].join(", ")
    );
    gives("urls.yaml", urls, "input/limit");
    gives("loop.yaml", "businessName: &a [*a]\n", "input/syntax");
    gives("unknown.yaml", filled("", "- *a\n", ""), "input/syntax");
    gives("anchors.yaml", filled("", "- &a x\n", ""), "structure/wrong-type");
}

#[test]
fn keys_that_stand_again() {
    gives("two.json", r#"{"businessName": "x", "businessName": "y"}"#, "input/duplicate-key");
    gives("two.ndjson", r#"{"businessName": "x", "businessName": "y"}"#, "input/duplicate-key");
    gives("two.yaml", "businessName: x\nbusinessName: y\n", "input/duplicate-key");
    gives("many.json", format!("{{{}\"a\":1}}", "\"a\":1,".repeat(100_000)), "input/limit");
    gives("many.ndjson", format!("{{{}\"a\":1}}", "\"a\":1,".repeat(100_000)), "input/limit");
    gives("many.yaml", "a: 1\n".repeat(100_000), "input/limit");
    gives("some.json", format!("{{{}\"a\":1}}", "\"a\":1,".repeat(10_000)), "input/duplicate-key");
    gives("some.yaml", "a: 1\n".repeat(10_000), "input/duplicate-key");
}

#[test]
fn lists_of_very_many_things() {
    for (name, item) in [("ones", "1"), ("lists", "[]"), ("objects", "{}"), ("texts", "\"x\"")] {
        gives(&format!("{name}.json"), listed("[", item, "]"), "input/limit");
        gives(&format!("{name}.yaml"), listed("[", item, "]"), "input/limit");
        gives(&format!("inner-{name}.json"), listed("{\"numbers\": [", item, "]}"), "input/limit");
    }
    gives("lists-in-a-row.json", filled("", "[] ", ""), "input/limit");
    gives("drafts.json", listed("[", r#"{"businessName":"x"}"#, "]"), "structure/missing-field");
    gives(
        "urls.json",
        listed("{\"optInWorkflowImageURLs\": [", "\"https://localhost/x\"", "]}"),
        "opt-in/image-not-public",
    );
    gives(
        "no-urls.json",
        listed("{\"optInWorkflowImageURLs\": [", "\"xxxxxxxxxxxxxxxx\"", "]}"),
        "input/limit",
    );
    let unknown: String = (0..SIZE / 20).map(|at| format!(",\"unknown-{at:06}\":1")).collect();
    gives("unknown.json", format!("{{\"businessName\":\"x\"{unknown}}}"), "structure/unknown-field");
}

#[test]
fn one_mark_again_and_again() {
    for mark in part(4, [",", "\"", ":", "}", "]", "\\", "x ", "/", "//\n", "'", "{\"", "\"\n", "0", "-"]) {
        let name: String = mark.bytes().map(|byte| format!("{byte:02x}")).collect();
        for head in ["", "{", "[", "{\"a\""] {
            let name = format!("{name}-{}", head.len());
            gives(&format!("{name}.json"), filled(head, mark, ""), "input/");
            gives(&format!("{name}.ndjson"), filled(head, mark, ""), "input/");
        }
    }
    let yaml = [
        ",",
        "\"",
        ":",
        ": ",
        "}",
        "'",
        "x\n",
        "x: \n",
        "!x ",
        "&a ",
        "? a\n",
        "\t-\n",
        "---\n]\n",
        "%YAML 1.2\n---\n",
    ];
    for mark in part(3, yaml) {
        let name: String = mark.bytes().map(|byte| format!("{byte:02x}")).collect();
        gives(&format!("{name}.yaml"), filled("", mark, ""), "");
        gives(&format!("{name}-open.yaml"), filled("[", mark, ""), "input/");
    }
}

#[test]
fn lines_of_very_many_documents() {
    gives("x.ndjson", filled("", "x\n", ""), "input/limit");
    gives("drafts.ndjson", filled("", "{\"businessName\":\"x\"}\n", ""), "structure/missing-field");
    gives("empty.ndjson", filled("", "{}\n", ""), "structure/unknown-kind");
    gives("open.ndjson", filled("", "{\n", ""), "input/syntax");
    gives("items.yaml", filled("", "- a\n", ""), "input/limit");
    gives("drafts.yaml", filled("", "- businessName: x\n", ""), "structure/missing-field");
    gives("documents.yaml", filled("", "---\nbusinessName: x\n", ""), "structure/missing-field");
}

#[test]
fn a_folder_of_what_nobody_reads_is_passed_over() {
    let folder = Folder::new("adversarial-walk")
        .file("x.ndjson", filled("", "x\n", ""))
        .file("a.json", "{\"numbers\": []}");
    let ran = folder.run(&["check", "--quiet"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("skipped: not a draft (x.ndjson)"), "{ran:?}");
}

/// Texts with many matches, in fields that many rules check.
#[test]
fn long_texts() {
    for part in [
        "consent is required to book ",
        "not consent is required to book ",
        "you must agree to texts. ",
        "bit.ly/x ",
        "https://bit.ly/x ",
        "not ",
        "stop ",
        "cbd payday loans ",
        "a.",
        "a@b.",
        "& ",
        "\u{0441}",
        "x",
        "\\n",
        "\\u0041",
        "dba x, ",
    ] {
        for field in ["useCaseSummary", "optInWorkflowDescription", "businessName", "corporateWebsite"] {
            let name =
                format!("{field}-{}", part.chars().filter(char::is_ascii_alphanumeric).collect::<String>());
            gives(&format!("{name}.json"), filled(&format!("{{\"{field}\":\""), part, "\"}"), "input/limit");
        }
    }
    gives("text.json", filled("\"", "x", "\""), "structure/wrong-type");
    gives("plain.yaml", filled("useCaseSummary: ", "x ", "\n"), "input/limit");
    gives("literal.yaml", filled("useCaseSummary: |\n", "  bit.ly/x\n", ""), "input/limit");
    gives("folded.yaml", filled("useCaseSummary: >\n", "  bit.ly/x\n\n", ""), "input/limit");
    gives("quoted.yaml", filled("useCaseSummary: \"", "bit.ly/x\n ", "\"\n"), "input/limit");
    gives("email.json", filled("{\"businessContactEmail\":\"", "a", "@acme.com\"}"), "input/limit");
    gives("key.json", filled("{\"businessName\":\"x\",\"", "a", "\":1}"), "structure/unknown-field");
    gives("number.json", filled("{\"businessZip\":", "1", "}"), "structure/wrong-type");
}

/// As many texts of the maximum length as fit into one file.
#[test]
fn many_texts_as_long_as_may_be() {
    for part in [
        "consent is required to book ",
        "bit.ly/x ",
        "a.",
        "& ",
        "stop ",
        "\\nno cbd ",
        "ab ",
        "A",
        "_",
        "[",
        "{{",
        "(",
        "\\u0000",
        "!! \\u0041",
    ] {
        let text = part.repeat(32_000 / part.len());
        let fields = [
            "businessName",
            "useCaseSummary",
            "productionMessageContent",
            "optInWorkflowDescription",
            "additionalInformation",
            "corporateWebsite",
        ];
        let fields: Vec<String> = fields.iter().map(|field| format!("\"{field}\":\"{text}\"")).collect();
        let name: String = part.chars().filter(char::is_ascii_alphanumeric).collect();
        let draft = format!("{{{}}}", fields.join(","));
        gives(&format!("full-{name}.json"), format!("[{draft},{draft}]"), "structure/missing-field");
    }
}

#[test]
fn three_faults_in_one_file_and_the_rest_is_linted() {
    let text = r#"{
  "businessName": "Cedar Hollow Auto Care LLC",
  "businessCity": 'Tulsa',
  "businessZip": "74103"
  "businessState": "OK",
  "messageVolume": "5000",
  "testMode": False,
}"#;
    let out = gives("three.json", text, "use-case/unknown-message-volume");
    for place in [
        "three.json:3:19: error[input/syntax]",
        "three.json:4:24: error[input/syntax]",
        "three.json:7:15: error[input/syntax]",
    ] {
        assert!(out.contains(place), "no {place} in {out}");
    }
    assert!(out.contains("structure/missing-field"), "{out}");
    assert!(!out.contains("businessState"), "what can be read is not missing: {out}");
}

#[test]
fn two_bad_documents_of_five_and_the_rest_is_linted() {
    let good = "limit: 0\ncountry: US\n";
    let text = format!("{good}---\nlimit: [1\ncountry: US\n---\n{good}---\n\"limit: 1\n---\n{good}");
    let out = gives("five.yaml", text, "input/syntax");
    for line in [1, 7, 12] {
        assert!(
            out.contains(&format!("five.yaml:{line}:8: error[number/bad-search-value]")),
            "{line}: {out}"
        );
    }
    assert_eq!(out.matches("error[input/syntax]").count(), 2, "{out}");
}
