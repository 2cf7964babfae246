//! Detects the kind of a document.

use tollproof_data::provider::data::Clue;

use crate::provider::builtin::{KeyCounts, UnknownKind, UnknownProvider};
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::others::{self, InnerClues};
use crate::provider::read_fields::ReadField;
use crate::provider::schema;
use crate::syntax::document::{Document, Node, Style, SyntaxError, Value};
use crate::syntax::envelope;
use crate::syntax::source::Span;

/// The source of a document's kind. A comment in the document overrides all but `Forced` and `Filter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KindHint {
    /// The user chose for all documents of this run.
    Forced(KindChoice),
    /// The user chose for files found by a folder walk. It applies to documents that have a field of this kind.
    Filter(KindChoice),
    /// The configuration chooses for this file.
    Configured(KindChoice),
    /// The keys decide. The user named the file, so an unknown kind is an error.
    Explicit,
    /// The keys decide. A folder walk found the file, so it may be something other than a draft.
    Discovered,
    /// The keys decide. One of several sheets of a workbook, which may have something other than drafts: that is said.
    Sheet,
}

impl KindHint {
    /// The provider that was chosen.
    pub fn provider(self) -> Option<Provider> {
        match self {
            Self::Forced(choice) | Self::Filter(choice) | Self::Configured(choice) => choice.provider,
            _ => None,
        }
    }

    /// Whether the keys decide.
    fn is_open(self) -> bool {
        matches!(self, Self::Explicit | Self::Discovered | Self::Sheet)
    }
}

/// A provider, a kind, or both; the keys of a document decide what is left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindChoice {
    /// The provider.
    pub provider: Option<Provider>,
    /// The purpose of the document.
    pub role: Option<KindRole>,
}

impl KindChoice {
    /// The choice of a provider and a kind that were named; `twilio/submit-request` names both.
    #[must_use]
    pub fn named(provider: Option<Provider>, kind: Option<Kind>) -> Self {
        let of_kind = kind.map(Kind::provider).filter(|provider| *provider != Provider::default());
        Self { provider: provider.or(of_kind), role: kind.map(Kind::role) }
    }
}

impl From<Kind> for KindChoice {
    fn from(kind: Kind) -> Self {
        Self { provider: Some(kind.provider()), role: Some(kind.role()) }
    }
}

impl KindChoice {
    /// The choice, and for what it leaves open the other one.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { provider: self.provider.or(other.provider), role: self.role.or(other.role) }
    }

    /// Whether it leaves everything open.
    pub fn is_open(self) -> bool {
        self.provider.is_none() && self.role.is_none()
    }

    /// The kind in this choice that fits a document best. `None` if the provider does not have such a kind.
    fn kind(self, document: &Document<'_>, own: &[Provider]) -> Option<Kind> {
        let root = document.root.as_ref();
        let seen = || root.and_then(|root| detected(root, false, own));
        let of = |provider: Provider| {
            let by_keys = root.and_then(|root| provider.detect(root, false));
            let role = self.role.or(by_keys.map(Kind::role)).unwrap_or(KindRole::Submit);
            let kind = provider.kind(role)?;
            // The keys also tell the form and the spelling.
            let same = by_keys.filter(|by_keys| *by_keys == kind);
            same.or_else(|| Some(root.map_or(kind, |root| kind.spelled_as(root))))
        };
        match self.provider {
            Some(provider) => of(provider),
            None => {
                of(seen().map_or_else(Provider::default, Kind::provider)).or_else(|| of(Provider::default()))
            }
        }
    }
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
    /// A row of a table, of which too few columns are fields: of the kind that it should be, or of any.
    Columns(Option<Kind>),
    /// Its comment contains an unknown kind.
    Declared(UnknownKind, Span),
    /// Its comment contains an unknown provider.
    DeclaredProvider(UnknownProvider, Span),
    /// The provider has no such kind.
    NoSuchKind(Provider, KindRole, AskedBy),
    /// It should be of one kind, but its keys match another.
    Misfit(Misfit),
    /// It is for a provider that tollproof does not know.
    Foreign(&'static str),
    /// A submission is inside of it, where it is not read. The user may not have named the file.
    Contains(others::InnerSubmission, IsNamed),
}

/// Whether the user named the file of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsNamed(pub(crate) bool);

/// A document whose keys contradict the kind that it should have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Misfit {
    /// The kind that it should have.
    pub(crate) asked: Kind,
    /// The kind that its keys match.
    pub(crate) seen: Kind,
    pub(crate) by: AskedBy,
}

/// The source of a document's kind.
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
pub fn kind_of(document: &Document<'_>, source: KindHint) -> Option<Kind> {
    match detect(document, source, &[], || true) {
        Detection::Draft(kind) => Some(kind),
        Detection::Unknown(_) | Detection::NoDraft => None,
    }
}

/// The kind whose keys a document has, among the built-in providers. In a folder walk (`walked`), kinds with common
/// keys are not tried.
pub(crate) fn kind_of_keys(root: &Node<'_>, walked: bool) -> Option<Kind> {
    let default = Provider::default();
    let ours = default.detect(root, walked);
    if let Some(kind) = ours.filter(|kind| kind.has_only_own_keys(root)) {
        return Some(kind);
    }
    let counts = KeyCounts::of(root, COMPARED);
    let known = ours.map_or(0, |_| default.best(root, &counts).0);
    let others: Vec<Provider> = counts.others(known).collect();
    // A field that identifies a provider can be a typing error in a document of the default one, which shares many names.
    let is_news = |clue: &Clue| ours.is_none_or(|ours| clue.fields().any(|field| !ours.may_have(field)));
    let is_meant =
        |(clue, kind): &(&Clue, Kind)| is_news(clue) && (clue.is_nested() || kind.known_keys(root) >= known);
    let by_clues = others.iter().filter_map(|provider| provider.kind_by_clues(root, walked));
    if let Some((_, kind)) = by_clues.into_iter().find(is_meant) {
        return Some(kind);
    }
    // No field identifies a provider. One that knows clearly more of the names than the default one is meant.
    let least = match (ours, walked) {
        (Some(_), _) => known + MORE,
        (None, true) => WALKED,
        (None, false) => NAMED,
    };
    let others = others.into_iter().filter(|it| counts.spelling(*it).1 >= least);
    let best = others.map(|it| it.best(root, &counts)).rev().max_by_key(|(count, _)| *count);
    best.filter(|(count, _)| *count >= least).map(|(_, kind)| kind).or(ours)
}

/// The lead in known names that a provider needs over the default one, where no field identifies it.
const MORE: usize = 2;
/// The fewest names of a provider in a document, where no field identifies it: in a file that the user named, and in one
/// found by a folder walk.
const NAMED: usize = 2;
const WALKED: usize = 4;
/// The number of compared keys of a document.
const COMPARED: usize = 200;

/// The kind whose keys a document has. The `own` providers are tried first.
fn detected(root: &Node<'_>, walked: bool, own: &[Provider]) -> Option<Kind> {
    own.iter().find_map(|provider| provider.detect(root, walked)).or_else(|| kind_of_keys(root, walked))
}

impl Provider {
    /// The title of the provider that a document is for, if that is one that tollproof only knows by name.
    pub fn foreign(document: &Document<'_>) -> Option<&'static str> {
        document.root.as_ref().and_then(others::provider_of)
    }

    /// The kind of this provider whose identifying fields a document has.
    fn detect(self, root: &Node<'_>, walked: bool) -> Option<Kind> {
        self.kind_by_clues(root, walked).map(|(_, kind)| kind)
    }

    /// The fields that identify a document, and its kind.
    fn kind_by_clues(self, root: &Node<'_>, walked: bool) -> Option<(&'static Clue, Kind)> {
        let has = |field: &&str| {
            if field.contains('/') { has_path(root, field) } else { root.member(field).is_some() }
        };
        let clues = self.0.clues.iter().filter(|clue| !(walked && clue.named));
        let mut fitting = clues.filter(|clue| {
            clue.all.iter().all(&has)
                && (clue.any.is_empty() || clue.any.iter().any(&has))
                && !clue.without.iter().any(&has)
                && clue.begins.iter().all(|(field, start)| begins(root, field, start))
                && clue.most.is_none_or(|most| root.members().len() <= most)
        });
        fitting.next().map(|clue| (clue, self.kind_at(clue.kind).spelled_as(root)))
    }

    /// The kind that knows the most keys of a document, with their number; of several, the first.
    fn best(self, root: &Node<'_>, counts: &KeyCounts) -> (usize, Kind) {
        let (spelling, _) = counts.spelling(self);
        let kinds: Vec<Kind> = self.kinds().map(|kind| kind.spelled(spelling)).collect();
        let counts = kinds.into_iter().rev().map(|kind| (kind.known_keys(root), kind));
        counts.max_by_key(|(count, _)| *count).expect("a provider has a kind")
    }
}

impl Kind {
    /// Counts a document's keys that are fields of this kind.
    fn known_keys(self, root: &Node<'_>) -> usize {
        schema::own_keys(self, root).take(COMPARED).filter(|is_own| *is_own).count()
    }

    /// Whether a row has so few fields of this kind that its columns must have names of their own.
    fn knows_few_columns(self, row: &Node<'_>) -> bool {
        let known = schema::own_keys(self, row).filter(|is_own| *is_own).take(WALKED).count();
        known < WALKED && 2 * known < row.members().len()
    }

    /// Whether documents of this kind may have a field, written as in clues.
    fn may_have(self, field: &str) -> bool {
        let steps = field.split('/').map(|key| (key != "*").then_some(key));
        schema::shape(self).at(steps).is_some()
    }

    /// Whether a document has only keys of this kind, and its numbers are written as this kind has them.
    fn has_only_own_keys(self, root: &Node<'_>) -> bool {
        let is_object = |node: &&Node<'_>| matches!(node.value, Value::Object(_));
        schema::own_keys(self, root).all(|is_own| is_own) && !self.numbers(root).iter().any(is_object)
    }

    /// The same kind in the spelling that knows the most keys of a document.
    fn spelled_as(self, root: &Node<'_>) -> Self {
        if self.provider().spellings() == 1 || schema::own_keys(self, root).all(|is_own| is_own) {
            return self;
        }
        let counts = KeyCounts::of(root, COMPARED);
        let (best, most) = counts.spelling(self.provider());
        if counts.of_spelling(self) == most { self } else { self.spelled(best) }
    }
}

/// Whether a document has the field `object/field` or `list/*/field`, in any item of the list.
fn has_path(root: &Node<'_>, field: &str) -> bool {
    any_at(root, field, &|_| true)
}

/// Whether the value of a field begins with a text.
fn begins(root: &Node<'_>, field: &str, start: &str) -> bool {
    any_at(root, field, &|node| node.as_str().is_some_and(|value| value.starts_with(start)))
}

/// Whether a value at a path fits; of the items of a list, any.
fn any_at(root: &Node<'_>, field: &str, fits: &dyn Fn(&Node<'_>) -> bool) -> bool {
    let (key, rest) = field.split_once('/').unwrap_or((field, ""));
    let below = |node: &Node<'_>| if rest.is_empty() { fits(node) } else { any_at(node, rest, fits) };
    match key {
        "*" => root.items().iter().take(COMPARED).any(below),
        key => root.get(key).is_some_and(below),
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
    let row = document.root.as_ref().filter(|root| root.style == Style::Cell);
    let walked = source == KindHint::Discovered;
    if walked && document.root.as_ref().is_some_and(|root| !root.style.is_data() && !is_sure(root)) {
        return Detection::NoDraft;
    }
    match (detect_any(document, source, own, is_meant), row) {
        (Detection::Draft(kind), Some(row)) if kind.knows_few_columns(row) && walked => Detection::NoDraft,
        (Detection::Draft(kind), Some(row)) if kind.knows_few_columns(row) => {
            Detection::Unknown(Unknown::Columns(Some(kind).filter(|_| !source.is_open())))
        }
        (Detection::Unknown(Unknown::Keys), Some(_)) => Detection::Unknown(Unknown::Columns(None)),
        (Detection::NoDraft, Some(_)) if source == KindHint::Sheet => {
            Detection::Unknown(Unknown::Columns(None))
        }
        (detection, _) => detection,
    }
}

fn detect_any(
    document: &Document<'_>,
    source: KindHint,
    own: &[Provider],
    is_meant: impl Fn() -> bool,
) -> Detection {
    if let KindHint::Forced(choice) = source {
        return asked_for(document, choice, own, AskedBy::Option);
    }
    if let KindHint::Filter(choice) = source {
        if let Some(misfit) = other_provider(document, choice, own, AskedBy::Option) {
            return Detection::Unknown(Unknown::Misfit(misfit));
        }
        let kind = choice.kind(document, own).filter(|kind| mentions(document, *kind, is_meant));
        return match kind.filter(|kind| misfit(document, *kind).is_none()) {
            Some(kind) => Detection::Draft(kind),
            None => Detection::NoDraft,
        };
    }
    let configured = match source {
        KindHint::Configured(choice) => choice,
        _ => KindChoice::default(),
    };
    match declared(document) {
        Ok(None) if configured.is_open() => {}
        Ok(None) => return asked_for(document, configured, own, AskedBy::Settings),
        Ok(Some((choice, span))) => {
            return asked_for(document, choice.or(configured), own, AskedBy::Comment(span));
        }
        Err(unknown) => return Detection::Unknown(unknown),
    }
    let walked = matches!(source, KindHint::Discovered | KindHint::Sheet);
    if walked && document.root.as_ref().is_some_and(envelope::is_read_request) {
        return Detection::NoDraft;
    }
    let is_whole = || !document.syntax_errors.iter().any(SyntaxError::damages);
    if let Some(title) = Provider::foreign(document) {
        return Detection::Unknown(Unknown::Foreign(title));
    }
    let found = document.root.as_ref().and_then(|root| detected(root, walked, own));
    let below = || {
        let clues = InnerClues { kind: &|it| kind_of_keys(it, true), mentions: &mentions_a_submission };
        let root = document.root.as_ref().filter(|_| is_meant())?;
        others::submission_below(root, clues)
    };
    match (found, &document.root) {
        (Some(kind), _) => Detection::Draft(kind),
        (None, Some(root)) if walked && matches!(root.value, Value::Object(_)) => match below() {
            Some(found) => Detection::Unknown(Unknown::Contains(found, IsNamed(false))),
            None if is_whole() || !is_meant() => Detection::NoDraft,
            // The file names fields of a submission, but they were lost in a syntax error.
            None => Detection::Unknown(Unknown::Keys),
        },
        (None, _) if walked && !is_meant() => Detection::NoDraft,
        _ => Detection::Unknown(
            below().map_or(Unknown::Keys, |found| Unknown::Contains(found, IsNamed(!walked))),
        ),
    }
}

/// The fields, and the texts of several words, that notes and programs in a folder must have to be drafts: one of these.
const SURE: [(usize, usize); 2] = [(5, 2), (8, 1)];

/// Whether notes or a program have so much of a draft that it must be one.
pub(crate) fn is_sure(root: &Node<'_>) -> bool {
    let fields = ReadField::of(root);
    let said = fields.iter().filter(|field| !field.is_computed()).count();
    let texts = fields.iter().flat_map(|field| &field.values).flatten();
    let texts = texts.filter(|text| text.split_whitespace().count() > 4).count();
    SURE.iter().any(|least| said >= least.0 && texts >= least.1)
}

/// Reads the choice of a comment in the document.
fn declared(document: &Document<'_>) -> Result<Option<(KindChoice, Span)>, Unknown> {
    let (mut choice, mut place) = (KindChoice::default(), None);
    if let Some((name, span)) = document.declared().provider {
        let provider = Provider::named(name).map_err(|unknown| Unknown::DeclaredProvider(unknown, span))?;
        choice.provider = Some(provider);
        place = Some(span);
    }
    if let Some((name, span)) = document.declared().kind {
        let kind: Kind = name.parse().map_err(|unknown| Unknown::Declared(unknown, span))?;
        choice.role = Some(kind.role());
        place = Some(span);
    } else if let Some((_, span)) = document.declared().record {
        // Only update requests have a `record` in their comment.
        choice.role = Some(KindRole::Update);
        place = place.or(Some(span));
    }
    Ok(place.map(|span| (choice, span)))
}

/// Uses what was chosen for a document, unless its keys clearly match another kind.
fn asked_for(document: &Document<'_>, choice: KindChoice, own: &[Provider], by: AskedBy) -> Detection {
    let Some(asked) = choice.kind(document, own) else {
        let provider = choice.provider.unwrap_or_default();
        return Detection::Unknown(Unknown::NoSuchKind(
            provider,
            choice.role.unwrap_or(KindRole::Submit),
            by,
        ));
    };
    if let Some(misfit) = other_provider(document, choice, own, by) {
        return Detection::Unknown(Unknown::Misfit(misfit));
    }
    // The provider whose names the document has may have no such kind.
    let detected = document.root.as_ref().filter(|_| choice.provider.is_none()).and_then(|root| {
        let seen = detected(root, false, own)?;
        (seen.provider() != asked.provider() && seen.known_keys(root) > asked.known_keys(root))
            .then_some(seen)
    });
    if let (Some(seen), Some(role)) = (detected, choice.role) {
        return Detection::Unknown(Unknown::NoSuchKind(seen.provider(), role, by));
    }
    match misfit(document, asked).filter(|_| choice.role.is_some()) {
        Some(seen) => Detection::Unknown(Unknown::Misfit(Misfit { asked, seen, by })),
        None => Detection::Draft(asked),
    }
}

/// The lead in known keys that another provider needs over the chosen one, and the lead if the document has fields that
/// identify the chosen one.
const PLAINLY: usize = 2;
const IN_SPITE: usize = 4;

/// A document that plainly belongs to another provider than the chosen one.
fn other_provider(
    document: &Document<'_>,
    choice: KindChoice,
    own: &[Provider],
    by: AskedBy,
) -> Option<Misfit> {
    let (root, chosen) = (document.root.as_ref()?, choice.provider?);
    // The names of a provider of one's own may be those of a built-in one.
    let is_built_in = Provider::named(chosen.name()).is_ok_and(|it| it == chosen);
    if !is_built_in || document.syntax_errors.iter().any(SyntaxError::damages) {
        return None;
    }
    let seen = detected(root, false, own).filter(|seen| seen.provider() != chosen)?;
    let asked = choice.kind(document, own)?;
    let margin = if chosen.detect(root, false).is_some() { IN_SPITE } else { PLAINLY };
    let is_other = seen.known_keys(root) >= asked.known_keys(root) + margin;
    is_other.then_some(Misfit { asked, seen, by })
}

/// The other kind that the keys of a document match. The two request kinds have the same fields, so one of them never
/// contradicts the other.
fn misfit(document: &Document<'_>, asked: Kind) -> Option<Kind> {
    let root = document.root.as_ref()?;
    let seen = asked.provider().detect(root, false)?;
    if seen == asked || seen.is_request() && asked.is_request() {
        return None;
    }
    let fields = |kind: Kind| schema::own_keys(kind, root).filter(|is_own| *is_own).count();
    (fields(seen) > fields(asked)).then_some(seen)
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
