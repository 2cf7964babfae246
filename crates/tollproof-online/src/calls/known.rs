//! The submissions that there were before an attempt was sent, so that what it made is told from them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tollproof_core::Submission;

use super::record::ProviderRecord;

/// The last change of each submission, and its status then, by its id.
pub(crate) struct KnownRecords(BTreeMap<String, (Option<Timestamp>, String)>);

impl KnownRecords {
    pub(crate) fn of<'r>(submissions: impl Iterator<Item = &'r Submission>) -> Self {
        Self(
            submissions
                .map(|submission| (key(&submission.id), (submission.updated_at, submission.status.clone())))
                .collect(),
        )
    }

    /// Reads what [`KnownRecords::to_text`] wrote.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let all: BTreeMap<String, [String; 2]> = serde_json::from_str(text).ok()?;
        let known =
            |(id, [changed_at, status]): (String, [String; 2])| (id, (changed_at.parse().ok(), status));
        Some(Self(all.into_iter().map(known).collect()))
    }

    /// The submissions as one line of JSON.
    pub(crate) fn to_text(&self) -> String {
        let text = |time: &Option<Timestamp>| time.map(|it| it.to_string()).unwrap_or_default();
        let all: BTreeMap<&String, [String; 2]> = self
            .0
            .iter()
            .map(|(id, (changed_at, status))| (id, [text(changed_at), status.clone()]))
            .collect();
        serde_json::to_string(&all).expect("texts can be written as JSON")
    }

    /// Whether a record was there before.
    pub(crate) fn contains(&self, record: &ProviderRecord) -> bool {
        self.0.contains_key(&key(&record.submission.id))
    }

    /// Whether a record was not there before, or was changed since. Some providers tell only the second of a change.
    pub(crate) fn is_changed(&self, record: &ProviderRecord) -> bool {
        let now = &record.submission;
        match self.0.get(&key(&now.id)) {
            None => true,
            Some((changed_at, status)) => now.updated_at > *changed_at || now.status != *status,
        }
    }
}

fn key(id: &str) -> String {
    id.trim().to_ascii_lowercase()
}
