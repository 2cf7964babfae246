//! Errors in the text of a file.

pub use tollproof_data::syntax_error::SyntaxErrorKind;

use crate::syntax::message::Message;
use crate::syntax::span::Span;

/// An error in the text of a file; a rule of the group `input/` turns it into a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxError {
    /// The kind of error.
    pub problem: SyntaxErrorKind,
    /// The source span of the error.
    pub span: Span,
    /// The problem; inserted into the message of the rule.
    pub message: Message,
    /// The way to fix it, if known.
    pub help: Option<Message>,
    /// Related source spans, each with a note.
    pub related: Vec<(Span, Message)>,
    /// A JSON pointer to the affected value; empty for the whole document.
    pub pointer: String,
}

impl SyntaxError {
    /// Whether the error makes the document unreadable as written, so that the tree is only a guess.
    pub fn damages(&self) -> bool {
        matches!(self.problem, SyntaxErrorKind::Syntax | SyntaxErrorKind::Encoding | SyntaxErrorKind::Limit)
    }

    /// An error without help, related spans and pointer.
    pub(crate) fn new(problem: SyntaxErrorKind, span: Span, message: impl Into<Message>) -> Self {
        let message = message.into();
        Self { problem, span, message, help: None, related: Vec::new(), pointer: String::new() }
    }

    /// The same error with help.
    pub(crate) fn help(self, help: impl Into<Message>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}
