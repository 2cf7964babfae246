//! `kind`: a document that is none of the interface's payloads.

use super::Defect;
use crate::document::Node;
use crate::kind::UnknownKind;
use crate::message::{Message, message};
use crate::nearest::did_you_mean;
use crate::source::Span;

/// Why a document has no kind.
#[derive(Clone, Debug)]
pub(crate) enum Unknown {
    /// Its keys belong to none.
    Keys,
    /// Its comment names none.
    Declared(UnknownKind, Span),
}

impl Unknown {
    /// Whether the document itself names a kind.
    pub(crate) fn is_declared(&self) -> bool {
        matches!(self, Self::Declared(..))
    }

    /// The defect, at the comment or where the document begins.
    pub(crate) fn defect(&self, root: &Node<'_>) -> Defect {
        match self {
            Self::Declared(unknown, span) => Defect { message: Some(said(unknown)), ..Defect::at(*span) },
            Self::Keys => Defect::at(root.opening()),
        }
    }
}

fn said(unknown: &UnknownKind) -> Message {
    message!("`{}` is no kind of document{}", unknown.name, Message::own(did_you_mean(unknown.nearest)))
}
