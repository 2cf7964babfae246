//! `docs/rejected.md`: every code that `tollproof explain` knows, and what each provider takes after a rejection.

use std::fmt::Write as _;

use serde_yaml::{Mapping, Value};

use super::{generated_part, read};

const PAGE: &str = "docs/rejected.md";

#[test]
fn the_page_of_rejections_lists_all_codes() {
    let data: Value = serde_yaml::from_str(&read("schemas/codes.yaml")).expect("the build reads it too");
    let codes = |provider: &str| data["codes"][provider].as_mapping().cloned().unwrap_or_default();
    let (mut list, mut steps) = (String::new(), String::new());
    steps += "| provider | until when | if you can edit it | if you cannot |\n|---|---|---|---|\n";
    for (provider, about) in data["providers"].as_mapping().into_iter().flatten() {
        let provider = provider.as_str().unwrap_or_default();
        let until = about["until"].as_str().unwrap_or("not stated");
        let over = about.get("over").unwrap_or(&about["final"]);
        let cells = [&about["title"], &Value::from(until), &about["may_edit"], over];
        writeln!(steps, "|{}", cells.map(|value| format!(" {} |", cell(value))).concat())
            .expect("strings take everything");
        let codes = codes(provider);
        if codes.is_empty() {
            continue;
        }
        writeln!(
            list,
            "## {}\n\n| answer | what it means | what to change | again |\n|---|---|---|---|",
            cell(&about["title"])
        )
        .expect("as above");
        for (code, entry) in &codes {
            let title = inherited(&data, entry, "title").filter(|_| is_number(code));
            let answer = match title {
                Some(title) => format!("{} {}", cell(code), cell(&title)),
                None => cell(code),
            };
            let about = ["means", "change"].map(|key| inherited(&data, entry, key).unwrap_or_default());
            let again =
                inherited(&data, entry, "resubmit").and_then(|value| again(&value)).unwrap_or_default();
            let [means, change] = about.map(|text| cell(&text));
            writeln!(list, "| {answer} | {means} | {change} | {again} |").expect("as above");
        }
        list.push('\n');
    }
    generated_part(PAGE, "codes", &list);
    generated_part(PAGE, "next steps", &steps);
}

/// The value of an entry, or of the one it is the same as.
pub(super) fn inherited(data: &Value, entry: &Value, key: &str) -> Option<Value> {
    let own = entry.get(key);
    own.cloned().or_else(|| {
        let (provider, code) = entry["same"].as_str()?.split_once(' ')?;
        let codes: &Mapping = data["codes"][provider].as_mapping()?;
        let (_, other) = codes.iter().find(|(key, _)| cell(key) == code)?;
        inherited(data, other, key)
    })
}

/// Whether a provider lists a reason as one to be sent again. YAML 1.1 takes `yes` and `no` as booleans.
fn again(resubmit: &Value) -> Option<&'static str> {
    let is_listed = resubmit.as_bool().or(match resubmit.as_str() {
        Some("yes") => Some(true),
        Some("no") => Some(false),
        _ => None,
    })?;
    Some(if is_listed { "yes" } else { "no" })
}

/// Whether the key of an entry is a number; other keys are the provider's texts.
fn is_number(code: &Value) -> bool {
    cell(code).bytes().all(|it| it.is_ascii_digit())
}

/// A text in a table.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|"),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}
