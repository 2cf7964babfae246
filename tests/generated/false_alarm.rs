//! `docs/fix-a-false-alarm.md`: what it shows is what tollproof prints.

use std::path::Path;

use serde_json::Value;

use super::{generated_part, read, tollproof};

const PAGE: &str = "docs/fix-a-false-alarm.md";
const FOLDER: &str = "tests/cases/false-alarm.in";

/// The groups that the page shows.
const SHOWN: [&str; 2] = ["advertising", "offers-not-texted"];

#[test]
fn the_page_fixes_a_false_alarm() {
    let (before, after) = (format!("{FOLDER}/before"), format!("{FOLDER}/after"));
    let draft = read(&format!("{FOLDER}/draft.json"));
    let check = |rules: &str| {
        let args = ["check", "-", "--stdin-filename", "draft.json", "--no-config", "--rules", rules];
        tollproof(&[&args[..], &["--select", "house"]].concat(), &draft)
    };
    let found = check(&before);
    assert!(found.contains("warning[house/offers]") && !check(&after).contains("house/offers"), "{found}");
    generated_part(PAGE, "check", &console("check draft.json --rules mine --select house", &found));
    let rule = read(&format!("{after}/house/offers.yaml"));
    let lines = |beginning: &str| -> String {
        rule.lines().filter(|line| line.contains(beginning)).map(|line| format!("{line}\n")).collect()
    };
    generated_part(PAGE, "example", &yaml(&lines("postcard")));
    let test = |folder: &str| tollproof(&["rules", "test", &format!("{folder}/house/offers.yaml")], "");
    let (failed, passed) = (test(&before), test(&after));
    assert!(
        failed.contains("should not report") && passed.ends_with("all as expected\n"),
        "{failed}{passed}"
    );
    generated_part(PAGE, "before", &console("rules test mine/house/offers.yaml", &failed));
    generated_part(PAGE, "after", &console("rules test mine/house/offers.yaml", &passed));
    let fixed = lines("advertising]");
    let pattern = fixed.replace(", none: [offers-not-texted]", "");
    assert!(read(&format!("{before}/house/offers.yaml")).contains(&pattern) && fixed != pattern);
    generated_part(PAGE, "pattern", &yaml(&(lines("# ") + &pattern)));
    generated_part(PAGE, "fix", &yaml(&(lines("# ") + &fixed)));
    let args = ["text", "-", "--no-config", "--field", "useCaseSummary", "--output-format", "json"];
    generated_part(PAGE, "text", &console("text draft.json", &terms(&tollproof(&args, &draft))));
}

fn console(command: &str, output: &str) -> String {
    format!("```console\n$ tollproof {command}\n{}\n```", output.trim_end())
}

fn yaml(lines: &str) -> String {
    format!("```yaml\n{lines}```")
}

/// The terms of the groups that the page shows, as they are printed for people.
fn terms(report: &str) -> String {
    let report: Value = serde_json::from_str(report).expect("it is JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut shown = String::new();
    for sentence in list(&report[0]["sentences"]) {
        for term in list(&sentence["clauses"]).iter().flat_map(|clause| list(&clause["terms"])) {
            for entry in list(&term["entries"]) {
                let group = text(&entry["group"]);
                if SHOWN.contains(&&*group) {
                    let file = text(&entry["file"]);
                    let file =
                        Path::new(&file).file_name().and_then(|name| name.to_str()).unwrap_or_default();
                    let words: String = text(&entry["entry"]).chars().take(40).collect();
                    shown += &format!("    {}\n      <{group}>  {file}  {words}…\n", text(&term["text"]));
                }
            }
        }
    }
    shown
}
