//! What a history is to be asked for: the numbers and records that the drafts of a text name.

use crate::provider::detect::kind_of_keys;
use crate::provider::kind::{Kind, KindRole};
use crate::syntax::Parsed;
use crate::syntax::document::{Document, Node};

/// The numbers and records that drafts name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// UUIDs of numbers, as written.
    pub numbers: Vec<String>,
    /// Ids of records that comments name, as written.
    pub records: Vec<String>,
    /// How many documents there are, records among them.
    pub documents: usize,
}

impl References {
    /// Adds what the documents of a text name, verification records left out.
    pub fn read(&mut self, parsed: &Parsed<'_>) {
        for block in parsed.blocks() {
            block.documents().for_each(|document| self.add(&document));
        }
    }

    fn add(&mut self, document: &Document<'_>) {
        self.documents += 1;
        let Some(root) = &document.root else { return };
        let kind = kind_of_keys(root, false).filter(|kind| kind.has_numbers());
        let kind = kind.unwrap_or_else(|| Kind::of(KindRole::Submit));
        if !kind.is_record() {
            let numbers = kind.numbers(root).into_iter().filter_map(Node::as_str);
            self.numbers.extend(numbers.map(str::to_owned));
        }
        self.records.extend(document.declared.record.map(|(id, _)| id.to_owned()));
    }
}
