//! Reservations: a number is reserved before a draft is sent, and confirmed or released afterwards.

use jiff::{SignedDuration, Timestamp};
use tollproof_core::{Parsed, Reservation, Submission};

use super::Store;
use crate::entry::{self, HistoryEntry, Record, key};
use crate::error::HistoryError;
use crate::lookup::{HistoryBuilder, Query};

/// The result of [`Store::reserve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// The number is reserved for the caller.
    Done,
    /// Another caller has reserved the number, or it has an open submission.
    Taken,
}

/// The result of [`Store::confirm`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The id of the submission.
    pub id: String,
    /// Its numbers.
    pub numbers: Vec<String>,
    /// The numbers whose reservation was deleted.
    pub freed: Vec<String>,
    /// The numbers that stay reserved: their submission ended before they were reserved, so it is not the one that was
    /// sent.
    pub older: Vec<String>,
}

/// The result of [`Store::release`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// The reservation was deleted.
    Done,
    /// The number was not reserved.
    NotReserved,
    /// The number is reserved under another token and stays reserved.
    OtherToken,
}

impl Store {
    /// Reserves a number if it is free, atomically: if several callers try at the same time, one of them gets it. An
    /// expired reservation is replaced. `token` identifies the caller.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn reserve(
        &mut self,
        number: &str,
        token: &str,
        times: Reservation,
    ) -> Result<Reserved, HistoryError> {
        let number = key(number);
        let name = self.name();
        let query = Query { numbers: vec![number.clone()], ids: Vec::new() };
        self.change(|transaction| {
            transaction.lock(std::slice::from_ref(&number))?;
            match transaction.reservation(&number)? {
                // The connection was lost after the first attempt was committed.
                Some((holder, _)) if holder == token => return Ok(Reserved::Done),
                Some((_, earlier)) if times.since < earlier.until => return Ok(Reserved::Taken),
                _ => {}
            }
            let mut builder = HistoryBuilder::default();
            builder.add_records(&name, transaction.look_up(&query)?.records)?;
            if builder.build().history.open(&number).is_some() {
                return Ok(Reserved::Taken);
            }
            transaction.reserve(&number, token, times)?;
            Ok(Reserved::Done)
        })
    }

    /// Adds the record of the submission that was sent and deletes the reservation of its numbers, atomically.
    ///
    /// # Errors
    ///
    /// The text is not exactly one record, or the store cannot be written to.
    pub fn confirm(&mut self, parsed: &Parsed<'_>) -> Result<Confirmed, HistoryError> {
        let record = one_record(parsed)?;
        let mut numbers = record.numbers.clone();
        numbers.sort_unstable();
        self.change(|transaction| {
            transaction.lock(&numbers)?;
            transaction.add(std::slice::from_ref(&record))?;
            let (mut freed, mut older) = (Vec::new(), Vec::new());
            for number in &numbers {
                let reserved = transaction.reservation(number)?.map(|(_, times)| times.since);
                if reserved.is_some_and(|since| is_before(&record, since)) {
                    older.push(number.clone());
                } else if transaction.delete_reservation(number)? {
                    freed.push(number.clone());
                }
            }
            Ok(Confirmed { id: record.id.clone(), numbers: record.numbers.clone(), freed, older })
        })
    }

    /// Releases a number whose draft is not sent. With a token, only a reservation under that token is deleted.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn release(&mut self, number: &str, token: Option<&str>) -> Result<Released, HistoryError> {
        let number = key(number);
        self.change(|transaction| {
            transaction.lock(std::slice::from_ref(&number))?;
            match transaction.reservation(&number)? {
                None => Ok(Released::NotReserved),
                Some((holder, _)) if token.is_some_and(|token| token != holder) => Ok(Released::OtherToken),
                Some(_) => transaction.delete_reservation(&number).map(|_| Released::Done),
            }
        })
    }
}

/// The assumed maximum difference between the clocks of the provider and the store.
const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Whether the submission of a record ended before a number was reserved, so that it is not the one that was sent.
fn is_before(record: &Record, reserved: Timestamp) -> bool {
    let submission = Submission { status: record.status.clone(), ..Submission::default() };
    !submission.is_open() && record.updated_at.is_some_and(|updated| reserved.duration_since(updated) > SKEW)
}

/// The only record of a text.
fn one_record(parsed: &Parsed<'_>) -> Result<Record, HistoryError> {
    let mut records = Vec::new();
    entry::each(parsed, 1, |entry| {
        match entry {
            Ok(HistoryEntry::Record(_, record)) => records.push(record),
            Ok(HistoryEntry::Note(..)) => {}
            Ok(HistoryEntry::Other(mut other)) => {
                other.what += "; fetch the record of the new submission and confirm with that";
                return Err(HistoryError::Record(other));
            }
            Err(bad) => return Err(HistoryError::Record(bad)),
        }
        Ok(())
    })?;
    let count = records.len();
    match records.pop() {
        Some(record) if count == 1 => Ok(record),
        _ => Err(HistoryError::Usage(format!(
            "`{}` contains {count} records; confirm one record at a time",
            parsed.source().name()
        ))),
    }
}
