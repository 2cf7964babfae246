//! A single replacement in a text.

use super::source::Span;

/// A single replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The span to replace.
    pub span: Span,
    /// The replacement.
    pub text: String,
}
