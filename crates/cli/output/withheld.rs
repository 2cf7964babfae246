//! Tests of the findings that reports leave out: suppressed ones, and those beyond the limits of a service.

use serde_json::Value;
use tollproof_core::{Finding, Severity, Source, Span, SuppressedBy, Suppression};

use super::tests::{ALL, finding, report};
use super::{FORMATS, ReportReader};
use crate::terminal::Look;

const DRAFT: &str = "businessName: Acme\n";

fn print(format: &str, findings: Vec<Finding>) -> String {
    report(format, Look::PLAIN, ALL, &Source::new("drafts/acme.yaml", DRAFT), findings)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn missing() -> Finding {
    finding("structure/unset-field", Severity::Error, "`secret` is not set", Span::new(0, 12))
}

#[test]
fn findings_that_do_not_count_are_marked_or_left_out() {
    let suppressed = |by, reason: Option<&str>| {
        let reason = reason.map(str::to_owned);
        vec![Finding { suppressed: Some(Suppression { by, reason }), ..missing() }]
    };
    let by_comment = || suppressed(SuppressedBy::Comment, Some("they know"));
    for format in FORMATS.iter().filter(|it| !it.is_binary()) {
        let text = print(format.name, by_comment());
        assert_eq!(
            text.contains("secret"),
            format.reader == ReportReader::Program,
            "{}: {text}",
            format.name
        );
        assert_eq!(
            text.contains("they know"),
            format.reader == ReportReader::Program,
            "{}: {text}",
            format.name
        );
    }
    let result = |findings| json(&print("sarif", findings))["runs"][0]["results"][0].clone();
    let marked = result(by_comment());
    assert_eq!(marked["suppressions"][0]["kind"], "inSource");
    assert_eq!(marked["baselineState"], Value::Null);
    let marked = result(suppressed(SuppressedBy::Baseline, None));
    assert_eq!(marked["suppressions"][0]["kind"], "external");
    assert_eq!(marked["baselineState"], "unchanged");
    assert_eq!(result(suppressed(SuppressedBy::Config, None))["suppressions"][0]["kind"], "external");
    assert_eq!(result(vec![missing()])["suppressions"], Value::Null);
    assert!(print("junit", by_comment()).contains("<testcase name=\"no findings\""));
}

#[test]
fn sarif_holds_no_more_than_github_takes() {
    let results = |count| json(&print("sarif", vec![missing(); count]))["runs"][0].clone();
    let run = results(25_003);
    assert_eq!(run["results"].as_array().map(Vec::len), Some(25_000));
    let expected =
        "3 findings left out of the SARIF report: GitHub takes 25000 in one file and stores 5000 of them";
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(
        (&notification["level"], &notification["message"]["text"]),
        (&"warning".into(), &expected.into())
    );
    let notification = &results(5_001)["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(
        notification["message"]["text"],
        "of the 5001 findings in the SARIF report GitHub stores 5000"
    );
    assert_eq!(results(5_000)["invocations"][0]["toolExecutionNotifications"], Value::Null);
}

#[test]
fn a_page_holds_no_more_than_a_comment_takes() {
    let text = print("markdown", vec![missing(); 1_000]);
    assert!(text.len() <= 65_536 && text.len() > 60_000, "{}", text.len());
    let rows = text.matches("\n| **error**").count();
    let more = format!("\n**{} more findings** do not fit here", 1_000 - rows);
    assert!(text.contains(&more), "{}", &text[60_000..]);
}

#[test]
fn lines_of_json_are_the_json_report_in_parts() {
    let schema = json(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/report.schema.json")));
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let text = print("jsonl", vec![missing(), missing()]);
    let mut lines: Vec<Value> = text.lines().map(json).collect();
    let mut whole = lines.pop().expect("a last line");
    whole["findings"] = Value::Array(lines);
    validator.validate(&whole).expect("put together, they are as promised");
    assert_eq!(whole, json(&print("json", vec![missing(), missing()])));
}
