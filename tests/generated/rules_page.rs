//! `rules/README.md`: the checks, every rule with a failing example, and what no rule can see.

use std::fmt::Write as _;

use serde_json::Value;
use tollproof_core::examples::Scene;
use tollproof_core::{
    Kind, KindSet, Linter, NotChecked, Provider, RuleFile, UserRule, builtin_rules, decode,
};

use super::{begins_finding, generated_part, is_summary, read, schema, tollproof};

const PAGE: &str = "rules/README.md";

/// The first rule of `docs/own-rules.md`.
const OWN: &str = "tests/cases/own-rules.in/mine/house/old-name.yaml";

#[test]
fn the_page_of_rules_is_up_to_date() {
    generated_part(PAGE, "checks", &checks());
    let files: Vec<(&str, RuleFile)> = builtin_rules()
        .map(|(id, text)| (id, decode::<RuleFile>(id, text).expect("built-in rules are rules")))
        .collect();
    let mut page = String::new();
    let mut group = "";
    for (id, rule) in &files {
        let own = id.split('/').next().unwrap_or_default();
        if own != group {
            group = own;
            page += &format!("## {group}\n\n");
        }
        page += &entry(id, rule);
    }
    generated_part(PAGE, "rules", &page);
    let unseen: String = NotChecked::ALWAYS.iter().map(|it| format!("- {it}\n")).collect();
    generated_part(PAGE, "not checked", &unseen);
}

#[test]
fn the_page_explains_every_key() {
    let (page, schema) = (read(PAGE), schema::of_rules());
    for key in schema["properties"].as_object().expect("a rule is an object").keys() {
        assert!(page.contains(&format!("\n| `{key}` | ")), "{PAGE} does not explain `{key}`");
    }
}

/// Every check with its parameters, as the types describe them.
fn checks() -> String {
    let schema = schema::of_rules();
    let definition = |name: &str| schema["$defs"][name].clone();
    let mut text = String::new();
    let all = |checks: &str| schema["$defs"][checks]["oneOf"].as_array().expect("one of several").clone();
    for check in all("Check").iter().chain(&all("SystemCheck")) {
        let (name, reference) = only(&check["properties"]);
        let parameters = definition(target(reference));
        // A system check says for whom it is; any other is described at its parameters.
        let described = if check["description"].is_string() { check } else { &parameters };
        writeln!(text, "- **`{name}`**: {}", words(described)).expect("strings take everything");
        for (parameter, about) in parameters["properties"].as_object().into_iter().flatten() {
            let needed = parameters["required"].as_array().into_iter().flatten().any(|it| it == parameter);
            let needed = if needed { " (required)" } else { "" };
            writeln!(text, "  - `{parameter}`{needed}: {}", words(about)).expect("strings take everything");
            let inner = definition(target(about.get("items").unwrap_or(about)));
            for value in inner["oneOf"].as_array().into_iter().flatten() {
                let name = value["const"].as_str().unwrap_or_default();
                writeln!(text, "    - `{name}`: {}", words(value)).expect("strings take everything");
            }
            for (key, about) in inner["properties"].as_object().into_iter().flatten() {
                writeln!(text, "    - `{key}`: {}", words(about)).expect("strings take everything");
            }
        }
    }
    text
}

fn only(object: &Value) -> (&str, &Value) {
    let object = object.as_object().expect("a check is an object");
    let (name, value) = object.iter().next().expect("with one key");
    (name, value)
}

/// The name behind `#/$defs/`; empty for a plain type.
fn target(schema: &Value) -> &str {
    schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).unwrap_or_default()
}

fn words(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().replace('\n', " ")
}

#[test]
fn the_worked_example_proves_itself() {
    let (id, text) = ("house/old-name", read(OWN));
    let rule = decode::<RuleFile>(OWN, &text).expect("it is a rule");
    let user = UserRule { id: id.to_owned(), file: OWN.to_owned(), text, is_foreign: false };
    for (examples, is_reported) in [(&rule.examples.fail, true), (&rule.examples.pass, false)] {
        for example in examples {
            let linter = Linter::builder().rules([user.clone()]).build().expect("the rule loads");
            let report = Scene::of(&rule, example).check(linter, &[]).expect("nothing is selected");
            assert_eq!(report.findings.iter().any(|it| it.rule == id), is_reported, "{example}");
        }
    }
}

fn entry(id: &str, rule: &RuleFile) -> String {
    let mut text = format!("### {id}\n\n**{}** ({})\n\n", rule.title, weight(rule));
    writeln!(text, "Looks at {}.\n", places(rule)).expect("strings take everything");
    writeln!(text, "{}\n", rule.docs.trim()).expect("strings take everything");
    if let Some(example) = rendered(id, rule) {
        writeln!(text, "```text\n{example}\n```\n").expect("strings take everything");
    }
    if !rule.prevents.is_empty() {
        let codes: Vec<_> = rule.prevents.iter().map(|it| format!("{} {}", it.by, it.code)).collect();
        writeln!(text, "Prevents: {}.\n", codes.join(", ")).expect("strings take everything");
    }
    let link =
        |source: &String| if source.starts_with("https://") { format!("<{source}>") } else { source.clone() };
    let sources: Vec<_> = rule.source.iter().map(link).collect();
    writeln!(text, "Source: {}.\n", sources.join(", ")).expect("strings take everything");
    text
}

fn weight(rule: &RuleFile) -> String {
    let mut weight = rule.severity.to_string();
    let mut others: Vec<String> = rule.downgrade.iter().map(|it| it.to.to_string()).collect();
    others.dedup();
    if !others.is_empty() {
        weight += &format!(", sometimes {}", others.join(" or "));
    }
    if rule.enabled { weight } else { weight + ", off by default" }
}

fn places(rule: &RuleFile) -> String {
    let field =
        |at: &String| if at == "$document" { "the whole document".to_owned() } else { format!("`{at}`") };
    let fields: Vec<_> = rule.at.iter().map(field).collect();
    let kinds = match rule.kinds {
        KindSet::ALL => "any kind".to_owned(),
        kinds => Provider::default().kinds_in(kinds).map(Kind::noun).collect::<Vec<_>>().join(" or "),
    };
    format!("{} of {kinds}", fields.join(", "))
}

/// The output of tollproof for the rule's first failing example; none where it needs more than a file, such as a reader.
fn rendered(id: &str, rule: &RuleFile) -> Option<String> {
    let scene = Scene::of(rule, rule.examples.fail.first()?);
    if !scene.stands_alone() || !rule.has_check() {
        return None;
    }
    let mut args = vec!["check", "--no-config", "--color", "never", "--min-severity", "info"];
    // What is said of who ignores a rule needs that rule to run.
    if !id.starts_with("config/") {
        args.extend(["--select", id]);
    }
    args.extend(["--output-format", "full", "--stdin-filename", scene.file_name(), "-"]);
    if let Some(kind) = scene.kind() {
        args.extend(["--kind", kind.name()]);
    }
    Some(findings(&tollproof(&args, &scene.text), id))
}

/// The first finding of a rule in a report.
fn findings(report: &str, id: &str) -> String {
    let code = format!("[{id}]");
    let mut lines = report.lines().skip_while(|line| !(begins_finding(line) && line.contains(&code)));
    let first = lines.next().unwrap_or_else(|| panic!("{id} does not speak on its example:\n{report}"));
    let rest = lines.take_while(|line| !begins_finding(line) && !is_summary(line));
    let found = [first].into_iter().chain(rest).collect::<Vec<_>>().join("\n");
    found.trim_end().replace('\0', "\u{2400}")
}
