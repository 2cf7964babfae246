//! Tests of `--redact`: reports contain no personal data, and all locations are unchanged.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, Ran, formats};

/// Parts of all personal data in the drafts below. No other word contains them.
const TOKENS: [&str; 12] = [
    "quillav", "obradov", "zebulon", "quirkm", "wintergr", "marzip", "kestrel", "78799", "472-18", "4721820",
    "1820", "5124",
];

/// Drafts with different mistakes, by file name.
const DRAFTS: [(&str, &str); 17] = [
    (
        "fields.json",
        r#"{
  "businessName": "Quillavere & Daughters",
  "businessAddr1": "P.O. Box 771, Wintergreen Hollow Rd",
  "businessAddr2": "  Suite Marzipane ",
  "businessZip": "787 99 78799",
  "bussinessCity": "Kestrelbury",
  "businessState": "Texass",
  "businessCountry": "US",
  "businessContactFirstName": "Quillavere77",
  "businessContactLastName": "Quillavere",
  "businessContactEmail": "Zebulon.Quirkmire@gmail.com",
  "businessContactPhone": "(512) 472-1820",
  "corporateWebsite": "https://www.facebook.com/kestrelbury",
  "useCase": "obradovinsky",
  "contact": { "name": "Obradovinsky", "phones": ["512 472 1820"] },
  "useCaseSummary": "We at Kestrelbury text the customers of OBRADOVINSKY. Call 512.472.1820 or zebulon.quirkmire@gmail.com.",
  "productionMessageContent": "Hi {first_name}, QUILLAVERE here. Ask 5124721820! https://bit.ly/x",
  "optInWorkflowDescription": "They call (512) 472 1820 and ask for Ms. Obradovinsky in 771 Wintergreen  Hollow Rd.",
  "additionalInformation": "SSN 472-18-2000, P.O. Box 771, Wintergreen Hollow Rd",
  "phoneNumbers": ["+1 512 472 1820", "(512) 472-1820"]
}"#,
    ),
    (
        "types.json",
        r#"{
  "businessContactFirstName": ["Quillavere", {"last": "Obradovinsky"}],
  "businessContactLastName": {"Obradovinsky": "Zebulon"},
  "businessContactEmail": {"a": ["zebulon@quirkmire.com"]},
  "businessContactPhone": 5124721820,
  "businessZip": 78799,
  "businessCity": null,
  "businessAddr1": true,
  "businessName": {"owner": "Quillavere"},
  "phoneNumbers": "5124721820",
  "testMode": "Quillavere",
  "optInWorkflowImageURLs": [{"of": "Obradovinsky"}, 5124721820]
}"#,
    ),
    (
        "twice.json",
        r#"{"businessContactFirstName": "Quillavere", "businessContactFirstName": "Obradovinsky",
  "Quillavere": 1, "Quillavere": 2, "useCaseSummary": "Quillavere and Obradovinsky"}"#,
    ),
    (
        "keys.json",
        r#"{"businessName": "Acme", "Quillavere Obradovinsky": "x", "5124721820": {"a/b~c Zebulon": 1}}"#,
    ),
    (
        "backticks.json",
        r#"{"businessName": "Acme", "businessContactFirstName": "Quilla`v`quillavere", "businessContactLastName": "“Obradov” \"obradovinsky\"",
  "businessContactEmail": "a`zebulon`@quirkmire", "businessZip": "`78799`", "businessContactPhone": "`5124721820`"}"#,
    ),
    (
        "escapes.json",
        r#"{"businessContactFirstName": "Qu\u0069llavere\u0021", "useCaseSummary": "\u0051uillavere sends", "useCase": "\u0071uillavere"}"#,
    ),
    (
        "broken.json",
        r#"{"businessName": "Acme, "businessContactFirstName": Quillavere, 'businessContactLastName': 'Obradovinsky',
  "businessContactEmail" "zebulon@quirkmire.com" // Kestrelbury
  businessContactPhone: 5124721820 "businessZip": 0x78799 "a": `Quillavere`obradovinsky, "b": "\q Quillavere"#,
    ),
    (
        "broken.yaml",
        "businessName: Acme: Quillavere\nbusinessContactFirstName: \"Quillavere\n\tbusinessCity: Kestrelbury\n",
    ),
    (
        "alias.yaml",
        "# Ask Quillavere, 512 472 1820\nbusinessName: &Obradovinsky Quillavere\nbusinessContactFirstName: *Obradovinsky\n\
        businessContactLastName: *Zebulon\nbusinessContactEmail: !Quirkmire x\nbusinessZip: 78799\nbusinessContactPhone: 5124721820\n",
    ),
    (
        "block.yaml",
        "# tollproof: kind=submit-request\nbusinessName: Acme LLC\nbusinessContactFirstName: |\n  Quillavere\n  Obradovinsky\n\
        businessCity: >\n  Kestrelbury\nuseCaseSummary: >-\n  We text for Quillavere Obradovinsky\n  of Kestrelbury\nuseCase: 10 # Zebulon\n",
    ),
    ("text.json", "\"Quillavere Obradovinsky\""),
    ("text.yaml", "Quillavere Obradovinsky, 512 472 1820\n"),
    ("list.json", r#"["Quillavere", 5124721820, {"businessCity": "Kestrelbury", "useCase": "Kestrelbury"}]"#),
    (
        "record.json",
        r#"{"id": "Quillavere", "verificationRequestData": {"businessContactFirstName": "Quillavere 5", "businessNme": "Obradovinsky",
  "businessContactPhone": "512"}, "status": "Quillavere", "statusMessage": {"Message": "ask Quillavere", "Obradovinsky": "x"}, "createdAt": "soon"}"#,
    ),
    (
        "error.json",
        r#"{"code": 1, "message": "call 512 472 1820", "details": {"businessCity": ["Kestrelbury is unknown"], "Zebulon": "Quirkmire"}}"#,
    ),
    (
        "lines.ndjson",
        "{\"businessName\": \"Acme\", \"businessCity\": \"Kestrelbury\", \"useCase\": \"Kestrelbury\"}\n{\"businessName\": \"Quillavere}\n",
    ),
    (
        "purchase.json",
        r#"{"numbers": [{"number": "512 472 1820", "country": "Spain", "Quillavere": 1}, "Obradovinsky"]}"#,
    ),
];

const RULE: &str = r#"title: A first name is long
severity: warning
at: businessContactFirstName
check: { forbid: { any_of: [quillavere] } }
message: "{match} is `{value}`"
help: "Write less than {value}."
docs: It is.
examples: { pass: [{ businessContactFirstName: Ana }], fail: [{ businessContactFirstName: Quillavere }] }
"#;

/// A repository with all drafts, a history and a rule.
fn folder(name: &str) -> Folder {
    let number = "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9";
    let record = format!(
        "{{\n  \"phoneNumbers\": [\"{number}\"],\n  \"verificationRequestData\": {{\n    \"businessCity\": \
         \"Kestrelbury\", \"businessContactFirstName\": \"Quillavere\"}},\n  \"status\": \"in review\", \"statusMessage\": {{\"Message\": \"Quillavere, 5124721820\"}},\n  \
         \"businessContactFirstName\": \"Obradovinsky\", \"id\": \"5f2a7c90-e318-4b6d-a1f4-c07d92be3586\"\n}}\n"
    );
    let numbered = format!("{{\"phoneNumbers\": [\"{number}\"], \"businessCity\": \"Kestrelbury\"}}");
    let latin =
        b"{\"businessContactFirstName\": \"Qu\xefQuillavere\", \"useCase\": \"Obradovinsky\"}".as_slice();
    let folder = Folder::new(name).file(".git/HEAD", "").file("rules/own/long.yaml", RULE);
    let folder = folder.file("records/one.json", record).file("drafts/latin.json", latin);
    let folder = folder.file("drafts/a.json", &numbered).file("drafts/b.json", &numbered);
    DRAFTS.iter().fold(folder, |folder, (name, text)| folder.file(&format!("drafts/{name}"), text))
}

/// Checks all drafts. Each is named, so that none is skipped.
fn check(folder: &Folder, format: &str, more: &[&str]) -> Ran {
    let mut command = folder.command(&["check", "--min-severity=info", "--history=records", "--rules=rules"]);
    command.arg(format!("--output-format={format}")).args(more).env("GITHUB_STEP_SUMMARY", "summary.md");
    for (name, _) in DRAFTS.iter().chain(&[("latin.json", ""), ("a.json", ""), ("b.json", "")]) {
        command.arg(format!("drafts/{name}"));
    }
    Ran::new(command.output().expect("it starts"))
}

/// The JSON report without everything that `--redact` may change.
fn places(mut report: Value) -> Value {
    let findings = report["findings"].as_array_mut().expect("a list");
    for finding in findings {
        let finding = finding.as_object_mut().expect("an object");
        ["message", "help", "fix", "pointer"].into_iter().for_each(|key| drop(finding.remove(key)));
        for related in finding["related"].as_array_mut().expect("a list") {
            related["message"] = Value::Null;
        }
    }
    report
}

#[test]
fn no_report_tells_of_a_person() {
    let folder = folder("redact");
    let mut rules = Vec::new();
    for format in formats() {
        let ran = check(&folder, format, &["--redact"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let summary = folder.0.join("summary.md");
        let summary =
            fs::read_to_string(&summary).inspect(|_| drop(fs::remove_file(&summary))).unwrap_or_default();
        for text in [&ran.out, &ran.err, &summary] {
            for line in text.lines() {
                let plain = line.to_lowercase().replace("&#58;", ":");
                let told = TOKENS.iter().find(|token| plain.contains(*token));
                assert_eq!(told, None, "{format}: {line}");
            }
        }
        // Without the option, the run shows personal data, which verifies the test itself.
        let open = check(&folder, format, &[]);
        let _ = fs::remove_file(folder.0.join("summary.md"));
        assert!(open.out.to_lowercase().contains("quillav"), "{format}: {open:?}");
        if format == "json" {
            let reports = [&ran, &open].map(|ran| serde_json::from_str::<Value>(&ran.out).expect("JSON"));
            rules = reports[1]["findings"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|it| it["rule"].clone())
                .collect();
            let [redacted, open] = reports.map(places);
            assert_eq!(redacted, open, "rules, places and fingerprints stay");
        }
    }
    for rule in [
        "input/syntax",
        "input/duplicate-key",
        "input/encoding",
        "structure/unknown-field",
        "structure/wrong-type",
        "contact/name-with-marks",
        "contact/free-mail",
        "history/duplicate-submission",
        "own/long",
    ] {
        assert!(rules.contains(&rule.into()), "the drafts show {rule}: {rules:?}");
    }
}

#[test]
fn what_is_nobodys_stays_legible() {
    let draft = r#"{"businessName": "Old Cedar LLC", "businessContactFirstName": "May", "businessContactLastName": "Li",
"businessContactPhone": "5124721820", "useCase": "appointments", "bussinessZip": "78704", "messageVolume": "1000",
"useCaseSummary": "May Li may text likely customers"}"#;
    let folder = Folder::new("legible").file(".git/HEAD", "").file("draft.json", draft);
    let ran = folder.run(&["check", "draft.json", "--redact", "--output-format=json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    let of = |rule: &str| {
        let findings = report["findings"].as_array().expect("a list");
        findings.iter().find(|it| it["rule"] == rule).unwrap_or_else(|| panic!("{rule}: {report}"))
    };
    let phone = of("contact/phone-not-e164");
    assert_eq!(phone["message"], "`**********` is not in international format");
    assert_eq!(phone["help"], "Write `************`: `+`, the country code and digits only.");
    assert_eq!(phone["fix"], Value::Null, "it would write the number");
    let field = of("structure/unknown-field");
    assert_eq!(field["message"], "`bussinessZip` is not a field of a submit request");
    assert_eq!(
        (&field["pointer"], &field["fix"]["edits"][0]["text"]),
        (&"/bussinessZip".into(), &"\"businessZip\"".into())
    );
    let case = of("use-case/unknown-use-case");
    assert_eq!(case["message"], "`appointments` is not one of the 40 use cases");
    assert_eq!(case["fix"]["edits"][0]["text"], "\"Appointments\"");
    let ran = folder.run(&["check", "draft.json", "--redact", "--select=use-case"]);
    assert!(ran.out.contains(r#""useCaseSummary": "*** ** may text likely customers""#), "{}", ran.out);
}

#[test]
fn answers_and_the_gate_are_redacted_too() {
    let draft = r#"{"phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"], "businessContactFirstName": "Quillavere",
  "businessCity": "Kestrelbury"}"#;
    let answer = r#"{"code": "422", "message": "Quillavere is unknown", "details": {"businessCity": ["Kestrelbury?"],
  "Quillavere": ["Obradovinsky"], "businessContactFirstName": ["not Quillavere"]}}"#;
    let folder = Folder::new("redact-answer").file("draft.json", draft).file("answer.json", answer);
    let runs = [
        folder.run(&["explain", "draft.json", "answer.json", "--redact"]),
        folder.run(&["gate", "draft.json", "--history=sqlite:past.db", "--redact"]),
    ];
    // Errors are not part of a report, and never contain personal data.
    let folder =
        folder.file("broken.json", "{\"code\": Quillavere, \"Obradovinsky\": 1, \"Obradovinsky\": 2}");
    let broken = [
        folder.run(&["explain", "draft.json", "broken.json"]),
        folder.run(&["check", "draft.json", "--record=broken.json"]),
        folder.run(&["history", "import", "broken.json", "--history=sqlite:new.db"]),
    ];
    for ran in &broken {
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
    for ran in runs.iter().chain(&broken) {
        assert_ne!(ran.code, Some(0), "{ran:?}");
        let told = format!("{}{}", ran.out, ran.err).to_lowercase();
        assert!(!TOKENS.iter().any(|token| told.contains(token)), "{told}");
    }
}

#[test]
fn a_configuration_is_legible_but_for_its_reasons() {
    let config = "\
# Ask Quillavere.
history: [records, 'postgres://ana:zebulon@db/past?password=marzipan']
ignore:
  - { rule: contact/free-mail, files: 'drafts/*.json', reason: Quillavere said so, until: 2026-10-31 }
  - rule: contact/fre-mail # Kestrelbury
    reason: 512 472 1820
  - rule: structure/unset-field
    until: 2026-10-30
    reason: |
      Obradovinsky
";
    let folder = Folder::new("redact-settings")
        .file("tollproof.yaml", config)
        .file("drafts/a.json", r#"{"businessName": "Acme"}"#)
        .file("records/one.json", "{}");
    let args = ["check", ".", "--select=config", "--history=records", "--now=2026-11-21T08:00:00Z"];
    for format in formats() {
        let ran = folder.run(&[&args[..], &["--redact", "--output-format", format]].concat());
        let told = format!("{}{}", ran.out, ran.err).to_lowercase();
        assert!(!TOKENS.iter().any(|token| told.contains(token)), "{told}");
        assert!(told.contains("2026-10-31"), "{told}");
        assert!(told.contains("fre-mail"), "{told}");
    }
    let ran = folder.run(&[&args[..], &["--redact"]].concat());
    assert!(
        ran.out.contains("files: 'drafts/*.json', reason: ********** **** **, until: 2026-10-31 }"),
        "{}",
        ran.out
    );
    let report = |more: &[&str]| {
        let ran = folder.run(&[&args[..], &["--output-format=json"], more].concat());
        serde_json::from_str::<Value>(&ran.out).expect("JSON")
    };
    assert_eq!(places(report(&["--redact"])), places(report(&[])));
}

#[test]
fn a_diff_cannot_be_starred_and_a_fix_can() {
    let draft = r#"{"businessName": "Acme", "businessContactPhone": "5124721820", "businessContactLastName": "Obradovinsky 5"}"#;
    let folder = Folder::new("redact-fix").file("draft.json", draft);
    let ran = folder.run(&["check", "draft.json", "--redact", "--diff"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.starts_with("error: `--diff` prints lines of drafts, "), "{ran:?}");
    let ran = folder.run(&["check", "draft.json", "--redact", "--fix", "--unsafe-fixes"]);
    assert!(!TOKENS.iter().any(|token| ran.out.to_lowercase().contains(token)), "{ran:?}");
    let fixed = fs::read_to_string(folder.0.join("draft.json")).expect("it is there");
    assert_eq!(fixed, draft.replace("5124721820", "+15124721820"), "files are fixed as they are");
}
