//! Parses the answer to a submission: an error response or a verification record.

use std::ops::Range;

use crate::facts::{Outcome, Submission};
use crate::provider::detect::kind_of_keys;
use crate::provider::kind::{Kind, KindRole};
use crate::provider::role;
use crate::provider::vocabulary::masked_message;
use crate::syntax::SourceDocument;
use crate::syntax::document::{Node, SyntaxErrorKind, Value};
use crate::syntax::source::{Source, Span};
use crate::syntax::string_map;

/// An answer of the provider's API or of the reviewers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The name of the answer's source.
    pub(super) file: String,
    /// The record, if the answer is one.
    pub(super) record: Option<Submission>,
    /// The reasons in the answer, in its order.
    pub(super) said: Vec<Said>,
    /// `code` and `message` of an error response; empty for a record.
    pub(super) refusal: (String, String),
    /// The span that represents the whole answer: its status or its message.
    pub(super) at: Span,
}

/// One reason in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// Its key in `details`.
    pub(super) name: Option<String>,
    /// The reviewers' code for it.
    pub(super) code: Option<String>,
    /// Whether the answer has several reasons but only one code, which may belong to any of them.
    pub(super) code_is_shared: bool,
    pub(super) text: String,
    pub(super) at: Span,
}

/// The document is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct NoAnswer {
    /// The error message.
    pub what: String,
    /// The location of the error.
    pub at: Option<Span>,
}

impl Answer {
    /// Parses an error response or a verification record.
    ///
    /// # Errors
    ///
    /// The document has a syntax error or is of another kind.
    pub fn read(document: SourceDocument<'_>) -> Result<Self, NoAnswer> {
        let unreadable = |problem| {
            matches!(problem, SyntaxErrorKind::Syntax | SyntaxErrorKind::Encoding | SyntaxErrorKind::Limit)
        };
        if let Some(syntax_error) =
            document.syntax_errors.iter().find(|syntax_error| unreadable(syntax_error.problem))
        {
            return Err(NoAnswer {
                what: masked_message(&syntax_error.message).into(),
                at: Some(syntax_error.span),
            });
        }
        let Some(root) = &document.root else {
            return Err(NoAnswer { what: "it is empty".to_owned(), at: None });
        };
        match Submission::of_record(document) {
            Ok(record) => Ok(Self::of_record(document.source(), record, root)),
            Err(_) if is_refusal(root) => Ok(Self::of_refusal(document.source().name().to_owned(), root)),
            Err(_) => {
                let kind = kind_of_keys(root, false);
                let but = kind.map(|kind| format!(", but {}", kind.noun())).unwrap_or_default();
                let what = format!("it is neither an error response nor a verification record{but}");
                Err(NoAnswer { what, at: Some(root.opening()) })
            }
        }
    }

    /// The numbers that the answer is about. Empty if it does not contain them.
    #[must_use]
    pub fn numbers(&self) -> &[String] {
        self.record.as_ref().map(|record| record.numbers.as_slice()).unwrap_or_default()
    }

    /// The id of the record. `None` if the answer is not a record or has no id.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.record.as_ref().map(|record| record.id.as_str()).filter(|id| !id.is_empty())
    }

    /// Whether the submission was refused by the API or rejected by the reviewers.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        self.record.as_ref().is_none_or(|record| record.outcome() == Outcome::Rejected)
    }

    fn of_record(source: &Source<'_>, record: Submission, root: &Node<'_>) -> Self {
        let file = source.name().to_owned();
        let kind = kind_of_keys(root, false).filter(|kind| kind.is_record());
        let kind = kind.unwrap_or_else(|| Kind::of(KindRole::Record));
        let node = |role: &str| kind.field(root, role);
        let code = node(role::STATUS_CODE).map(words_of).filter(|code| !code.is_empty());
        let mut said: Vec<Said> = Vec::new();
        // A `statusMessage` that is not an object is read as text.
        let whole = node(role::STATUS_MESSAGE).filter(|it| it.members().is_empty());
        let texts = [node(role::DECLINE_REASON), node(role::REVIEWER_MESSAGE), whole];
        for node in texts.into_iter().flatten() {
            let whole = node.as_str().map_or_else(|| words_of(node), str::to_owned);
            for range in reasons(&whole) {
                let text = whole[range.clone()].to_owned();
                if said.iter().all(|known| known.text != text) {
                    let at = string_map::inner_span(source.text(), node, range);
                    said.push(Said { name: None, code: code.clone(), code_is_shared: false, text, at });
                }
            }
        }
        let is_shared = said.len() > 1;
        said.iter_mut().for_each(|said| said.code_is_shared = is_shared);
        // The status code is a reason only if the submission was rejected.
        let is_rejected = record.outcome() == Outcome::Rejected;
        if let (true, Some(code), Some(node)) =
            (said.is_empty() && is_rejected, code, node(role::STATUS_CODE))
        {
            let text = format!("code {code}");
            said.push(Said { name: None, code: Some(code), code_is_shared: false, text, at: node.span });
        }
        let at = record.written.as_ref().map_or(root.span, |written| written.status);
        Self { file, record: Some(record), said, refusal: Default::default(), at }
    }

    fn of_refusal(file: String, root: &Node<'_>) -> Self {
        let kind = Kind::of(KindRole::Error);
        let node = |role: &str| kind.field(root, role);
        let text = |role: &str| node(role).map(words_of).unwrap_or_default();
        let (code, message) = (text(role::CODE), text(role::MESSAGE));
        let mut said = Vec::new();
        let details = node(role::DETAILS);
        // The API returns an object with lists of messages in `details`. Other types are read as text.
        let loose = details.filter(|it| it.members().is_empty());
        for node in loose
            .into_iter()
            .flat_map(|it| if it.items().is_empty() { std::slice::from_ref(it) } else { it.items() })
        {
            let text = words_of(node);
            if !text.is_empty() {
                said.push(Said { name: None, code: None, code_is_shared: false, text, at: node.span });
            }
        }
        for member in details.map(Node::members).unwrap_or_default() {
            let mut say = |node: &Node<'_>| {
                let name = Some(member.key.clone().into_owned());
                said.push(Said {
                    name,
                    code: None,
                    code_is_shared: false,
                    text: words_of(node),
                    at: node.span,
                });
            };
            match member.value.items() {
                [] => say(&member.value),
                items => items.iter().for_each(say),
            }
        }
        let at = node(role::MESSAGE).or(node(role::CODE)).map_or(root.opening(), |node| node.span);
        if said.is_empty() && !message.is_empty() {
            let code = Some(code.clone()).filter(|code| !code.is_empty());
            said.push(Said { name: None, code, code_is_shared: false, text: message.clone(), at });
        }
        Self { file, record: None, said, refusal: (code, message), at }
    }
}

/// Whether a document has a field of an error response.
fn is_refusal(root: &Node<'_>) -> bool {
    let kind = Kind::of(KindRole::Error);
    [role::CODE, role::MESSAGE, role::DETAILS].into_iter().any(|role| kind.field(root, role).is_some())
}

/// Any value as text, so that no part of an answer is lost.
fn words_of(node: &Node<'_>) -> String {
    match &node.value {
        Value::Null => String::new(),
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
fn reasons(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(['\n', ';', '|']) {
        let bare = part.trim_end_matches(['\n', ';', '|']).trim();
        // Remove numbers and bullets of a list.
        let number = bare.trim_start_matches(|it: char| it.is_ascii_digit());
        let numbered =
            number.strip_prefix(['.', ')']).filter(|rest| number.len() < bare.len() && rest.starts_with(' '));
        let bare = numbered.unwrap_or(bare).trim_start_matches(['-', '*', '\u{2022}', ' ']);
        if !bare.is_empty() {
            let at = start + part.find(bare).unwrap_or_default();
            found.push(at..at + bare.len());
        }
        start += part.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::reasons;

    #[test]
    fn reasons_are_parted() {
        let parts = |text: &'static str| reasons(text).into_iter().map(|it| &text[it]).collect::<Vec<_>>();
        assert_eq!(parts("Opt-in is vague; no brand ;"), ["Opt-in is vague", "no brand"]);
        assert_eq!(
            parts("1. Opt-in is vague\n2) 10 samples\n- brand"),
            ["Opt-in is vague", "10 samples", "brand"]
        );
        assert_eq!(parts("501(c)(3) status is missing"), ["501(c)(3) status is missing"]);
        assert_eq!(parts(" \n; "), Vec::<&str>::new());
    }
}
