//! An earlier submission, read from its verification record.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use tollproof_data::provider::data::KindData;
use tollproof_data::provider::kept::squeezed;

use super::outcome::{Outcome, is_listed, waits_for_answer};
use super::record_time;
use crate::provider::builtin::submission_roles;
use crate::provider::detect::kind_of_keys;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::vocabulary::masked_message;
use crate::provider::{role, schema};
use crate::syntax::SourceDocument;
use crate::syntax::document::{Node, SyntaxErrorKind, Value};
use crate::syntax::source::Span;

/// The authority's time limit for an answer, from the receipt of its notification, where the provider says nothing
/// else. Source: section 8 of the description of Bird's API.
pub(crate) const ANSWER_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The parts of an earlier submission that checks need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submission {
    /// The provider of its record. `None` if it is unknown.
    pub provider: Option<Provider>,
    /// The id of its record, in any case. Empty if it is unknown.
    pub id: String,
    /// The names of its numbers, in any spelling.
    pub numbers: Vec<String>,
    /// Whether `numbers` are names of the same number, such as its id and its E.164 form.
    pub names_one: bool,
    /// The status as the provider's API returned it.
    pub status: String,
    /// Whether it may be sent again or edited, as written in the record.
    pub resubmit_allowed: String,
    /// Until when a rejected submission may be edited, if the record contains this time.
    pub edit_until: Option<Timestamp>,
    /// The reviewers' message.
    pub message: String,
    /// The code and the reason of a rejection, as far as the message does not have them.
    pub reason: String,
    /// The time of the record's last change.
    pub updated_at: Option<Timestamp>,
    /// The receipt time of the authority's notification, if this was noted.
    pub notified_at: Option<Timestamp>,
    /// The trimmed, non-empty values of the submission's fields, by role. Empty if the record does not contain them.
    pub data: BTreeMap<String, Vec<String>>,
    /// The place of the record, if it comes from a file.
    pub written: Option<Written>,
}

/// The location of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The name of the source.
    pub file: String,
    /// The span of the status. If the record has none, the opening bracket or first key of the record.
    pub status: Span,
}

/// The reason a document cannot be stored as a verification record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRecord {
    /// The file has a syntax error.
    #[error("{message}")]
    Unreadable {
        /// The place of the syntax error.
        at: Span,
        /// The error message, without personal data.
        message: String,
    },
    /// The document is of another kind, or of none.
    #[error("this is not a verification record{}", .0.map(|kind| format!(", but {}", kind.noun())).unwrap_or_default())]
    Other(Option<Kind>),
    /// The record lacks a value that a history needs.
    #[error("{what}")]
    Incomplete {
        /// The wrong value, or the start of the record.
        at: Span,
        /// The error message.
        what: String,
    },
}

impl NoRecord {
    /// The location of the error, if there is one.
    pub fn at(&self) -> Option<Span> {
        match self {
            Self::Unreadable { at, .. } | Self::Incomplete { at, .. } => Some(*at),
            Self::Other(_) => None,
        }
    }
}

impl Submission {
    /// Reads a verification record that is complete enough for a history.
    ///
    /// # Errors
    ///
    /// All errors of [`Submission::of_record`]. Also fails if the record has no id, has no number, or has an invalid
    /// time of its last change.
    pub fn read(document: SourceDocument<'_>) -> Result<Self, NoRecord> {
        let submission = Self::of_record(document)?;
        let Some(root) = document.document().root.as_ref() else { return Err(NoRecord::Other(None)) };
        let kind = record_kind(root, kind_of_keys(root, false));
        let incomplete = |role: &str, what| {
            let at = kind.field(root, role).map_or(root.opening(), |node| node.span);
            Err(NoRecord::Incomplete { at, what })
        };
        if submission.id.is_empty() {
            let what = "this record has no id, so it cannot be identified".to_owned();
            return incomplete(role::ID, what);
        }
        if submission.numbers.is_empty() && kind.has_numbers() {
            let name = kind.field_name(role::PHONE_NUMBERS);
            return incomplete(role::PHONE_NUMBERS, format!("this record has no number in `{name}`"));
        }
        for (role, time) in
            [(role::UPDATED_AT, submission.updated_at), (role::EDIT_EXPIRATION, submission.edit_until)]
        {
            if time.is_none() && kind.values(root, role).iter().any(|node| !scalar(node).is_empty()) {
                let name = kind.field_name(role);
                return incomplete(role, format!("the `{name}` of this record is not a valid time"));
            }
        }
        Ok(submission)
    }

    /// Reads a verification record, complete or not.
    ///
    /// A document is a record if its keys match one, or if it has a `status` and another field of records.
    ///
    /// # Errors
    ///
    /// The document has a syntax error or is of another kind.
    pub fn of_record(document: SourceDocument<'_>) -> Result<Self, NoRecord> {
        // A repeated key is an error too, because it is unclear which value applies.
        let unreadable = |problem: SyntaxErrorKind| !problem.keeps_content();
        if let Some(syntax_error) =
            document.syntax_errors.iter().find(|syntax_error| unreadable(syntax_error.problem))
        {
            return Err(NoRecord::Unreadable {
                at: syntax_error.span,
                message: masked_message(&syntax_error.message).into(),
            });
        }
        let Some(root) = &document.root else { return Err(NoRecord::Other(None)) };
        Self::of_node(root, document.source().name())
    }

    /// Reads a verification record in the text of a file.
    pub(crate) fn of_node(root: &Node<'_>, file: &str) -> Result<Self, NoRecord> {
        let detected = kind_of_keys(root, false);
        let kind = record_kind(root, detected);
        let has = |role: &str| kind.field(root, role).is_some();
        let is_partial =
            has(role::STATUS) && [role::ID, role::PHONE_NUMBERS, role::STATUS_MESSAGE].into_iter().any(has);
        if !detected.is_some_and(Kind::is_record) && !is_partial {
            return Err(NoRecord::Other(detected));
        }
        let status = kind.field(root, role::STATUS).map_or(root.opening(), Node::written);
        let written = Some(Written { file: file.to_owned(), status });
        let is_recognized = detected.is_some_and(|detected| detected.is_record() && detected == kind);
        Ok(Self { provider: is_recognized.then(|| kind.provider()), written, ..Self::of_fields(kind, root) })
    }

    /// Reads the fields of a verification record of a known kind.
    pub(crate) fn of_fields(kind: Kind, root: &Node<'_>) -> Self {
        let text = |role: &str| kind.field_in_any_case(root, role).map(scalar).unwrap_or_default();
        let latest = |role: &str| {
            kind.values(root, role).into_iter().filter_map(|node| record_time::of(&scalar(node))).max()
        };
        let message = reviewer_message(kind, root);
        let mut reason =
            texts([role::STATUS_CODE, role::DECLINE_REASON].map(|role| kind.values(root, role)).concat());
        reason.retain(|text| !message.contains(text));
        Self {
            provider: Some(kind.provider()),
            id: text(role::ID),
            numbers: trimmed(kind.number_names(root).map(|(_, name)| name)),
            names_one: kind.joins_numbers(),
            status: text(role::STATUS),
            resubmit_allowed: text(resubmit_role(kind)),
            edit_until: latest(role::EDIT_EXPIRATION),
            message,
            reason: reason.join(" "),
            updated_at: latest(role::UPDATED_AT),
            notified_at: None,
            data: business_data(kind, root),
            written: None,
        }
    }

    /// Converts fields in JSON, by role, to the format of [`Submission::data`]. Unknown fields are skipped.
    pub fn data_of(fields: &serde_json::Map<String, serde_json::Value>) -> BTreeMap<String, Vec<String>> {
        let texts = |value: &serde_json::Value| match value {
            serde_json::Value::Array(items) => trimmed(items.iter().filter_map(|item| item.as_str())),
            _ => trimmed(value.as_str()),
        };
        let of_role = |role: &&'static str| Some(((*role).to_owned(), texts(fields.get(*role)?)));
        submission_roles().iter().filter_map(of_role).filter(|(_, texts)| !texts.is_empty()).collect()
    }

    /// The outcome that the status means. Case and whitespace are ignored.
    pub fn outcome(&self) -> Outcome {
        Outcome::of(&self.status, self.provider)
    }

    /// Whether the review has not ended.
    pub fn is_open(&self) -> bool {
        self.outcome() == Outcome::Open
    }

    /// Whether a rejected submission may be sent again. `None` if the record does not say so, or has an unknown value.
    pub fn may_resubmit(&self) -> Option<bool> {
        match squeezed(&self.resubmit_allowed).as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            // The time until which it may be edited means that it may be.
            _ => self.edit_until.map(|_| true),
        }
    }

    /// Whether an update may answer the reviewers: the submission is open, waits for an answer, or may be sent again.
    pub(crate) fn may_answer(&self) -> bool {
        self.is_open() || self.waits_for_answer() || self.may_resubmit() == Some(true)
    }

    /// Whether the status says that the review waits for an answer of the applicant.
    pub fn waits_for_answer(&self) -> bool {
        waits_for_answer(&self.status, self.provider)
    }

    /// Whether the authority has asked for changes: the status says so or is neither the initial nor a final one, the
    /// record has a message, or a notification was noted.
    ///
    /// A status that a provider's lists lack says nothing, unless they only have the initial and the final ones.
    pub fn is_asked(&self) -> bool {
        let is_known =
            |record: &Provider| !record.0.statuses.open.is_empty() || !record.0.statuses.asked.is_empty();
        let waits = is_listed(&self.status, self.provider, |it| &it.waiting)
            || is_listed(&self.status, self.provider, |it| &it.open)
            || self.provider.as_ref().is_some_and(is_known)
            || !self.is_open();
        self.waits_for_answer() || !waits || !self.message.trim().is_empty() || self.notified_at.is_some()
    }

    /// The time to answer the reviewers, if the provider of the record has one of its own.
    pub(crate) fn answer_within(&self) -> Option<SignedDuration> {
        self.provider?.answer_within()
    }

    /// Until when the reviewers wait for an answer, if they do: until the time in the record, else for the provider's days
    /// after the notification, or after the last change of the record.
    pub fn answer_by(&self) -> Option<Timestamp> {
        let may_be_edited = self.outcome() == Outcome::Rejected && self.may_resubmit() == Some(true);
        if !self.waits_for_answer() && !may_be_edited {
            return None;
        }
        let after = || {
            let since = self.notified_at.or(self.updated_at)?;
            since.checked_add(self.answer_within().unwrap_or(ANSWER_WITHIN)).ok()
        };
        self.edit_until.or_else(after)
    }

    /// The name of the field that says whether the submission may be sent again, without the objects around it.
    pub(crate) fn resubmit_field(&self) -> &'static str {
        let kind = self.provider.and_then(|it| it.kind(KindRole::Record));
        let kind = kind.unwrap_or_else(|| Kind::of(KindRole::Record)).data();
        let path = kind.path(resubmit_role_of(kind)).map_or(role::RESUBMIT_ALLOWED, |path| path.name);
        path.rsplit('.').next().unwrap_or(path)
    }
}

/// The reviewers' text.
fn reviewer_message(kind: Kind, root: &Node<'_>) -> String {
    let written = kind.values(root, role::REVIEWER_MESSAGE);
    let other = || kind.field_in_any_case(root, role::REVIEWER_MESSAGE).into_iter().collect();
    texts(if written.is_empty() { other() } else { written }).join("\n")
}

/// The role of the field that says whether a submission may be sent again.
fn resubmit_role(kind: Kind) -> &'static str {
    resubmit_role_of(kind.data())
}

fn resubmit_role_of(kind: &KindData) -> &'static str {
    match kind.path(role::RESUBMIT_ALLOWED) {
        None if kind.path(role::EDIT_ALLOWED).is_some() => role::EDIT_ALLOWED,
        _ => role::RESUBMIT_ALLOWED,
    }
}

/// The texts in values: scalars, and the strings inside objects and lists.
fn texts(nodes: Vec<&Node<'_>>) -> Vec<String> {
    let mut found = Vec::new();
    for node in nodes {
        match &node.value {
            Value::Array(items) => found.extend(texts(items.iter().collect())),
            Value::Object(members) => found.extend(texts(members.iter().map(|it| &it.value).collect())),
            _ => found.push(scalar(node)),
        }
    }
    found.retain(|text| !text.is_empty());
    found
}

/// A scalar as a string. YAML parses an unquoted `false` or `1` as a boolean or a number.
pub(crate) fn scalar(node: &Node<'_>) -> String {
    match &node.value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(text) => (*text).to_owned(),
        Value::Bool(it) => it.to_string(),
        Value::Null | Value::Computed | Value::Array(_) | Value::Object(_) => String::new(),
    }
}

/// The kind that a document has if it is a record: of the provider that its keys match, unless the default one knows more
/// of them.
pub(crate) fn record_kind(root: &Node<'_>, detected: Option<Kind>) -> Kind {
    let default = Kind::of(KindRole::Record);
    let known = |kind: Kind| {
        let is_field = |key: &str| schema::field_names(kind).any(|name| name == key);
        root.members().iter().filter(|member| is_field(&member.key)).count()
    };
    let found = match detected {
        Some(kind) if kind.is_record() => Some(kind),
        other => other.and_then(|kind| kind.provider().kind(KindRole::Record)),
    };
    found.filter(|kind| known(*kind) >= known(default)).unwrap_or(default)
}

/// The trimmed, non-empty values of a submission's fields, by role.
pub(crate) fn business_data(kind: Kind, root: &Node<'_>) -> BTreeMap<String, Vec<String>> {
    let texts = |role| trimmed(kind.values(root, role).into_iter().filter_map(Node::as_str));
    let all = submission_roles().iter().map(|role| ((*role).to_owned(), texts(role)));
    all.filter(|(_, texts)| !texts.is_empty()).collect()
}

fn trimmed<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    texts.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}
