//! Parses the answer to a submission: an error response, a verification record, or pasted text.

use super::answer_reason::{AnswerReason, ReviewResult, divided, words_of};
use super::approval;
use super::codes;
use super::shapes::{self, Shaped};
use crate::facts::{Outcome, Submission, record_kind};
use crate::provider::detect::kind_of_keys;
use crate::provider::kind::{Kind, KindRole};
use crate::provider::role;
use crate::provider::vocabulary::masked_message;
use crate::syntax::document::{Node, SyntaxErrorKind};
use crate::syntax::source::{Source, Span};
use crate::syntax::string_map;
use crate::syntax::{Parsed, SourceDocument};

/// An answer of the provider's API or of the reviewers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The name of the answer's source.
    pub(super) file: String,
    /// The provider that answered, if its answers have a shape of their own. Bird's have none.
    pub(super) provider: Option<&'static str>,
    /// The record, if the answer is one of Bird.
    pub(super) record: Option<Submission>,
    /// The result of a review by another provider.
    pub(super) verdict: Option<ReviewResult>,
    /// Whether the API accepted the request, before any review.
    pub(super) is_receipt: bool,
    /// Pasted text, whose reasons depend on the provider of the draft.
    pub(super) pasted: Option<String>,
    /// Whether a text says that the number is verified.
    pub(super) is_approval: bool,
    /// The reasons in the answer, in its order.
    pub(super) reasons: Vec<AnswerReason>,
    /// `code` and `message` of a refused or accepted request; empty for a record.
    pub(super) refusal: (String, String),
    /// The span that represents the whole answer: its status or its message.
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
    /// Parses what somebody pasted: a text of any kind, or the body of an answer. `numbers` are those of the draft, as for
    /// [`Self::of`].
    ///
    /// # Errors
    ///
    /// As [`Self::of`]; only what begins like JSON or markup can have a syntax error.
    pub fn of_pasted(parsed: &Parsed<'_>, numbers: &[&str]) -> Result<Self, NoAnswer> {
        let source = parsed.source();
        match Self::of(parsed, numbers) {
            Err(_) if !is_data(source.text()) && !source.text().trim_start().starts_with('<') => {
                Self::of_text(source)
            }
            read => read,
        }
    }

    /// Parses an answer of any provider, or the text of an e-mail or of a console.
    ///
    /// A list is one answer if a provider answers with lists: the field values of AWS, a history of Telnyx. Of a list of
    /// records, those with one of `numbers` count, which are the numbers of the draft.
    ///
    /// # Errors
    ///
    /// The text is empty, is a web page, has a syntax error, is about the login of the sender, or is a document of
    /// another kind.
    pub fn of(parsed: &Parsed<'_>, numbers: &[&str]) -> Result<Self, NoAnswer> {
        let source = parsed.source();
        let text = source.text().trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        let beginning: String = text.chars().take(MARKUP).flat_map(char::to_lowercase).collect();
        if ["<!doctype", "<html", "<head", "<body", "<?xml"].iter().any(|it| beginning.starts_with(it)) {
            let what = "it is a web page (HTML or XML), not the answer of an API; copy its text, and give it with \
                        `--text`";
            return Err(NoAnswer { what: what.to_owned(), at: None });
        }
        let whole = parsed.whole();
        let documents: Vec<SourceDocument<'_>> = whole.documents().collect();
        let roots: Option<Vec<&Node<'_>>> =
            documents.iter().map(|answer| answer.document().root.as_ref()).collect();
        // A web page, a picture or another file that is not text has no text here, and its error names only its type.
        if text.is_empty() {
            let why = source.syntax_errors().iter().map(|it| it.message.as_str()).next();
            return Err(NoAnswer { what: why.unwrap_or("it is empty").to_owned(), at: None });
        }
        let is_data = is_data(text);
        match documents.as_slice() {
            [] => Err(NoAnswer { what: "it is empty".to_owned(), at: None }),
            &[document] => match Self::read(document, numbers) {
                // Text may look like YAML. It is one only if its names are those of a document, each once.
                Ok(_)
                    if !is_data
                        && document
                            .syntax_errors
                            .iter()
                            .any(|it| it.problem == SyntaxErrorKind::DuplicateKey) =>
                {
                    Self::of_text(source)
                }
                Err(_) if !is_data && roots.is_none_or(|it| !is_document(it[0])) => Self::of_text(source),
                read => read,
            },
            _ => match roots.as_deref().and_then(|roots| Self::of_list(source, roots, numbers)) {
                Some(read) => read,
                None if !is_data && roots.is_none_or(|roots| !roots.into_iter().any(is_document)) => {
                    Self::of_text(source)
                }
                None => Err(NoAnswer { what: "it must contain exactly one answer".to_owned(), at: None }),
            },
        }
    }

    /// Takes a text as an answer: its reasons are found by their codes, titles and meaning.
    ///
    /// # Errors
    ///
    /// The text is empty or too long.
    pub fn of_text(source: &Source<'_>) -> Result<Self, NoAnswer> {
        let text = source.text();
        let refuse = |what: &str| Err(NoAnswer { what: what.to_owned(), at: None });
        if text.trim().is_empty() {
            return refuse("it is empty");
        }
        if text.len() > MAX_TEXT {
            return refuse("it is a text of more than 64 KiB; give only the part with the reasons");
        }
        let start = text.len() - text.trim_start().len();
        Ok(Self {
            file: source.name().to_owned(),
            provider: codes::provider_in(text),
            pasted: Some(text.to_owned()),
            is_approval: approval::is_approval(text),
            at: Span::new(start, start + text.trim().lines().next().unwrap_or_default().len()),
            ..Self::default()
        })
    }

    /// Parses an error response or a verification record. `numbers` are those of the draft, as for [`Self::of`].
    ///
    /// # Errors
    ///
    /// The document has a syntax error, is about the login of the sender, or is of another kind.
    pub fn read(document: SourceDocument<'_>, numbers: &[&str]) -> Result<Self, NoAnswer> {
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
        let shaped = shapes::read(&[root], numbers);
        let is_reviewed = shaped.as_ref().is_some_and(|it| it.verdict.is_some());
        let record = Submission::of_record(document);
        if let (false, true, Some(why)) = (is_reviewed, record.is_err(), shapes::access(root)) {
            let what = format!(
                "it is about the login of your program, not about the draft: \u{201c}{why}\u{201d}; check the API key \
                 and its permissions, and send the request again"
            );
            return Err(NoAnswer { what, at: Some(root.opening()) });
        }
        if let Some(mut shaped) = shaped {
            if let (Some(verdict), Ok(record)) = (&mut shaped.verdict, &record) {
                verdict.updated_at = record.updated_at;
            }
            return Ok(Self::of_shape(document.source().name().to_owned(), shaped));
        }
        match record {
            Ok(record) => Ok(Self::of_record(document.source(), record, root)),
            Err(_) if shapes::listed(root).is_some_and(|nodes| nodes.iter().any(|node| is_record(node))) => {
                let list = shapes::listed(root).unwrap_or_default();
                Self::of_list(document.source(), &list, numbers).unwrap_or_else(|| Err(several()))
            }
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
        let of_record = self.record.as_ref().map(|record| record.numbers.as_slice());
        of_record.or(self.verdict.as_ref().map(|it| it.numbers.as_slice())).unwrap_or_default()
    }

    /// The id of the record. `None` if the answer is not a record or has no id.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.record.as_ref().map(|record| record.id.as_str()).filter(|id| !id.is_empty())
    }

    /// Whether the submission was refused by the API or rejected by the reviewers.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        !self.is_receipt
            && !self.is_approval
            && self.outcome().is_none_or(|outcome| outcome == Outcome::Rejected)
    }

    /// Whether the number is blocked from sending, whatever the result of the review is.
    pub(super) fn is_blocked(&self) -> bool {
        self.verdict.as_ref().is_some_and(|it| it.is_blocked)
    }

    /// The result of the review. `None` if the answer is not about a review, or is a text.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.record.as_ref().map(Submission::outcome).or(self.verdict.as_ref().map(|it| it.outcome))
    }

    /// Whether the answer says if the submission may be edited.
    pub(super) fn says_editable(&self) -> bool {
        self.record.is_some()
            || self
                .verdict
                .as_ref()
                .is_some_and(|verdict| verdict.may_edit.is_some() || verdict.until.is_some())
    }

    fn of_shape(file: String, shaped: Shaped) -> Self {
        let Shaped { provider, verdict, reasons, is_receipt, refusal, at } = shaped;
        let provider = Some(provider);
        Self { file, provider, verdict, is_receipt, reasons, refusal, at, ..Self::default() }
    }

    /// The answer in a list: of a known shape, or the record of one of the numbers. `None` if it is neither.
    fn of_list(source: &Source<'_>, list: &[&Node<'_>], numbers: &[&str]) -> Option<Result<Self, NoAnswer>> {
        if let Some(shaped) = shapes::read(list, numbers) {
            return Some(Ok(Self::of_shape(source.name().to_owned(), shaped)));
        }
        let read = |node: &&Node<'_>| Submission::of_node(node, source.name()).ok();
        let records: Vec<(&Node<'_>, Submission)> = shapes::of_numbers(list, numbers)
            .into_iter()
            .filter_map(|node| Some((node, read(&node)?)))
            .collect();
        let newest = records.iter().max_by_key(|(_, record)| record.updated_at)?;
        let is_same = |(_, other): &(&Node<'_>, Submission)| other.numbers == newest.1.numbers;
        Some(if records.iter().all(is_same) {
            Ok(Self::of_record(source, newest.1.clone(), newest.0))
        } else {
            Err(several())
        })
    }

    fn of_record(source: &Source<'_>, record: Submission, root: &Node<'_>) -> Self {
        let file = source.name().to_owned();
        let kind = record_kind(root, kind_of_keys(root, false));
        let node = |role: &str| kind.field_in_any_case(root, role);
        let code = node(role::STATUS_CODE).map(words_of).filter(|code| !code.is_empty());
        let mut reasons: Vec<AnswerReason> = Vec::new();
        // A `statusMessage` that is not an object is read as text.
        let whole = node(role::STATUS_MESSAGE).filter(|node| node.members().is_empty());
        let texts = [node(role::DECLINE_REASON), node(role::REVIEWER_MESSAGE), whole];
        for node in texts.into_iter().flatten() {
            let whole = node.as_str().map_or_else(|| words_of(node), str::to_owned);
            for range in divided(&whole) {
                let text = whole[range.clone()].to_owned();
                if reasons.iter().all(|known| known.text != text) {
                    let at = string_map::inner_span(source.text(), node, range);
                    reasons.push(AnswerReason { code: code.clone(), ..AnswerReason::text(text, at) });
                }
            }
        }
        let is_shared = reasons.len() > 1;
        reasons.iter_mut().for_each(|reason| reason.code_is_shared = is_shared);
        // The status code is a reason only if the submission was rejected.
        let is_rejected = record.outcome() == Outcome::Rejected;
        if let (true, Some(code), Some(node)) =
            (reasons.is_empty() && is_rejected, code, node(role::STATUS_CODE))
        {
            let text = format!("code {code}");
            reasons.push(AnswerReason { code: Some(code), ..AnswerReason::text(text, node.span) });
        }
        let at = record.written.as_ref().map_or(root.span, |written| written.status);
        Self { file, record: Some(record), reasons, at, ..Self::default() }
    }

    fn of_refusal(file: String, root: &Node<'_>) -> Self {
        let kind = Kind::of(KindRole::Error);
        let node = |role: &str| kind.field(root, role);
        let text = |role: &str| node(role).map(words_of).unwrap_or_default();
        let (code, message) = (text(role::CODE), text(role::MESSAGE));
        let mut reasons = Vec::new();
        let details = node(role::DETAILS);
        // The API returns an object with lists of messages in `details`. Other types are read as text.
        let loose = details.filter(|node| node.members().is_empty());
        for node in loose
            .into_iter()
            .flat_map(|node| if node.items().is_empty() { std::slice::from_ref(node) } else { node.items() })
        {
            let text = words_of(node);
            if !text.is_empty() {
                reasons.push(AnswerReason::text(text, node.span));
            }
        }
        for member in details.map(Node::members).unwrap_or_default() {
            let mut say = |node: &Node<'_>| {
                let name = Some(member.key.clone().into_owned());
                reasons.push(AnswerReason { name, ..AnswerReason::text(words_of(node), node.span) });
            };
            match member.value.items() {
                [] => say(&member.value),
                items => items.iter().for_each(say),
            }
        }
        let at = node(role::MESSAGE).or(node(role::CODE)).map_or(root.opening(), |node| node.span);
        if reasons.is_empty() && !message.is_empty() {
            let code = Some(code.clone()).filter(|code| !code.is_empty());
            reasons.push(AnswerReason { code, ..AnswerReason::text(message.clone(), at) });
        }
        Self { file, reasons, refusal: (code, message), at, ..Self::default() }
    }
}

/// Whether a text begins as JSON does. A line of a chat begins with its time in brackets.
fn is_data(text: &str) -> bool {
    let text = text.trim_start();
    let in_list =
        || text.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', '[', '"', ']']));
    text.starts_with('{') || in_list()
}

/// Whether a document has a field of an error response.
fn is_refusal(root: &Node<'_>) -> bool {
    let kind = Kind::of(KindRole::Error);
    [role::CODE, role::MESSAGE, role::DETAILS].into_iter().any(|role| kind.field(root, role).is_some())
}

/// Whether a node is a verification record.
fn is_record(root: &Node<'_>) -> bool {
    Submission::of_node(root, "").is_ok()
}

fn several() -> NoAnswer {
    let what = "it has several records, and none has a number of the draft; give the record of one number";
    NoAnswer { what: what.to_owned(), at: None }
}

/// Whether the keys of a node are those of a document, so that it is not a text that looks like YAML, nor a table of remarks
/// about some fields.
fn is_document(root: &Node<'_>) -> bool {
    let is_remarks = |kind: Kind| kind.is_request() && root.members().len() < FEWEST_FIELDS;
    kind_of_keys(root, false).is_some_and(|kind| !is_remarks(kind))
}

/// A draft has at least as many fields.
const FEWEST_FIELDS: usize = 8;

/// The longest text, in bytes: 64 KiB. Each sentence is searched for its meaning.
const MAX_TEXT: usize = 64 * 1024;

/// The first characters that show that a text is a web page.
const MARKUP: usize = 16;
