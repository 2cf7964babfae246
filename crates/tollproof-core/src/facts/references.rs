//! The numbers and records that drafts refer to, so that only their history is loaded.

use crate::provider::detect::kind_of_keys;
use crate::provider::kind::{Kind, KindRole};
use crate::syntax::Parsed;
use crate::syntax::document::Document;

/// The numbers and records that drafts refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The names of numbers, as written.
    pub numbers: Vec<String>,
    /// The ids of records in comments, as written.
    pub records: Vec<String>,
    /// The number of read documents, including verification records.
    pub documents: usize,
}

impl References {
    /// Adds the references of all documents in a file. The numbers of verification records are skipped.
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
            self.numbers.extend(kind.number_names(root).map(|(_, name)| name.to_owned()));
        }
        self.records.extend(document.declared().record.map(|(id, _)| id.to_owned()));
    }
}
