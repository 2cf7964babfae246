//! What a document is, by whatever knows it best.

use crate::provider::builtin::UnknownKind;
use crate::provider::foreign;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::schema;
use crate::syntax::document::{Document, Node, SyntaxError, Value};
use crate::syntax::source::Span;

/// Where the kind of a text's documents comes from. A comment in the document goes before `Expected`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KindHint {
    /// The user says so of this run, whatever the document says.
    Forced(Kind),
    /// The user says so of what a walk meets: it holds for documents that have a field of this kind.
    Filter(Kind),
    /// The config says so of this file.
    Configured(Kind),
    /// The keys: the text was named, so it must be of some kind.
    Explicit,
    /// The keys: the text was met on a walk, so it may be something else.
    Discovered,
}

/// What became of the question.
pub(crate) enum Detection {
    /// A document of this kind, or one too broken to have a kind that is expected to be one.
    Draft(Kind),
    /// A document that should have a kind, and has none.
    Unknown(Unknown),
    /// Something that has nothing to do with the interface.
    NoDraft,
}

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

/// What a document is, if that can be told: as [`Linter::lint`](crate::Linter::lint) sees it.
#[must_use]
pub fn kind_of(document: &Document<'_>, source: KindHint) -> Option<Kind> {
    match detect(document, source, &[], || true) {
        Detection::Draft(kind) => Some(kind),
        Detection::Unknown(_) | Detection::NoDraft => None,
    }
}

/// The kind of a built-in provider that the keys of a document give away. On a walk through a folder, kinds with common
/// key names are not inferred.
pub(crate) fn kind_of_keys(root: &Node<'_>, walked: bool) -> Option<Kind> {
    Provider::all().iter().find_map(|provider| provider.detect(root, walked))
}

impl Provider {
    /// The kind of this provider that the keys of a document give away.
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

/// Detects the kind of a document, of `own` providers before those that are built in; `is_meant` says whether its text
/// mentions a submission.
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
    // Only an update request changes a record.
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
                // Its keys could not be read, and its text names them.
                false => Detection::Unknown(Unknown::Keys),
            })
        }
        (None, _) if walked && !is_meant() => Detection::NoDraft,
        _ => foreign(document, walked).unwrap_or(Detection::Unknown(Unknown::Keys)),
    }
}

/// A document that somebody calls one kind, unless its keys are those of another.
fn asked_for(document: &Document<'_>, asked: Kind, by: AskedBy) -> Detection {
    match misfit(document, asked) {
        Some(seen) => Detection::Unknown(Unknown::Misfit(Misfit { asked, seen, by })),
        None => Detection::Draft(asked),
    }
}

/// The kind that a document looks like, where that is another one than it should be. The two requests share their
/// fields, so either may be called the other.
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

/// A document that is the payload of another provider.
fn foreign(document: &Document<'_>, walked: bool) -> Option<Detection> {
    let provider = foreign::of(document.root.as_ref()?, walked)?;
    Some(Detection::Unknown(Unknown::Foreign(provider)))
}

/// Whether a document has a field of a kind; one that could not be read, whether it was meant to be a draft.
fn mentions(document: &Document<'_>, kind: Kind, is_meant: impl Fn() -> bool) -> bool {
    match &document.root {
        Some(root) if matches!(root.value, Value::Object(_)) => {
            schema::field_names(kind).any(|name| root.member(name).is_some())
        }
        _ => is_meant(),
    }
}

/// Whether a text that could not be read was meant to be a draft: it names a field that nothing else has.
#[must_use]
pub fn mentions_a_submission(text: &str) -> bool {
    Provider::all().iter().any(|provider| provider.0.mentions.iter().any(|name| text.contains(name)))
}
