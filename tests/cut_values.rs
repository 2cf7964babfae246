//! Tests of YAML values that are cut at ` #`, where YAML starts a comment.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tollproof_core::{Kind, KindRole, clean_document};

use super::fix::yaml;
use super::support::Folder;

/// A clean draft in YAML in which one field is replaced with this line.
fn draft(field: &str, line: &str) -> String {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    draft.as_object_mut().expect("a draft is an object").remove(field);
    format!("{}{line}\n", yaml(&draft, 0, ""))
}

/// A separate folder for each call, because tests run in parallel.
fn folder() -> Folder {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    Folder::new(&format!("cut_values_{}", COUNT.fetch_add(1, Ordering::Relaxed)))
}

/// The findings at a field, one per line.
fn found(field: &str, line: &str) -> String {
    let folder = folder().file("d.yaml", draft(field, line));
    let args = ["check", "--no-config", "--min-severity", "info", "--output-format", "json", "d.yaml"];
    let report: Value = serde_json::from_str(&folder.run(&args).out).expect("the report is JSON");
    let findings = report["findings"].as_array().expect("it has findings").iter();
    let at_field = findings.filter(|it| it["pointer"] == format!("/{field}"));
    let lines = at_field.map(|finding| {
        let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
        let safety = finding["fix"]["safety"].as_str().unwrap_or("no fix").to_owned();
        format!("{} {}: {} ({safety})\n", text("severity"), text("rule"), text("message"))
    });
    lines.collect()
}

/// The line of a field after `--fix --unsafe-fixes`.
fn fixed(field: &str, line: &str) -> String {
    let folder = folder().file("d.yaml", draft(field, line));
    folder.run(&["check", "--no-config", "--fix", "--unsafe-fixes", "d.yaml"]);
    let text = std::fs::read_to_string(folder.0.join("d.yaml")).expect("it is still there");
    text.lines().last().expect("it has lines").to_owned()
}

#[test]
fn a_value_that_a_comment_cuts_off_is_reported() {
    for (field, line, comment, right) in [
        ("businessAddr2", "businessAddr2: Suite #4", "#4", "businessAddr2: \"Suite #4\""),
        ("businessAddr2", "businessAddr2:  Apt # 4B", "# 4B", "businessAddr2:  \"Apt # 4B\""),
        ("businessAddr2", "businessAddr2: Suite # B", "# B", "businessAddr2: \"Suite # B\""),
        ("businessAddr2", "businessAddr2: Unit # A-12", "# A-12", "businessAddr2: \"Unit # A-12\""),
        ("businessAddr2", "businessAddr2: Suite #\"4\"", "#\"4\"", "businessAddr2: \"Suite #\\\"4\\\"\""),
        (
            "businessAddr2",
            "businessAddr2: Suite #4 # tollproof: kind=submit-request",
            "#4",
            "businessAddr2: \"Suite #4\" # tollproof: kind=submit-request",
        ),
        (
            "businessAddr1",
            "businessAddr1: 12 Main Street #4, rear",
            "#4, rear",
            "businessAddr1: \"12 Main Street #4, rear\"",
        ),
        (
            "businessCity",
            "\"businessCity\" : &city Portland\t#1  ",
            "#1",
            "\"businessCity\" : &city \"Portland\\t#1\"  ",
        ),
    ] {
        let wanted = format!(
            "warning content/cut-by-comment: the value ends before `#`: in YAML, `{comment}` is a comment (unsafe)\n"
        );
        assert_eq!(found(field, line), wanted, "{line}");
        assert_eq!(fixed(field, line), right, "{line}");
        assert!(!found(field, right).contains("cut-by-comment"), "{right}");
    }
    let sentence = "additionalInformation: Guests who book a tour reply with the # of their guests";
    assert!(found("additionalInformation", sentence).contains("cut-by-comment"));
}

#[test]
fn a_remark_is_no_part_of_a_value() {
    for (field, line) in [
        ("businessAddr2", "businessAddr2: Suite 3  # checked by Ana"),
        ("businessAddr2", "businessAddr2: Suite 3 # checked by Ana"),
        ("businessAddr2", "businessAddr2: Suite 3  # 4 people work there"),
        ("businessAddr2", "businessAddr2: Suite 3 #"),
        ("businessAddr2", "businessAddr2: Suite 3 ## new"),
        ("businessAddr2", "businessAddr2: Suite 3 # tollproof: kind=submit-request"),
        ("businessAddr2", "businessAddr2: Suite 3 #yaml-language-server: $schema=x"),
        ("businessAddr2", "businessAddr2: \"Suite #4\" #4"),
        ("businessAddr2", "businessAddr2: 'Suite #4'"),
        ("businessAddr2", "businessAddr2: Suite#4"),
        ("businessAddr2", "businessAddr2: >-\n  Suite #4"),
        (
            "additionalInformation",
            "additionalInformation: Our privacy policy is linked on the booking page. # as Ana says",
        ),
        ("testMode", "testMode: false #for now"),
        ("businessZip", "businessZip: 04101-1234 #checked"),
        ("useCase", "useCase: Booking Confirmations #checked"),
    ] {
        assert!(!found(field, line).contains("comment"), "{line}: {}", found(field, line));
    }
}

#[test]
fn a_null_with_a_comment_on_its_line_is_explained() {
    for (field, line, safety, right) in [
        ("businessAddr1", "businessAddr1: #12 Main", "unsafe", "businessAddr1: \"#12 Main\""),
        ("businessAddr2", "businessAddr2:   # 4", "no fix", "businessAddr2:   # 4"),
        ("businessAddr2", "businessAddr2: # 4", "unsafe", "businessAddr2: \"# 4\""),
        ("businessAddr1", "businessAddr1: # to be filled in", "no fix", "businessAddr1: # to be filled in"),
        ("testMode", "testMode: #no", "no fix", "testMode: #no"),
        ("businessAddr1", "businessAddr1: ~ #12 Main", "unsafe", "businessAddr1: \"#12 Main\""),
    ] {
        let wanted = format!(
            "error structure/wrong-type: `{field}` is null: in YAML, `#` begins a comment ({safety})\n"
        );
        assert_eq!(found(field, line), wanted, "{line}");
        assert_eq!(fixed(field, line), right);
    }
    for line in
        ["businessAddr1: null # todo", "businessAddr1: ~ # todo", "businessAddr1: # tollproof: ignore[x] y"]
    {
        let said = found("businessAddr1", line);
        assert!(said.contains("must be a string, not null"), "{line}: {said}");
    }
}

#[test]
fn a_number_before_a_comment_may_be_the_beginning_of_an_address() {
    assert_eq!(fixed("businessAddr1", "businessAddr1: 12 #4 Main"), "businessAddr1: \"12 #4 Main\"");
    assert_eq!(
        fixed("businessAddr1", "businessAddr1: 12 # as Ana says"),
        "businessAddr1: \"12\" # as Ana says"
    );
    assert_eq!(fixed("businessZip", "businessZip: 04101 #checked"), "businessZip: \"04101\" #checked");
    let phone = "businessContactPhone: +12077724831 #main";
    assert_eq!(fixed("businessContactPhone", phone), "businessContactPhone: \"+12077724831\" #main");
}

#[test]
fn a_comment_inside_brackets_is_reported_and_left_to_its_author() {
    let text = "{businessAddr2: Suite #4, businessZip: \"04101\"\n}\n";
    let folder = folder().file("d.yaml", text);
    let ran = folder.run(&[
        "check",
        "--no-config",
        "--output-format",
        "concise",
        "--fix",
        "--unsafe-fixes",
        "d.yaml",
    ]);
    assert!(ran.out.contains("content/cut-by-comment"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(folder.0.join("d.yaml")).expect("it is still there"), text);
}

#[test]
fn new_drafts_have_no_comment_in_a_value() {
    let folder = Folder::new("new_drafts_have_no_comment");
    for kind in ["submit-request", "update-request"] {
        let name = format!("{kind}.yaml");
        assert_eq!(folder.run(&["new", "--kind", kind, &name]).code, Some(0), "{kind}");
        let ran = folder.run(&[
            "check",
            "--no-config",
            "--min-severity",
            "info",
            "--output-format",
            "concise",
            &name,
        ]);
        assert!(!ran.out.contains("comment"), "{ran:?}");
    }
}
