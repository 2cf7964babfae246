//! The result of a check: what is wrong with a value, and how to build it.

use std::ops::Range;

use smallvec::SmallVec;

use super::Context;
use crate::finding::{Fix, Related, Safety, Severity};
use crate::syntax::document::{Node, Style, push_token};
use crate::syntax::message::{Message, Part, message};
use crate::syntax::source::Span;
use crate::syntax::string_map;

/// A value that a rule looks at.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    /// The value; `None` if the field is missing.
    pub(crate) node: Option<&'a Node<'a>>,
    /// The way to the value, also if it is missing.
    pub(crate) trail: Trail<'a>,
    /// The name of the field that contains the value.
    pub(crate) field: &'a str,
    /// The role of that field; empty where no check needs it.
    pub(crate) role: &'a str,
}

impl<'a> Place<'a> {
    /// The value, if it is a string.
    pub(super) fn text(&self) -> Option<(&'a Node<'a>, &'a str)> {
        let node = self.node?;
        Some((node, node.as_str()?))
    }
}

/// The way from the root of a document to a value. Its pointer is written only for what is found there.
#[derive(Clone, Debug)]
pub(crate) enum Trail<'a> {
    /// An RFC 6901 pointer.
    Written(&'a str),
    /// A key at the root, as most fields are.
    Key(&'a str),
    Steps(SmallVec<[PointerToken<'a>; 2]>),
}

/// A step of a [`Trail`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum PointerToken<'a> {
    Key(&'a str),
    Item(usize),
}

impl<'a> Trail<'a> {
    /// The way to the root.
    pub(crate) const ROOT: Self = Self::Written("");

    pub(crate) fn below(&self, token: PointerToken<'a>) -> Self {
        let mut steps = match (self, token) {
            (Self::Written(_), PointerToken::Key(key)) => return Self::Key(key),
            (Self::Written(_), PointerToken::Item(_)) => SmallVec::new(),
            (Self::Key(key), _) => SmallVec::from_slice(&[PointerToken::Key(key)]),
            (Self::Steps(steps), _) => steps.clone(),
        };
        steps.push(token);
        Self::Steps(steps)
    }

    /// Whether it may lead to or through the value at a pointer, by the first key.
    pub(crate) fn may_be_in(&self, pointer: &str) -> bool {
        let key = match self {
            Self::Key(key) => key,
            Self::Steps(steps) => match steps.first() {
                Some(PointerToken::Key(key)) => key,
                _ => return true,
            },
            Self::Written(_) => return true,
        };
        let rest = pointer.strip_prefix('/').and_then(|rest| rest.strip_prefix(key));
        match rest {
            Some(rest) => rest.is_empty() || rest.starts_with('/'),
            // In a pointer, some letters of keys are escaped.
            None => pointer.is_empty() || memchr::memchr(b'~', pointer.as_bytes()).is_some(),
        }
    }

    /// As an RFC 6901 pointer.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = String::new();
        let steps = match self {
            Self::Written(pointer) => return (*pointer).to_owned(),
            Self::Key(key) => {
                push_token(&mut pointer, key);
                return pointer;
            }
            Self::Steps(steps) => steps,
        };
        for step in steps {
            match step {
                PointerToken::Key(key) => push_token(&mut pointer, key),
                PointerToken::Item(at) => push_token(&mut pointer, &at.to_string()),
            }
        }
        pointer
    }
}

/// A problem that a check found in one value; the rule adds its message and severity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Violation {
    /// The smallest span that is wrong; `None` is the whole value.
    pub(crate) span: Option<Span>,
    /// A few words under the span.
    pub(crate) label: Option<Message>,
    pub(crate) related: Vec<Related>,
    /// The values of the placeholders of the rule's message and help.
    pub(crate) fills: Vec<(&'static str, Message)>,
    /// A message instead of the rule's.
    pub(crate) message: Option<Message>,
    /// Help instead of the rule's.
    pub(crate) help: Option<Message>,
    /// A severity instead of the rule's.
    pub(crate) severity: Option<Severity>,
    pub(crate) fix: Option<Fix>,
    /// The value after the fix, if only its form is wrong; other rules check this value.
    pub(crate) fixed: Option<String>,
}

impl Violation {
    pub(crate) fn at(span: Span) -> Self {
        Self { span: Some(span), ..Self::default() }
    }

    /// Fills a placeholder. A string counts as a value of the draft, which redaction can mask; use [`Message::own`] for
    /// words of tollproof.
    pub(crate) fn fill(mut self, name: &'static str, value: impl Part) -> Self {
        let mut filling = Message::default();
        filling.push(&value);
        self.fills.push((name, filling));
        self
    }

    /// Adds a fix that replaces the value with another string, if one edit can do that, or else the reason.
    pub(crate) fn rewrite(
        mut self,
        context: &Context<'_>,
        node: &Node<'_>,
        text: &str,
        safety: Safety,
    ) -> Self {
        let edit = string_map::replacement(context.text, node, text);
        let refusal = || string_map::refusal(context.text, node);
        let refusal = if edit.is_some() { None } else { refusal() };
        self.related.extend(refusal.map(|why| Related::here(node.span, why)));
        let fixed = (safety == Safety::Safe && edit.is_some()).then(|| text.to_owned());
        Self { fix: edit.map(|edit| Fix { safety, edits: vec![edit] }), fixed, ..self }
    }

    /// Sets the intended value also if the fix is unsafe, as it is in JSON: only the notation of the value is wrong.
    pub(crate) fn meaning(self, text: &str) -> Self {
        let fixed = self.fix.is_some().then(|| text.to_owned());
        Self { fixed, ..self }
    }

    /// Sets a message about surrounding whitespace if that is all that separates the value from `right`.
    pub(crate) fn around(self, node: &Node<'_>, right: &str) -> Self {
        let Some(text) = node.as_str().filter(|text| *text != right && text.trim() == right) else {
            return self;
        };
        let (message, help) = match text.ends_with('\n') {
            true if matches!(node.style, Style::Literal | Style::Folded) => (
                message!("the value `{}` ends in a line break", right),
                message!("Write `{}` on the line of its field: `|` and `>` add a line break.", right),
            ),
            true => (
                message!("the value `{}` ends in a line break", right),
                message!("Write `{}` without the line break.", right),
            ),
            false => (
                message!("there are spaces around the value `{}`", right),
                message!("Write `{}` without the spaces.", right),
            ),
        };
        Self { message: Some(message), help: Some(help), ..self }
    }

    /// Adds an unsafe fix that replaces the value with a value of another type.
    pub(crate) fn overwrite(self, context: &Context<'_>, node: &Node<'_>, notation: &str) -> Self {
        let edit = string_map::overwrite(context.text, node, notation);
        Self { fix: edit.map(|edit| Fix { safety: Safety::Unsafe, edits: vec![edit] }), ..self }
    }
}

/// The maximum number of places that are shown for one violation.
pub(crate) const SHOWN: usize = 8;

/// Combines spans in one violation: the first is its place, the others are related places.
pub(crate) fn labelled(mut spans: Vec<Span>) -> Option<Violation> {
    spans.sort_unstable();
    spans.dedup();
    let first = *spans.first()?;
    let related = |&span: &Span| Related::here(span, "and here".into());
    let related = spans.iter().skip(1).take(SHOWN - 1).map(related).collect();
    let label = (spans.len() > 1).then(|| "here".into());
    Some(Violation { label, related, ..Violation::at(first) })
}

/// Combines parts of a text in one violation: the first is quoted in the message.
pub(crate) fn marked(
    mut ranges: Vec<Range<usize>>,
    text: &str,
    node: &Node<'_>,
    context: &Context<'_>,
) -> Option<Violation> {
    let first = text.get(ranges.first()?.clone()).unwrap_or_default();
    // Only the shown ones are looked up in the source: each look-up reads the string from its beginning.
    ranges.sort_by_key(|range| (range.start, range.end));
    let spans = ranges.into_iter().take(SHOWN).map(|range| context.inner(node, range)).collect();
    Some(labelled(spans)?.fill("match", first))
}
