//! What a history is to be asked for: the numbers and records that the drafts of a text name.

use crate::provider::kind::Kind;
use crate::provider::schema;
use crate::syntax::Parsed;
use crate::syntax::document::{Document, Node};

/// The numbers and records that drafts name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// UUIDs of numbers, as written.
    pub numbers: Vec<String>,
    /// Ids of records that comments name, as written.
    pub records: Vec<String>,
    /// How many documents there are, records among them.
    pub documents: usize,
}

impl Names {
    /// Adds what the documents of a text name, verification records left out.
    pub fn read(&mut self, parsed: &Parsed<'_>) {
        for block in parsed.blocks() {
            block.documents().for_each(|document| self.add(&document));
        }
    }

    fn add(&mut self, document: &Document<'_>) {
        self.documents += 1;
        let Some(root) = &document.root else { return };
        let is_record = Kind::tell(root, false, schema::is_business_field) == Some(Kind::VerificationRecord);
        let numbers = root.get("phoneNumbers").filter(|_| !is_record).map(Node::items).unwrap_or_default();
        self.numbers.extend(numbers.iter().filter_map(Node::as_str).map(str::to_owned));
        self.records.extend(document.declared.record.map(|(id, _)| id.to_owned()));
    }
}
