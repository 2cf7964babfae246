//! `docs/extending.md`: its examples are files of the repository, or do what the page says.

use std::collections::BTreeMap;

use tollproof_core::examples::run_examples;
use tollproof_core::{
    Facts, KindHint, Linter, OwnProvider, Parsed, Provider, RuleFile, Source, UserRule, decode,
};

use super::{generated_part, read};

const PAGE: &str = "docs/extending.md";
const PARAMETERS: &str = "crates/tollproof-data/src/checks";
const CHECKS: &str = "crates/tollproof-core/src/checks";
const FORMATS: &str = "crates/cli/output";

/// The code that the page shows after a sentence with the path of its file.
fn shown(path: &str) -> String {
    let page = read(PAGE);
    let (_, after) = page.split_once(&format!("`{path}`:\n\n```")).unwrap_or_else(|| panic!("no {path}"));
    let (_, code) = after.split_once('\n').expect("a fence is a line");
    code.split_once("```").expect("a fence is closed").0.to_owned()
}

/// The lines of a file that begin so.
fn lines(path: &str, beginnings: &[&str]) -> String {
    let text = read(path);
    let line = |beginning: &&str| {
        let found = text.lines().map(str::trim).find(|line| line.starts_with(*beginning));
        found.unwrap_or_else(|| panic!("{path} has no line {beginning}")).to_owned() + "\n"
    };
    beginnings.iter().map(line).collect()
}

// `rs` and not `rust`: rustdoc would test these, and they are parts of crates.
fn code(text: &str) -> String {
    format!("```rs\n{text}```")
}

#[test]
fn the_check_and_the_format_are_those_of_the_program() {
    let rows = read(&format!("{PARAMETERS}/mod.rs"));
    let (before, after) = rows.split_once("    \"length\" =>").expect("it has the row");
    let about = before.trim_end().rsplit('\n').next().expect("a line is before the row");
    let (row, _) = after.split_once("    },\n").expect("a row ends");
    let row = format!("{about}\n    \"length\" =>{row}    }},\n").replace("\n    ", "\n");
    generated_part(PAGE, "check-parameters", &code(row.trim_start()));
    generated_part(PAGE, "check", &code(&read(&format!("{CHECKS}/length.rs"))));
    let row = lines(&format!("{CHECKS}/mod.rs"), &["mod length;", "Check::Length("]);
    generated_part(PAGE, "check-row", &code(&row));
    generated_part(PAGE, "format", &code(&read(&format!("{FORMATS}/jsonl.rs"))));
    let module = lines(&format!("{FORMATS}/mod.rs"), &["mod jsonl;"]);
    let row = lines(&format!("{FORMATS}/formats.rs"), &["\"jsonl\", "]);
    generated_part(PAGE, "format-row", &code(&format!("{module}{row}")));
}

#[test]
fn the_rule_reports_its_failing_examples_and_no_passing_one() {
    // Under another id, so that whoever tries the page has no two rules of one name.
    let (id, file) = ("page/no-replies", "rules/message/no-replies.yaml");
    let text = shown(file);
    let rule = decode::<RuleFile>(file, &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(rule.examples.fail.len() >= 2 && rule.examples.pass.len() >= 3);
    let user = UserRule { id: id.to_owned(), file: file.to_owned(), text, is_foreign: false };
    let linter = Linter::builder().rules([user]).build().expect("it loads");
    let runs = run_examples(linter, [(id, &rule)]).expect("the rule exists");
    assert!(runs.iter().all(|run| run.wrong.is_empty()), "{runs:?}");
}

#[test]
fn the_provider_is_data_and_all_rules_apply_to_it() {
    let folder = "schemas/acme";
    let schema = format!("{folder}/submit-request.schema.json");
    let own = OwnProvider {
        name: "acme".to_owned(),
        file: format!("{folder}/provider.yaml"),
        text: shown(&format!("{folder}/provider.yaml")),
        schemas: BTreeMap::from([("submit-request".to_owned(), (schema.clone(), shown(&schema)))]),
    };
    let provider = Provider::load(&own).unwrap_or_else(|error| panic!("{error}"));
    let linter = Linter::builder().provider(provider).build().expect("nothing else is set");
    let found = |text: &str| -> Vec<(String, String)> {
        let source = Source::new("draft.json", text);
        let report = linter.check(&Parsed::of(&source, None), KindHint::Explicit, &Facts::default());
        report
            .findings
            .iter()
            .map(|finding| (finding.rule.to_string(), finding.pointer.to_string()))
            .collect()
    };
    let sample = shown(&format!("{folder}/samples/submit-request.json"));
    assert_eq!(found(&sample), []);
    let expected = ("message/missing-opt-out".to_owned(), "/sample".to_owned());
    assert_eq!(found(&sample.replace(" Reply STOP to opt out.", "")), [expected]);
}
