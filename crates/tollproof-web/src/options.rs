//! A caller's options for a draft.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde::Deserialize;
use serde_json::Value;
use tollproof_core::{
    Batch, Config, DraftReading, Facts, Format, Kind, KindChoice, KindHint, KindRole, Linter, Mention,
    Parsed, Provider, Readings, SeenFact, SeenFacts, Source, Span, kind_of,
};

/// The options of a check.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CheckOptions {
    provider: Option<Provider>,
    /// The provider that judges.
    #[serde(rename = "for")]
    judged_by: Option<Provider>,
    kind: Option<KindRole>,
    /// The current time, in ISO 8601.
    now: Option<String>,
    /// The numbers in drafts that were checked before, each with the name of the place.
    earlier: HashMap<String, String>,
    /// Facts seen at the addresses of drafts, each as a line of the store of facts.
    seen: Vec<SeenFact>,
    /// Answers of readers about drafts, each as a line of the store of readings.
    readings: Vec<DraftReading>,
    /// The name of a text; its extension decides the format.
    file_name: Option<String>,
}

impl CheckOptions {
    /// Reads options from JSON.
    pub(crate) fn read(json: &str) -> Result<Self, String> {
        // The caller has an object, so that a place in the text would be of no use.
        let options: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        Self::deserialize(options).map_err(|error| format!("invalid options: {error}"))
    }

    /// The hint for a document's kind.
    pub(crate) fn hint(&self) -> KindHint {
        let choice = KindChoice { provider: self.provider, role: self.kind };
        if choice.is_open() { KindHint::Explicit } else { KindHint::Forced(choice) }
    }

    /// Facts beyond the draft: the time, and the numbers of other drafts.
    pub(crate) fn facts(&self) -> Result<Facts, String> {
        let now = self.now.as_deref().map(str::parse).transpose();
        let now =
            now.map_err(|_| "`now` must be a time in ISO 8601, such as 2026-11-21T08:00:00Z".to_owned())?;
        let mut batch = Batch::default();
        for (number, place) in &self.earlier {
            batch.add(number, Mention { file: place.clone(), span: Span::default(), place: None });
        }
        let seen = SeenFacts::new(self.seen.iter().cloned());
        let readings = Readings::new(self.readings.iter().cloned()).lowering_errors();
        Ok(Facts { now, batch, seen, readings, ..Facts::default() })
    }

    /// The provider of drafts, or else the one that judges them.
    pub(crate) fn provider(&self) -> Option<Provider> {
        self.provider.or(self.judged_by)
    }

    /// The name of the text.
    pub(crate) fn file_name(&self) -> &str {
        self.file_name.as_deref().unwrap_or("draft")
    }

    /// The linter with the built-in rules, for the provider that judges.
    pub(crate) fn linter(&self) -> Rc<Linter> {
        linter(self.judged_by)
    }
}

/// The kind of a provider with a name; an empty name is that of the submit request.
pub(crate) fn kind(provider: &str, kind: &str) -> Result<Kind, String> {
    let provider: Provider = provider.parse().map_err(|error| format!("{error}"))?;
    let role = if kind.is_empty() { KindRole::Submit.name() } else { kind };
    let found = provider.kinds().find(|it| it.name() == role);
    found.ok_or_else(|| format!("{provider} has no kind of document `{role}`"))
}

/// The same kind in the spelling of a draft, which is JSON; an empty text is not a draft.
pub(crate) fn spelled_kind(kind: Kind, value: &str) -> Kind {
    let source = Source::new("draft", value);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let choice = KindChoice { provider: Some(kind.provider()), role: Some(kind.role()) };
    parsed.only().and_then(|document| kind_of(&document, KindHint::Forced(choice))).unwrap_or(kind)
}

thread_local! {
    static LINTERS: RefCell<HashMap<&'static str, Rc<Linter>>> = RefCell::default();
}

/// The linter for a provider that judges; each is made once.
fn linter(judged_by: Option<Provider>) -> Rc<Linter> {
    let make = || {
        let config = Config { judged_by, ..Config::default() };
        Rc::new(Linter::configured(config).expect("the settings name no rule"))
    };
    let name = judged_by.map_or("", Provider::name);
    LINTERS.with_borrow_mut(|linters| linters.entry(name).or_insert_with(make).clone())
}

#[cfg(test)]
mod tests {
    use super::CheckOptions;
    use crate::check::check;

    #[test]
    fn what_was_seen_is_judged() {
        let draft = r#"{"corporateWebsite": "https://www.quillbackkayak.com", "useCase": "Surveys"}"#;
        let seen = r#"{"address": "https://www.quillbackkayak.com/", "at": "2026-11-20T08:00:00Z", "version": 1, "outcome": "not-found"}"#;
        let options = CheckOptions::read(&format!(r#"{{"seen": [{seen}]}}"#)).expect("they are options");
        let found = check(draft, &options).expect("it is JSON");
        assert!(
            found.contains("website/not-found") && !found.contains("whether URLs can be reached"),
            "{found}"
        );
        let without = check(draft, &CheckOptions::default()).expect("it is JSON");
        assert!(!without.contains("website/not-found") && without.contains("whether URLs can be reached"));
        assert!(CheckOptions::read(r#"{"seen": [{"address": "https://a.com/"}]}"#).is_err());
    }
}
