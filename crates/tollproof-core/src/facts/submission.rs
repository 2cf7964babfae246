//! An earlier submission, as its verification record tells it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::provider::kind::Kind;
use crate::provider::schema;
use crate::provider::vocabulary::masked_message;
use crate::syntax::SourceDocument;
use crate::syntax::document::{Node, Problem, Value};
use crate::syntax::source::Span;

/// An earlier submission, as far as a check needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submission {
    /// The id of its record, in any case; blank where it is not known.
    pub id: String,
    /// The UUIDs of its numbers, in any case.
    pub numbers: Vec<String>,
    /// The status as the interface returned it.
    pub status: String,
    /// `statusMessage.ResubmitAllowed`, as written.
    pub resubmit_allowed: String,
    /// `statusMessage.Message`: what the authority asks for.
    pub message: String,
    /// When the record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification was received, if someone noted it.
    pub notified_at: Option<Timestamp>,
    /// The texts of the business fields (interface 2.1), trimmed, blank ones left out; empty where not known.
    pub data: BTreeMap<String, Vec<String>>,
    /// Where the record can be read.
    pub written: Option<Written>,
}

/// Where a record can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The name of the source.
    pub file: String,
    /// The status, or the record's opening where it has none.
    pub status: Span,
}

/// How a submission ended, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has not ended: whatever is neither Verified nor Rejected, unknown words too.
    Open,
    /// The number is ready to be used.
    Verified,
    /// The reviewers said no.
    Rejected,
}

impl Outcome {
    /// How a submission of this status ended; case and blanks make no difference.
    #[must_use]
    pub fn of(status: &str) -> Self {
        match squeezed(status).as_str() {
            "verified" => Self::Verified,
            "rejected" => Self::Rejected,
            _ => Self::Open,
        }
    }
}

/// Why a document is no record that a history could hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRecord {
    /// The text cannot be read.
    #[error("{message}")]
    Unreadable {
        /// Where reading failed.
        at: Span,
        /// What is wrong with the text.
        message: String,
    },
    /// The document is something else.
    #[error("this is not a verification record{}", .0.map(|kind| format!(", but {}", kind.noun())).unwrap_or_default())]
    Other(Option<Kind>),
    /// A record without something that a history cannot do without.
    #[error("{what}")]
    Incomplete {
        /// The wrong value, or the record's opening.
        at: Span,
        /// What is missing.
        what: &'static str,
    },
}

impl NoRecord {
    /// Where the document is wrong, if that is at one place.
    #[must_use]
    pub fn at(&self) -> Option<Span> {
        match self {
            Self::Unreadable { at, .. } | Self::Incomplete { at, .. } => Some(*at),
            Self::Other(_) => None,
        }
    }
}

impl Submission {
    /// Reads a verification record that a history can keep.
    ///
    /// # Errors
    ///
    /// What [`Submission::of_record`] refuses, and a record without `id` or `phoneNumbers`, or with an `updatedAt`
    /// that is no time.
    pub fn read(document: SourceDocument<'_>) -> Result<Self, NoRecord> {
        let submission = Self::of_record(document)?;
        let root = document.root.as_ref();
        let incomplete = |name: &str, what| {
            let at =
                root.map(|root| root.get(name).map_or(root.opening(), |node| node.span)).unwrap_or_default();
            Err(NoRecord::Incomplete { at, what })
        };
        if submission.id.is_empty() {
            return incomplete("id", "this record has no id, so it cannot be identified");
        }
        if submission.numbers.is_empty() {
            return incomplete("phoneNumbers", "this record has no number in `phoneNumbers`");
        }
        let updated = root.and_then(|root| root.get("updatedAt"));
        let is_untold = updated.is_none_or(|node| matches!(node.value, Value::Null));
        if submission.updated_at.is_none() && !is_untold {
            return incomplete("updatedAt", "the `updatedAt` of this record is not a valid time");
        }
        Ok(submission)
    }

    /// Reads a verification record for what it says, whatever it lacks.
    ///
    /// A document is taken for one by its keys, or where it has a `status` beside another field of records.
    ///
    /// # Errors
    ///
    /// A text that cannot be read, and another kind of document.
    pub fn of_record(document: SourceDocument<'_>) -> Result<Self, NoRecord> {
        // Of a repeated key nobody knows which value counts.
        let unreadable = |problem| problem != Problem::ByteOrderMark;
        if let Some(fault) = document.faults.iter().find(|fault| unreadable(fault.problem)) {
            return Err(NoRecord::Unreadable {
                at: fault.span,
                message: masked_message(&fault.message).into(),
            });
        }
        let Some(root) = &document.root else { return Err(NoRecord::Other(None)) };
        let kind = Kind::tell(root, false, schema::is_business_field);
        let has = |name: &str| root.get(name).is_some();
        let is_partial = has("status") && (has("id") || has("phoneNumbers") || has("statusMessage"));
        if kind != Some(Kind::VerificationRecord) && !is_partial {
            return Err(NoRecord::Other(kind));
        }
        let text = |node: Option<&Node<'_>>| node.map(scalar).unwrap_or_default();
        let said = |name: &str| text(root.get("statusMessage").and_then(|it| it.get(name)));
        let numbers = root.get("phoneNumbers").map(Node::items).unwrap_or_default();
        let status = root.get("status").map_or(root.opening(), Node::written);
        Ok(Self {
            id: text(root.get("id")),
            numbers: trimmed(numbers.iter().filter_map(Node::as_str)),
            status: text(root.get("status")),
            resubmit_allowed: said("ResubmitAllowed"),
            message: said("Message"),
            updated_at: text(root.get("updatedAt")).parse().ok(),
            notified_at: None,
            data: root.get("verificationRequestData").map(business_data).unwrap_or_default(),
            written: Some(Written { file: document.source().name().to_owned(), status }),
        })
    }

    /// What [`Submission::data`] holds for business fields that are at hand as JSON; other fields are left out.
    #[must_use]
    pub fn data_of(fields: &serde_json::Map<String, serde_json::Value>) -> BTreeMap<String, Vec<String>> {
        let texts = |value: &serde_json::Value| match value {
            serde_json::Value::Array(items) => trimmed(items.iter().filter_map(|item| item.as_str())),
            _ => trimmed(value.as_str()),
        };
        business_fields(fields.iter().map(|(name, value)| (name.as_str(), texts(value))))
    }

    /// How the submission ended; case and blanks of the status make no difference.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome::of(&self.status)
    }

    /// Whether the submission has not ended.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.outcome() == Outcome::Open
    }

    /// Whether a rejected submission may be sent again, where its record says so in a word that is known.
    #[must_use]
    pub fn may_resubmit(&self) -> Option<bool> {
        match squeezed(&self.resubmit_allowed).as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        }
    }

    /// Whether the authority has asked for something: the status is neither submitted nor an end, there is a
    /// message, or someone noted when the notification came.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        let waits = squeezed(&self.status) == "submitted" || !self.is_open();
        !waits || !self.message.trim().is_empty() || self.notified_at.is_some()
    }
}

/// A text, a number or a truth value as words: YAML makes `false` of what was a text.
pub(crate) fn scalar(node: &Node<'_>) -> String {
    match &node.value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(text) => (*text).to_owned(),
        Value::Bool(it) => it.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
    }
}

/// A word in small letters without blanks.
fn squeezed(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// The texts of the business fields of an object.
pub(crate) fn business_data(object: &Node<'_>) -> BTreeMap<String, Vec<String>> {
    let texts = |node: &Node<'_>| match &node.value {
        Value::Array(items) => trimmed(items.iter().filter_map(Node::as_str)),
        _ => trimmed(node.as_str()),
    };
    business_fields(object.members().iter().map(|member| (member.key.as_ref(), texts(&member.value))))
}

/// The fields of interface 2.1 that say something: blank ones are as good as absent.
fn business_fields<'a>(
    fields: impl Iterator<Item = (&'a str, Vec<String>)>,
) -> BTreeMap<String, Vec<String>> {
    let says = |(name, texts): &(&str, Vec<String>)| !texts.is_empty() && schema::is_business_field(name);
    fields.filter(says).map(|(name, texts)| (name.to_owned(), texts)).collect()
}

fn trimmed<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    texts.into_iter().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}
