//! One replacement in a text.

use super::source::Span;

/// One replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes.
    pub span: Span,
    /// What comes.
    pub text: String,
}
