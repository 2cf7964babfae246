//! Runs the examples of a rule: completes each to a whole document and checks it.
//!
//! An example is either a string, which is the whole file, or an object with the fields that differ from a clean
//! document of the rule's first kind. The value `$absent` removes a field. Keys that start with `$` set the context:
//!
//! - `$provider`, `$kind`: the provider and the kind of the document, whose fields are named by their roles
//! - `$vendor`: the vendor of the configuration
//! - `$history`, `$record`, `$notified`, `$now`: the facts
//! - `$seen`: what was seen at addresses, each as a line of the store of facts; by default now, and successfully
//! - `$reserved`: until when the number is reserved
//! - `$answer`: the answer to the draft
//! - `$ignore`: ignore entries of a configuration
//! - `$house-schema`: errors of a schema that a user added

pub(crate) mod base;
#[cfg(test)]
mod language_tests;
#[cfg(test)]
mod needed_terms;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use jiff::Timestamp;
use serde::Deserialize as _;
use serde_json::{Map, Value};
use tollproof_data::seen::SeenOutcome;

use crate::facts::seen::{SeenFact, SeenFacts};
use crate::facts::{Facts, History, Reservation, Submission};
use crate::finding::Finding;
use crate::lint::{IgnoreEntry, Linter, Report};
use crate::provider::detect::KindHint;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::role;
use crate::provider::schema::house::{HouseSchema, HouseSchemaError};
use crate::response::Answer;
use crate::rule::RuleFile;
use crate::rule::config::{Config, Ignore};
use crate::rule::selection::UnknownRule;
use crate::syntax::document::Node;
use crate::syntax::message::Message;
use crate::syntax::source::{Source, Span};
use crate::syntax::{Format, Parsed};

/// The results of a rule's examples.
#[derive(Clone, Debug)]
pub struct ExampleRun<'r> {
    /// The id of the rule.
    pub rule: &'r str,
    /// The number of the rule's examples.
    pub examples: usize,
    /// The verdicts that the rule has no example for.
    pub lacks: Vec<ExampleVerdict>,
    /// The examples with an unexpected result.
    pub wrong: Vec<Wrong<'r>>,
}

impl ExampleRun<'_> {
    /// Whether there are examples for both verdicts, and all have the expected result.
    pub fn holds(&self) -> bool {
        self.lacks.is_empty() && self.wrong.is_empty()
    }
}

/// An example with an unexpected result.
#[derive(Clone, Debug)]
pub struct Wrong<'r> {
    /// The example, as written in the rule file.
    pub example: &'r Value,
    /// The expected verdict.
    pub expected: ExampleVerdict,
    /// The findings of all rules in the example.
    pub found: Vec<Finding>,
}

/// Whether a rule reports an example; named like the lists in the rule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExampleVerdict {
    /// The rule does not report it.
    Pass,
    /// The rule reports it.
    Fail,
}

/// Runs the examples of rules. All rules of the linter are active, because a rule may leave a value to another rule.
///
/// A rule that is off by default is enabled for its own examples. The linter has its default settings.
///
/// # Errors
///
/// The linter does not have one of the rules.
pub fn run_examples<'r>(
    mut linter: Linter,
    rules: impl IntoIterator<Item = (&'r str, &'r RuleFile)>,
) -> Result<Vec<ExampleRun<'r>>, UnknownRule> {
    let mut runs = Vec::new();
    // Without a check, only a reader can tell whether an example is what it should be.
    for (id, rule) in rules.into_iter().filter(|(_, rule)| rule.has_check()) {
        let select: &[&str] = if rule.enabled { &[] } else { &[id] };
        let sides =
            [(ExampleVerdict::Fail, &rule.examples.fail), (ExampleVerdict::Pass, &rule.examples.pass)];
        let mut run = ExampleRun { rule: id, examples: 0, lacks: Vec::new(), wrong: Vec::new() };
        for (expected, examples) in sides {
            run.examples += examples.len();
            run.lacks.extend(examples.is_empty().then_some(expected));
            for example in examples {
                let scene = Scene::of(rule, example);
                linter = scene.set(linter, select)?;
                let found = scene.judge(&linter).findings;
                let is_reported = found.iter().any(|finding| finding.rule == id);
                if is_reported != (expected == ExampleVerdict::Fail) {
                    run.wrong.push(Wrong { example, expected, found });
                }
            }
        }
        runs.push(run);
    }
    Ok(runs)
}

/// An example as a file, with the context that it is checked in.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The content of the file.
    pub text: String,
    format: Format,
    kind: KindHint,
    vendor: Option<String>,
    facts: Facts,
    /// The answer to the draft, as JSON.
    answer: Option<String>,
    ignores: Vec<Ignore>,
    /// The errors of a schema that a user added.
    refusals: Vec<HouseSchemaError>,
}

impl Scene {
    /// Completes an example of a rule.
    #[must_use]
    pub fn of(rule: &RuleFile, example: &Value) -> Self {
        let Value::Object(fields) = example else {
            let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            let (format, kind) = (Format::of_text(&text), KindHint::Explicit);
            let facts = Facts::default();
            return Self {
                text,
                format,
                kind,
                vendor: None,
                facts,
                answer: None,
                ignores: Vec::new(),
                refusals: Vec::new(),
            };
        };
        let setting = |name: &str| fields.get(name).and_then(Value::as_str);
        let kind = kind_of_example(rule, fields);
        let mut document = base::of(kind);
        for (name, value) in fields.iter().filter(|(name, _)| !name.starts_with('$')) {
            if value == "$absent" {
                kind.take_out(&mut document, name);
            } else {
                kind.put(&mut document, name, value.clone());
            }
        }
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        let facts = facts(fields, &document);
        let vendor = setting("$vendor").map(str::to_owned);
        let answer = fields.get("$answer").map(Value::to_string);
        let list = |name: &str| fields.get(name).and_then(Value::as_array).into_iter().flatten();
        let ignores = list("$ignore").map(ignore).collect();
        let refusals = list("$house-schema").map(refusal).collect();
        let (format, kind) = (Format::Json, KindHint::Forced(kind.into()));
        Self { text, format, kind, vendor, facts, answer, ignores, refusals }
    }

    /// A name for the file, with the extension of its format.
    pub fn file_name(&self) -> &'static str {
        match self.format {
            Format::Json => "draft.json",
            Format::Ndjson => "draft.ndjson",
            Format::Yaml => "draft.yaml",
            Format::Csv => "drafts.csv",
            Format::Notes => "notes.md",
            Format::Program => "draft.ts",
        }
    }

    /// The kind that the file is checked as. `None` if it is detected.
    pub fn kind(&self) -> Option<Kind> {
        match self.kind {
            KindHint::Forced(choice) => choice.provider?.kind(choice.role?),
            _ => None,
        }
    }

    /// Whether the file alone is enough to check the example: it has no vendor, facts, answer, ignore entries or schema
    /// errors.
    pub fn stands_alone(&self) -> bool {
        self.vendor.is_none()
            && self.facts == Facts::default()
            && self.answer.is_none()
            && self.ignores.is_empty()
            && self.refusals.is_empty()
    }

    /// Checks the example with the linter's rules. `select` enables rules that are off by default.
    ///
    /// # Errors
    ///
    /// A name in `select` is neither a rule nor a group.
    pub fn check(&self, linter: Linter, select: &[&str]) -> Result<Report, UnknownRule> {
        Ok(self.judge(&self.set(linter, select)?))
    }

    /// Configures the linter with the context of the example.
    pub(crate) fn set(&self, linter: Linter, select: &[&str]) -> Result<Linter, UnknownRule> {
        let select = select.iter().map(|name| (*name).to_owned()).collect();
        let (vendor, ignores) = (self.vendor.clone(), self.ignores.clone());
        let config = Config { vendor, select, ignores, ..Config::default() };
        let schema: Arc<dyn HouseSchema> = Arc::new(ExampleSchema(self.refusals.clone()));
        Ok(linter.with_config(config)?.with_house_schemas(vec![schema]))
    }

    pub(crate) fn judge(&self, linter: &Linter) -> Report {
        let source = Source::from_bytes("example", self.text.clone().into_bytes());
        let parsed = Parsed::of(&source, Some(self.format));
        match &self.answer {
            None => {
                let mut report = linter.check(&parsed, self.kind, &self.facts);
                report.findings.append(&mut self.ignore_findings(linter, &report.unused_ignores));
                report
            }
            Some(answer) => self.explain(linter, &parsed, answer),
        }
    }

    /// Findings about the ignore entries. The configuration has no source text here.
    fn ignore_findings(&self, linter: &Linter, unused: &[usize]) -> Vec<Finding> {
        let entry = |(at, ignore): (usize, &Ignore)| IgnoreEntry {
            ignore: ignore.clone(),
            rule: Span::default(),
            until: None,
            removal: None,
            unused: unused.contains(&at),
        };
        let entries: Vec<_> = self.ignores.iter().enumerate().map(entry).collect();
        linter.check_ignores(&Source::new("tollproof.yaml", ""), &entries, self.facts.now).findings
    }

    /// Reports the answer as findings in the draft; reports nothing if the answer cannot be parsed.
    fn explain(&self, linter: &Linter, parsed: &Parsed<'_>, answer: &str) -> Report {
        let text = Source::new("answer", answer);
        let answer = Parsed::of(&text, Some(Format::Json))
            .only()
            .and_then(|document| Answer::read(document, &[]).ok());
        match (parsed.only(), answer) {
            (Some(document), Some(answer)) => linter.explain(document, self.kind, &answer, &self.facts),
            _ => Report::default(),
        }
    }
}

/// The kind of an example: the first one of the rule, at the first provider that has the fields of the example and one of
/// the rule's fields, else at the first one that has all of the rule's fields.
fn kind_of_example(rule: &RuleFile, example: &Map<String, Value>) -> Kind {
    let setting = |name: &str| example.get(name).and_then(Value::as_str);
    let (provider, kind) = (setting("$provider"), setting("$kind"));
    let roles: Vec<&str> = rule.at.iter().filter(|at| *at != "$document").map(|at| role_of(at)).collect();
    let fits = |candidate: &Kind| match kind {
        Some(name) => candidate.name() == name,
        None => rule.kinds.contains(candidate.role()),
    };
    let all =
        || Provider::all().iter().filter(|candidate| provider.is_none_or(|name| candidate.name() == name));
    let kinds = || all().flat_map(|it| it.kinds()).filter(fits);
    let has_some = |kind: &Kind| roles.iter().any(|role| kind.has(role));
    let has_named = |kind: &Kind| example.keys().all(|name| name.starts_with('$') || kind.has(name));
    let has_all = |kind: &Kind| roles.iter().all(|role| kind.has(role));
    let found = kinds().find(|kind| has_some(kind) && has_named(kind)).or_else(|| kinds().find(has_all));
    found.or_else(|| kinds().next()).unwrap_or_else(|| Kind::of(KindRole::Submit))
}

/// The role in a target such as `field[*]` or `field.part`.
fn role_of(target: &str) -> &str {
    target.split(['[', '.']).next().unwrap_or_default()
}

/// A schema that a user added, with a fixed list of errors.
#[derive(Debug)]
struct ExampleSchema(Vec<HouseSchemaError>);

impl HouseSchema for ExampleSchema {
    fn name(&self) -> &str {
        "house.schema.json"
    }

    fn errors(&self, _: &Node<'_>) -> Vec<HouseSchemaError> {
        self.0.clone()
    }
}

/// The facts from the `$` keys of an example.
fn facts(fields: &Map<String, Value>, document: &Value) -> Facts {
    let time = |name: &str| fields.get(name).and_then(Value::as_str).and_then(|time| time.parse().ok());
    let records = fields.get("$history").and_then(Value::as_array).into_iter().flatten();
    let history = History::new(records.map(|record| submission(record, document)));
    let now = time("$now");
    let seen = fields.get("$seen").and_then(Value::as_array).into_iter().flatten();
    let seen = SeenFacts::new(seen.filter_map(|fact| seen_fact(fact, now).ok()));
    let reserved = time("$reserved").map(|until| (base::number(), Reservation { since: until, until }));
    Facts {
        history: history.with_reservations(reserved),
        record: fields.get("$record").map(|record| submission(record, document)),
        notified_at: time("$notified"),
        seen,
        now,
        ..Facts::default()
    }
}

/// Reads a fact about an address; by default seen now, in this version, and successfully.
///
/// # Errors
///
/// The fact has an unknown key or a value of the wrong type.
pub fn seen_fact(fact: &Value, now: Option<Timestamp>) -> Result<SeenFact, serde_json::Error> {
    let mut whole = serde_json::json!({
        "at": now.unwrap_or(Timestamp::UNIX_EPOCH),
        "version": SeenFact::VERSION,
        "outcome": SeenOutcome::Seen,
    });
    if let (Some(whole), Some(fact)) = (whole.as_object_mut(), fact.as_object()) {
        whole.extend(fact.clone());
    }
    SeenFact::deserialize(whole)
}

/// An ignore entry of a configuration.
fn ignore(entry: &Value) -> Ignore {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
    Ignore {
        rule: text("rule").unwrap_or_default(),
        pointer: text("pointer"),
        reason: text("reason").unwrap_or_default(),
        until: text("until").and_then(|time| time.parse().ok()),
    }
}

/// An error of a schema that a user added.
fn refusal(entry: &Value) -> HouseSchemaError {
    let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    HouseSchemaError {
        pointer: text("pointer"),
        is_about_key: false,
        problem: Message::own(text("problem")),
        help: None,
    }
}

/// An abbreviated record. If its `data` is not an object, the data is that of the document.
fn submission(record: &Value, document: &Value) -> Submission {
    let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let data = match record.get("data") {
        Some(Value::Object(data)) => Some(data),
        Some(_) => document.as_object(),
        None => None,
    };
    Submission {
        id: text(role::ID),
        numbers: vec![text("number")],
        status: text(role::STATUS),
        resubmit_allowed: text(role::RESUBMIT_ALLOWED),
        message: text("message"),
        updated_at: text(role::UPDATED_AT).parse().ok(),
        data: data.map(Submission::data_of).unwrap_or_default(),
        ..Submission::default()
    }
}
