//! The numbers that the drafts of a run name, and where each was named first.

use std::collections::HashMap;

use crate::provider::detect::{KindHint, kind_of};
use crate::provider::kind::Kind;
use crate::syntax::source::Span;
use crate::syntax::{Parsed, SourceDocument};

/// Where each number was named first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    first: HashMap<String, Mention>,
    /// How often any number was named.
    mentions: usize,
}

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
        if self.first.is_empty() {
            return None;
        }
        self.first.get(&key(number))
    }

    /// Whether no number was named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Remembers that a number is named; what was named before stays the first.
    pub fn add(&mut self, number: &str, mention: Mention) {
        self.mentions += 1;
        self.first.entry(key(number)).or_insert(mention);
    }

    /// Remembers the numbers that the submit requests of a text name; what else is wrong with them does not matter.
    pub fn read(&mut self, parsed: &Parsed<'_>, kind: KindHint) {
        for block in parsed.blocks() {
            for document in block.documents() {
                if let Some(kind) = kind_of(&document, kind).filter(|kind| kind.is_submit()) {
                    self.add_document(document, kind);
                }
            }
        }
    }

    /// Remembers the numbers that a document of a kind names.
    pub(crate) fn add_document(&mut self, document: SourceDocument<'_>, kind: Kind) {
        for item in document.root.as_ref().map(|root| kind.numbers(root)).unwrap_or_default() {
            if let Some(number) = item.as_str() {
                self.add(number, Mention { file: document.source().name().to_owned(), span: item.span });
            }
        }
    }

    /// Takes over what another text named, as coming later.
    pub fn extend(&mut self, later: Self) {
        self.mentions += later.mentions;
        for (number, mention) in later.first {
            self.first.entry(number).or_insert(mention);
        }
    }

    /// Whether the same numbers are named, as often as here.
    pub(crate) fn names_the_same(&self, other: &Self) -> bool {
        self.mentions == other.mentions
            && self.first.len() == other.first.len()
            && self.first.keys().all(|number| other.first.contains_key(number))
    }
}

/// Numbers are the same whatever the case of their UUIDs.
pub(super) fn key(number: &str) -> String {
    number.trim().to_ascii_lowercase()
}
