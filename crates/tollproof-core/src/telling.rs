//! What a document is, by whatever knows it best.

use crate::checks::kind::Unknown;
use crate::document::{Document, Value};
use crate::kind::Kind;
use crate::schema;

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

/// What a document is, if that can be told: as [`Linter::check_source`](crate::Linter::check_source) sees it.
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
        return Told::Draft(kind);
    }
    if let KindSource::Sought(kind) = source {
        return if mentions(document, kind, is_meant) { Told::Draft(kind) } else { Told::NoDraft };
    }
    if let Some((name, span)) = document.declared.kind {
        return match name.parse::<Kind>() {
            Ok(kind) => Told::Draft(kind),
            Err(unknown) => Told::Unknown(Unknown::Declared(unknown, span)),
        };
    }
    // Only an update request changes a record.
    if document.declared.record.is_some() {
        return Told::Draft(Kind::UpdateRequest);
    }
    if let KindSource::Expected(kind) = source {
        return Told::Draft(kind);
    }
    let walked = source == KindSource::Walked;
    let told = document.root.as_ref().and_then(|root| Kind::tell(root, walked, schema::is_business_field));
    match (told, &document.root) {
        (Some(kind), _) => Told::Draft(kind),
        (None, Some(root)) if walked && matches!(root.value, Value::Object(_)) => Told::NoDraft,
        (None, _) if walked && !is_meant() => Told::NoDraft,
        _ => Told::Unknown(Unknown::Keys),
    }
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
