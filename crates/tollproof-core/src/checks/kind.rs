//! `kind`: a document that is not one of the provider's payloads.

use super::Violation;
use crate::provider::builtin::UnknownKind;
use crate::provider::detect::{AskedBy, Misfit, Unknown};
use crate::provider::kind::Kind;
use crate::suggest::did_you_mean;
use crate::syntax::document::{Node, Style};
use crate::syntax::message::{Message, message};

impl Unknown {
    /// Whether the document itself names a kind.
    pub(crate) fn is_declared(&self) -> bool {
        matches!(
            self,
            Self::Declared(..)
                | Self::DeclaredProvider(..)
                | Self::NoSuchKind(_, _, AskedBy::Comment(_))
                | Self::Misfit(Misfit { by: AskedBy::Comment(_), .. })
        )
    }

    /// The violation, at the comment that names the kind or at the start of the document.
    pub(crate) fn violation(&self, root: &Node<'_>) -> Violation {
        match self {
            Self::Declared(unknown, span) => {
                Violation { message: Some(said(unknown)), ..Violation::at(*span) }
            }
            Self::Keys if root.style == Style::Cell => {
                let span = root.members().first().map_or(root.opening(), |it| it.key_span);
                let help = "Write your provider's field names in the first row, or map your columns with `columns:` in \
                            tollproof.yaml.";
                let message = Some("the first row has no field names that tollproof knows".into());
                Violation { message, help: Some(help.into()), ..Violation::at(span) }
            }
            Self::Keys => Violation::at(root.opening()),
            Self::DeclaredProvider(unknown, span) => {
                Violation { message: Some(Message::own(unknown.to_string())), ..Violation::at(*span) }
            }
            Self::NoSuchKind(provider, role, by) => {
                let known: Vec<&str> = provider.kinds().map(Kind::name).collect();
                let message =
                    message!("{} has no {}", Message::own(provider.title()), Message::own(role.name()));
                let help = message!(
                    "tollproof knows of {}: {}.",
                    Message::own(provider.title()),
                    Message::own(known.join(", "))
                );
                let span = if let AskedBy::Comment(span) = by { *span } else { root.opening() };
                Violation { message: Some(message), help: Some(help), ..Violation::at(span) }
            }
            Self::Misfit(misfit) => misfit.violation(root),
        }
    }
}

impl Misfit {
    fn violation(self, root: &Node<'_>) -> Violation {
        let Self { asked, seen, by } = self;
        let own = |kind: Kind| Message::own(kind.full_name());
        let (span, help) = match by {
            AskedBy::Option => (root.opening(), message!("Omit `--kind`, or write `--kind {}`.", own(seen))),
            AskedBy::Settings => {
                (root.opening(), message!("Correct `kinds:` in tollproof.yaml, which sets `{}`.", own(asked)))
            }
            AskedBy::Comment(span) => (span, message!("Remove this comment, or write `kind={}`.", own(seen))),
        };
        let message =
            message!("this looks like {}, not {}", Message::own(seen.noun()), Message::own(asked.noun()));
        Violation { message: Some(message), help: Some(help), ..Violation::at(span) }
    }
}

fn said(unknown: &UnknownKind) -> Message {
    message!("unknown kind of document `{}`{}", unknown.name, Message::own(did_you_mean(unknown.nearest)))
}
