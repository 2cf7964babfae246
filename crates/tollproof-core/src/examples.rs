//! The examples of a rule: completed to whole documents and checked.
//!
//! An example is an object of fields, completed from a clean document of the rule's first kind; or a text, taken
//! as a whole file. Keys that begin with `$` set the scene: `$kind`, `$vendor`, `$history`. The value
//! `$absent` takes a field out.

use serde_json::{Map, Value};

use crate::clean;
use crate::config::Config;
use crate::facts::{Facts, Submission};
use crate::input::Format;
use crate::kind::Kind;
use crate::linter::{Linter, Reading};
use crate::report::Report;
use crate::rule::RuleFile;
use crate::source::Source;
use crate::telling::KindSource;

/// An example as a file: its text, and what is known beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The whole file.
    pub text: String,
    format: Format,
    kind: KindSource,
    vendor: Option<String>,
    facts: Facts,
}

impl Scene {
    /// Completes an example of a rule.
    #[must_use]
    pub fn of(rule: &RuleFile, example: &Value) -> Self {
        let Value::Object(fields) = example else {
            let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            let (format, kind) = (Format::of_text(&text), KindSource::Named);
            return Self { text, format, kind, vendor: None, facts: Facts::default() };
        };
        let setting = |name: &str| fields.get(name).and_then(Value::as_str);
        let kind = setting("$kind").and_then(|name| name.parse().ok());
        let kind = kind.or_else(|| rule.kinds.first().copied()).unwrap_or(Kind::SubmitRequest);
        let mut document = clean::of(kind);
        if let Value::Object(all) = &mut document {
            for (name, value) in fields.iter().filter(|(name, _)| !name.starts_with('$')) {
                if value == "$absent" {
                    all.remove(name);
                } else {
                    all.insert(name.clone(), value.clone());
                }
            }
        }
        let text = serde_json::to_string_pretty(&document).unwrap_or_default();
        let facts = Facts { history: history(fields), now: None };
        let vendor = setting("$vendor").map(str::to_owned);
        Self { text, format: Format::Json, kind: KindSource::Forced(kind), vendor, facts }
    }

    /// A name for the file, whose ending tells its format.
    #[must_use]
    pub fn file_name(&self) -> &'static str {
        match self.format {
            Format::Json => "draft.json",
            Format::Ndjson => "draft.ndjson",
            Format::Yaml => "draft.yaml",
        }
    }

    /// What the file is checked as; none where its own text tells.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        match self.kind {
            KindSource::Forced(kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether the file says all that the rule needs, so that no vendor and no history stand beside it.
    #[must_use]
    pub fn stands_alone(&self) -> bool {
        self.vendor.is_none() && self.facts == Facts::default()
    }

    /// Checks the example with the linter's rules, of which those that are off can be selected.
    ///
    /// # Errors
    ///
    /// A name in `select` that is neither a rule nor a group.
    pub fn check(&self, linter: Linter, select: &[&str]) -> Result<Report, crate::selection::UnknownRule> {
        let select = select.iter().map(|name| (*name).to_owned()).collect();
        let config = Config { vendor: self.vendor.clone(), select, ignore: Vec::new() };
        let linter = linter.with_config(config)?.with_facts(self.facts.clone());
        let source = Source::from_bytes("example", self.text.clone().into_bytes());
        Ok(linter.check_source(&source, Reading { format: self.format, kind: self.kind }))
    }
}

fn history(fields: &Map<String, Value>) -> Vec<Submission> {
    let records = fields.get("$history").and_then(Value::as_array).into_iter().flatten();
    let text =
        |record: &Value, name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let submission = |record: &Value| Submission {
        number: text(record, "number"),
        status: text(record, "status"),
        updated_at: text(record, "updatedAt").parse().ok(),
    };
    records.map(submission).collect()
}
