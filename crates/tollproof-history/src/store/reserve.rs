//! One number, one sender: reserved before a draft is sent, confirmed or released after.

use jiff::{SignedDuration, Timestamp};
use tollproof_core::{Parsed, Reservation, Submission};

use super::Store;
use crate::entry::{self, Entry, Record, key};
use crate::error::HistoryError;
use crate::lookup::{Gathered, Wanted};

/// What came of a wish to reserve a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// The number is reserved for the caller.
    Done,
    /// Someone else has reserved it, or it has an open submission.
    Taken,
}

/// What a confirmation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The id of the submission.
    pub id: String,
    /// Its numbers.
    pub numbers: Vec<String>,
    /// Those of them that were reserved until now.
    pub freed: Vec<String>,
    /// Those of them that stay reserved, since the record is older than the reservation and its submission has ended.
    pub older: Vec<String>,
}

/// What came of a wish to release a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// The number is free again.
    Done,
    /// It was not reserved.
    NotReserved,
    /// It is reserved under another token, and stays so.
    OtherToken,
}

impl Store {
    /// Reserves a number in one step with the question whether it is free: of callers at the same time, one gets it.
    /// A reservation that has run out counts no more. `token` tells the caller from others.
    ///
    /// # Errors
    ///
    /// A store that cannot be asked.
    pub fn reserve(
        &mut self,
        number: &str,
        token: &str,
        times: Reservation,
    ) -> Result<Reserved, HistoryError> {
        let number = key(number);
        let name = self.name();
        let wanted = Wanted { numbers: vec![number.clone()], ids: Vec::new() };
        self.change(|transaction| {
            transaction.lock(std::slice::from_ref(&number))?;
            match transaction.reservation(&number)? {
                // The connection was lost after the first try had counted.
                Some((holder, _)) if holder == token => return Ok(Reserved::Done),
                Some((_, earlier)) if times.since < earlier.until => return Ok(Reserved::Taken),
                _ => {}
            }
            let mut gathered = Gathered::default();
            gathered.add_records(&name, transaction.look_up(&wanted)?.records)?;
            if gathered.found().history.open(&number).is_some() {
                return Ok(Reserved::Taken);
            }
            transaction.reserve(&number, token, times)?;
            Ok(Reserved::Done)
        })
    }

    /// Takes the record of a submission that was sent, and its reservation away, in one step.
    ///
    /// # Errors
    ///
    /// A text that is not exactly one record, and a store that cannot be written to.
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

    /// Frees a number that will not be sent; with a token only if it is reserved under that.
    ///
    /// # Errors
    ///
    /// A store that cannot be written to.
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

/// Clocks differ by this much at most.
const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Whether a record tells of a submission that had ended before a number was reserved: it is not the one that was sent.
fn is_before(record: &Record, reserved: Timestamp) -> bool {
    let submission = Submission { status: record.status.clone(), ..Submission::default() };
    !submission.is_open() && record.updated_at.is_some_and(|updated| reserved.duration_since(updated) > SKEW)
}

/// The one record of a text.
fn one_record(parsed: &Parsed<'_>) -> Result<Record, HistoryError> {
    let mut records = Vec::new();
    entry::each(parsed, 1, |entry| {
        match entry {
            Ok(Entry::Record(_, record)) => records.push(record),
            Ok(Entry::Note(..)) => {}
            Ok(Entry::Other(mut other)) => {
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
            "`{}` holds {count} records; confirm one at a time",
            parsed.source().name()
        ))),
    }
}
