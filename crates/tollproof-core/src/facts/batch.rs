//! The numbers that the drafts of a run name, and where each was named first.

use std::collections::HashMap;

use crate::source::Span;

/// Where each number was named first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch(HashMap<String, Mention>);

/// A number in a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name of the source.
    pub file: String,
    /// Where the number stands in it.
    pub span: Span,
}

impl Batch {
    /// The first draft that names a number, a UUID in any case.
    #[must_use]
    pub fn first(&self, number: &str) -> Option<&Mention> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&key(number))
    }

    /// Whether no number was named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Remembers that a number is named; what was named before stays the first.
    pub fn add(&mut self, number: &str, mention: Mention) {
        self.0.entry(key(number)).or_insert(mention);
    }

    /// Takes over what another text named, as coming later.
    pub fn extend(&mut self, later: Self) {
        for (number, mention) in later.0 {
            self.0.entry(number).or_insert(mention);
        }
    }
}

/// Numbers are the same whatever the case of their UUIDs.
pub(super) fn key(number: &str) -> String {
    number.trim().to_ascii_lowercase()
}
