//! The numbers in the drafts of a run, the businesses whose second number needs a reason, and where each appears first.

use std::collections::HashMap;

use crate::provider::detect::{KindHint, kind_of};
use crate::provider::kind::Kind;
use crate::syntax::source::{FilePlace, Span};
use crate::syntax::{Parsed, SourceDocument};
use crate::validators::number_key::NumberKey;

/// The first place of each number, and of each business whose second number needs a reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    first: HashMap<String, Mention>,
    /// The total number of mentions, including repeated ones.
    mentions: usize,
}

/// A location that names a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name of the source.
    pub file: String,
    /// The span of the number in the source.
    pub span: Span,
    /// The place of the number in the file, if the source is a part of it.
    pub place: Option<FilePlace>,
}

impl Batch {
    /// The first mention of a number, in any spelling.
    pub fn first(&self, number: &str) -> Option<&Mention> {
        if self.first.is_empty() {
            return None;
        }
        self.first.get(&key(number))
    }

    /// The keys of the numbers, each with its first mention, in no particular order.
    pub fn mentions(&self) -> impl Iterator<Item = (&str, &Mention)> {
        self.first.iter().map(|(number, mention)| (number.as_str(), mention))
    }

    /// Whether no number was added.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Adds a mention of a number, unless an earlier one is known.
    pub fn add(&mut self, number: &str, mention: Mention) {
        self.mentions += 1;
        self.first.entry(key(number)).or_insert(mention);
    }

    /// Adds the numbers of all submit requests in a file, even if they contain errors.
    pub fn read(&mut self, parsed: &Parsed<'_>, kind: KindHint) {
        for block in parsed.blocks() {
            for document in block.documents() {
                if let Some(kind) = kind_of(&document, kind).filter(|kind| kind.is_submit()) {
                    self.add_document(document, kind);
                }
            }
        }
    }

    /// Adds the numbers of one document. Notes and programs are where drafts come from, and are not sent beside them.
    pub(crate) fn add_document(&mut self, document: SourceDocument<'_>, kind: Kind) {
        let Some(root) = document.root.as_ref().filter(|root| root.style.is_data()) else { return };
        for (item, number) in kind.number_names(root) {
            let file = document.source().name().to_owned();
            self.add(number, Mention { file, span: item.span, place: None });
        }
        if let Some((node, business)) = kind.one_number_business(root) {
            let file = document.source().name().to_owned();
            self.add(&business, Mention { file, span: node.span, place: None });
        }
    }

    /// Adds the mentions of a file that comes later in the run.
    pub fn extend(&mut self, later: Self) {
        self.mentions += later.mentions;
        for (number, mention) in later.first {
            self.first.entry(number).or_insert(mention);
        }
    }

    /// Whether both contain the same numbers and the same total of mentions.
    pub(crate) fn names_the_same(&self, other: &Self) -> bool {
        self.mentions == other.mentions
            && self.first.len() == other.first.len()
            && self.first.keys().all(|number| other.first.contains_key(number))
    }
}

/// The key for comparing numbers.
pub(super) fn key(number: &str) -> String {
    NumberKey::of(number).into_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    #[test]
    fn notes_do_not_name_the_number_of_their_draft_again() {
        let notes = "# Telnyx\n\nBusiness name: Fern Cafe LLC\nToll-free number: +18885550119\nVolume: 100\nUse case summary: Guests who asked for it get a text.\n";
        let data = "{\"businessName\": \"Fern Cafe LLC\", \"messageVolume\": \"100\", \"phoneNumbers\": [\"+18885550119\"], \"useCaseSummary\": \"x\"}";
        for (name, text, is_empty) in [("a.md", notes, true), ("a.json", data, false)] {
            let mut batch = Batch::default();
            batch.read(&Parsed::of(&Source::new(name, text), None), KindHint::Explicit);
            assert_eq!(batch.is_empty(), is_empty, "{name}");
        }
    }
}
