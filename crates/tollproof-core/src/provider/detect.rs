//! Detects the kind of a document.

use crate::provider::builtin::UnknownKind;
use crate::provider::foreign;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::schema;
use crate::syntax::document::{Document, Node, SyntaxError, Value};
use crate::syntax::source::Span;

/// What decides the kind of a document. A comment in the document overrides all but `Forced` and `Filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KindHint {
    /// The user chose the kind for all documents of this run.
    Forced(Kind),
    /// The user chose the kind for files found by a folder walk. It applies to documents that have a field of this
    /// kind.
    Filter(Kind),
    /// The configuration sets the kind for this file.
    Configured(Kind),
    /// The keys decide. The user named the file, so an unknown kind is an error.
    Explicit,
    /// The keys decide. A folder walk found the file, so it may be something other than a draft.
    Discovered,
}

/// The result of the detection.
pub(crate) enum Detection {
    /// A document of this kind. If the user set the kind, the document may be too broken to confirm it.
    Draft(Kind),
    /// A document that should have a kind, but none could be detected.
    Unknown(Unknown),
    /// A document that is not related to submissions.
    NoDraft,
}

#[derive(Clone, Debug)]
pub(crate) enum Unknown {
    /// Its keys do not match any kind.
    Keys,
    /// Its comment contains an unknown kind.
    Declared(UnknownKind, Span),
    /// It is the payload of another provider, whose name this is.
    Foreign(&'static str),
    /// It should be of one kind, but its keys match another.
    Misfit(Misfit),
}

/// A document whose keys contradict the kind that it should have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misfit {
    /// The kind that it should have.
    pub(crate) asked: Kind,
    /// The kind that its keys match.
    pub(crate) seen: Kind,
    pub(crate) by: AskedBy,
}

/// What set the kind of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AskedBy {
    /// The command line, or the caller of the library.
    Option,
    /// The configuration.
    Settings,
    /// A comment in the document.
    Comment(Span),
}

/// The kind of a document, if it can be detected, by the same logic as in [`Linter::check`](crate::Linter::check).
#[must_use]
pub fn kind_of(document: &Document<'_>, source: KindHint) -> Option<Kind> {
    match detect(document, source, &[], || true) {
        Detection::Draft(kind) => Some(kind),
        Detection::Unknown(_) | Detection::NoDraft => None,
    }
}

/// The kind whose keys a document has, among the built-in providers. In a folder walk (`walked`), kinds with common
/// keys are not tried.
pub(crate) fn kind_of_keys(root: &Node<'_>, walked: bool) -> Option<Kind> {
    Provider::all().iter().find_map(|provider| provider.detect(root, walked))
}

impl Provider {
    /// The kind of this provider whose keys a document has.
    fn detect(self, root: &Node<'_>, walked: bool) -> Option<Kind> {
        let has = |field: &&str| match field.contains('/') {
            true => field.split('/').try_fold(root, |node, key| node.get(key)).is_some(),
            false => root.member(field).is_some(),
        };
        let clues = self.0.clues.iter().filter(|clue| !(walked && clue.named));
        let mut fitting = clues
            .filter(|clue| clue.all.iter().all(&has) && (clue.any.is_empty() || clue.any.iter().any(&has)));
        fitting.next().map(|clue| self.kind_at(clue.kind))
    }
}

/// Detects the kind of a document. The `own` providers are tried before the built-in ones; `is_meant` returns whether
/// the whole file mentions a submission.
pub(crate) fn detect(
    document: &Document<'_>,
    source: KindHint,
    own: &[Provider],
    is_meant: impl Fn() -> bool,
) -> Detection {
    let detected = |walked| {
        let root = document.root.as_ref()?;
        own.iter().find_map(|provider| provider.detect(root, walked)).or_else(|| kind_of_keys(root, walked))
    };
    if let KindHint::Forced(kind) = source {
        return asked_for(document, kind, AskedBy::Option);
    }
    if let KindHint::Filter(kind) = source {
        let fits = mentions(document, kind, is_meant) && misfit(document, kind).is_none();
        return if fits {
            Detection::Draft(kind)
        } else {
            foreign(document, true).unwrap_or(Detection::NoDraft)
        };
    }
    if let Some((name, span)) = document.declared.kind {
        return match name.parse::<Kind>() {
            Ok(kind) => {
                let provider = detected(false).map(Kind::provider);
                let kind = provider.and_then(|it| it.kind(kind.role())).unwrap_or(kind);
                asked_for(document, kind, AskedBy::Comment(span))
            }
            Err(unknown) => Detection::Unknown(Unknown::Declared(unknown, span)),
        };
    }
    // Only update requests have a `record` in their comment.
    if document.declared.record.is_some() {
        let provider = detected(false).map_or_else(Provider::default, Kind::provider);
        return Detection::Draft(
            provider.kind(KindRole::Update).unwrap_or_else(|| Kind::of(KindRole::Update)),
        );
    }
    if let KindHint::Configured(kind) = source {
        return asked_for(document, kind, AskedBy::Settings);
    }
    let walked = source == KindHint::Discovered;
    let is_whole = || !document.syntax_errors.iter().any(SyntaxError::damages);
    match (detected(walked), &document.root) {
        (Some(kind), _) => Detection::Draft(kind),
        (None, Some(root)) if walked && matches!(root.value, Value::Object(_)) => {
            foreign(document, true).unwrap_or(match is_whole() || !is_meant() {
                true => Detection::NoDraft,
                // The file names fields of a submission, but they were lost in a syntax error.
                false => Detection::Unknown(Unknown::Keys),
            })
        }
        (None, _) if walked && !is_meant() => Detection::NoDraft,
        _ => foreign(document, walked).unwrap_or(Detection::Unknown(Unknown::Keys)),
    }
}

/// Uses the kind that was set for a document, unless its keys clearly match another kind.
fn asked_for(document: &Document<'_>, asked: Kind, by: AskedBy) -> Detection {
    match misfit(document, asked) {
        Some(seen) => Detection::Unknown(Unknown::Misfit(Misfit { asked, seen, by })),
        None => Detection::Draft(asked),
    }
}

/// The other kind that the keys of a document match. The two request kinds have the same fields, so one of them never
/// contradicts the other.
fn misfit(document: &Document<'_>, asked: Kind) -> Option<Kind> {
    let root = document.root.as_ref()?;
    let seen = asked.provider().detect(root, false)?;
    if seen == asked || seen.is_request() && asked.is_request() {
        return None;
    }
    let fields = |kind: Kind| {
        let is_field = |key: &str| schema::field_names(kind).any(|name| name == key);
        root.members().iter().filter(|member| is_field(&member.key)).count()
    };
    (fields(seen) > fields(asked)).then_some(seen)
}

fn foreign(document: &Document<'_>, walked: bool) -> Option<Detection> {
    let provider = foreign::of(document.root.as_ref()?, walked)?;
    Some(Detection::Unknown(Unknown::Foreign(provider)))
}

/// Whether a document has a field of a kind. If the document could not be parsed, `is_meant` decides.
fn mentions(document: &Document<'_>, kind: Kind, is_meant: impl Fn() -> bool) -> bool {
    match &document.root {
        Some(root) if matches!(root.value, Value::Object(_)) => {
            schema::field_names(kind).any(|name| root.member(name).is_some())
        }
        _ => is_meant(),
    }
}

/// Whether a string that may not parse is meant to be a draft: it contains a name that only submissions use.
pub(crate) fn mentions_a_submission(text: &str) -> bool {
    Provider::all().iter().any(|provider| provider.0.mentions.iter().any(|name| text.contains(name)))
}
