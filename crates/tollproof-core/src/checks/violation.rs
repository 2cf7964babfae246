//! What a check found wrong with a value, and how it is built.

use std::ops::Range;

use super::Context;
use crate::finding::{Fix, Related, Safety, Severity};
use crate::syntax::document::{Node, Style};
use crate::syntax::message::{Message, Part, message};
use crate::syntax::source::Span;
use crate::syntax::string_map;

/// What a check does.
pub(crate) trait RunCheck {
    /// What it finds wrong with the value at a place.
    fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation>;
}

/// A value that a rule looks at.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    /// The value; none where the field is absent.
    pub(crate) node: Option<&'a Node<'a>>,
    /// Where it is, or would be.
    pub(crate) pointer: String,
    /// The name of the field it belongs to.
    pub(crate) field: &'a str,
    /// The role of that field; empty where nothing depends on it.
    pub(crate) role: &'a str,
}

/// What a check found wrong with one value; the rule adds its words and its weight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Violation {
    /// The smallest place that is wrong; the whole value if none is given.
    pub(crate) span: Option<Span>,
    /// A few words under the place.
    pub(crate) label: Option<Message>,
    /// Other places.
    pub(crate) related: Vec<Related>,
    /// What fills the placeholders of the rule's message and help.
    pub(crate) fills: Vec<(&'static str, Message)>,
    /// A message instead of the rule's.
    pub(crate) message: Option<Message>,
    /// Help instead of the rule's.
    pub(crate) help: Option<Message>,
    /// A weight instead of the rule's.
    pub(crate) severity: Option<Severity>,
    /// A remedy.
    pub(crate) fix: Option<Fix>,
    /// What the value becomes once its form is right; what lies behind the form is judged by that.
    pub(crate) meant: Option<String>,
}

impl Violation {
    /// A violation at a place inside the value.
    pub(crate) fn at(span: Span) -> Self {
        Self { span: Some(span), ..Self::default() }
    }

    /// Fills a placeholder with a value, or with words of tollproof's own, if they say so.
    pub(crate) fn fill(mut self, name: &'static str, value: impl Part) -> Self {
        let mut filling = Message::default();
        filling.push(&value);
        self.fills.push((name, filling));
        self
    }

    /// Offers to write another text in place of the value, where one edit can do that.
    pub(crate) fn rewrite(self, context: &Context<'_>, node: &Node<'_>, text: &str, safety: Safety) -> Self {
        let edit = string_map::replacement(context.text, node, text);
        let meant = (safety == Safety::Safe && edit.is_some()).then(|| text.to_owned());
        Self { fix: edit.map(|edit| Fix { safety, edits: vec![edit] }), meant, ..self }
    }

    /// Says what a value of another type means, of which the notation alone is wrong: its fix is safe in YAML and not in
    /// JSON.
    pub(crate) fn meaning(self, text: &str) -> Self {
        let meant = self.fix.is_some().then(|| text.to_owned());
        Self { meant, ..self }
    }

    /// Says of a value that is `right` but for what stands around it that this is what is wrong.
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

    /// Offers to write a value of another type in place of this one: a person should read the result.
    pub(crate) fn overwrite(self, context: &Context<'_>, node: &Node<'_>, notation: &str) -> Self {
        let edit = string_map::overwrite(context.text, node, notation);
        Self { fix: edit.map(|edit| Fix { safety: Safety::Unsafe, edits: vec![edit] }), ..self }
    }
}

/// As many places of one violation as are shown; finding more of them is of no use.
pub(crate) const SHOWN: usize = 8;

/// The first several spans as one violation: the first is its place, the others are related.
pub(crate) fn labelled(mut spans: Vec<Span>) -> Option<Violation> {
    spans.sort_unstable();
    spans.dedup();
    let first = *spans.first()?;
    let related = |&span: &Span| Related { file: None, span: Some(span), message: "and here".into() };
    let related = spans.iter().skip(1).take(SHOWN - 1).map(related).collect();
    Some(Violation { related, ..Violation::at(first) })
}

/// Parts of a text as one violation: the first is quoted.
pub(crate) fn marked(
    ranges: Vec<Range<usize>>,
    text: &str,
    node: &Node<'_>,
    context: &Context<'_>,
) -> Option<Violation> {
    let first = text.get(ranges.first()?.clone()).unwrap_or_default();
    let spans = ranges.into_iter().map(|range| context.inner(node, range)).collect();
    Some(labelled(spans)?.fill("match", first).fill("value", text))
}
