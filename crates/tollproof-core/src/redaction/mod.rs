//! Reports that may leave the house: what tells of a person is starred, and every place stays where it is.

mod paint;
mod persons;
mod quotes;
mod secrets;
mod vocabulary;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use self::paint::{Painted, paint, paint_settings};
use self::persons::Persons;
use self::quotes::{Piece, pieces};
pub use self::secrets::{secrets, without_secrets};
use self::vocabulary::{is_personal, is_vocabulary, shown_key};
use crate::builtin;
use crate::finding::{Finding, Fix, Related, Suppression};
use crate::input::Format;
use crate::rule::RuleFile;
use crate::source::{Source, Span};

/// What is personal in one text, and how its findings are told without it.
///
/// Personal are the name, the address (but for state and country) and the ways to reach the contact; whatever stands
/// where the interface has no field, for it may be one of these misspelt; all of a text that could not be read; and
/// e-mail addresses, phone numbers and the same names wherever else they are written.
#[derive(Debug)]
pub struct Redaction {
    painted: Painted,
    /// What each rule quotes of its own in its message and its help; none for a rule of the user's.
    own_quotes: RefCell<HashMap<String, Option<Rc<Vec<String>>>>>,
    /// Whether the text is a configuration, whose words are nobody's but for reasons.
    settings: bool,
}

impl Redaction {
    /// Reads a text once more for what is personal in it.
    #[must_use]
    pub fn of(source: &Source<'_>, format: Format) -> Self {
        let painted = paint(source, format, Persons::default());
        Self { painted, own_quotes: RefCell::default(), settings: false }
    }

    /// The same of a configuration: starred are reasons, comments, and passwords in addresses of histories.
    #[must_use]
    pub fn of_settings(source: &Source<'_>) -> Self {
        Self { painted: paint_settings(source), own_quotes: RefCell::default(), settings: true }
    }

    /// The same of another text that findings point into: whom this text names is looked for in it as well.
    #[must_use]
    pub fn beside(&self, other: &Source<'_>, format: Format) -> Self {
        let painted = paint(other, format, self.painted.persons.clone());
        Self { painted, own_quotes: RefCell::default(), settings: false }
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
        let own = self.own_quotes(&finding.rule);
        let own = own.as_deref().map(Vec::as_slice);
        let told = |text: &str| self.told(text, is_personal, own);
        let related = |it: &Related| Related { message: told(&it.message), ..it.clone() };
        Finding {
            message: told(&finding.message),
            help: finding.help.as_deref().map(told),
            label: finding.label.as_deref().map(told),
            pointer: if self.settings { finding.pointer.clone() } else { pointer(&finding.pointer) },
            related: finding.related.iter().map(related).collect(),
            fix: finding.fix.clone().filter(|fix| self.is_fit(source, fix)),
            suppressed: finding.suppressed.as_ref().map(|it| Suppression {
                reason: it.reason.as_deref().map(|reason| self.told(reason, false, None)),
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
            let text = self.told(&edit.text, false, Some(&[]));
            !self.touches(source, edit.span) && text == edit.text
        })
    }

    /// Words of a finding; of one about a person every quote is starred that is none of the rule's `own`.
    fn told(&self, text: &str, is_personal: bool, own: Option<&[String]>) -> String {
        let text =
            self.painted.awkward.iter().fold(text.to_owned(), |text, it| text.replace(it, &starred(it)));
        if self.settings {
            return text;
        }
        let persons = &self.painted.persons;
        let is_own = |quote: &str| {
            is_vocabulary(without_index(quote))
                || own.is_some_and(|own| own.iter().any(|it| it == quote))
                || quote.starts_with("--") && quote.bytes().all(|it| it.is_ascii_lowercase() || it == b'-')
                || quote.starts_with("tollproof ")
                || quote.chars().nth(1).is_none()
        };
        pieces(&text)
            .map(|piece| match piece {
                Piece::Quote(quote) if is_own(quote) => quote.to_owned(),
                Piece::Quote(quote) if is_personal => starred(quote),
                Piece::Quote(quote) => stars_at(quote, persons.in_text(quote)),
                // Rules of the house quote what they show, so that their other words are no names, `May` and `Will`
                // as well; others may not.
                Piece::Words(words) if own.is_some() => stars_at(words, persons.as_written(words)),
                Piece::Words(words) => {
                    let words = stars_at(words, self.painted.starred.in_text(words));
                    stars_at(&words, persons.in_text(&words))
                }
            })
            .collect()
    }

    fn own_quotes(&self, rule: &str) -> Option<Rc<Vec<String>>> {
        let mut known = self.own_quotes.borrow_mut();
        known.entry(rule.to_owned()).or_insert_with(|| quotes_of(rule).map(Rc::new)).clone()
    }
}

/// The message of a fault with stars for what it quotes of the text, for errors: they may end up in a log.
pub(crate) fn unquoted(message: &str) -> String {
    pieces(message)
        .map(|piece| match piece {
            Piece::Quote(quote) if quote.chars().nth(1).is_some() && !is_vocabulary(quote) => starred(quote),
            Piece::Quote(text) | Piece::Words(text) => text.to_owned(),
        })
        .collect()
}

/// A list for one of its items: `phoneNumbers` for `phoneNumbers[0]`.
fn without_index(name: &str) -> &str {
    let index =
        |rest: &str| rest.strip_suffix(']').is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
    name.split_once('[').filter(|(_, rest)| index(rest)).map_or(name, |(list, _)| list)
}

/// What a built-in rule quotes of its own.
fn quotes_of(rule: &str) -> Option<Vec<String>> {
    let (id, text) = builtin::files().find(|(id, _)| *id == rule)?;
    let file = RuleFile::parse(id, text).ok()?;
    let quote = |piece: Piece<'_>| match piece {
        Piece::Quote(quote) if !quote.contains('{') => Some(quote.to_owned()),
        _ => None,
    };
    Some(pieces(&file.message).chain(pieces(&file.help)).filter_map(quote).collect())
}

/// A pointer whose unknown names are starred.
fn pointer(pointer: &str) -> String {
    let tokens: Vec<String> = pointer
        .split('/')
        .map(|token| if token.is_empty() || is_shown(token) { token.to_owned() } else { starred(token) })
        .collect();
    tokens.join("/")
}

/// Whether a token of a pointer may be shown: a place in a list, a field, or one that was probably meant.
fn is_shown(token: &str) -> bool {
    let is_index = token.len() < 5 && token.bytes().all(|it| it.is_ascii_digit());
    is_index || shown_key(&token.replace("~1", "/").replace("~0", "~"))
}

/// A text of which only the blanks are left.
fn starred(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() { c } else { star(c) }).collect()
}

/// A text with stars at some places.
fn stars_at(text: &str, places: Vec<Range<usize>>) -> String {
    let mut starry = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        starry.push_str(&text[at..place.start]);
        starry += &starred(&text[place.clone()]);
        at = place.end;
    }
    starry + &text[at..]
}

/// A sign for a character that takes as many bytes in UTF-8, and as many units in UTF-16.
fn star(c: char) -> char {
    match c.len_utf8() {
        1 => '*',
        2 => '·',
        3 => '•',
        _ => '\u{1f7b6}',
    }
}
