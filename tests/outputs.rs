//! Tests of reports for services: columns, fingerprints and limits.

use std::fs;

use quick_xml::events::Event;
use serde_json::Value;

use crate::support::{Folder, Ran, formats, report_text};

/// Before the wrong value are characters of two, two and four bytes; the last is outside of the basic multilingual
/// plane.
const LINE: &str =
    r#"{"businessName": "Café Ñandú 😀 LLC", "useCase": "appointments", "messageVolume": "10"}"#;

const SELECT: &str = "--select=use-case/unknown-use-case";

/// Some reports show when the drafts were checked.
const NOW: &str = "--now=2026-11-21T08:00:00Z";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A folder that is a repository, so that paths start there.
fn repository(name: &str) -> Folder {
    Folder::new(name).file(".git/HEAD", "")
}

/// The report in one format for a folder with a draft.
fn report(folder: &Folder, format: &str) -> Ran {
    let format = format!("--output-format={format}");
    folder.run(&["check", "draft.json", SELECT, NOW, "--fail-on=never", &format])
}

/// The values of an attribute, in order.
fn attributes(xml: &str, element: &str, name: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut values = Vec::new();
    loop {
        match reader.read_event().expect("the report is XML") {
            Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref() == element.as_bytes() => {
                let value =
                    tag.try_get_attribute(name).expect("attributes are well-formed").expect("it is there");
                values.push(value.normalized_value(Default::default()).expect("it is escaped").into_owned());
            }
            Event::Eof => break values,
            _ => {}
        }
    }
}

/// The fingerprints in each format that has them.
fn fingerprints(folder: &Folder) -> Vec<String> {
    let text = |format: &str| report(folder, format).out;
    let value = |value: &Value| value.as_str().expect("a fingerprint is a text").to_owned();
    let lines = text("jsonl");
    vec![
        value(&json(&text("json"))["findings"][0]["fingerprint"]),
        value(&json(lines.lines().next().expect("a finding"))["fingerprint"]),
        value(&json(&text("sarif"))["runs"][0]["results"][0]["partialFingerprints"]["tollproof/v1"]),
        value(&json(&text("gitlab"))[0]["fingerprint"]),
        attributes(&text("junit"), "property", "value").remove(0),
    ]
}

#[test]
fn columns_follow_the_convention_of_each_format() {
    let folder = repository("columns").file("draft.json", LINE);
    let text = |format: &str| report(&folder, format).out;
    let before = &LINE[..LINE.find("\"appointments\"").expect("it is there")];
    let points = before.chars().count() + 1;
    let utf16 = before.encode_utf16().count() + 1;
    let bytes = before.len() + 1;
    assert!(points < utf16 && utf16 < bytes, "the draft tells them apart");

    let finding = &json(&text("json"))["findings"][0]["span"];
    assert_eq!((&finding["column"], &finding["start"]), (&points.into(), &(bytes - 1).into()));
    let lines = text("jsonl");
    assert_eq!(json(lines.lines().next().expect("a finding"))["span"]["column"], points);
    for format in ["full", "concise"] {
        assert!(text(format).contains(&format!("draft.json:1:{points}")), "{}", text(format));
    }
    assert!(
        text("narrated").contains(&format!("label at line 1, columns {points} to ")),
        "{}",
        text("narrated")
    );
    assert!(text("markdown").contains(&format!("<code>draft.json&#58;1&#58;{points}</code>")));
    let run = &json(&text("sarif"))["runs"][0];
    let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    assert_eq!((&region["startColumn"], &region["endColumn"]), (&utf16.into(), &(utf16 + 14).into()));
    assert_eq!((&region["byteOffset"], &region["byteLength"]), (&(bytes - 1).into(), &14.into()));
    let place =
        format!("::error file=draft.json,line=1,endLine=1,col={utf16},endColumn={},title=", utf16 + 14);
    assert!(text("github").starts_with(&place), "{}", text("github"));
    assert_eq!(json(&text("gitlab"))[0]["location"]["lines"]["begin"], 1);
    let name = format!("use-case/unknown-use-case at 1:{points}");
    assert_eq!(attributes(&text("junit"), "testcase", "name"), [name]);
}

#[test]
fn one_fingerprint_in_all_formats_stays_when_lines_move() {
    let folder = repository("fingerprints").file("draft.json", LINE);
    let mut before = fingerprints(&folder);
    before.dedup();
    assert_eq!(before.len(), 1, "{before:?}");
    let moved = LINE.replacen('{', "{\n\n  \"isvReseller\": \"Ñ 😀\",\n", 1);
    let after = fingerprints(&folder.file("draft.json", &moved));
    assert!(after.iter().all(|it| *it == before[0]), "{before:?} {after:?}");
}

#[test]
fn sarif_is_as_published() {
    let mut schema = json(include_str!("data/sarif-2.1.0.schema.json"));
    // The published schema has an extra bracket in the pattern for languages.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"]["pattern"] =
            "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$".into();
    }
    let validator = jsonschema::options().should_validate_formats(true).build(&schema);
    let validator = validator.expect("the schema is one");
    let record = r#"{"id": "5f2a7c90-e318-4b6d-a1f4-c07d92be3586", "phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"],
        "verificationRequestData": {}, "status": "in review", "updatedAt": "2026-11-12T09:30:00.000Z"}"#;
    let numbered = LINE.replacen('{', r#"{"phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"],"#, 1);
    let rule = include_str!("cases/own-rules.in/mine/house/old-name.yaml");
    let folder = repository("sarif")
        .file("records/a b.json", record)
        .file("drafts/ñ #1.json", numbered)
        .file("drafts/broken.yaml", "a: [1\nb: \t\n")
        .file("drafts/twice.json", r#"{"businessName": "Old Cedar LLC", "businessName": "Harborlight"}"#)
        .file("drafts/mine/house/old-name.yaml", rule);
    let mut command = folder.command(&["check", "ñ #1.json", "broken.yaml", "twice.json", "--rules=mine"]);
    command.args(["--history=../records", "--output-format=sarif", "--min-severity=info"]);
    let ran = Ran::new(command.current_dir(folder.0.join("drafts")).output().expect("it starts"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let sarif = json(&ran.out);
    let errors: Vec<String> = validator.iter_errors(&sarif).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");

    let run = &sarif["runs"][0];
    let results = run["results"].as_array().expect("a list");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("a list");
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("a number");
        assert_eq!(rules[usize::try_from(index).expect("small")]["id"], result["ruleId"]);
    }
    for rule in rules {
        assert!(rule["help"]["markdown"].as_str().is_some_and(|it| !it.is_empty()), "{rule}");
    }
    let of = |rule: &str| {
        results.iter().find(|it| it["ruleId"] == rule).unwrap_or_else(|| panic!("{rule}: {sarif}"))
    };
    let artifact = |location: &Value| location["physicalLocation"]["artifactLocation"].clone();
    let open = of("history/duplicate-submission");
    assert_eq!(artifact(&open["locations"][0])["uri"], "drafts/%C3%B1%20%231.json");
    assert_eq!(artifact(&open["locations"][0])["uriBaseId"], "%SRCROOT%");
    assert_eq!(artifact(&open["relatedLocations"][0])["uri"], "records/a%20b.json");
    assert_eq!(open["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 2);
    assert_eq!(of("input/duplicate-key")["relatedLocations"].as_array().map(Vec::len), Some(1));
    let case = of("use-case/unknown-use-case");
    let change = &case["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["replacements"][0]["insertedContent"]["text"], "\"Appointments\"");

    // A clean run has a report too.
    let clean =
        report(&repository("sarif-clean").file("draft.json", r#"{"limit": 1, "country": "US"}"#), "sarif");
    let clean = json(&clean.out);
    assert!(validator.is_valid(&clean), "{clean}");
    assert_eq!(clean["runs"][0]["results"], Value::Array(Vec::new()));
}

#[test]
fn github_shows_ten_of_a_level_and_counts_the_rest() {
    let document = LINE.replace("\"10\"", "\"11\"");
    let annotations = |count: usize| {
        let list = vec![document.as_str(); count].join(",\n");
        let folder = repository("ten").file("draft.json", format!("[{list}]"));
        let ran = report(&folder, "github");
        ran.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let ten = annotations(10);
    assert_eq!(ten.len(), 10);
    assert!(ten.iter().all(|it| it.contains("line=")), "{ten:?}");
    let many = annotations(12);
    assert_eq!(many.len(), 10);
    assert_eq!(many[9], "::error title=tollproof::3 more errors; `tollproof check` lists them");
    assert_eq!(many[..9], ten[..9]);
}

#[test]
fn a_job_gets_a_summary_beside_what_it_has() {
    let folder = repository("job").file("draft.json", LINE).file("summary.md", "# Before\n\n");
    let run = |path: &str, format: &str| {
        let mut command = folder.command(&["check", "draft.json", SELECT]);
        command.arg(format!("--output-format={format}")).env("GITHUB_STEP_SUMMARY", path);
        Ran::new(command.output().expect("it starts"))
    };
    let summary = || fs::read_to_string(folder.0.join("summary.md")).expect("it is there");
    let ran = run("summary.md", "concise");
    assert_eq!((ran.code, summary().as_str()), (Some(1), "# Before\n\n"));
    let ran = run("summary.md", "github=annotations.txt");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
    let expected =
        "# Before\n\n### tollproof\n\n1 document checked: 1 error, 0 warnings. 1 fixable with --fix.\n\n| |";
    assert!(summary().starts_with(expected), "{}", summary());
    let ran = run("none/summary.md", "github");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert_eq!(ran.err, "error: cannot write the report `none/summary.md`: no such file or directory\n");
}

#[test]
fn a_rule_that_cannot_be_used_is_an_annotation_too() {
    let folder = repository("annotated").file("draft.json", LINE).file("tollproof.yaml", "vendors: Acme\n");
    let ran = report(&folder, "github");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(
        ran.err.starts_with("::error file=tollproof.yaml,line=1,col=1::unknown key `vendors`"),
        "{ran:?}"
    );
}

#[test]
fn gitlab_sees_every_finding_once() {
    let numbered = LINE.replacen('{', r#"{"phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"],"#, 1);
    let folder = repository("gitlab").file("a.json", &numbered).file("b.json", &numbered);
    let ran = folder.run(&["check", SELECT, "--output-format=gitlab"]);
    let issues = json(&ran.out);
    let fingerprint = |at: usize| issues[at]["fingerprint"].as_str().expect("a string").to_owned();
    assert_eq!(fingerprint(1), fingerprint(0) + "-2", "two drafts of one number");
    assert_eq!(issues[1]["location"]["path"], "b.json");
}

#[test]
fn clean_files_are_tests_that_pass() {
    let clean = r#"{"limit": 1, "country": "US", "type": "tollfree"}"#;
    let folder = repository("passing").file("clean.json", clean).file("draft.json", LINE);
    let ran = folder.run(&["check", "clean.json", "draft.json", SELECT, "--output-format=junit"]);
    let values = |element: &str, name: &str| attributes(&ran.out, element, name);
    assert_eq!([values("testsuites", "tests"), values("testsuites", "failures")], [["2"], ["1"]]);
    assert_eq!(values("testsuite", "name"), ["clean.json", "draft.json"]);
    assert_eq!(values("testsuite", "failures"), ["0", "1"]);
    assert_eq!(values("testcase", "file"), ["clean.json", "draft.json"]);
}

#[test]
fn paths_for_services_start_at_the_top_of_the_repository() {
    let folder = repository("top").file("drafts/draft.json", LINE);
    let run = |format: &str| {
        let mut command = folder.command(&["check", "draft.json", SELECT]);
        command.arg(format!("--output-format={format}")).current_dir(folder.0.join("drafts"));
        Ran::new(command.output().expect("it starts")).out
    };
    assert!(run("github").starts_with("::error file=drafts/draft.json,"));
    assert_eq!(json(&run("gitlab"))[0]["location"]["path"], "drafts/draft.json");
    assert!(run("markdown").contains("<code>drafts/draft.json&#58;1"));
}

#[test]
fn many_reports_come_of_one_run_and_none_of_a_failed_one() {
    let folder = repository("many").file("draft.json", LINE);
    let in_files = || formats().iter().filter(|it| *it != "concise");
    let targets: Vec<String> = in_files().map(|it| format!("--output-format={it}={it}.out")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let ran = folder
        .run(&[&["check", "draft.json", SELECT, NOW, "--output-format=concise"], &targets[..]].concat());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for format in in_files() {
        let kept = fs::read(folder.0.join(format!("{format}.out"))).expect("it is there");
        assert_eq!(report_text(kept), report(&folder, format).out, "{format}");
        fs::remove_file(folder.0.join(format!("{format}.out"))).expect("it was there");
    }
    let ran =
        folder.run(&[&["check", "draft.json", "--output-format=json=none/a.json"], &targets[..]].concat());
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert_eq!(fs::read_dir(&folder.0).expect("readable").count(), 2, "nothing is left behind");
}

#[test]
fn what_a_service_will_not_show_is_said_on_standard_error() {
    let list = format!("[{}]", vec![LINE; 1_700].join(",\n"));
    let folder = repository("notice").file("a.json", &list).file("b.json", &list).file("c.json", &list);
    let ran =
        folder.run(&["check", SELECT, "--output-format=sarif=all.sarif", "--output-format=junit=all.xml"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(ran.err, "note: of the 5100 findings in the SARIF report GitHub stores 5000\n");
}

#[test]
fn people_are_told_the_counts_of_what_they_see() {
    let empty = "businessName: \"\"\nbusinessAddr1: \"\"\nbusinessCity: \"\"\nphoneNumbers: [a801c418-a845-4f95-9e37-30c84d2adbb8]\n";
    let folder = Folder::new("outputs-counts").file("d.yaml", empty);
    let ran = folder.run(&["check", "d.yaml", "--select", "structure", "--statistics"]);
    assert!(
        ran.out.contains("3 required fields are empty: businessName, businessAddr1, businessCity\n"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("\n1  error    structure/missing-field\n"), "{}", ran.out);
    assert!(ran.out.contains("\n1 document checked: 2 errors, 0 warnings.\n"), "{}", ran.out);
    for format in ["concise", "narrated", "markdown"] {
        let ran = folder.run(&["check", "d.yaml", "--select", "structure", "--output-format", format]);
        assert!(ran.out.contains("1 document checked: 2 errors, 0 warnings."), "{format}: {}", ran.out);
    }
    // Reports for programs contain and count each field separately.
    let report = json(&folder.run(&["check", "d.yaml", "--select", "structure", "--format", "json"]).out);
    let findings = report["findings"].as_array().expect("a list").len();
    assert_eq!((report["summary"]["errors"].as_u64(), findings), (Some(findings as u64), findings));
    assert!(findings > 10, "{report}");
}

#[test]
fn rules_are_linked_where_the_terminal_takes_links() {
    let folder = Folder::new("outputs-links").file("d.json", include_str!("drafts/cedar-auto.json"));
    let run = |links: Option<&str>| {
        let mut command = folder.command(&["check", "d.json", "--color", "never"]);
        match links {
            Some(links) => command.env("FORCE_HYPERLINK", links),
            None => command.env_remove("FORCE_HYPERLINK"),
        };
        Ran::new(command.output().expect("tollproof starts")).out
    };
    // This rule has a web page as its source.
    let linked = "\u{1b}]8;;https://";
    assert!(run(Some("1")).contains(linked), "{}", run(Some("1")));
    assert!(!run(Some("0")).contains('\u{1b}') && !run(None).contains('\u{1b}'), "not into a pipe");
}

#[test]
fn every_label_says_something() {
    let draft = "productionMessageContent: '[Company Name]: call [Company Phone]. Reply STOP to opt out.'\n";
    let folder = Folder::new("outputs-labels").file("d.yaml", draft);
    let ran = folder.run(&["check", "d.yaml", "--select", "content/template-slot"]);
    assert!(ran.out.contains("╰── and here\n"), "{}", ran.out);
    let ran = folder.run(&["check", "d.yaml", "--select", "content/template-slot", "--format", "json"]);
    assert_eq!(json(&ran.out)["findings"][0]["related"][0]["message"], "and here");
}

#[test]
fn a_word_longer_than_a_line_stays_in_its_frame() {
    let draft = serde_json::json!({ "businessName": "Acme Bank LLC", "useCase": "x".repeat(230) });
    let ran = Folder::new("outputs-long-word").file("a.json", draft.to_string()).run(&[
        "check",
        "--no-config",
        "a.json",
    ]);
    let shown: usize = ran.out.lines().filter(|line| line.contains("xxxx")).count();
    let widest = ran.out.lines().map(|line| line.chars().count()).max();
    assert!(shown > 3 && widest.is_some_and(|it| it <= 80), "{ran:?}");
}
