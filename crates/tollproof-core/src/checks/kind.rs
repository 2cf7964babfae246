//! `kind`: a document that is none of the interface's payloads.

use super::Defect;
use crate::document::Node;
use crate::kind::UnknownKind;
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
            Self::Declared(unknown, span) => {
                Defect { message: Some(unknown.to_string()), ..Defect::at(*span) }
            }
            Self::Keys => Defect::at(root.opening()),
        }
    }
}
