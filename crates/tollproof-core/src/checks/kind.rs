//! `kind`: a document that is not one of the provider's payloads.

use super::Violation;
use crate::finding::Severity;
use crate::provider::builtin::UnknownKind;
use crate::provider::detect::{AskedBy, IsNamed, Misfit, Unknown};
use crate::provider::headings;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::schema::{field_names, own_keys};
use crate::syntax::csv::is_field_anywhere;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

/// The ways that work where no draft was found.
const NOTHING: &str = "A file with a draft has at least three fields of one provider. In notes, write each field as \
    `Label: value`, and include a description or a sample message. Or paste the texts on the page: `tollproof page`. From a \
    program, pipe the payload: `node verify.mjs --dry-run | tollproof check -`, or give the object that it sends to the \
    library for JavaScript or Python.";

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
            Self::Columns(kind) => few_columns(root, *kind),
            Self::Keys if !root.style.is_data() => Violation {
                message: Some("no draft was found in this file".into()),
                help: Some(NOTHING.into()),
                ..Violation::at(root.span)
            },
            Self::Keys => match updates(root).as_slice() {
                [] => Violation::at(root.opening()),
                options => {
                    let options = options.join("`, `");
                    let help = message!("If it is an update, add `{}`.", Message::name(options));
                    Violation { help: Some(help), ..Violation::at(root.opening()) }
                }
            },
            Self::Foreign(title) => {
                let title = Message::own(*title);
                let message = message!("this is for {}, whose API tollproof does not know", title);
                let help = "Nothing in it was checked. To check it as a draft of another provider, add `--provider`.";
                Violation { message: Some(message), help: Some(help.into()), ..Violation::at(root.opening()) }
            }
            Self::Contains((pointer, kind), IsNamed(is_named)) => Violation {
                severity: (!is_named).then_some(Severity::Warning),
                ..contains(root, pointer, *kind)
            },
            Self::DeclaredProvider(unknown, span) => {
                Violation { message: Some(Message::own(unknown.to_string())), ..Violation::at(*span) }
            }
            Self::NoSuchKind(provider, role, by) => {
                let known: Vec<&str> = provider.kinds().map(Kind::name).collect();
                let message =
                    message!("{} has no {}", Message::own(provider.title()), Message::name(role.name()));
                let help = message!(
                    "tollproof knows of {}: {}.",
                    Message::own(provider.title()),
                    Message::name(known.join(", "))
                );
                let span = if let AskedBy::Comment(span) = by { *span } else { root.opening() };
                Violation { message: Some(message), help: Some(help), ..Violation::at(span) }
            }
            Self::Misfit(misfit) => misfit.violation(root),
        }
    }
}

/// A table of which no row is read.
fn few_columns(root: &Node<'_>, kind: Option<Kind>) -> Violation {
    let span = root.members().first().map_or(root.opening(), |member| member.key_span);
    let provider = kind.map(Kind::provider);
    let is_field = |key: &str| match kind {
        Some(kind) => field_names(kind).any(|name| name == key),
        None => is_field_anywhere(key),
    };
    let known = root.members().iter().filter(|member| is_field(&member.key)).count();
    let message = match known {
        0 if root.members().len() == 1 => "the only column is not a field, so no row is checked".into(),
        0 => message!("none of the {} columns is a field, so no row is checked", root.members().len()),
        some => {
            message!("only {} of the {} columns are fields, so no row is checked", some, root.members().len())
        }
    };
    let help = match headings::proposed(root, provider).as_slice() {
        [] => "Write your provider's field names in the first row, or map your columns with `columns:` in tollproof.yaml."
            .into(),
        some => message!(
            "Write your provider's field names in the first row, or put this into tollproof.yaml, and correct it: {}",
            Message::name(headings::setting(some))
        ),
    };
    Violation { message: Some(message), help: Some(help), ..Violation::at(span) }
}

/// The options that make a document with a few fields an update.
fn updates(root: &Node<'_>) -> Vec<String> {
    let knows_all = |kind: &Kind| kind.is_update() && own_keys(*kind, root).all(|is_own| is_own);
    let providers = Provider::all()
        .iter()
        .filter(|provider| provider.kinds_in_all_spellings().any(|kind| knows_all(&kind)));
    let options = providers
        .map(|candidate| format!("--provider {} --kind {}", candidate.name(), KindRole::Update.name()));
    let is_object = !root.members().is_empty();
    options.filter(|_| is_object).take(MOST_OPTIONS).collect()
}

/// The most options that are shown.
const MOST_OPTIONS: usize = 3;

/// A submission inside of something else.
fn contains(root: &Node<'_>, pointer: &str, kind: Option<Kind>) -> Violation {
    let place = pointer.trim_start_matches('/').replace('/', ".");
    let span = root.at(pointer).map_or(root.opening(), Node::opening);
    let what = kind.map_or("a submission", |kind| kind.noun());
    let of = kind.map(|kind| message!(" for {}", Message::own(kind.provider().title()))).unwrap_or_default();
    let message = message!("the fields of {}{} are in `{}`", Message::own(what), of, place);
    let help = "tollproof does not read them there. Put them into a file of their own.";
    Violation { message: Some(message), help: Some(help.into()), ..Violation::at(span) }
}

impl Misfit {
    /// A document for another provider than the chosen one.
    fn of_provider(self, root: &Node<'_>) -> Violation {
        let Self { asked, seen, by } = self;
        let (asked, seen) = (asked.provider(), seen.provider());
        let (title, name) = (Message::own(seen.title()), Message::name(seen.name()));
        let message = message!("this is for {}, not for {}", title, Message::own(asked.title()));
        let (span, help) = match by {
            AskedBy::Option => {
                (root.opening(), message!("Omit `--provider`, or write `--provider {}`.", name))
            }
            AskedBy::Settings => (root.opening(), message!("Correct `provider:` in tollproof.yaml.")),
            AskedBy::Comment(span) => (span, message!("Write `provider={}` in this comment.", name)),
        };
        Violation { message: Some(message), help: Some(help), ..Violation::at(span) }
    }

    fn violation(self, root: &Node<'_>) -> Violation {
        let Self { asked, seen, by } = self;
        if asked.provider() != seen.provider() {
            return self.of_provider(root);
        }
        let own = |kind: Kind| Message::name(kind.full_name());
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
    message!("unknown kind of document `{}`{}", unknown.name, Message::did_you_mean(unknown.nearest))
}
