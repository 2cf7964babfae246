//! `forbid`: a text that must not contain certain phrases.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::text::phrases::interner::Phrases;

/// A text that must not contain certain phrases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Forbid {
    /// Phrases that the text must not contain.
    pub any_of: Phrases,
    /// Phrases that must not be the whole text.
    pub whole: Phrases,
    /// Regular expressions that must not match.
    pub matches: Vec<String>,
    /// Longer phrases; a phrase inside one of them does not count.
    pub except: Phrases,
    /// Phrases; a forbidden phrase in the same sentence does not count.
    pub unless: Phrases,
    /// Whether to skip a phrase in a negated clause.
    pub skip_negated: bool,
    /// Whether to skip a phrase with which the text begins.
    pub not_first: bool,
    /// Whether to skip a phrase next to a template field, such as `[Name]`, which `slots` reports.
    pub outside_slots: bool,
}

impl CheckSpec for Forbid {
    const FILLS: &'static [&'static str] = &["value", "match", "list"];

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing = self.any_of.is_empty() && self.whole.is_empty() && self.matches.is_empty();
        finds_nothing.then_some("`any_of`, `whole` or `matches`")
    }

    fn phrases(&mut self) -> Vec<&mut Phrases> {
        vec![&mut self.any_of, &mut self.whole, &mut self.except, &mut self.unless]
    }

    fn patterns(&self) -> &[String] {
        &self.matches
    }
}
