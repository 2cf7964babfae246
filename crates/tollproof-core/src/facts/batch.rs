//! The numbers that the drafts of a run name, and where each was named first.

use std::collections::HashMap;

use crate::provider::detect::{KindSource, kind_of};
use crate::provider::kind::Kind;
use crate::syntax::document::Node;
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
    pub fn read(&mut self, parsed: &Parsed<'_>, kind: KindSource) {
        for block in parsed.blocks() {
            let is_submit_request = |it: &SourceDocument<'_>| kind_of(it, kind) == Some(Kind::SubmitRequest);
            block.documents().filter(is_submit_request).for_each(|it| self.add_document(it));
        }
    }

    /// Remembers the numbers that a document names.
    pub(crate) fn add_document(&mut self, document: SourceDocument<'_>) {
        let numbers = document.root.as_ref().and_then(|root| root.get("phoneNumbers"));
        for item in numbers.map(Node::items).unwrap_or_default() {
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
