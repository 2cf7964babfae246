//! `docs/rejected.md`: the rejections that a look prevents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_yaml::Value;
use tollproof_core::builtin_rules;

use super::rejected::{cell, inherited};
use super::{generated_part, read};

/// The checks of what was seen.
const CHECKS: [&str; 3] = ["page", "picture", "domain"];

#[test]
fn the_page_of_looks_lists_what_it_prevents() {
    let data: Value = serde_yaml::from_str(&read("schemas/codes.yaml")).expect("the build reads it too");
    let mut rules_of: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (id, text) in builtin_rules() {
        let rule: Value = serde_yaml::from_str(text).expect("it is built in");
        if CHECKS.iter().any(|check| !rule["check"][check].is_null()) {
            for code in rule["prevents"].as_sequence().into_iter().flatten() {
                assert_eq!(code["by"], "twilio", "{id}: the table has the codes of Twilio");
                let code = code["code"].as_str().expect("it is a string").to_owned();
                rules_of.entry(code).or_default().insert(id);
            }
        }
    }
    let mut table = "| code of Twilio | rules |\n|---|---|\n".to_owned();
    for (code, rules) in rules_of {
        let entry = &data["codes"]["twilio"][code.as_str()];
        let title = inherited(&data, entry, "title").unwrap_or_else(|| panic!("{code} has no title"));
        let links: Vec<String> =
            rules.iter().map(|id| format!("[`{id}`](../rules/README.md#{})", id.replace('/', ""))).collect();
        writeln!(table, "| {code} {} | {} |", cell(&title), links.join(", "))
            .expect("strings take everything");
    }
    generated_part("docs/rejected.md", "looks", &table);
}
