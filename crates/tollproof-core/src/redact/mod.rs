//! Masks personal data in findings and sources, without changing any position.

mod letters;
mod mask;
mod numbers;
mod pii;
mod secrets;

use std::ops::Range;

use tollproof_data::pointer::unescaped;

use self::mask::{Painted, paint, paint_settings, persons_of};
use self::pii::Persons;
pub use self::secrets::{secrets, settings_without_secrets, without_secrets};
use crate::finding::{Finding, Fix, Related, Suppression};
use crate::provider::vocabulary::{is_personal, is_vocabulary, shown_key};
use crate::syntax::document::{SyntaxError, SyntaxErrorKind};
use crate::syntax::message::Message;
use crate::syntax::message_parts::masked;
use crate::syntax::source::{Source, Span};
use crate::syntax::{Parsed, SourceDocument};

/// The personal data in one file, and how to mask it in its findings.
///
/// Masked are:
///
/// - the contact's name, address (except state and country), e-mail address and phone number,
/// - values of fields that the provider's API does not have, because they may be misspelled personal fields,
/// - everything in a document with a syntax error, except punctuation and known words,
/// - e-mail addresses, phone numbers and the same names anywhere else in the file.
#[derive(Debug)]
pub struct Redaction {
    painted: Painted,
    /// Whether the file is a configuration, in which only reasons, comments and passwords are masked.
    settings: bool,
}

impl Redaction {
    /// Finds the personal data in a file.
    #[must_use]
    pub fn of(parsed: &Parsed<'_>) -> Self {
        let painted = paint(parsed, Persons::default());
        Self { painted, settings: false }
    }

    /// Finds reasons, comments, and passwords in history URLs in a configuration.
    #[must_use]
    pub fn of_settings(parsed: &Parsed<'_>) -> Self {
        Self { painted: paint_settings(parsed), settings: true }
    }

    /// Finds the personal data in another file that findings refer to, including the people that this file names.
    #[must_use]
    pub fn beside(&self, other: &Parsed<'_>) -> Self {
        let painted = paint(other, self.painted.persons.clone());
        Self { painted, settings: false }
    }

    /// The source with masked personal data. The mask has the same length in bytes, so all offsets, lines and columns
    /// stay the same.
    pub fn source(&self, source: &Source<'_>) -> Source<'static> {
        source.masked(self.painted.text.clone())
    }

    /// The finding with masked personal data. Its rule, location and fingerprint stay the same. A fix that would write
    /// personal data is removed.
    pub fn finding(&self, source: &Source<'_>, finding: &Finding) -> Finding {
        let is_personal = self.is_personal(source, finding);
        let masked = |message: &Message| message.with_values(|value| self.value(value, is_personal));
        let related = |related: &Related| Related { message: masked(&related.message), ..related.clone() };
        Finding {
            message: masked(&finding.message),
            help: finding.help.as_ref().map(masked),
            label: finding.label.as_ref().map(masked),
            pointer: if self.settings { finding.pointer.clone() } else { pointer(&finding.pointer).into() },
            related: finding.related.iter().map(related).collect(),
            fix: finding.fix.clone().filter(|fix| self.is_fit(source, fix)),
            suppressed: finding.suppressed.as_ref().map(|suppression| Suppression {
                reason: suppression.reason.as_deref().map(|reason| self.value(reason, false)),
                ..suppression.clone()
            }),
            ..finding.clone()
        }
    }

    /// Whether every value that a finding quotes may be personal.
    fn is_personal(&self, source: &Source<'_>, finding: &Finding) -> bool {
        let touches = |span: Option<Span>| span.is_some_and(|span| self.touches(source, span));
        self.painted.is_broken(finding.document)
            // An answer about an unknown field may quote anything.
            || finding.rule == "answer/unknown-name"
            || finding.pointer.split('/').skip(1).any(|token| is_personal(token) || !is_shown(token))
            || touches(finding.span)
            || finding.related.iter().any(|related| related.file.is_none() && touches(related.span))
    }

    /// Whether a part of the file is masked.
    fn touches(&self, source: &Source<'_>, span: Span) -> bool {
        self.painted.text.get(span.range()) != source.text().get(span.range())
    }

    /// Whether a fix neither replaces nor writes personal data.
    fn is_fit(&self, source: &Source<'_>, fix: &Fix) -> bool {
        fix.edits.iter().all(|edit| {
            let text = edit.text.trim_matches('"');
            !self.touches(source, edit.span) && (is_vocabulary(text) || self.value(text, false) == text)
        })
    }

    /// Masks a value that is inserted in a message. If the finding is personal, only single characters and names of
    /// fields and kinds are shown.
    fn value(&self, value: &str, is_personal: bool) -> String {
        if self.settings {
            let reasons = self.painted.reasons.iter();
            return without_secrets(
                &reasons.fold(value.to_owned(), |text, it| text.replace(it, &masked(it))),
            );
        }
        match is_vocabulary(without_index(value)) || value.chars().nth(1).is_none() {
            true => value.to_owned(),
            false if is_personal => masked(value),
            false => stars_at(value, self.painted.persons.in_text(value)),
        }
    }
}

/// The personal data that one document names in its contact and address fields.
pub(crate) struct PersonalData(Persons);

impl PersonalData {
    /// `None` if the document is broken, so that its fields may be missing.
    pub(crate) fn of(document: SourceDocument<'_>) -> Option<Self> {
        let is_syntax = |it: &SyntaxError| it.problem == SyntaxErrorKind::Syntax;
        let is_broken = document.cut || document.syntax_errors.iter().any(is_syntax);
        (!is_broken).then(|| Self(persons_of(document.source().text(), document.document())))
    }

    /// Finds it in a text, and any e-mail addresses and phone numbers.
    pub(crate) fn in_text(&self, text: &str) -> Vec<Range<usize>> {
        self.0.in_text(text)
    }
}

/// The name of a list without the index of an item: `phoneNumbers` for `phoneNumbers[0]`.
fn without_index(name: &str) -> &str {
    let index = |rest: &str| {
        rest.strip_suffix(']').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    name.split_once('[').filter(|(_, rest)| index(rest)).map_or(name, |(list, _)| list)
}

/// Masks the unknown keys of a pointer.
fn pointer(pointer: &str) -> String {
    let tokens: Vec<String> = pointer
        .split('/')
        .map(|token| if token.is_empty() || is_shown(token) { token.to_owned() } else { masked(token) })
        .collect();
    tokens.join("/")
}

/// Whether a token of a pointer may be shown: it is an index, a field, or a probable misspelling of a field.
fn is_shown(token: &str) -> bool {
    let is_index = token.len() < 5 && token.bytes().all(|it| it.is_ascii_digit());
    is_index || shown_key(&unescaped(token))
}

/// Masks parts of a text.
fn stars_at(text: &str, places: Vec<Range<usize>>) -> String {
    let mut starry = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        starry.push_str(&text[at..place.start]);
        starry += &masked(&text[place.clone()]);
        at = place.end;
    }
    starry + &text[at..]
}
