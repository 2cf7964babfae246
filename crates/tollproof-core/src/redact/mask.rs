//! Which parts of a text may be shown: known fields that tell of nobody, and what a text is built of.

use std::borrow::Cow;

use super::pii::Persons;
use super::secrets::secrets_of_value;
use crate::provider::vocabulary::{hides, is_field, is_personal, is_vocabulary, shown_key};
use crate::syntax::document::{Document, Node, Style, SyntaxError, SyntaxErrorKind, Value};
use crate::syntax::message_parts::mask_of;
use crate::syntax::message_parts::quoted;
use crate::syntax::source::Span;
use crate::syntax::string_map;
use crate::syntax::{Format, Parsed};
use crate::validators::format::is_uuid;

/// A text with stars, and what was learned while they were set.
#[derive(Debug)]
pub(super) struct Painted {
    /// As long as the text itself.
    pub(super) text: String,
    /// Who is named in it.
    pub(super) persons: Persons,
    /// Of a configuration: the reasons that people give, which a message may repeat.
    pub(super) reasons: Vec<String>,
    broken: Broken,
}

/// Which documents could not be read as they were meant.
#[derive(Debug)]
enum Broken {
    /// All of them: a bracket that is not closed in one may reach into the next.
    All,
    /// These lines of NDJSON, which know nothing of each other.
    Some(Vec<usize>),
}

/// What becomes of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paint {
    /// What no value claims: brackets and marks are shown, and words of the house.
    Bare,
    Shown,
    Starred,
}

impl Painted {
    /// Whether a document could not be read, so that nobody knows what is what in it.
    pub(super) fn is_broken(&self, document: usize) -> bool {
        match &self.broken {
            Broken::All => true,
            Broken::Some(broken) => broken.contains(&document),
        }
    }
}

/// Stars what is personal in a text; some persons may be known before.
pub(super) fn paint(parsed: &Parsed<'_>, persons: Persons) -> Painted {
    let all = parsed.whole();
    let documents = || all.documents();
    let text = parsed.source().text();
    let broken: Vec<usize> =
        documents().filter(|it| it.syntax_errors.iter().any(breaks)).map(|it| it.index).collect();
    let broken = match broken.is_empty() || parsed.format() == Format::Ndjson {
        true => Broken::Some(broken),
        false => Broken::All,
    };
    let mut painter = Painter { text, paint: vec![Paint::Bare; text.len()], persons, reasons: Vec::new() };
    let is_broken = |document: &Document<'_>| match &broken {
        Broken::All => true,
        Broken::Some(all) => all.contains(&document.index),
    };
    let whole = || documents().filter(|document| !is_broken(document));
    // Who is named anywhere is known before the first text is searched for it.
    for document in documents() {
        document.root.iter().for_each(|root| painter.meet(root, false));
        document.syntax_errors.iter().for_each(|syntax_error| painter.meet_repeated(syntax_error));
    }
    for document in whole() {
        document.root.iter().for_each(|root| painter.show(root));
    }
    for document in whole() {
        document.root.iter().for_each(|root| painter.star(root, false));
    }
    Painted { text: painter.starry(), persons: painter.persons, reasons: Vec::new(), broken }
}

/// The same of a configuration, which tells of persons only where people give reasons, and in comments.
pub(super) fn paint_settings(parsed: &Parsed<'_>) -> Painted {
    let text = parsed.source().text();
    let paint = vec![Paint::Bare; text.len()];
    let mut painter = Painter { text, paint, persons: Persons::default(), reasons: Vec::new() };
    for document in parsed.whole().documents() {
        document.root.iter().for_each(|root| painter.show_setting(root));
    }
    let (text, mut reasons) = (painter.starry(), painter.reasons);
    // The longest first: a part of it would leave the rest.
    reasons.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    Painted { text, persons: Persons::default(), reasons, broken: Broken::Some(Vec::new()) }
}

/// Whether what follows a fault may be something else than it seems.
fn breaks(syntax_error: &SyntaxError) -> bool {
    !matches!(syntax_error.problem, SyntaxErrorKind::DuplicateKey | SyntaxErrorKind::ByteOrderMark)
}

struct Painter<'t> {
    text: &'t str,
    paint: Vec<Paint>,
    persons: Persons,
    reasons: Vec<String>,
}

impl Painter<'_> {
    /// Learns who is named: in personal fields, and where no field is known.
    fn meet(&mut self, node: &Node<'_>, personal: bool) {
        for member in node.members() {
            self.meet(&member.value, personal || hides(&member.key, &member.value));
        }
        node.items().iter().for_each(|item| self.meet(item, personal));
        if let (true, Some(text)) = (personal, scalar(node)) {
            self.persons.know(text);
        }
    }

    /// Learns from the values of keys that stand again later; they are in no tree.
    fn meet_repeated(&mut self, syntax_error: &SyntaxError) {
        for (key, _) in &syntax_error.related {
            let rest = self.text.get(key.end as usize..).unwrap_or_default();
            let line = rest.lines().next().unwrap_or_default().trim_start_matches([':', ' ', '\t']);
            let value = match line.chars().next() {
                Some(quote @ ('"' | '\'')) => line[1..].split(quote).next().unwrap_or_default(),
                _ => line.split([',', '}', '#']).next().unwrap_or_default(),
            };
            let name = self.text.get(key.range()).unwrap_or_default().trim_matches(['"', '\'']);
            if is_personal(name) || !is_field(name) {
                self.persons.know(value.trim());
            }
        }
    }

    /// Paints what may be shown: keys, and the values of known fields but for persons in them.
    fn show(&mut self, node: &Node<'_>) {
        for member in node.members() {
            if shown_key(&member.key) {
                self.fill(member.key_span, Paint::Shown);
            }
            if !hides(&member.key, &member.value) {
                match member.value.items() {
                    [] => self.show_scalar(&member.value),
                    items => items.iter().for_each(|item| self.show_scalar(item)),
                }
                self.show(&member.value);
            }
        }
        node.items().iter().for_each(|item| self.show(item));
    }

    /// Paints all of a configuration but reasons and passwords.
    fn show_setting(&mut self, node: &Node<'_>) {
        for member in node.members() {
            self.fill(member.key_span, Paint::Shown);
            match (member.key.as_ref(), &member.value) {
                ("reason", reason) => {
                    self.star(reason, true);
                    // One or two letters name nobody, and stand in any message.
                    let text = scalar(reason).filter(|it| it.trim().len() > 2);
                    self.reasons.extend(text.into_iter().flat_map(|it| [quoted(it), it.to_owned()]));
                }
                (_, value) => self.show_setting(value),
            }
        }
        node.items().iter().for_each(|item| self.show_setting(item));
        if !node.members().is_empty() || !node.items().is_empty() {
            return;
        }
        self.fill(node.span, Paint::Shown);
        for range in scalar(node).map(secrets_of_value).unwrap_or_default() {
            let span = string_map::inner_span(self.text, node, range);
            self.fill(span, Paint::Starred);
        }
    }

    fn show_scalar(&mut self, node: &Node<'_>) {
        let Some(text) = scalar(node) else { return };
        self.fill(node.span, Paint::Shown);
        // The identifiers of the service are rows of digits that name no person.
        if is_uuid(text.trim()) {
            return;
        }
        for range in self.persons.in_text(text) {
            let span = string_map::inner_span(self.text, node, range);
            self.fill(span, Paint::Starred);
        }
    }

    /// Stars the values of personal fields, whatever they are; an alias also where it is written.
    fn star(&mut self, node: &Node<'_>, personal: bool) {
        if personal {
            for span in [node.span, node.written()] {
                let written = self.text.get(span.range()).unwrap_or_default();
                let quoted = written.len() > 1 && written.starts_with(['"', '\'']);
                let trim = u32::from(quoted && !matches!(node.style, Style::Literal | Style::Folded));
                self.fill(Span { start: span.start + trim, end: span.end - trim }, Paint::Starred);
            }
            return;
        }
        for member in node.members() {
            self.star(&member.value, hides(&member.key, &member.value));
        }
        node.items().iter().for_each(|item| self.star(item, false));
    }

    fn fill(&mut self, span: Span, paint: Paint) {
        if let Some(bytes) = self.paint.get_mut(span.range()) {
            bytes.fill(paint);
        }
    }

    /// The text with its stars.
    fn starry(&self) -> String {
        let mut starry = String::with_capacity(self.text.len());
        let mut word = 0;
        for (at, c) in self.text.char_indices() {
            if at >= word && self.paint[at] == Paint::Bare && is_of_word(c) {
                word = at + self.vocabulary_at(at);
            }
            let shown = match self.paint[at] {
                Paint::Shown => true,
                Paint::Bare => at < word || c.is_ascii() && !c.is_ascii_alphanumeric(),
                Paint::Starred => false,
            };
            starry.push(if shown || c.is_whitespace() { c } else { mask_of(c) });
        }
        starry
    }

    /// How long the word is that begins here, if it is one of the house.
    fn vocabulary_at(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        let word = &rest[..rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())];
        let begins = !self.text[..at].ends_with(is_of_word);
        if begins && is_vocabulary(word) { word.len() } else { 0 }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// A value that is no list and no object, as text.
fn scalar<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.value {
        Value::String(text) => Some(Cow::as_ref(text)),
        Value::Number(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
