//! What a document is, by whatever knows it best.

use crate::provider::foreign;
use crate::provider::kind::{Kind, UnknownKind};
use crate::provider::schema;
use crate::syntax::document::{Document, Fault, Value};
use crate::syntax::source::Span;

/// Where the kind of a text's documents comes from. A comment in the document goes before `Expected`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KindSource {
    /// The user says so of this run, whatever the document says.
    Forced(Kind),
    /// The user says so of what a walk meets: it holds for documents that have a field of this kind.
    Sought(Kind),
    /// The config says so of this file.
    Expected(Kind),
    /// The keys: the text was named, so it must be of some kind.
    Named,
    /// The keys: the text was met on a walk, so it may be something else.
    Walked,
}

/// What became of the question.
pub(crate) enum Told {
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
pub fn kind_of(document: &Document<'_>, source: KindSource) -> Option<Kind> {
    match tell(document, source, || true) {
        Told::Draft(kind) => Some(kind),
        Told::Unknown(_) | Told::NoDraft => None,
    }
}

/// Tells the kind of a document; `is_meant` says whether its text mentions a submission.
pub(crate) fn tell(document: &Document<'_>, source: KindSource, is_meant: impl Fn() -> bool) -> Told {
    if let KindSource::Forced(kind) = source {
        return asked_for(document, kind, AskedBy::Option);
    }
    if let KindSource::Sought(kind) = source {
        let fits = mentions(document, kind, is_meant) && misfit(document, kind).is_none();
        return if fits { Told::Draft(kind) } else { foreign(document, true).unwrap_or(Told::NoDraft) };
    }
    if let Some((name, span)) = document.declared.kind {
        return match name.parse::<Kind>() {
            Ok(kind) => asked_for(document, kind, AskedBy::Comment(span)),
            Err(unknown) => Told::Unknown(Unknown::Declared(unknown, span)),
        };
    }
    // Only an update request changes a record.
    if document.declared.record.is_some() {
        return Told::Draft(Kind::UpdateRequest);
    }
    if let KindSource::Expected(kind) = source {
        return asked_for(document, kind, AskedBy::Settings);
    }
    let walked = source == KindSource::Walked;
    let told = document.root.as_ref().and_then(|root| Kind::tell(root, walked, schema::is_business_field));
    let is_whole = || !document.faults.iter().any(Fault::damages);
    match (told, &document.root) {
        (Some(kind), _) => Told::Draft(kind),
        (None, Some(root)) if walked && matches!(root.value, Value::Object(_)) => {
            foreign(document, true).unwrap_or(match is_whole() || !is_meant() {
                true => Told::NoDraft,
                // Its keys could not be read, and its text names them.
                false => Told::Unknown(Unknown::Keys),
            })
        }
        (None, _) if walked && !is_meant() => Told::NoDraft,
        _ => foreign(document, walked).unwrap_or(Told::Unknown(Unknown::Keys)),
    }
}

/// A document that somebody calls one kind, unless its keys are those of another.
fn asked_for(document: &Document<'_>, asked: Kind, by: AskedBy) -> Told {
    match misfit(document, asked) {
        Some(seen) => Told::Unknown(Unknown::Misfit(Misfit { asked, seen, by })),
        None => Told::Draft(asked),
    }
}

/// The kind that a document looks like, where that is another one than it should be. The two requests share their
/// fields, so either may be called the other.
fn misfit(document: &Document<'_>, asked: Kind) -> Option<Kind> {
    let root = document.root.as_ref()?;
    let seen = Kind::tell(root, false, schema::is_business_field)?;
    if seen == asked || [seen, asked].iter().all(|kind| Kind::REQUESTS.contains(kind)) {
        return None;
    }
    let fields = |kind: Kind| {
        let is_field = |key: &str| schema::field_names(kind).any(|name| name == key);
        root.members().iter().filter(|member| is_field(&member.key)).count()
    };
    (fields(seen) > fields(asked)).then_some(seen)
}

/// A document that is the payload of another provider.
fn foreign(document: &Document<'_>, walked: bool) -> Option<Told> {
    let provider = foreign::of(document.root.as_ref()?, walked)?;
    Some(Told::Unknown(Unknown::Foreign(provider)))
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
    ["businessName", "optInWorkflow", "productionMessageContent", "useCaseSummary", "verificationRequest"]
        .iter()
        .any(|name| text.contains(name))
}
