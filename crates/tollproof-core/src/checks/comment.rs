//! `comment`: a YAML value that is cut off because ` #` begins a comment.

use tollproof_data::provider::schema::shape::Shape;

use crate::checks::{Context, Place, Violation};
use crate::finding::{Edit, Fix, Safety};
use crate::syntax::document::{Node, Style, Value};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;
use crate::syntax::string_map;

/// The minimum number of words of a value that a comment can continue; a shorter one is probably complete.
const WORDS: usize = 6;

/// The maximum number of digits of a house number. A longer number is a postal code or a phone number, and the
/// comment after it is a remark.
const HOUSE_NUMBER: usize = 4;

/// The maximum length of a unit number: `A-12`, `210B`.
const UNIT: usize = 6;

/// Words of an address that are followed by a number.
const UNITS: [&str; 13] = [
    "suite",
    "ste",
    "unit",
    "apt",
    "apartment",
    "room",
    "rm",
    "building",
    "bldg",
    "floor",
    "lot",
    "space",
    "box",
];

/// The beginnings of comments that are read by programs.
const OF_PROGRAMS: [&str; 2] = ["tollproof", "yaml-language-server"];

/// A comment on the line where an unquoted value ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineComment<'t> {
    /// From the `#` to the end of the line.
    pub(super) text: &'t str,
    span: Span,
    /// The whitespace before the comment.
    gap: &'t str,
}

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let comment = after(context.text, node)?;
    let value = node.as_str()?;
    if !comment.is_text() && !comment.continues(value) {
        return None;
    }
    let whole = format!("{value}{}{}", comment.gap, comment.text);
    let span = Span { start: node.span.start, end: comment.span.end };
    let violation = Violation::at(comment.span).fill("match", comment.text);
    Some(Violation { fix: quotes(node, &place.trail.pointer(), span, &whole, context), ..violation })
}

/// The violation of a field that is null because its whole value is a comment.
pub(super) fn in_place(
    node: &Node<'_>,
    expected: Option<&Shape>,
    pointer: &str,
    violation: Violation,
    context: &Context<'_>,
) -> Violation {
    let Some(comment) = after(context.text, node) else { return violation };
    let field = pointer.rsplit('/').next().unwrap_or_default();
    let message = Some(message!("`{}` is null: in YAML, `#` begins a comment", Message::name(field)));
    let violation = Violation { span: Some(comment.span), message, ..violation };
    let is_free = matches!(expected, Some(Shape::Text(text)) if text.values.is_empty());
    if !(comment.is_text() && is_free) {
        let help = Some("Write the value before the `#`, or remove the field.".into());
        return Violation { help, ..violation };
    }
    let help = Some("Put the text in quotes if the `#` belongs to it.".into());
    let span = Span { start: node.span.start.min(comment.span.start), end: comment.span.end };
    let span = if node.span.is_empty() { comment.span } else { span };
    let fix = quotes(node, pointer, span, comment.text, context);
    Violation { help, fix, ..violation }
}

/// The violation of a number that begins an address: `12 #4`. `None` if the comment is a remark.
pub(super) fn after_number(
    node: &Node<'_>,
    written: &str,
    pointer: &str,
    violation: &Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    let comment = after(context.text, node).filter(LineComment::is_text)?;
    if written.len() > HOUSE_NUMBER {
        return None;
    }
    let whole = format!("{written}{}{}", comment.gap, comment.text);
    let help =
        Some(message!("Put it in quotes: \"{}\". Without quotes, `#` begins a comment in YAML.", whole));
    let span = Span { start: node.span.start, end: comment.span.end };
    Some(Violation { help, fix: quotes(node, pointer, span, &whole, context), ..violation.clone() })
}

/// The comment on the same line after an unquoted value; `None` if it is meant for a program.
pub(super) fn after<'t>(text: &'t str, node: &Node<'_>) -> Option<LineComment<'t>> {
    let is_empty = node.span.is_empty();
    let is_scalar = !matches!(node.value, Value::Array(_) | Value::Object(_));
    if node.style != Style::Plain || !is_scalar || is_empty && !matches!(node.value, Value::Null) {
        return None;
    }
    let end = node.span.end as usize;
    let line = text.get(end..)?.split(['\n', '\r']).next()?;
    let comment = line.trim_start_matches([' ', '\t']);
    let gap = &line[..line.len() - comment.len()];
    // The span of an empty list item is at the start of its comment.
    let is_apart = !gap.is_empty() || is_empty && text[..end].ends_with([' ', '\t']);
    if !is_apart || !comment.starts_with('#') {
        return None;
    }
    let comment = without_comment_of_program(comment).trim_end();
    let said = comment.trim_start_matches('#').trim_start();
    let is_of_program = OF_PROGRAMS.iter().any(|it| said.starts_with(it));
    let start = end + gap.len();
    let span = Span::new(start, start + comment.len());
    let comment = LineComment { text: comment, span, gap };
    // `null # not known yet` is an intended null.
    let is_meant = matches!(node.value, Value::Null) && !is_empty && !comment.is_text();
    (!is_of_program && !is_meant).then_some(comment)
}

/// The part of a comment before a nested comment that is meant for a program.
fn without_comment_of_program(comment: &str) -> &str {
    let begins = |at: &usize| {
        // Of thousands of `#` in a row, only the first one is followed to their end.
        comment[..*at].ends_with([' ', '\t']) && {
            let said = comment[*at..].trim_start_matches('#').trim_start();
            OF_PROGRAMS.iter().any(|it| said.starts_with(it))
        }
    };
    let end = comment.match_indices('#').map(|(at, _)| at).find(begins);
    &comment[..end.unwrap_or(comment.len())]
}

impl LineComment<'_> {
    /// Whether the comment looks like a number or a tag, not like a remark: `#4`, `#12 Main`, `#sale`, `# 4`.
    ///
    /// People usually write a space between `#` and a remark.
    pub(super) fn is_text(&self) -> bool {
        let said = &self.text[1..];
        let word = said.split_whitespace().next().unwrap_or_default();
        let unquoted = word.trim_matches(['"', '\'']);
        let is_number = word.starts_with(|it: char| it.is_ascii_digit())
            || word.len() <= UNIT && word.contains(|it: char| it.is_ascii_digit())
            || word.chars().count() == 1 && word.starts_with(char::is_alphanumeric);
        said.starts_with(|character: char| character.is_alphanumeric() || character == '/')
            || said.starts_with(word)
                && unquoted.len() < word.len()
                && unquoted.starts_with(char::is_alphanumeric)
            || is_number && self.gap == " "
    }

    /// Whether the comment continues a cut-off sentence: `reply with the # of guests`, `Suite # B`.
    fn continues(&self, value: &str) -> bool {
        let last = value.rsplit(char::is_whitespace).next().unwrap_or_default();
        if UNITS.iter().any(|unit| last.trim_end_matches('.').eq_ignore_ascii_case(unit)) {
            return true;
        }
        let said = self.text[1..].strip_prefix(' ');
        let is_word = said.is_some_and(|it| it.starts_with(char::is_alphanumeric));
        let is_open =
            value.ends_with(char::is_alphanumeric) && value.split_whitespace().nth(WORDS - 1).is_some();
        is_word && is_open && self.gap == " "
    }
}

/// A fix that puts the text in quotes; `None` in a flow collection, whose closing bracket may be after the `#`.
fn quotes(node: &Node<'_>, pointer: &str, span: Span, text: &str, context: &Context<'_>) -> Option<Fix> {
    let (above, _) = pointer.rsplit_once('/')?;
    let parent = context.root.at(above)?;
    let opening = context.text.get(parent.span.range())?;
    if opening.starts_with(['{', '[']) || string_map::tag(context.text, node).is_some() {
        return None;
    }
    let text = string_map::in_quotes(node, text);
    Some(Fix { safety: Safety::Unsafe, edits: vec![Edit { span, text }] })
}
