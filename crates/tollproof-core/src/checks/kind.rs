//! `kind`: a document that is none of the interface's payloads.

use super::Defect;
use crate::document::Node;
use crate::kind::{Kind, UnknownKind};
use crate::source::Span;

/// Why a document has no kind.
#[derive(Clone, Debug)]
pub(crate) enum Unknown {
    /// Its keys belong to none.
    Keys,
    /// Its comment names none.
    Declared(UnknownKind, Span),
    /// It is the payload of another provider.
    Foreign(&'static str),
    /// It should be one kind, and looks like another.
    Misfit(Misfit),
}

/// A document that is not what somebody says it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misfit {
    /// What it should be.
    pub(crate) asked: Kind,
    /// What its keys say.
    pub(crate) seen: Kind,
    /// Who says what it should be.
    pub(crate) by: AskedBy,
}

/// Who says what a document is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AskedBy {
    /// The command line, or the caller of the library.
    Option,
    /// The settings.
    Settings,
    /// A comment in the document.
    Comment(Span),
}

impl Unknown {
    /// Whether the document itself names a kind.
    pub(crate) fn is_declared(&self) -> bool {
        matches!(self, Self::Declared(..) | Self::Misfit(Misfit { by: AskedBy::Comment(_), .. }))
    }

    /// The defect, at the comment or where the document begins.
    pub(crate) fn defect(&self, root: &Node<'_>) -> Defect {
        match self {
            Self::Declared(unknown, span) => {
                Defect { message: Some(unknown.to_string()), ..Defect::at(*span) }
            }
            Self::Keys => Defect::at(root.opening()),
            Self::Foreign(provider) => Defect {
                message: Some(format!(
                    "this looks like a {provider} submission, which tollproof does not read"
                )),
                help: Some(
                    "tollproof reads drafts with fields such as `businessName`, `corporateWebsite` and \
                     `optInWorkflowDescription` only. Leave this file out with `exclude:` in tollproof.yaml."
                        .to_owned(),
                ),
                ..Defect::at(root.opening())
            },
            Self::Misfit(misfit) => misfit.defect(root),
        }
    }
}

impl Misfit {
    fn defect(self, root: &Node<'_>) -> Defect {
        let Self { asked, seen, by } = self;
        let (span, help) = match by {
            AskedBy::Option => (root.opening(), format!("Leave `--kind` out, or write `--kind {seen}`.")),
            AskedBy::Settings => {
                (root.opening(), format!("Correct `kinds:` in tollproof.yaml, which says `{asked}`."))
            }
            AskedBy::Comment(span) => (span, format!("Take this comment out, or write `kind={seen}`.")),
        };
        let message = format!("this looks like {}, not {}", seen.noun(), asked.noun());
        Defect { message: Some(message), help: Some(help), ..Defect::at(span) }
    }
}
