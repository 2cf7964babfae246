//! The trait through which the linter validates documents against schemas that users add.

use std::fmt::Debug;

use crate::syntax::document::Node;
use crate::syntax::message::Message;

/// A schema that a user adds. Documents must also satisfy the schema of their kind.
pub trait HouseSchema: Debug + Send + Sync {
    /// The path of the schema's file, for messages.
    fn name(&self) -> &str;

    /// The errors in a document, in a deterministic order.
    fn errors(&self, root: &Node<'_>) -> Vec<HouseSchemaError>;
}

/// A violation of a schema that a user added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseSchemaError {
    /// The RFC 6901 pointer of the wrong value. For a missing field, that field.
    pub pointer: String,
    /// Whether the field's name is wrong, as opposed to its value.
    pub is_about_key: bool,
    /// The problem, as the end of a sentence about the value: `must be a string`.
    pub problem: Message,
    /// Advice, if the schema gives it. It replaces the help of the rule.
    pub help: Option<Message>,
}
