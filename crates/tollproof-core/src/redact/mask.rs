//! The parts of a text that may be shown: known fields without personal data, and syntax.

use std::borrow::Cow;

use super::pii::Persons;
use super::secrets::secrets_of_value;
use crate::provider::detect::kind_of_keys;
use crate::provider::kind::{Kind, Provider};
use crate::provider::vocabulary::{hides, is_field, is_personal, is_vocabulary, shown_key};
use crate::syntax::document::{Document, Node, Style, SyntaxError, SyntaxErrorKind, Value};
use crate::syntax::message_parts::{mask_of, quoted};
use crate::syntax::source::Span;
use crate::syntax::{Parsed, string_map};
use crate::validators::format::is_uuid;

/// A masked text, and what was learned from it.
#[derive(Debug)]
pub(super) struct Painted {
    /// The masked text; it has the same length in bytes as the original.
    pub(super) text: String,
    /// The people that the text names.
    pub(super) persons: Persons,
    /// For a configuration: the reasons that users wrote. Messages may repeat them.
    pub(super) reasons: Vec<String>,
    broken: Broken,
}

/// The documents with syntax errors.
#[derive(Debug)]
enum Broken {
    /// All documents of the file: an unclosed bracket may change the meaning of the next document.
    All,
    /// The indexes of these documents. Lines of NDJSON do not affect each other.
    Some(Vec<usize>),
}

/// Whether a byte is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paint {
    /// Not part of a value: punctuation and known words are shown, everything else is masked.
    Bare,
    Shown,
    Starred,
}

impl Painted {
    /// Whether a document has a syntax error, so that its structure is uncertain.
    pub(super) fn is_broken(&self, document: usize) -> bool {
        match &self.broken {
            Broken::All => true,
            Broken::Some(broken) => broken.contains(&document),
        }
    }
}

/// Masks personal data in a file. `persons` are people that are already known.
pub(super) fn paint(parsed: &Parsed<'_>, persons: Persons) -> Painted {
    let all = parsed.whole();
    let documents = || all.documents();
    let text = parsed.source().text();
    let broken: Vec<usize> = documents()
        .filter(|document| document.syntax_errors.iter().any(breaks))
        .map(|document| document.index)
        .collect();
    let broken =
        if broken.is_empty() || parsed.format().has_parts() { Broken::Some(broken) } else { Broken::All };
    let (paint, provider) = (vec![Paint::Bare; text.len()], Provider::default());
    let mut painter = Painter { text, provider, paint, persons, reasons: Vec::new() };
    let is_broken = |document: &Document<'_>| match &broken {
        Broken::All => true,
        Broken::Some(all) => all.contains(&document.index),
    };
    let whole = || documents().filter(|document| !is_broken(document));
    // Collect the names from all documents first: any document may mention any of them.
    for document in documents() {
        painter.turn_to(&document);
        document.root.iter().for_each(|root| painter.meet(root, false));
        document.syntax_errors.iter().for_each(|syntax_error| painter.meet_repeated(syntax_error));
    }
    for document in whole() {
        painter.turn_to(&document);
        document.root.iter().for_each(|root| painter.show(root));
    }
    for document in whole() {
        painter.turn_to(&document);
        document.root.iter().for_each(|root| painter.mask_node(root, false));
    }
    Painted { text: painter.starry(), persons: painter.persons, reasons: Vec::new(), broken }
}

/// The people that a document names in its own fields.
pub(super) fn persons_of(text: &str, document: &Document<'_>) -> Persons {
    let (persons, provider) = (Persons::default(), Provider::default());
    let mut painter = Painter { text, provider, paint: Vec::new(), persons, reasons: Vec::new() };
    painter.turn_to(document);
    document.root.iter().for_each(|root| painter.meet(root, false));
    painter.persons
}

/// Masks reasons, comments and passwords in a configuration.
pub(super) fn paint_settings(parsed: &Parsed<'_>) -> Painted {
    let text = parsed.source().text();
    let paint = vec![Paint::Bare; text.len()];
    let (persons, provider) = (Persons::default(), Provider::default());
    let mut painter = Painter { text, provider, paint, persons, reasons: Vec::new() };
    for document in parsed.whole().documents() {
        document.root.iter().for_each(|root| painter.show_setting(root));
    }
    let (text, mut reasons) = (painter.starry(), painter.reasons);
    // Longest first: replacing a shorter reason first would leave part of a longer one.
    reasons.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    Painted { text, persons: Persons::default(), reasons, broken: Broken::Some(Vec::new()) }
}

/// Whether the structure of the document is uncertain after this syntax error.
fn breaks(syntax_error: &SyntaxError) -> bool {
    syntax_error.problem != SyntaxErrorKind::DuplicateKey && !syntax_error.problem.keeps_content()
}

struct Painter<'t> {
    text: &'t str,
    /// The provider of the current document.
    provider: Provider,
    paint: Vec<Paint>,
    persons: Persons,
    reasons: Vec<String>,
}

impl Painter<'_> {
    /// Takes the fields of a document for those of its provider.
    fn turn_to(&mut self, document: &Document<'_>) {
        let kind = document.root.as_ref().and_then(|root| kind_of_keys(root, false));
        self.provider = kind.map_or_else(Provider::default, Kind::provider);
    }

    /// Collects names from personal and unknown fields.
    fn meet(&mut self, node: &Node<'_>, personal: bool) {
        for member in node.members() {
            self.meet(&member.value, personal || hides(self.provider, &member.key, &member.value));
        }
        node.items().iter().for_each(|item| self.meet(item, personal));
        if let (true, Some(text)) = (personal, scalar(node)) {
            self.persons.know(text);
        }
    }

    /// Collects names from values of repeated keys. They are not in the tree, which only contains one value per key.
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

    /// Marks keys and values of known fields as shown, except for people in these values.
    fn show(&mut self, node: &Node<'_>) {
        for member in node.members() {
            if shown_key(&member.key) {
                self.fill(member.key_span, Paint::Shown);
            }
            if !hides(self.provider, &member.key, &member.value) {
                match member.value.items() {
                    [] => self.show_scalar(&member.value),
                    items => items.iter().for_each(|item| self.show_scalar(item)),
                }
                self.show(&member.value);
            }
        }
        node.items().iter().for_each(|item| self.show(item));
    }

    /// Marks everything in a configuration as shown, except for reasons and passwords.
    fn show_setting(&mut self, node: &Node<'_>) {
        for member in node.members() {
            self.fill(member.key_span, Paint::Shown);
            match (member.key.as_ref(), &member.value) {
                ("reason", reason) => {
                    self.mask_node(reason, true);
                    // Replacing a reason of one or two letters would mask parts of any message.
                    let text = scalar(reason).filter(|text| text.trim().len() > 2);
                    self.reasons.extend(text.into_iter().flat_map(|text| [quoted(text), text.to_owned()]));
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
        // UUIDs contain long digit sequences, but are not personal data.
        if is_uuid(text.trim()) {
            return;
        }
        for range in self.persons.in_text(text) {
            let span = string_map::inner_span(self.text, node, range);
            self.fill(span, Paint::Starred);
        }
    }

    /// Masks the values of personal fields, both at a YAML alias and at its anchor.
    fn mask_node(&mut self, node: &Node<'_>, personal: bool) {
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
            self.mask_node(&member.value, hides(self.provider, &member.key, &member.value));
        }
        node.items().iter().for_each(|item| self.mask_node(item, false));
    }

    fn fill(&mut self, span: Span, paint: Paint) {
        if let Some(bytes) = self.paint.get_mut(span.range()) {
            bytes.fill(paint);
        }
    }

    /// The text with masked characters.
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

    /// The length of the known word that starts here, or 0.
    fn vocabulary_at(&self, at: usize) -> usize {
        // First, so that a long word is read once.
        if self.text[..at].ends_with(is_of_word) {
            return 0;
        }
        let rest = &self.text[at..];
        let word = &rest[..rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())];
        if is_vocabulary(word) { word.len() } else { 0 }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// A string or a number, as written.
fn scalar<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.value {
        Value::String(text) => Some(Cow::as_ref(text)),
        Value::Number(text) => Some(text),
        Value::Null | Value::Computed | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
