//! Reports that may leave the house: what tells of a person is starred, and every place stays where it is.

mod letters;
mod mask;
mod numbers;
mod pii;
mod secrets;

use std::ops::Range;

use self::mask::{Painted, paint, paint_settings};
use self::pii::Persons;
pub use self::secrets::{secrets, settings_without_secrets, without_secrets};
use crate::finding::{Finding, Fix, Related, Suppression};
use crate::provider::vocabulary::{is_personal, is_vocabulary, shown_key};
use crate::syntax::Parsed;
use crate::syntax::message::Message;
use crate::syntax::message_parts::masked;
use crate::syntax::source::{Source, Span};

/// What is personal in one text, and how its findings are told without it.
///
/// Personal are the name, the address (but for state and country) and the ways to reach the contact; whatever stands
/// where the interface has no field, for it may be one of these misspelt; all of a text that could not be read; and
/// e-mail addresses, phone numbers and the same names wherever else they are written.
#[derive(Debug)]
pub struct Redaction {
    painted: Painted,
    /// Whether the text is a configuration, whose words are nobody's but for reasons.
    settings: bool,
}

impl Redaction {
    /// Looks for what is personal in a text.
    #[must_use]
    pub fn of(parsed: &Parsed<'_>) -> Self {
        let painted = paint(parsed, Persons::default());
        Self { painted, settings: false }
    }

    /// The same of a configuration: starred are reasons, comments, and passwords in addresses of histories.
    #[must_use]
    pub fn of_settings(parsed: &Parsed<'_>) -> Self {
        Self { painted: paint_settings(parsed), settings: true }
    }

    /// The same of another text that findings point into: whom this text names is looked for in it as well.
    #[must_use]
    pub fn beside(&self, other: &Parsed<'_>) -> Self {
        let painted = paint(other, self.painted.persons.clone());
        Self { painted, settings: false }
    }

    /// The same text with stars, or other signs of the same length in bytes, in place of what is personal: every
    /// offset, line and column is that of the text itself.
    #[must_use]
    pub fn source(&self, source: &Source<'_>) -> Source<'static> {
        Source::new(source.name(), self.painted.text.clone()).known_as(Some(source.identity().to_owned()))
    }

    /// The same finding with stars in its words. Its rule, its place and its fingerprint stay; a fix that would write
    /// something personal is left out.
    #[must_use]
    pub fn finding(&self, source: &Source<'_>, finding: &Finding) -> Finding {
        let is_personal = self.is_personal(source, finding);
        let masked = |message: &Message| message.with_values(|value| self.value(value, is_personal));
        let related = |it: &Related| Related { message: masked(&it.message), ..it.clone() };
        Finding {
            message: masked(&finding.message),
            help: finding.help.as_ref().map(masked),
            label: finding.label.as_ref().map(masked),
            pointer: if self.settings { finding.pointer.clone() } else { pointer(&finding.pointer) },
            related: finding.related.iter().map(related).collect(),
            fix: finding.fix.clone().filter(|fix| self.is_fit(source, fix)),
            suppressed: finding.suppressed.as_ref().map(|it| Suppression {
                reason: it.reason.as_deref().map(|reason| self.value(reason, false)),
                ..it.clone()
            }),
            ..finding.clone()
        }
    }

    /// Whether what a finding quotes may be personal as a whole.
    fn is_personal(&self, source: &Source<'_>, finding: &Finding) -> bool {
        let touches = |span: Option<Span>| span.is_some_and(|span| self.touches(source, span));
        self.painted.is_broken(finding.document)
            // What a service says of a field that nobody knows may be about anything.
            || finding.rule == "answer/unknown-name"
            || finding.pointer.split('/').skip(1).any(|token| is_personal(token) || !is_shown(token))
            || touches(finding.span)
            || finding.related.iter().any(|it| it.file.is_none() && touches(it.span))
    }

    /// Whether a part of the text is starred.
    fn touches(&self, source: &Source<'_>, span: Span) -> bool {
        self.painted.text.get(span.range()) != source.text().get(span.range())
    }

    /// Whether a fix touches nothing personal and writes nothing personal.
    fn is_fit(&self, source: &Source<'_>, fix: &Fix) -> bool {
        fix.edits.iter().all(|edit| {
            let text = edit.text.trim_matches('"');
            !self.touches(source, edit.span) && (is_vocabulary(text) || self.value(text, false) == text)
        })
    }

    /// A value as it may be inserted in a message: of a finding about a person, only names of fields and kinds are
    /// shown, and single characters.
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

/// A list for one of its items: `phoneNumbers` for `phoneNumbers[0]`.
fn without_index(name: &str) -> &str {
    let index =
        |rest: &str| rest.strip_suffix(']').is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    name.split_once('[').filter(|(_, rest)| index(rest)).map_or(name, |(list, _)| list)
}

/// A pointer whose unknown names are starred.
fn pointer(pointer: &str) -> String {
    let tokens: Vec<String> = pointer
        .split('/')
        .map(|token| if token.is_empty() || is_shown(token) { token.to_owned() } else { masked(token) })
        .collect();
    tokens.join("/")
}

/// Whether a token of a pointer may be shown: a place in a list, a field, or one that was probably meant.
fn is_shown(token: &str) -> bool {
    let is_index = token.len() < 5 && token.bytes().all(|it| it.is_ascii_digit());
    is_index || shown_key(&token.replace("~1", "/").replace("~0", "~"))
}

/// A text with stars at some places.
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
