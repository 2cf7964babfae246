//! Versions of records, and summaries of submissions, as they are shown.

use jiff::Timestamp;
use tollproof_core::{Format, Parsed, Source, Submission, role};

use crate::entry::{key, shown_of};

/// A number and one of its submissions, for a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionSummary {
    /// The number; empty if the submission has none.
    pub number: String,
    /// The id of the submission.
    pub id: String,
    /// The status of its newest record.
    pub status: String,
    /// Time of the newest record's last change.
    pub updated_at: Option<Timestamp>,
    /// Receipt time of the authority's notification, if there is a note.
    pub notified_at: Option<Timestamp>,
    /// The name of the business, if the newest record has one.
    pub name: Option<String>,
    /// Whether the review has not ended.
    pub is_open: bool,
}

impl SubmissionSummary {
    /// The summary of the newest record of a submission, which is one line of JSON.
    pub(crate) fn new(number: String, newest: Version) -> Self {
        let submission = newest.submission();
        let Version { id, status, updated_at, notified_at, .. } = newest;
        let number = shown_of(&number, &submission.numbers);
        let id = if key(&submission.id) == id { submission.id.clone() } else { id };
        let name = submission.data.get(role::BUSINESS_NAME).and_then(|texts| texts.first()).cloned();
        Self { number, id, status, updated_at, notified_at, name, is_open: submission.is_open() }
    }
}

impl Version {
    /// The submission that the record describes.
    pub(crate) fn submission(&self) -> Submission {
        let source = Source::new("", self.body.as_str());
        let parsed = Parsed::of(&source, Some(Format::Json));
        parsed.only().and_then(|document| Submission::of_record(document).ok()).unwrap_or_default()
    }
}

/// One version of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The id of the submission, in lower case.
    pub id: String,
    /// The status as the provider's API returned it.
    pub status: String,
    /// The time of the record's last change.
    pub updated_at: Option<Timestamp>,
    /// Receipt time of the authority's notification of the submission, if there is a note.
    pub notified_at: Option<Timestamp>,
    /// The complete record as one line of JSON.
    pub body: String,
}
