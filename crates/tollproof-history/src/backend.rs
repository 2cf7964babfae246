//! What keeps a store, and what can be done to it inside one transaction; SQLite and PostgreSQL each have their way.

use jiff::Timestamp;
use tollproof_core::{Outcome, Reservation};

use crate::entry::{Note, Record};
use crate::error::HistoryError;
use crate::lookup::{Lookup, Wanted};

/// What a transaction may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// See the store as it was at one moment.
    Read,
    /// Change it, all or nothing.
    Write,
}

/// What keeps a store.
pub(crate) trait Backend: std::fmt::Debug + Send {
    /// Does some work as a whole or not at all.
    fn transact(&mut self, mode: Mode, work: Work<'_>) -> Result<(), HistoryError>;

    /// The time by the clock that all users of the store share.
    fn now(&mut self) -> Result<Timestamp, HistoryError>;

    /// Tries to get a lost connection back.
    fn reconnect(&mut self) -> Result<(), HistoryError>;
}

/// What is done in a transaction.
pub(crate) type Work<'w> = &'w mut dyn FnMut(&mut dyn StoreTransaction) -> Result<(), HistoryError>;

/// A number and one of its submissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The number, in small letters.
    pub number: String,
    /// The id of the submission, in small letters.
    pub id: String,
    /// The status of its newest record.
    pub status: String,
    /// When the newest record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification was received, if that was noted.
    pub notified_at: Option<Timestamp>,
    /// The name of the business, if the newest record has one.
    pub name: Option<String>,
}

impl Listed {
    /// Whether the submission has not ended.
    #[must_use]
    pub fn is_open(&self) -> bool {
        Outcome::of(&self.status) == Outcome::Open
    }
}

/// The `businessName` of a record, as one line of JSON.
pub(crate) fn name_in(body: &str) -> Option<String> {
    let record: serde_json::Value = serde_json::from_str(body).ok()?;
    let name = record.get("verificationRequestData")?.get("businessName")?.as_str()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// One version of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The id of the submission, in small letters.
    pub id: String,
    /// The status.
    pub status: String,
    /// When the record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification of the submission was received, if that was noted.
    pub notified_at: Option<Timestamp>,
    /// The record as one line of JSON.
    pub body: String,
}

/// Which of two notes on a submission is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnConflict {
    /// The one with the later time, so the order of imports makes no difference.
    KeepLatest,
    /// The new one: it may correct the old one.
    Replace,
}

/// What can be done inside one transaction. Ids and numbers are in small letters.
pub(crate) trait StoreTransaction {
    /// The newest record of each submission that is wanted or ever had a wanted number.
    fn look_up(&mut self, wanted: &Wanted) -> Result<Lookup, HistoryError>;

    /// All versions of all submissions that ever had a number, by submission and age.
    fn versions(&mut self, number: &str) -> Result<Vec<Version>, HistoryError>;

    /// All submissions, by number and id.
    fn list(&mut self, take: Take<'_, Listed>) -> Result<(), HistoryError>;

    /// The bodies of all records, by id and age.
    fn records(&mut self, take: Take<'_, str>) -> Result<(), HistoryError>;

    /// All notes, by id.
    fn notes(&mut self, take: Take<'_, Note>) -> Result<(), HistoryError>;

    /// Adds records, in the order of their ids, and returns how many are new.
    fn add(&mut self, records: &[Record]) -> Result<usize, HistoryError>;

    /// Makes what was added easy to find, once it is all there.
    fn settle(&mut self) -> Result<(), HistoryError>;

    /// Adds a note; whether there is a submission that it belongs to.
    fn note(&mut self, note: &Note, on_conflict: OnConflict) -> Result<bool, HistoryError>;

    /// Waits until nobody else decides about one of these things, numbers mostly; they are in order.
    fn lock(&mut self, things: &[String]) -> Result<(), HistoryError>;

    /// The token of a reservation, and its times.
    fn reservation(&mut self, number: &str) -> Result<Option<(String, Reservation)>, HistoryError>;

    /// Reserves a number, in place of an earlier reservation.
    fn reserve(&mut self, number: &str, token: &str, times: Reservation) -> Result<(), HistoryError>;

    /// Takes a reservation away; whether there was one.
    fn delete_reservation(&mut self, number: &str) -> Result<bool, HistoryError>;
}

/// What is called for each of many.
pub(crate) type Take<'t, T> = &'t mut dyn FnMut(&T) -> Result<(), HistoryError>;
