//! The traits that a database implements to be a store: a connection, and the operations of one transaction.

use jiff::Timestamp;
use tollproof_core::{Format, Parsed, Reservation, Source, Submission, role};

use crate::entry::{Note, Record, key, shown_of};
use crate::error::HistoryError;
use crate::lookup::{Lookup, Query};

/// The access mode of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Reads a consistent snapshot.
    Read,
    /// Changes the store, all or nothing.
    Write,
}

/// A connection to the database of a store.
pub(crate) trait Backend: std::fmt::Debug + Send {
    /// Runs `work` in one transaction, which is rolled back if `work` fails.
    fn transact(&mut self, mode: Mode, work: Work<'_>) -> Result<(), HistoryError>;

    /// The current time, from the clock that all users of the store share.
    fn now(&mut self) -> Result<Timestamp, HistoryError>;

    /// Replaces a lost connection.
    fn reconnect(&mut self) -> Result<(), HistoryError>;
}

/// The operations to run in a transaction.
pub(crate) type Work<'w> = &'w mut dyn FnMut(&mut dyn StoreTransaction) -> Result<(), HistoryError>;

/// A number and one of its submissions, for a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionSummary {
    /// The number; empty if the submission has none.
    pub number: String,
    /// The id of the submission.
    pub id: String,
    /// The status of its newest record.
    pub status: String,
    /// When the newest record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification was received, if there is a note.
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
        parsed.only().and_then(|it| Submission::of_record(it).ok()).unwrap_or_default()
    }
}

/// One version of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The id of the submission, in lower case.
    pub id: String,
    /// The status as the provider's API returned it.
    pub status: String,
    /// When the record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification of the submission was received, if there is a note.
    pub notified_at: Option<Timestamp>,
    /// The complete record as one line of JSON.
    pub body: String,
}

/// Which note to keep if a submission already has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnConflict {
    /// The one with the later time, so that the order of imports makes no difference.
    KeepLatest,
    /// The new one, so that it can correct the old one.
    Replace,
}

/// The operations of one transaction. Ids are in lower case and numbers are keys, except in a [`Query`].
pub(crate) trait StoreTransaction {
    /// The newest record of each submission with one of the ids, or that ever contained one of the numbers.
    fn look_up(&mut self, query: &Query) -> Result<Lookup, HistoryError>;

    /// All versions of all submissions that ever contained a number, by submission, the oldest version first.
    fn versions(&mut self, number: &str) -> Result<Vec<Version>, HistoryError>;

    /// All submissions, sorted by number and id; those without a number come last.
    fn list(&mut self, visit: Visit<'_, SubmissionSummary>) -> Result<(), HistoryError>;

    /// The bodies of all records, sorted by id, the oldest version first.
    fn records(&mut self, visit: Visit<'_, str>) -> Result<(), HistoryError>;

    /// All notes, sorted by id.
    fn notes(&mut self, visit: Visit<'_, Note>) -> Result<(), HistoryError>;

    /// Adds records, which are sorted by id, and returns how many of them are new.
    fn add(&mut self, records: &[Record]) -> Result<usize, HistoryError>;

    /// Updates the statistics of the query planner after many records were added.
    fn analyze(&mut self) -> Result<(), HistoryError>;

    /// Adds a note. Returns whether its submission exists.
    fn note(&mut self, note: &Note, on_conflict: OnConflict) -> Result<bool, HistoryError>;

    /// Locks names, mostly numbers, until the end of the transaction. They are sorted, so that callers cannot deadlock.
    fn lock(&mut self, names: &[String]) -> Result<(), HistoryError>;

    /// The numbers that are or were reserved, and the times, sorted by number.
    fn all_reservations(&mut self) -> Result<Vec<(String, Reservation)>, HistoryError>;

    /// The token and the times of a reservation.
    fn reservation(&mut self, number: &str) -> Result<Option<(String, Reservation)>, HistoryError>;

    /// Reserves a number and replaces an earlier reservation.
    fn reserve(&mut self, number: &str, token: &str, times: Reservation) -> Result<(), HistoryError>;

    /// Deletes a reservation. Returns whether there was one.
    fn delete_reservation(&mut self, number: &str) -> Result<bool, HistoryError>;

    /// Deletes all reservations under a token.
    fn delete_reservations_of(&mut self, token: &str) -> Result<(), HistoryError>;
}

/// A callback for each item.
pub(crate) type Visit<'t, T> = &'t mut dyn FnMut(&T) -> Result<(), HistoryError>;
