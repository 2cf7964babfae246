//! Texts of the project that may need terms: examples of rules, labelled sentences and drafts.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::masked_linter::MaskedLinter;
use crate::examples::{Scene, base, seen_fact};
use crate::facts::Facts;
use crate::facts::seen::SeenFacts;
use crate::finding::Severity;
use crate::lint::Linter;
use crate::provider::kind::{Kind, KindRole};
use crate::provider::role;
use crate::rule::config::Config;
use crate::rule::errors::decode;
use crate::rule::{RuleFile, builtin};

/// A text, as it is checked.
pub(super) enum ProofText {
    /// An example of a rule that is on by default or not.
    Example { rule: String, is_enabled: bool, example: Value, scene: Box<Scene> },
    /// A labelled draft, or the clean one with a labelled sentence, and what was seen of its pages.
    Draft(Value, Box<Facts>),
}

/// A finding by what labels are about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FoundPlace {
    pub(super) rule: String,
    severity: Severity,
    pointer: String,
}

pub(super) type FoundPlaces = BTreeSet<FoundPlace>;

/// The field of sentences of a privacy policy.
const POLICY: &str = "$policy";

/// The address of the policy in the clean draft.
const POLICY_OF_BASE: &str = "https://www.quillbackkayak.com/privacy";

/// A sentence with a place at which each of some terms has an effect.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentenceFamily {
    /// The group of the terms, with the grade of a topic.
    pub(super) group: String,
    /// The field of the sentence, or [`POLICY`].
    field: String,
    /// The sentence, which has `{}` in place of a term.
    pub(super) text: String,
    /// Other fields of the draft.
    #[serde(default)]
    context: Map<String, Value>,
    /// The rules that report something in the draft.
    pub(super) reported: Vec<String>,
    pub(super) terms: Vec<String>,
}

impl SentenceFamily {
    pub(super) fn all() -> Vec<Self> {
        lines("terms.ndjson")
    }

    /// The clean draft with the sentence, or with a policy of which the sentence was seen.
    pub(super) fn draft(&self, term: &str) -> ProofText {
        let mut draft = clean();
        draft.extend(self.context.clone());
        let text = json!(self.text.replace("{}", term));
        let mut facts = Facts::default();
        if self.field == POLICY {
            let page = json!({ "title": "Privacy policy", "words": 600, "sharing": text });
            let fact = seen_fact(&json!({ "address": POLICY_OF_BASE, "page": page }), None);
            facts.seen = SeenFacts::new(fact);
        } else {
            let is_list = draft.get(&self.field).is_some_and(Value::is_array);
            draft.insert(self.field.clone(), if is_list { json!([text]) } else { text });
        }
        ProofText::Draft(Value::Object(draft), Box::new(facts))
    }

    /// The place of a term in the sentence.
    pub(super) fn place(&self, term: &str) -> Range<usize> {
        let start = self.text.find("{}").expect("a family has a place for its terms");
        start..start + term.len()
    }
}

/// A line of `sentences.ndjson`.
#[derive(Deserialize)]
struct ProofSentence {
    field: String,
    text: String,
    scope: String,
    #[serde(default)]
    context: Map<String, Value>,
    #[serde(default)]
    roles: Map<String, Value>,
}

impl ProofSentence {
    /// The clean draft with the sentence, as `tollproof rules eval --sentences` checks it.
    fn draft(&self) -> Value {
        let mut draft = clean();
        let brand = self.roles.get("brand").map(|names| names.get(0).unwrap_or(names).clone());
        let name = Kind::of(KindRole::Submit).field_name(role::BUSINESS_NAME);
        draft.extend(brand.map(|brand| (name.to_owned(), brand)));
        draft.extend(self.context.clone());
        let text = match draft.get(&self.field) {
            Some(Value::Array(_)) => json!([self.text]),
            Some(Value::String(before)) if self.scope != "field" => json!(format!("{before} {}", self.text)),
            _ => json!(self.text),
        };
        draft.insert(self.field.clone(), text);
        Value::Object(draft)
    }
}

/// A line of `drafts.ndjson`.
#[derive(Deserialize)]
struct LabelledDraft {
    draft: Value,
}

impl ProofText {
    pub(super) fn all() -> Vec<Self> {
        let mut texts = Vec::new();
        for (id, text) in builtin::files() {
            let rule = decode::<RuleFile>(id, text).expect("the build reads it too");
            let examples = rule.examples.fail.iter().chain(&rule.examples.pass);
            for example in examples.filter(|_| rule.has_check()) {
                let scene = Box::new(Scene::of(&rule, example));
                let (rule, is_enabled, example) = (id.to_owned(), rule.enabled, example.clone());
                texts.push(Self::Example { rule, is_enabled, example, scene });
            }
        }
        let sentences = lines::<ProofSentence>("sentences.ndjson");
        texts.extend(sentences.iter().map(|sentence| Self::draft(sentence.draft())));
        texts.extend(lines::<LabelledDraft>("drafts.ndjson").into_iter().map(|line| Self::draft(line.draft)));
        texts
    }

    fn draft(draft: Value) -> Self {
        Self::Draft(draft, Box::default())
    }

    /// All findings.
    pub(super) fn found(&self, linter: &mut MaskedLinter) -> FoundPlaces {
        let report = match self {
            Self::Example { rule, is_enabled, scene, .. } => {
                let select: &[&str] = if *is_enabled { &[] } else { &[rule] };
                scene.judge(linter.set(|linter| scene.set(linter, select).expect("the rule exists")))
            }
            Self::Draft(draft, facts) => {
                let plain =
                    |linter: Linter| linter.with_house_schemas(Vec::new()).with_config(Config::default());
                let linter = linter.set(|linter| plain(linter).expect("it names no rule"));
                linter.check_value(draft, facts)
            }
        };
        let found = report.findings.iter().map(|finding| FoundPlace {
            rule: finding.rule.to_string(),
            severity: finding.severity,
            pointer: finding.pointer.to_string(),
        });
        found.collect()
    }

    /// The strings in it.
    pub(super) fn strings(&self) -> Vec<String> {
        let mut found = Vec::new();
        match self {
            Self::Example { example, scene, .. } => {
                add_strings(example, &mut found);
                match serde_json::from_str::<Value>(&scene.text) {
                    Ok(value) => add_strings(&value, &mut found),
                    Err(_) => found.push(scene.text.clone()),
                }
            }
            Self::Draft(draft, _) => add_strings(draft, &mut found),
        }
        found
    }
}

fn add_strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| add_strings(item, found)),
        Value::Object(members) => members.values().for_each(|member| add_strings(member, found)),
        _ => {}
    }
}

/// The fields of the clean draft.
fn clean() -> Map<String, Value> {
    match base::of(Kind::of(KindRole::Submit)) {
        Value::Object(fields) => fields,
        other => panic!("{other} is not a draft"),
    }
}

/// The lines of a file in `tests/meaning/`.
fn lines<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/meaning").join(name);
    let text = std::fs::read_to_string(path).expect("it is in the repository");
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}")))
        .collect()
}
