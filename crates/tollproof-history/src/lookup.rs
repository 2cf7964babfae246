//! What a history is asked for, and what it finds: submissions of numbers and ids, with notes and reservations.

use std::collections::HashMap;

use jiff::Timestamp;
use tollproof_core::{Format, History, Parsed, Reservation, Source, Submission, quoted};

use crate::entry::key;
use crate::error::HistoryError;

/// What a past is asked for; case and surrounding blanks make no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// UUIDs of numbers.
    pub numbers: Vec<String>,
    /// Ids of submissions.
    pub ids: Vec<String>,
}

/// What a past knows of the submissions that were wanted.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The submissions, with notes and reservations.
    pub history: History,
    /// The texts of records that lie in no file, by the name that [`tollproof_core::Written`] gives them.
    pub texts: HashMap<String, String>,
}

/// The newest record of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LatestRecord {
    /// In small letters.
    pub(crate) id: String,
    pub(crate) notified_at: Option<Timestamp>,
    /// One line of JSON.
    pub(crate) body: String,
}

/// What a store knows of the submissions that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lookup {
    /// Each submission once.
    pub(crate) records: Vec<LatestRecord>,
    /// Numbers and their reservations, some of which may be over.
    pub(crate) reservations: Vec<(String, Reservation)>,
}

/// Submissions on their way into a history.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    submissions: Vec<Submission>,
    notes: HashMap<String, Timestamp>,
    pub(crate) reservations: Vec<(String, Reservation)>,
    texts: HashMap<String, String>,
}

impl Gathered {
    pub(crate) fn add(&mut self, submission: Submission, noted: Option<Timestamp>) {
        if let Some(noted) = noted {
            let latest = self.notes.entry(key(&submission.id)).or_insert(noted);
            *latest = noted.max(*latest);
        }
        self.submissions.push(submission);
    }

    /// Reads records of a store.
    pub(crate) fn add_records(
        &mut self,
        store: &str,
        records: Vec<LatestRecord>,
    ) -> Result<(), HistoryError> {
        for LatestRecord { id, notified_at, body } in records {
            let name = format!("{store}#{id}");
            let source = Source::new(name.as_str(), body.as_str());
            let read = Parsed::of(&source, Some(Format::Json)).only().map(Submission::read);
            let Some(Ok(submission)) = read else {
                let why = format!("what it keeps of the submission {} is no record", quoted(&id));
                return Err(HistoryError::Store { name: store.to_owned(), why, lost: false });
            };
            drop(source);
            self.add(submission, notified_at);
            self.texts.insert(name, body);
        }
        Ok(())
    }

    pub(crate) fn found(mut self) -> Found {
        for submission in &mut self.submissions {
            submission.notified_at = self.notes.get(&key(&submission.id)).copied();
        }
        let history = History::new(self.submissions).with_reservations(self.reservations);
        Found { history, texts: self.texts }
    }
}
