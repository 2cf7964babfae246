//! `require`: a text that must contain certain phrases or elements.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::severity::Severity;
use crate::text::phrases::interner::Phrases;

/// A text that must contain phrases, or several elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Require {
    /// Phrases of which the text must contain at least one.
    pub any_of: Phrases,
    /// Elements that the text must contain.
    pub elements: Vec<Element>,
    /// The number of elements that are enough; by default all.
    pub at_least: Option<usize>,
    /// Longer phrases; a phrase inside one of them does not count.
    pub except: Phrases,
    /// The minimum number of characters. A shorter text is reported even if it contains all phrases and elements.
    pub min_chars: usize,
    /// The maximum number of characters. A longer text is not reported.
    pub max_chars: Option<usize>,
    /// Phrases; a text that contains one of them is not reported.
    pub unless: Phrases,
    /// Whether an element counts that an opt-in page of the draft has where people agree, if the page was seen.
    pub or_on_page: bool,
}

impl CheckSpec for Require {
    const FILLS: &'static [&'static str] = &["value", "missing"];

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing = self.any_of.is_empty() && self.elements.is_empty() && self.min_chars == 0;
        finds_nothing.then_some("`any_of`, `elements` or `min_chars`")
    }

    fn phrases(&mut self) -> Vec<&mut Phrases> {
        let elements = self.elements.iter_mut().map(|element| &mut element.any_of);
        elements.chain([&mut self.any_of, &mut self.except, &mut self.unless]).collect()
    }
}

/// One element that a text must contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// The name of the element in messages, as a part of a sentence.
    pub name: String,
    /// Phrases of which one is enough.
    #[serde(default)]
    pub any_of: Phrases,
    /// Whether the name of the business is enough.
    #[serde(default)]
    pub brand: bool,
    /// Whether a web address, an e-mail address or a phone number is enough.
    #[serde(default)]
    pub contact: bool,
    /// The severity if it is missing, if higher than that of the rule.
    pub severity: Option<Severity>,
}
