//! `docs/own-rules.md`: its examples are files that pass their tests, and what it shows is what tollproof prints.

use std::fmt::Write as _;

use serde_json::Value;
use tollproof_core::{Kind, KindRole, Provider};

use super::{generated_part, read, tollproof};

const PAGE: &str = "docs/own-rules.md";
const FOLDER: &str = "tests/cases/meanings.in";

/// The files of the page, below `mine`.
const FILES: [&str; 7] = [
    "house/condition-to-opt-out",
    "vocabulary/replies",
    "house/unread-replies",
    "vocabulary/clinics",
    "house/other-clinic",
    "vocabulary/treatments",
    "house/treatment-in-sample",
];

/// The groups of `house/unread-replies`. The page shows no others, because those of tollproof change often.
const SHOWN: [&str; 3] = ["reads", "replies", "night"];

#[test]
fn the_examples_of_users_rules_are_files_that_pass_their_tests() {
    let first = read("tests/cases/own-rules.in/mine/house/old-name.yaml");
    generated_part(PAGE, "first rule", &format!("`mine/house/old-name.yaml`:\n\n```yaml\n{first}```"));
    for file in FILES {
        let text = read(&format!("{FOLDER}/mine/{file}.yaml"));
        generated_part(PAGE, file, &format!("`mine/{file}.yaml`:\n\n```yaml\n{text}```"));
    }
    let rules = format!("{FOLDER}/mine");
    let tested = tollproof(&["rules", "test", &rules], "");
    assert!(tested.ends_with("all as expected\n"), "{tested}");
    generated_part(PAGE, "test", &console("rules test mine", &tested));
    let args = ["text", "-", "--rules", &rules, "--output-format", "json"];
    let read_text = tollproof(&args, &read(&format!("{FOLDER}/replies.txt")));
    generated_part(PAGE, "text", &console("text replies.txt --rules mine", &shortened(&read_text)));
    let sentences = format!("{FOLDER}/sentences.ndjson");
    let args = ["rules", "eval", "--sentences", &sentences, "--rules", &rules, "--verbose"];
    let shown = "rules eval --sentences sentences.ndjson --rules mine --verbose";
    generated_part(PAGE, "eval", &console(shown, &tollproof(&args, "")));
}

/// The providers in the table of fields.
const PROVIDERS: [&str; 4] = ["twilio", "telnyx", "bandwidth", "aws"];

#[test]
fn the_page_has_the_names_of_fields() {
    let kind = |name: &str| Provider::named(name).ok()?.kind(KindRole::Submit);
    let kinds: Vec<Kind> = PROVIDERS.iter().filter_map(|name| kind(name)).collect();
    let mut roles: Vec<&str> = Kind::of(KindRole::Submit).roles().collect();
    for role in kinds.iter().flat_map(|kind| kind.roles()) {
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    let titles: Vec<&str> = kinds.iter().map(|kind| kind.provider().title()).collect();
    let mut table = format!("| in rules | {} |\n|{}", titles.join(" | "), "---|".repeat(kinds.len() + 1));
    for role in roles {
        let name = |kind: &Kind| {
            if kind.roles().any(|known| known == role) {
                format!("`{}`", kind.field_name(role))
            } else {
                String::new()
            }
        };
        let names: Vec<String> = kinds.iter().map(name).collect();
        if names.iter().any(|it| !it.is_empty()) {
            write!(table, "\n| `{role}` | {} |", names.join(" | ")).expect("strings take everything");
        }
    }
    generated_part(PAGE, "fields", &table);
}

fn console(args: &str, output: &str) -> String {
    format!("```console\n$ tollproof {args}\n{output}```")
}

/// Output of `tollproof text` for people, with the groups in [`SHOWN`] only.
fn shortened(json: &str) -> String {
    let texts: Value = serde_json::from_str(json).expect("it is JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut shown = String::new();
    for (sentence, number) in list(&texts[0]["sentences"]).iter().zip(1..) {
        let gap = if number > 1 { "\n" } else { "" };
        writeln!(shown, "{gap}Sentence {number}").expect("strings take everything");
        for clause in list(&sentence["clauses"]) {
            writeln!(shown, "  {}", clause["text"].as_str().unwrap_or_default())
                .expect("strings take everything");
            for term in list(&clause["terms"]) {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let mut entries = list(&term["entries"]);
                entries.retain(|entry| SHOWN.contains(&&*text(&entry["group"])));
                if !entries.is_empty() {
                    let denied = if term["denied"] == true { "  denied" } else { "" };
                    writeln!(shown, "    {}{denied}", text(&term["text"])).expect("strings take everything");
                }
                for entry in entries {
                    let (group, path) = (format!("<{}>", text(&entry["group"])), text(&entry["file"]));
                    let file = path.rsplit('/').next().unwrap_or_default();
                    writeln!(shown, "      {group:9}  {file}  {}", text(&entry["entry"]))
                        .expect("strings take everything");
                }
            }
        }
    }
    shown
}
