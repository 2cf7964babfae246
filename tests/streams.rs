//! Files of many drafts: read in parts and in parallel, and in any format, they give the same findings.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole, clean_document};

use crate::support::Folder;

/// A draft with its own number and perhaps faults. Every seventh is faulty.
pub(crate) fn draft(at: usize) -> Value {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    draft["phoneNumbers"] = json!([format!("00000000-0000-4000-8000-{at:012}")]);
    draft["additionalInformation"] = format!("Café “{at}” \"{at}\"").into();
    if at.is_multiple_of(7) {
        draft["businessZip"] = "é1234".into();
        draft["productionMessageContent"] = "Your order has shipped.".into();
        draft["businessCity"] = "".into();
    }
    if at == 150 || at == 210 {
        draft["phoneNumbers"] = json!(["00000000-0000-4000-8000-000000000003"]);
    }
    draft
}

fn drafts() -> Vec<Value> {
    (0..220).map(draft).collect()
}

/// Lines of about 8 KB, so that all drafts are three parts.
fn ndjson(drafts: &[Value]) -> String {
    drafts.iter().map(|it| format!("{it}{:6000}\r\n", "")).collect()
}

/// A table of drafts; lists are cells of several lines or columns of their own.
pub(crate) fn csv(drafts: &[Value]) -> String {
    let mut names: Vec<String> = Vec::new();
    let fields = drafts.iter().flat_map(|draft| draft.as_object().expect("an object").keys());
    fields.for_each(|name| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    });
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let cell = |value: Option<&Value>| match value {
        None => String::new(),
        Some(Value::String(text)) => quoted(text),
        Some(Value::Array(items)) => {
            let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            quoted(&items.join("\n"))
        }
        Some(other) => other.to_string(),
    };
    let row = |draft: &Value| names.iter().map(|name| cell(draft.get(name))).collect::<Vec<_>>().join(",");
    // Empty cells below a column without a name, so that all drafts are two parts.
    let rows: String = drafts.iter().map(|draft| row(draft) + &format!(",{:2000}\n", "")).collect();
    names.join(",") + "\n" + &rows
}

pub(crate) fn findings(folder: &Folder, args: &[&str]) -> Vec<Value> {
    let ran = folder
        .run(&[&["check", "--no-config", "--output-format=json", "--min-severity=info"], args].concat());
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    report["findings"].as_array().expect("a list").clone()
}

/// Parts independent of a file's format.
fn what(finding: &Value) -> [Value; 5] {
    ["document", "rule", "severity", "pointer", "message"].map(|it| finding[it].clone())
}

pub(crate) fn sorted(findings: &[Value]) -> Vec<String> {
    let mut all: Vec<String> = findings.iter().map(|finding| json!(what(finding)).to_string()).collect();
    all.sort();
    all
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let drafts = drafts();
    let mut folder = Folder::new("jobs").file("b.ndjson", ndjson(&drafts)).file("c.csv", csv(&drafts));
    for (at, draft) in drafts.iter().enumerate().take(100) {
        folder = folder.file(&format!("a/{at:04}.json"), draft.to_string());
    }
    folder = folder
        .file("d.ndjson", "{\"businessName\":1}\n".repeat(40_000))
        .file("e.json", drafts[7].to_string());
    for format in ["json", "junit", "full"] {
        let run = |jobs: &str| {
            folder.run(&["check", "--no-config", "--jobs", jobs, "--output-format", format, ".", "d.ndjson"])
        };
        let (one, two, five) = (run("1"), run("2"), run("5"));
        assert_eq!(one.code, Some(1), "{}", one.err);
        assert!(one.out.contains("has more than") && one.out.contains("e.json"), "{format}");
        assert!(one.out == two.out && one.out == five.out, "{format} depends on --jobs");
        assert_eq!((&one.err, &one.err), (&two.err, &five.err));
    }
}

#[test]
fn a_file_in_parts_has_the_findings_and_places_of_the_whole_file() {
    let drafts = drafts();
    let text = ndjson(&drafts);
    let folder = Folder::new("parts").file("a.ndjson", &text).file("a.json", json!(drafts).to_string());
    let in_parts = findings(&folder, &["a.ndjson"]);
    let whole = findings(&folder, &["a.json"]);
    assert!(in_parts.len() > 100, "{}", in_parts.len());
    assert_eq!(in_parts.iter().map(what).collect::<Vec<_>>(), whole.iter().map(what).collect::<Vec<_>>());
    let check_span = |span: &Value| {
        let number = |name: &str| usize::try_from(span[name].as_u64().expect("a number")).expect("small");
        let before = &text[..number("start")];
        let line_start = before.rfind('\n').map_or(0, |it| it + 1);
        assert_eq!(number("line"), 1 + before.matches('\n').count());
        assert_eq!(number("column"), 1 + text[line_start..number("start")].chars().count());
        text[number("start")..number("end")].to_owned()
    };
    for finding in &in_parts {
        let marked = check_span(&finding["span"]);
        if finding["pointer"] == "/businessZip" {
            assert_eq!(marked, "\"é1234\"");
        }
        for edit in finding["fix"]["edits"].as_array().into_iter().flatten() {
            assert!(
                text.is_char_boundary(usize::try_from(edit["start"].as_u64().expect("one")).expect("small"))
            );
        }
    }
    let duplicates: Vec<_> =
        in_parts.iter().filter(|it| it["rule"] == "history/duplicate-in-batch").collect();
    assert_eq!(duplicates.len(), 2, "the first number is in another part");
    for duplicate in duplicates {
        assert_eq!(check_span(&duplicate["span"]), "\"00000000-0000-4000-8000-000000000003\"");
        let first = &duplicate["related"][0]["span"];
        assert_eq!(check_span(first), "\"00000000-0000-4000-8000-000000000003\"");
        assert_eq!(first["line"], 4);
    }
    let shown = folder.run(&["check", "--no-config", "a.ndjson", "--select", "history/duplicate-in-batch"]);
    assert!(shown.out.contains("first named here") && shown.out.contains("[a.ndjson:4:"), "{}", shown.out);
    let piped = folder.pipe(&["check", "--no-config", "-", "--select", "history/duplicate-in-batch"], &text);
    assert!(piped.out.contains("<stdin>:4:") && piped.out.contains("first named here"), "{}", piped.out);
}

#[test]
fn a_large_file_that_is_not_text_is_reported_once() {
    let wide: Vec<u8> = ndjson(&drafts()).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let archive = [b"PK\x03\x04".as_slice(), &[b'\n'; 400_000]].concat();
    let folder = Folder::new("not-text").file("a.ndjson", &wide).file("b.ndjson", &archive);
    let found = findings(&folder, &["a.ndjson", "b.ndjson"]);
    let of_bytes = found.iter().filter(|it| it["rule"] == "input/encoding");
    let messages: Vec<&Value> = of_bytes.map(|it| &it["message"]).collect();
    assert_eq!(messages, ["this file is UTF-16", "this file is a ZIP archive, not a draft"]);
}

#[test]
fn one_draft_has_the_same_findings_in_every_format() {
    let drafts = &drafts()[..30];
    let yaml: String = drafts
        .iter()
        .map(|draft| format!("---\n{}", serde_yaml::to_string(draft).expect("it has YAML")))
        .collect();
    let folder = Folder::new("formats")
        .file("a.json", json!(drafts).to_string())
        .file("a.ndjson", ndjson(drafts))
        .file("a.yaml", yaml)
        .file("a.csv", csv(drafts));
    let expected = sorted(&findings(&folder, &["a.json"]));
    assert!(expected.len() > 10, "{expected:?}");
    for name in ["a.ndjson", "a.yaml", "a.csv"] {
        assert_eq!(sorted(&findings(&folder, &[name])), expected, "{name}");
    }
}

fn gz(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("vectors take everything");
    encoder.finish().expect("vectors take everything")
}

fn zst(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("vectors take everything")
}

#[test]
fn compressed_drafts_have_the_findings_of_their_content() {
    let drafts = drafts();
    let (lines, table) = (ndjson(&drafts), csv(&drafts));
    // As after `cat a.gz b.gz`.
    let (one, other) = lines.as_bytes().split_at(700_000);
    let folder = Folder::new("compressed")
        .file("a.json", json!(drafts).to_string())
        .file("a.ndjson.gz", [gz(one), gz(other)].concat())
        .file("a.jsonl.zst", [zst(one), zst(other)].concat())
        .file("a.csv.gz", gz(table.as_bytes()))
        .file("a.csv.ZST", zst(table.as_bytes()));
    let expected = sorted(&findings(&folder, &["a.json"]));
    for name in ["a.ndjson.gz", "a.jsonl.zst", "a.csv.gz", "a.csv.ZST"] {
        assert_eq!(sorted(&findings(&folder, &[name])), expected, "{name}");
    }
    // A run with masks reads the whole content.
    assert_eq!(findings(&folder, &["a.csv.gz", "--redact"]).len(), expected.len());
    let ran = folder.run(&["check", "--no-config", "--fix", "a.csv.gz", "--output-format=concise"]);
    assert_eq!(ran.err, "note: `a.csv.gz` is not changed: it is compressed\n");
    assert!(ran.out.contains("a.csv.gz:"), "{}", ran.out);
}

#[test]
fn a_compressed_row_of_very_many_cells_is_refused() {
    let folder = Folder::new("bomb-row").file("bomb.csv.zst", zst(&vec![b','; 30 << 20]));
    let ran = folder.run(&["check", "--no-config", "--output-format=concise", "bomb.csv.zst"]);
    assert!(ran.out.contains("input/limit") && ran.out.contains("this row is longer than 16 MiB"), "{ran:?}");
}

#[test]
fn bombs_and_broken_archives_are_refused_with_the_reason() {
    let line = format!("{}{:60000}\n", drafts()[1], "");
    let bomb = line.repeat(100);
    let whole = gz(bomb.as_bytes());
    let folder = Folder::new("bombs")
        .file("bomb.ndjson.gz", &whole)
        .file("bomb.csv.zst", zst(&vec![b'x'; 17 << 20]))
        .file("cut.ndjson.gz", &whole[..whole.len() / 2])
        .file("other.ndjson.zst", "{}")
        .file("text.csv.gz", "businessName\nAcme\n")
        .file("a.json.gz", gz(b"{}"));
    let run = |name: &str, rest: &[&str]| {
        folder.run(&[&["check", "--no-config", "--output-format=concise", name], rest].concat())
    };
    let ran = run("bomb.ndjson.gz", &["--max-file-size", "1MiB"]);
    let expected = "error: cannot read `bomb.ndjson.gz` to its end: it decompresses to more than 1 MiB; raise the limit \
                    with `--max-file-size`\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), expected));
    let ran = run("bomb.csv.zst", &[]);
    assert!(ran.out.contains("input/limit") && ran.out.contains("this row is longer than 16 MiB"), "{ran:?}");
    let ran = run("cut.ndjson.gz", &[]);
    assert!(ran.code == Some(2) && ran.err.contains("the compressed data ends early"), "{ran:?}");
    for name in ["other.ndjson.zst", "text.csv.gz"] {
        let ran = run(name, &[]);
        assert!(ran.code == Some(2) && ran.err.contains("the compressed data is damaged"), "{ran:?}");
    }
    let ran = run("a.json.gz", &[]);
    assert!(
        ran.out.contains("structure/unknown-kind"),
        "named files are decompressed in any format: {ran:?}"
    );
}

#[test]
fn findings_of_a_table_are_at_their_cells() {
    let text = csv(&drafts());
    let folder = Folder::new("cells").file("a.csv", &text);
    let found = findings(&folder, &["a.csv", "--select", "address"]);
    assert_eq!(found.len(), 32, "every seventh draft");
    for finding in found {
        let offset =
            |name: &str| usize::try_from(finding["span"][name].as_u64().expect("one")).expect("small");
        assert_eq!(&text[offset("start")..offset("end")], "\"é1234\"");
        assert_eq!(finding["span"]["line"], 1 + text[..offset("start")].matches('\n').count());
    }
    // A misspelled column is reported once, at the header.
    let folder = folder.file("b.csv", text.replacen("businessZip", "businesZip", 1));
    let found = findings(&folder, &["b.csv", "--select", "structure/unknown-field"]);
    assert_eq!(found.len(), 1);
    assert!(found.iter().all(|it| it["span"]["line"] == 1), "{:?}", found.last());
    let shown = folder.run(&["check", "--no-config", "b.csv"]);
    assert!(shown.out.contains("[b.csv:1:"), "{}", &shown.out[..2_000]);
}

#[test]
fn a_cell_is_fixed_in_its_own_notation() {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    draft["useCase"] = "2fa".into();
    let before = csv(&[draft]);
    let folder = Folder::new("fix-cells").file("a.csv", &before);
    folder.run(&["check", "--no-config", "--fix", "a.csv"]);
    let after = std::fs::read_to_string(folder.0.join("a.csv")).expect("it is there");
    assert_eq!(after, before.replace("\"2fa\"", "\"2FA\""));
}

#[test]
fn a_run_stops_after_so_many_findings() {
    let folder = Folder::new("max-findings").file("a.ndjson", ndjson(&drafts())).file("b.json", "{");
    for jobs in ["1", "3"] {
        let args = [
            "check",
            "--no-config",
            "--max-findings=9",
            "--jobs",
            jobs,
            "--output-format=jsonl",
            "a.ndjson",
            "b.json",
        ];
        let ran = folder.run(&args);
        assert_eq!(ran.out.lines().count(), 10, "nine findings and the summary: {ran:?}");
        assert_eq!(ran.err, "note: stopped after 9 findings, as `--max-findings` asks\n");
        assert_eq!(ran.code, Some(1));
    }
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_run_with_what_was_found() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let line = format!("{}\n", draft(7));
    let folder = Folder::new("ctrl-c").file("a.ndjson", line.repeat(20_000));
    let mut command = folder.command(&["check", "--no-config", "--output-format=json", "a.ndjson"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("tollproof starts");
    // A test build needs a minute for the whole file and a second for its first part.
    std::thread::sleep(Duration::from_secs(6));
    kill(Pid::from_raw(child.id().try_into().expect("an id")), Signal::SIGINT).expect("it runs");
    let since = Instant::now();
    let output = child.wait_with_output().expect("tollproof ends");
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report is whole");
    let documents = report["summary"]["documents"].as_u64().expect("a number");
    assert!(documents > 0 && documents < 20_000, "{documents}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
}
