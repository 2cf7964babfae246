//! An earlier submission, as its verification record tells it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::provider::builtin::SUBMISSION;
use crate::provider::data::Statuses;
use crate::provider::detect::kind_of_keys;
use crate::provider::file::squeezed;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::role;
use crate::provider::vocabulary::masked_message;
use crate::syntax::SourceDocument;
use crate::syntax::document::{Node, SyntaxErrorKind, Value};
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
    /// Whether it may be sent again, as written.
    pub resubmit_allowed: String,
    /// What the authority asks for.
    pub message: String,
    /// When the record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification was received, if someone noted it.
    pub notified_at: Option<Timestamp>,
    /// The texts of the fields of the submission, by their roles, trimmed, empty ones left out; empty where not known.
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
        let status = squeezed(status);
        let is = |listed: fn(&Statuses) -> &[&str]| {
            Provider::all().iter().any(|it| listed(&it.0.statuses).contains(&status.as_str()))
        };
        match () {
            () if is(|it| &it.verified) => Self::Verified,
            () if is(|it| &it.rejected) => Self::Rejected,
            () => Self::Open,
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
        what: String,
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
    /// What [`Submission::of_record`] refuses, and a record without an id or a number, or with a time of its last change
    /// that is no time.
    pub fn read(document: SourceDocument<'_>) -> Result<Self, NoRecord> {
        let submission = Self::of_record(document)?;
        let Some(root) = document.document().root.as_ref() else { return Err(NoRecord::Other(None)) };
        let kind = record_kind(root);
        let incomplete = |role: &str, what| {
            let at = kind.field(root, role).map_or(root.opening(), |node| node.span);
            Err(NoRecord::Incomplete { at, what })
        };
        if submission.id.is_empty() {
            let what = "this record has no id, so it cannot be identified".to_owned();
            return incomplete(role::ID, what);
        }
        if submission.numbers.is_empty() {
            let name = kind.field_name(role::PHONE_NUMBERS);
            return incomplete(role::PHONE_NUMBERS, format!("this record has no number in `{name}`"));
        }
        let updated = kind.field(root, role::UPDATED_AT);
        let is_untold = updated.is_none_or(|node| matches!(node.value, Value::Null));
        if submission.updated_at.is_none() && !is_untold {
            let name = kind.field_name(role::UPDATED_AT);
            return incomplete(role::UPDATED_AT, format!("the `{name}` of this record is not a valid time"));
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
        let unreadable = |problem| problem != SyntaxErrorKind::ByteOrderMark;
        if let Some(syntax_error) =
            document.syntax_errors.iter().find(|syntax_error| unreadable(syntax_error.problem))
        {
            return Err(NoRecord::Unreadable {
                at: syntax_error.span,
                message: masked_message(&syntax_error.message).into(),
            });
        }
        let Some(root) = &document.root else { return Err(NoRecord::Other(None)) };
        let (detected, kind) = (kind_of_keys(root, false), record_kind(root));
        let has = |role: &str| kind.field(root, role).is_some();
        let is_partial =
            has(role::STATUS) && [role::ID, role::PHONE_NUMBERS, role::STATUS_MESSAGE].into_iter().any(has);
        if !detected.is_some_and(Kind::is_record) && !is_partial {
            return Err(NoRecord::Other(detected));
        }
        let text = |role: &str| kind.field(root, role).map(scalar).unwrap_or_default();
        let status = kind.field(root, role::STATUS).map_or(root.opening(), Node::written);
        Ok(Self {
            id: text(role::ID),
            numbers: trimmed(kind.numbers(root).into_iter().filter_map(Node::as_str)),
            status: text(role::STATUS),
            resubmit_allowed: text(role::RESUBMIT_ALLOWED),
            message: text(role::REVIEWER_MESSAGE),
            updated_at: text(role::UPDATED_AT).parse().ok(),
            notified_at: None,
            data: business_data(kind, root),
            written: Some(Written { file: document.source().name().to_owned(), status }),
        })
    }

    /// What [`Submission::data`] holds for fields at hand as JSON, by their roles; other fields are left out.
    #[must_use]
    pub fn data_of(fields: &serde_json::Map<String, serde_json::Value>) -> BTreeMap<String, Vec<String>> {
        let texts = |value: &serde_json::Value| match value {
            serde_json::Value::Array(items) => trimmed(items.iter().filter_map(|item| item.as_str())),
            _ => trimmed(value.as_str()),
        };
        let of_role = |role: &&'static str| Some(((*role).to_owned(), texts(fields.get(*role)?)));
        SUBMISSION.iter().filter_map(of_role).filter(|(_, texts)| !texts.is_empty()).collect()
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
        let waits =
            Provider::all().iter().any(|it| it.0.statuses.waiting.contains(&squeezed(&self.status).as_str()))
                || !self.is_open();
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

/// The kind of the record that a document is, or would be.
fn record_kind(root: &Node<'_>) -> Kind {
    let detected = kind_of_keys(root, false).map(Kind::provider);
    detected.and_then(|it| it.kind(KindRole::Record)).unwrap_or_else(|| Kind::of(KindRole::Record))
}

/// The texts of the fields of a submission, by their roles: empty ones are as good as absent.
pub(crate) fn business_data(kind: Kind, root: &Node<'_>) -> BTreeMap<String, Vec<String>> {
    let texts = |role| trimmed(kind.values(root, role).into_iter().filter_map(Node::as_str));
    let all = SUBMISSION.iter().map(|role| ((*role).to_owned(), texts(role)));
    all.filter(|(_, texts)| !texts.is_empty()).collect()
}

fn trimmed<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    texts.into_iter().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}
