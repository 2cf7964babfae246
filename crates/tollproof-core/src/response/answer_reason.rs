//! One reason in an answer, and how texts are divided into reasons.

use std::ops::Range;

use jiff::Timestamp;

use crate::facts::Outcome;
use crate::syntax::document::{Node, Value};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

/// Reviewers name a few reasons. More are left out, so that no answer takes long.
pub(super) const MAX_REASONS: usize = 50;

/// One reason in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnswerReason {
    /// The name of the field under which it is written.
    pub(super) name: Option<String>,
    /// The reviewers' code or short text for it.
    pub(super) code: Option<String>,
    /// Whether the answer has several reasons but only one code, which may belong to any of them.
    pub(super) code_is_shared: bool,
    pub(super) text: String,
    /// The provider's advice.
    pub(super) advice: Option<String>,
    /// Whether it is a sentence in a text that may be no reason.
    pub(super) is_aside: bool,
    pub(super) at: Span,
}

impl AnswerReason {
    /// A part of a text.
    pub(super) fn of(text: &str, range: Range<usize>) -> Self {
        let at = Span::new(range.start, range.end);
        Self::text(text[range].to_owned(), at)
    }

    /// A reason that is only a text.
    pub(super) fn text(text: String, at: Span) -> Self {
        Self { name: None, code: None, code_is_shared: false, text, advice: None, is_aside: false, at }
    }
}

/// The result of a submission at a provider other than Bird.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReviewResult {
    /// The status as it is written, empty if the answer has none.
    pub(super) status: String,
    pub(super) outcome: Outcome,
    /// Whether the status says that the reviewers wait for an answer.
    pub(super) is_asked: bool,
    /// Whether the number is blocked from sending, whatever the status is.
    pub(super) is_blocked: bool,
    pub(super) numbers: Vec<String>,
    pub(super) may_edit: Option<(String, bool)>,
    /// The name of the value that says until when the submission may be edited, and the value.
    pub(super) until: Option<(String, String)>,
    /// The last change of the record.
    pub(super) updated_at: Option<Timestamp>,
}

/// Any value as text, so that no part of an answer is lost.
pub(super) fn words_of(node: &Node<'_>) -> String {
    match &node.value {
        Value::Null | Value::Computed => String::new(),
        Value::Bool(it) => it.to_string(),
        Value::Number(text) => (*text).to_owned(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => items.iter().map(words_of).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let member =
                |it: &crate::syntax::document::Member<'_>| format!("{}: {}", it.key, words_of(&it.value));
            members.iter().map(member).collect::<Vec<_>>().join(", ")
        }
    }
}

/// The ranges of the reasons in a text: one per line, or separated by semicolons or vertical bars.
pub(super) fn divided(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(['\n', ';', '|']) {
        let bare = without_bullet(part.trim_end_matches(['\n', ';', '|']).trim());
        if !bare.is_empty() {
            let at = start + part.find(bare).unwrap_or_default();
            found.push(at..at + bare.len());
        }
        start += part.len();
    }
    found
}

/// A line without the number or the bullet of a list.
pub(super) fn without_bullet(line: &str) -> &str {
    let open = line.strip_prefix('(').unwrap_or(line);
    let number = open.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let lettered = open.strip_prefix(|letter: char| letter.is_ascii_alphabetic());
    let numbered =
        number.strip_prefix(['.', ')']).filter(|rest| number.len() < open.len() && rest.starts_with(' '));
    let lettered = lettered.and_then(|rest| rest.strip_prefix(')')).filter(|rest| rest.starts_with(' '));
    numbered
        .or(lettered)
        .unwrap_or(line)
        .trim_start_matches(['-', '*', '\u{2022}', '\u{2013}', '\u{b7}', ' '])
}

/// Longer answers are cut, in characters.
const QUOTED: usize = 1_000;

/// An answer on one line, in quotes.
pub(super) fn quote(text: &str) -> Message {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => message!("\u{201c}{}…\u{201d}", &line[..end]),
        None if line.is_empty() => "nothing".into(),
        None => message!("\u{201c}{}\u{201d}", line),
    }
}

#[cfg(test)]
mod tests {
    use super::divided;

    #[test]
    fn reasons_are_parted() {
        let parts = |text: &'static str| divided(text).into_iter().map(|it| &text[it]).collect::<Vec<_>>();
        assert_eq!(parts("Opt-in is vague; no brand ;"), ["Opt-in is vague", "no brand"]);
        assert_eq!(
            parts("1. Opt-in is vague\n2) 10 samples\n- brand"),
            ["Opt-in is vague", "10 samples", "brand"]
        );
        assert_eq!(parts("501(c)(3) status is missing"), ["501(c)(3) status is missing"]);
        assert_eq!(parts(" \n; "), Vec::<&str>::new());
    }
}
