//! Tests that no text, no rule file and no vocabulary file of a user takes much time or memory. Without limits, each of these
//! would take minutes or gigabytes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Linter;
use crate::examples::base;
use crate::facts::Facts;
use crate::provider::detect::KindHint;
use crate::provider::kind::{Kind, KindRole};
use crate::rule::user_rules::UserRule;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

/// The length of a text: the longest that is checked.
const LENGTH: usize = 32_000;

fn file(id: &str, content: &Value) -> UserRule {
    UserRule { id: id.to_owned(), file: format!("{id}.yaml"), text: content.to_string(), is_foreign: false }
}

/// A rule about the summary of the use case.
fn rule(check: Value) -> UserRule {
    let rule = json!({
        "title": "A", "severity": "info", "at": "useCaseSummary", "check": check, "message": "a", "help": "A.",
        "docs": "A.", "examples": {"pass": [], "fail": []},
    });
    file("own/rule", &rule)
}

/// Groups of terms.
fn groups(groups: impl IntoIterator<Item = (String, Vec<String>)>) -> UserRule {
    let group = |terms: Vec<String>| json!({"means": "anything", "any": terms});
    let groups: BTreeMap<String, Value> =
        groups.into_iter().map(|(name, terms)| (name, group(terms))).collect();
    file("vocabulary/own", &json!(groups))
}

/// The rules that report a draft with this summary, of the user's own and about limits.
fn reported(files: Vec<UserRule>, text: &str) -> Vec<String> {
    let linter = Linter::builder().rules(files).build().expect("the files are valid");
    let mut draft = base::of(Kind::of(KindRole::Submit));
    draft["useCaseSummary"] = json!(text);
    let report = linter.check_value(&draft, &Facts::default());
    let rules = report.findings.iter().map(|it| it.rule.to_string());
    rules.filter(|id| ["own/rule", "input/limit"].contains(&id.as_str())).collect()
}

fn repeated(part: &str) -> String {
    part.repeat(LENGTH / part.len())
}

#[test]
fn a_comment_of_very_many_signs() {
    let text = format!("businessName: 12 #{}", "#".repeat(50 * LENGTH));
    let source = Source::new("a.yaml", text);
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let report = Linter::builtin().check(&parsed, KindHint::Explicit, &Facts::default());
    assert!(!report.findings.is_empty());
}

/// The findings of a rule that forbids these terms.
fn found_by(terms: Vec<String>, text: &str) -> Vec<String> {
    reported(vec![groups([("own".to_owned(), terms)]), rule(json!({"forbid": {"any_of": ["<own>"]}}))], text)
}

fn optional_words(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("a {at}?")).collect()
}

#[test]
fn phrases_that_all_begin_with_the_same_word() {
    assert_eq!(found_by(optional_words(10), &repeated("a ")), ["own/rule"]);
    assert_eq!(found_by(optional_words(2_000), &repeated("a ")), ["input/limit", "own/rule"]);
}

#[test]
fn very_many_phrases_that_all_begin_with_the_same_word() {
    // A sixteenth of the longest text is enough for the limit, and does not take a minute without optimization.
    let part = |part: &str| part.repeat(LENGTH / 16 / part.len());
    assert_eq!(found_by(optional_words(10_000), &part("a ")), ["input/limit", "own/rule"]);
    let gaps = (0..1_000).map(|at| format!("a ... b ... b ... never{at}|*zzz")).collect();
    // The last word of the phrases occurs, but never where they need it.
    let text = "xzzz ".to_owned() + &part("a b b b b b b b b b b b b ");
    assert_eq!(found_by(gaps, &text), ["input/limit"]);
    let words = (0..20).map(|at| format!("b{at}{}", "|a".repeat(10_000))).collect();
    assert_eq!(found_by(words, &part("a ")), ["input/limit", "own/rule"]);
}

#[test]
fn groups_that_all_have_the_same_term() {
    let same = |count: usize| (0..count).map(|at| (format!("own{at}"), vec!["a".to_owned()]));
    assert_eq!(reported(vec![groups(same(1_000))], &repeated("a ")), ["input/limit"]);
    let phrases = |at: usize| (0..100).map(|other| format!("<own{other}> {at}?")).collect();
    let composed = (0..100).map(|at| (format!("composed{at}"), phrases(at)));
    assert_eq!(reported(vec![groups(same(100).chain(composed))], &repeated("a ")), ["input/limit"]);
}

#[test]
fn frames_with_fifty_parts() {
    let names: Vec<String> = (0..50).map(|at| format!("part{at}")).collect();
    let sides = names.iter().map(|name| format!("{name} ")).collect::<String>().repeat(4);
    let terms = names.iter().map(|name| (name.clone(), vec![name.clone()]));
    let terms = terms.chain([("end".to_owned(), vec!["middle".to_owned(), "middle part0".to_owned()])]);
    let all = |last: &str| [&["end".to_owned()], &names[..], &[last.to_owned()]].concat();
    let frame =
        |last: &str| rule(json!({"frame": {"any_of": [{"all": all(last), "in": "field", "near": 65535}]}}));
    let text = format!("{sides} middle {sides}");
    assert_eq!(reported(vec![groups(terms.clone()), frame("part0")], &text), ["own/rule"]);
    // No term is left for the last part, whichever are chosen for those before it.
    let lone = [("lone".to_owned(), vec!["middle part0".to_owned(), "part0 middle".to_owned()])];
    assert_eq!(reported(vec![groups(terms.chain(lone)), frame("lone")], &text), Vec::<String>::new());
}

#[test]
fn frames_with_very_many_negations() {
    let terms = |name: &str, term: &str| (name.to_owned(), vec![term.to_owned()]);
    let frame = |pattern: Value| rule(json!({"frame": {"any_of": [pattern]}}));
    let own = frame(json!({"all": ["part"], "in": "field", "polarity": "denied"}));
    let text = repeated("never part ");
    assert_eq!(reported(vec![groups([terms("part", "never part")]), own], &text), Vec::<String>::new());
    let both = [terms("part", "part"), terms("end", "end")];
    let clauses = frame(json!({"all": ["part"], "in": "clause", "none": ["end"], "none_in": "pair"}));
    let found = reported(vec![groups(both), clauses], &repeated("never end part, "));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn topics_with_very_many_terms() {
    let fields = [
        "useCaseSummary",
        "optInWorkflowDescription",
        "productionMessageContent",
        "additionalInformation",
        "businessName",
    ];
    let words = |field: usize| (0..5_000).map(move |at| format!("{}", 10_000 + 5_000 * field + at));
    let terms: Vec<String> = (0..fields.len()).flat_map(words).collect();
    let topic = json!({"own": {"means": "numbers", "title": "numbers", "strong": {"any": terms}}});
    let check = json!({"topics": {"any_of": ["own"], "at_least": 65535, "beside": fields}});
    let linter = Linter::builder().rules([file("vocabulary/own", &topic), rule(check)]).build();
    let mut draft = base::of(Kind::of(KindRole::Submit));
    for (at, field) in fields.into_iter().enumerate() {
        draft[field] = json!(words(at).collect::<Vec<_>>().join(" "));
    }
    let report = linter.expect("the files are valid").check_value(&draft, &Facts::default());
    assert!(report.findings.iter().any(|it| it.rule == "own/rule"), "their weight is 75,000");
}
