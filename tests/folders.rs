//! Tests of runs over folders: which files are read, which are skipped, and which skips are always reported.

use crate::support::{Folder, Ran};

const DRAFT: &str = include_str!("drafts/harbor-dental.json");
const RECORD: &str = include_str!("drafts/record-rejected.json");
const TWILIO: &str = r#"{"BusinessName": "Sparrow Lane Books LLC", "BusinessWebsite": "https://sparrowlane.example",
    "UseCaseSummary": "Order updates.", "TollfreePhoneNumberSid": "PN0123456789abcdef0123456789abcdef"}"#;
const SNAKE: &str = "business_name: Sparrow Lane Books LLC\nbusiness_website: https://sparrowlane.example\n\
    production_message_sample: Your order is ready.\nuse_case_summary: Order updates.\n";
const TELNYX: &str = r#"{"businessName": "Sparrow Lane Books LLC", "useCase": "Order Notifications",
    "phoneNumbers": [{"phoneNumber": "+18334726150"}], "optInWorkflow": "People tick a box."}"#;
const BANDWIDTH: &str = r#"{"businessAddress": {"name": "Sparrow Lane Books LLC", "addr1": "1 Main St"},
    "optInWorkflow": {"description": "People tick a box."}, "messageVolume": 100}"#;
const AWS: &str = r#"[{"FieldPath": "companyInfo.companyName", "TextValue": "Sparrow Lane Books LLC"},
    {"FieldPath": "contactInfo.firstName", "TextValue": "Nia"}]"#;

fn check(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&["check", "--now", "2026-11-21T08:00:00Z"], args].concat())
}

/// The rules and messages of a report, one per line.
fn found(folder: &Folder, args: &[&str]) -> String {
    let ran = check(folder, &[args, &["--output-format", "concise"]].concat());
    let said =
        ran.out.lines().filter_map(|line| line.split_once(": ").filter(|(place, _)| place.contains(':')));
    said.map(|(_, said)| format!("{said}\n")).collect::<String>() + &ran.err
}

#[test]
fn payloads_of_other_providers_are_named_in_a_folder_and_by_name() {
    for (name, text, provider) in [
        ("twilio.json", TWILIO, "Twilio"),
        ("twilio.yaml", SNAKE, "Twilio"),
        ("telnyx.json", TELNYX, "Telnyx"),
        ("bandwidth.json", BANDWIDTH, "Bandwidth"),
        ("aws.json", AWS, "AWS"),
    ] {
        let folder = Folder::new("folders-providers").file(&format!("d/{name}"), text);
        for args in [
            vec![format!("d/{name}")],
            vec!["d".to_owned()],
            vec!["d".to_owned(), "--kind=submit-request".to_owned()],
        ] {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ran = check(&folder, &args);
            assert!(
                ran.out.contains(&format!("1 document for {provider} checked")),
                "{name} {args:?}: {}",
                ran.out
            );
        }
    }
}

#[test]
fn a_kind_that_does_not_fit_is_said() {
    let folder = Folder::new("folders-kind")
        .file("draft.json", DRAFT)
        .file("record.json", RECORD)
        .file("said.yaml", format!("# tollproof: kind=number-purchase\n{DRAFT}"))
        .file("below/draft.json", DRAFT)
        .file("below/tollproof.yaml", "kinds: { '*.json': verification-record }\n");
    for (args, said) in [
        (
            &["draft.json", "--kind", "number-purchase"][..],
            "this looks like a submit request, not a number purchase",
        ),
        (
            &["record.json", "--kind", "submit-request"],
            "this looks like a verification record, not a submit request",
        ),
        (&["said.yaml"], "this looks like a submit request, not a number purchase"),
        (&["below/draft.json"], "this looks like a submit request, not a verification record"),
    ] {
        assert_eq!(found(&folder, args), format!("error[structure/unknown-kind] {said}\n"), "{args:?}");
    }
    let ran = check(&folder, &["draft.json", "--kind", "number-purchase"]);
    assert!(ran.out.contains("help: Omit `--kind`, or write `--kind submit-request`."), "{}", ran.out);
    // Both request kinds have these fields.
    let said = found(&folder, &["draft.json", "--kind", "update-request", "--select", "structure"]);
    assert!(!said.contains("unknown-kind"), "{said}");
}

#[test]
fn notes_are_no_test_because_of_their_name() {
    let notes = include_str!("cases/forms.in/notes.md");
    let folder = Folder::new("folders-latest").file("latest_texts.md", notes).file("test_texts.md", notes);
    assert!(check(&folder, &[]).out.contains("(latest_texts.md)"));
}

#[test]
fn verbose_names_what_is_skipped_and_why() {
    let folder = Folder::new("folders-verbose")
        .file("tollproof.yaml", "exclude: [old]\nrule-dirs: [mine]\nbaseline: known.json\nschemas: [{ files: none, schema: house.json }]\n")
        .file("house.json", "{\"businessName\": {}}")
        .file("known.json", "{\"version\": 1, \"findings\": []}")
        .file("mine/house/old-name.yaml", include_str!("cases/own-rules.in/mine/house/old-name.yaml"))
        .file("old/draft.json", DRAFT)
        .file("package.json", "{\"name\": \"site\", \"version\": \"1.0.0\"}")
        .file("notes.txt", "Call Nia.")
        .file("record.json", RECORD)
        .file("draft.json", DRAFT);
    let quiet = check(&folder, &[]);
    assert_eq!(quiet.err, "");
    assert!(
        quiet
            .out
            .contains(" 1 document skipped: not a draft (package.json). 1 file excluded by tollproof.yaml."),
        "the settings, rules, schemas and the baseline are not counted: {}",
        quiet.out
    );
    let ran = check(&folder, &["--verbose"]);
    assert_eq!((ran.out, ran.code), (quiet.out, quiet.code));
    assert_eq!(
        ran.err,
        "skipped house.json: a schema that tollproof.yaml names\n\
         skipped known.json: the baseline\n\
         skipped mine/house/old-name.yaml: a rule file\n\
         skipped notes.txt: a test, or no notes or program with a draft, and its name does not end in .json, .yaml, .yml, .ndjson, .jsonl, .csv, .tsv or .xlsx\n\
         skipped old/draft.json: excluded by `include:` or `exclude:` in tollproof.yaml\n\
         skipped package.json: the field names do not show a kind of document\n\
         skipped tollproof.yaml: settings\n"
    );
    let ran = check(&folder, &["-v", "--kind", "update-request"]);
    assert!(
        ran.err.contains("skipped record.json: not an update request, as `--kind` asks\n"),
        "{}",
        ran.err
    );
}

#[test]
fn settings_alone_are_not_skipped_as_no_draft() {
    let folder = Folder::new("folders-settings")
        .file("tollproof.yaml", "")
        .file("draft.json", DRAFT)
        .file("tollproof-baseline.json", "{}");
    let ran = check(&folder, &[]);
    assert!(ran.out.contains("1 document checked") && !ran.out.contains("skipped"), "{}", ran.out);
}

#[test]
fn files_that_are_not_text_are_named_as_what_they_are() {
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(DRAFT.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let docx = b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml\x00\xffword/document.xml".to_vec();
    for (bytes, said, help) in [
        (utf16, "this file is UTF-16", "Save it as UTF-8."),
        (docx, "this file is a Word document (.docx), not a draft", "Copy its text into a JSON or YAML file"),
        (vec![0xff, 0xfe, 0, 0, b'{', 0, 0, 0], "this file is UTF-32", "Save it as UTF-8."),
        (b"\n<!DOCTYPE html><p>".to_vec(), "this file is an HTML page, not a draft", "Copy its text"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec(), "this file is a PDF, not a draft", "Copy its text"),
    ] {
        let folder = Folder::new("folders-bytes").file("d/draft.json", &bytes).file("d/rows.ndjson", &bytes);
        let expected = format!("error[input/encoding] {said}\n");
        assert_eq!(found(&folder, &["d/draft.json"]), expected);
        let of_bytes = |text: &str| text.lines().filter(|it| it.contains("[input/encoding]")).count();
        assert_eq!(of_bytes(&found(&folder, &["d"])), 2, "in a folder too");
        let ran = check(&folder, &["d/draft.json"]);
        assert!(ran.out.contains(help), "{}", ran.out);
    }
}

#[test]
fn curly_quotes_are_named_once() {
    let curly = DRAFT.replace('"', "\u{201d}");
    let folder = Folder::new("folders-curly").file("d/draft.json", curly);
    let said = "error[input/syntax] `\u{201d}` is a curly quote, but JSON allows only straight quotes\n";
    assert_eq!(found(&folder, &["d/draft.json"]), said);
    assert_eq!(found(&folder, &["d"]), said, "in a folder too");
    let value = DRAFT.replacen("\"US\"", "\u{201c}US\u{201d}", 1);
    let folder = Folder::new("folders-curly").file("d/draft.json", value);
    assert_eq!(found(&folder, &["d"]), said.replace('\u{201d}', "\u{201c}"), "in a value");
}
