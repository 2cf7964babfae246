//! Tests that quotations in messages are cut, so that reports do not grow with the quoted text.

use std::fs;

use crate::support::{Folder, Ran, formats, part};

/// The size of the quoted text in bytes.
const SIZE: usize = 200_000;

/// The maximum size of all output of a run in bytes.
const MOST: usize = 200_000;

fn word() -> String {
    "Aa9".repeat(SIZE / 3)
}

/// The size of a run's output on the terminal and in the reports of every format.
fn said(folder: &Folder, args: &[&str], reports: bool) -> (Ran, usize) {
    // One report goes to standard output.
    let in_files = || formats().iter().filter(|it| *it != "full");
    let targets: Vec<String> =
        in_files().map(|format| format!("--output-format={format}=r-{format}.out")).collect();
    let mut all = args.to_vec();
    if reports {
        all.push("--output-format=full");
        all.extend(targets.iter().map(String::as_str));
    }
    let ran = folder.run(&all);
    let size = |format: &str| {
        let path = folder.0.join(format!("r-{format}.out"));
        fs::metadata(path).map_or(0, |metadata| usize::try_from(metadata.len()).expect("it is small"))
    };
    let sizes = in_files().map(|format| size(format)).sum::<usize>();
    let size = ran.out.len() + ran.err.len() + sizes;
    (ran, size)
}

#[track_caller]
fn assert_bounded(what: &str, folder: &Folder, args: &[&str], reports: bool) {
    let (ran, size) = said(folder, args, reports);
    let start = |text: &str| text.chars().take(2_000).collect::<String>();
    assert!(matches!(ran.code, Some(0..=2)), "{what} {args:?}: {:?}", ran.code);
    assert!(size < MOST, "{what} {args:?}: {size} bytes: {} {}", start(&ran.out), start(&ran.err));
    fs::remove_dir_all(&folder.0).expect("it is ours");
    fs::create_dir_all(&folder.0).expect("it is ours");
}

/// Drafts with a long text in some place, by file name.
fn drafts() -> Vec<(&'static str, String)> {
    let blanks = " ".repeat(SIZE);
    let digits = "9".repeat(SIZE);
    let zeros = "0".repeat(SIZE);
    let draft = include_str!("drafts/cedar-auto.json");
    let mut all: Vec<(&str, String)> = Vec::new();
    for text in [
        r#"{"businessName": WORD}"#,
        r#"{"businessName": True WORD}"#,
        r#"{"businessName": WORD"#,
        r#"{"businessName": 'WORD'}"#,
        r#"{WORD: 1, "businessName": "x"}"#,
        r#"{"WORD": 1, "WORD": 2, "businessName": "x"}"#,
        r#"{"WORD": {"x": WORD}, "businessName": "x"}"#,
        r#"{"businessName": "x", "WORD": {"x": [{"y": 1, "y": 2}]}}"#,
        r#"{"businessName": "x" "WORD" WORD}"#,
        r#"{"businessName": "\uWORD", "businessCity": "\qWORD"}"#,
        r#"{"businessName": "x", "businessZip": DIGITS}"#,
        r#"{"businessName": "x", "businessZip": -DIGITS.5}"#,
        r#"{"businessName": "x", "messageVolume": DIGITS}"#,
        r#"{"businessName": "x", "optInWorkflowImageURLs": "https://WORD.com/ https://WORD"}"#,
        r#"{"limit": "ZEROS1", "country": "US", "type": "WORD"}"#,
        r#"{"limit": DIGITS, "country": " US BLANKS", "type": "tollfree BLANKS"}"#,
        r#"{"testMode": "yesBLANKS", "businessName": "x"}"#,
        r#"{"businessName": "x", "isvReseller": nullWORD}"#,
        r#"["WORD"]"#,
        r#""WORD""#,
        "WORD",
        r#"{"code": "WORD", "message": "WORD", "details": {"WORD": ["WORD"]}}"#,
        r#"{"verificationRequestId": "WORD", "status": "WORD", "statusMessage": {"WORD": "WORD", "ResubmitAllowed": "WORD"}}"#,
        r#"{"numbers": [{"countryCode": "WORD", "number": "WORD"}]}"#,
    ] {
        let text = text.replace("WORD", &word()).replace("DIGITS", &digits).replace("ZEROS", &zeros);
        all.push(("a.json", text.replace("BLANKS", &blanks)));
        all.push(("a.ndjson", all.last().expect("it was pushed").1.clone()));
    }
    // Each text of a whole draft, with the maximum length and longer.
    let document: serde_json::Value = serde_json::from_str(draft).expect("it is JSON");
    for (field, value) in document.as_object().expect("it is an object") {
        for long in ["Aa9".repeat(10_000), format!("x{}", " ".repeat(30_000)), word()] {
            let mut other = document.clone();
            other[field] = if value.is_array() { serde_json::json!([long]) } else { long.into() };
            all.push(("a.json", other.to_string()));
        }
    }
    for text in [
        "businessName: *WORD\n",
        "businessName: &WORD [*WORD]\n",
        "businessName: &a x\nbusinessCity: &WORD y\n",
        "# tollproof: kind=WORD\nbusinessName: x\n",
        "# tollproof: kind=update-request record=WORD\nbusinessName: x\n",
        "# tollproof: ignore[WORD] because\nbusinessName: x\n",
        "# tollproof: ignore[structure/WORD]\nbusinessName: x\n",
        "# tollproof: ignore[structure] WORD\nbusinessName: 5\n",
        "# tollproof: ignore[WORD, WORD, structure, WORD] WORD\nbusinessName: 5\n",
        "# tollproof: ignore WORD\nbusinessName: 5\n",
        "businessName: !WORD x\n",
        "businessName: !!WORD x\n",
        "businessName: !WORD!x x\n",
        "businessName: !<WORD> x\n",
        "businessZip: !!int \"DIGITS\"\n",
        "businessZip: DIGITS\n",
        "businessName: x\nWORD: 1\n",
        "businessName: x\n? [WORD]\n: 1\n",
        "businessName: x\n\"WORD\": 1\n\"WORD\": 2\n",
        "businessName: \"\\xWORD\"\n",
        "businessName: x\nWORD\n",
        "%WORD\n---\nbusinessName: x\n",
        "%YAML 9.WORD\n---\nbusinessName: x\n",
        "%TAG !WORD! tag:x\n---\nbusinessName: !WORD!x y\n",
        "%YAML 1.DIGITS\n---\nbusinessName: x\n",
        "businessName: |DIGITS\n  x\n",
        "testMode: WORD\nbusinessName: x\n",
        "businessName: [WORD\n",
    ] {
        all.push(("a.yaml", text.replace("WORD", &word()).replace("DIGITS", &digits)));
    }
    all
}

#[test]
fn no_draft_makes_a_long_report() {
    for (name, text) in part(3, drafts()) {
        let folder = Folder::new("quotes-drafts").file(name, &text);
        let what: String = text.chars().take(120).collect();
        assert_bounded(&what, &folder, &["check", "--no-config", "--min-severity=info", name], true);
    }
}

#[test]
fn no_setting_makes_a_long_error() {
    for text in [
        "WORD: 1\n",
        "vendor: [WORD]\n",
        "vendor: { WORD: 1 }\n",
        "fail-on: WORD\n",
        "rules: { WORD: error }\n",
        "rules: { message: WORD }\n",
        "rules: { message: { WORD: 1 } }\n",
        "rules: { message/missing-brand: { with: { WORD: 1 } } }\n",
        "rules: { message: { files: { '{WORD': error } } }\n",
        "locked-rules: [WORD]\n",
        "include: ['/WORD', '!WORD', '../WORD']\n",
        "include: ['!WORD']\n",
        "include: ['../WORD']\n",
        "kinds: { a: WORD }\n",
        "kinds: { 'WORD[': submit-request }\n",
        "records: { WORD: {} }\n",
        "ignore: [{ rule: WORD, reason: x }]\n",
        "ignore: [{ rule: structure, reason: WORD }]\n",
        "ignore: [{ rule: structure, reason: WORD, until: WORD }]\n",
        "ignore: [{ rule: structure, reason: WORD, until: 2020-01-01 }]\n",
        "ignore: [{ rule: structure, reason: x, pointer: WORD }]\n",
        "history: [WORD]\n",
        "history: ['sqlite:WORD']\n",
        "history: ['WORD://x']\n",
        "history: ['[WORD']\n",
        "baseline: WORD\n",
        "rule-dirs: [WORD]\n",
        "schemas: [{ files: '**', schema: WORD }]\n",
        "schemas: [{ files: WORD }]\n",
        "vendor: *WORD\n",
        "vendor: !WORD x\n",
        "- WORD\n",
        "WORD\n",
    ] {
        let folder = Folder::new("quotes-settings")
            .file("a.json", r#"{"businessName": 5}"#)
            .file("tollproof.yaml", text.replace("WORD", &word()));
        assert_bounded(text, &folder, &["check", "--color=never", "a.json"], true);
    }
}

#[test]
fn no_rule_makes_a_long_error() {
    let rule = |changed: &str| {
        let all = [
            ("title", "x"),
            ("severity", "warning"),
            ("at", "useCaseSummary"),
            ("check", "{ forbid: { any_of: [foo] } }"),
            ("message", "x"),
            ("help", "x"),
            ("docs", "x"),
            ("examples", "{ pass: [{ useCaseSummary: a }], fail: [{ useCaseSummary: foo }] }"),
        ];
        let key = changed.split(':').next().unwrap_or_default();
        let kept = all.iter().filter(|(name, _)| *name != key);
        let lines: String = kept.map(|(name, value)| format!("{name}: {value}\n")).collect();
        (lines + changed + "\n").replace("WORD", &word())
    };
    for changed in [
        "WORD: 1",
        "severity: WORD",
        "at: WORD",
        "check: { WORD: {} }",
        "check: { forbid: { any_of: [WORD] } }",
        "check: { forbid: { any_of: ['WORD ... ... ... ... WORD'] } }",
        "check: { forbid: { pattern: '(WORD' } }",
        "check: { forbid: { list: WORD } }",
        "message: '{WORD}'",
        "when: { WORD: { absent: true } }",
        "when: { useCase: { matches: '(WORD' } }",
        "kinds: [WORD]",
        "examples: { pass: [{ WORD: a }], fail: [{ useCaseSummary: WORD }] }",
        "title: WORD",
    ] {
        let folder = Folder::new("quotes-rules")
            .file("a.json", r#"{"businessName": 5}"#)
            .file("mine/house/x.yaml", rule(changed));
        assert_bounded(changed, &folder, &["check", "--no-config", "--rules=mine", "a.json"], true);
        let folder = folder.file("mine/house/x.yaml", rule(changed));
        if changed != "title: WORD" {
            assert_bounded(changed, &folder, &["rules", "test", "mine"], false);
        }
    }
}

#[test]
fn no_record_and_no_answer_makes_a_long_report() {
    let record = r#"{"id": "ID", "status": "STATUS", "phoneNumbers": ["NUMBER"], "verificationRequestData": {},
        "statusMessage": {"ResubmitAllowed": "ALLOWED", "Message": "MESSAGE", "StatusCode": "CODE"}}"#;
    let number = "a801c418-a845-4f95-9e37-30c84d2adbb8";
    let known = [
        ("ID", "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"),
        ("STATUS", "Rejected"),
        ("NUMBER", number),
        ("ALLOWED", "true"),
        ("MESSAGE", "Opt-in is vague"),
        ("CODE", "30509"),
    ];
    let draft = format!("{{\"businessName\": \"Acme\", \"phoneNumbers\": [\"{number}\"]}}");
    let update = "# tollproof: kind=update-request\nbusinessName: Acme\n";
    let mut records = Vec::new();
    for (long, _) in known {
        let fill = |text: String, (name, value): &(&str, &str)| {
            text.replace(name, if *name == long { "LONG" } else { value })
        };
        records.push((long, known.iter().fold(record.to_owned(), fill).replace("LONG", &word())));
    }
    records.push(("record", format!("{{\"id\": {}}}", word())));
    records
        .push(("refusal", r#"{"code": "W", "message": "W", "details": {"W": ["W"]}}"#.replace('W', &word())));
    for (what, text) in &records {
        for args in [
            &["check", "a.json", "--history=record.json"][..],
            &["check", "b.yaml", "--record=record.json"],
            &["explain", "a.json", "record.json"],
        ] {
            let folder = Folder::new("quotes-records").file("a.json", &draft).file("b.yaml", update);
            assert_bounded(what, &folder.file("record.json", text), args, true);
        }
        for args in [
            &["history", "import", "record.json", "--history=sqlite:past.db"][..],
            &["gate", "confirm", "record.json", "--history=records.json"],
            &["gate", "a.json", "--history=record.json"],
        ] {
            let folder = Folder::new("quotes-records").file("a.json", &draft).file("b.yaml", update);
            assert_bounded(what, &folder.file("record.json", text), args, false);
        }
    }
    // A text with the maximum length in a record.
    let long = known.iter().fold(record.to_owned(), |text, (name, value)| {
        let long = "Aa9".repeat(10_000);
        text.replace(name, if matches!(*name, "ID" | "NUMBER") { &long } else { value })
    });
    let folder = Folder::new("quotes-confirmed").file("record.json", long);
    let store = "--history=sqlite:past.db";
    assert_eq!(folder.run(&["history", "import", "record.json", store]).code, Some(0));
    let ran = folder.run(&["gate", "confirm", "record.json", store]);
    assert!(ran.code == Some(0) && ran.err.len() < 2_000, "{:?}, {} bytes", ran.code, ran.err.len());
}

#[test]
fn no_labelled_draft_and_no_baseline_makes_a_long_error() {
    for line in [
        r#"{"label": WORD}"#,
        r#"{"WORD": 1}"#,
        r#"{"label": "bad", "field": "WORD", "draft": {}}"#,
        r#"{"label": "bad", "expect_any_of": "WORD", "draft": {}}"#,
        r#"{"label": "bad", "draft": "WORD"}"#,
    ] {
        let folder = Folder::new("quotes-labelled").file("l.ndjson", line.replace("WORD", &word()) + "\n");
        assert_bounded(line, &folder, &["rules", "eval", "l.ndjson"], false);
    }
    for text in [
        r#"{"version": "WORD"}"#,
        r#"{"version": 1, "findings": "WORD"}"#,
        r#"{"version": 1, "findings": [], "WORD": 1}"#,
        "WORD",
    ] {
        let folder = Folder::new("quotes-baseline")
            .file("a.json", r#"{"businessName": 5}"#)
            .file("b.json", text.replace("WORD", &word()));
        assert_bounded(text, &folder, &["check", "--baseline=b.json", "a.json"], true);
    }
}
