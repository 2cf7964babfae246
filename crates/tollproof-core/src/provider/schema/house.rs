//! Schemas of the user's own: what the linter asks of them, whoever validates.

use std::fmt::Debug;

use crate::syntax::document::Node;
use crate::syntax::message::Message;

/// A schema of the user's own, which documents must satisfy beside the schema of their kind.
pub trait HouseSchema: Debug + Send + Sync {
    /// What it is called in messages: the path of its file.
    fn name(&self) -> &str;

    /// What it refuses in a document, in any order that stays the same.
    fn errors(&self, root: &Node<'_>) -> Vec<HouseSchemaError>;
}

/// One thing that a schema of the user's own refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseSchemaError {
    /// The value concerned, as an RFC 6901 pointer; for a missing field, that field.
    pub pointer: String,
    /// Whether the name of the field is wrong, and not its value.
    pub is_about_key: bool,
    /// What is wrong, as the rest of a sentence about the value: `must be a string`.
    pub problem: Message,
    /// What to do, if the schema says so; it takes the place of the rule's help.
    pub help: Option<Message>,
}
