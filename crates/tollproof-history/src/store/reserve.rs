//! Reservations: a number is reserved before a draft is sent, and confirmed or released afterwards.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use tollproof_core::{History, Parsed, Reservation, Submission};

use super::{Store, attempt_rows, claims, history_of};
use crate::attempt::AttemptState;
use crate::backend::StoreTransaction;
use crate::entry::{self, HistoryEntry, Record, number_key, shown_of};
use crate::error::{HistoryError, Result};

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
    /// The reservation was deleted, and those of the other numbers of the draft.
    Done,
    /// The number was not reserved.
    NotReserved,
    /// The number is reserved under another token and stays reserved.
    OtherToken,
    /// The number belongs to an attempt that was or may have been sent, and stays reserved: no token was given.
    HasAttempt,
}

impl Store {
    /// Reserves the numbers of a draft if all are free, atomically: if several callers try at the same time, one of them
    /// gets them. An expired reservation is replaced. `token` identifies the caller.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn reserve(&mut self, numbers: &[String], token: &str, times: Reservation) -> Result<Reserved> {
        let numbers: Vec<String> = numbers.iter().map(|it| number_key(it)).collect();
        let store = self.name();
        self.change(|transaction| {
            let reserved = reserve_in(transaction, &store, &numbers, token, times)?;
            Ok(if reserved.is_some() { Reserved::Done } else { Reserved::Taken })
        })
    }

    /// Adds the record of the submission that was sent and deletes the reservation of its numbers, atomically.
    /// `number` is the number of a record that does not contain it.
    ///
    /// # Errors
    ///
    /// The text is not exactly one record, the record has a number and `number` is another one, or the store cannot be
    /// written to.
    pub fn confirm(&mut self, parsed: &Parsed<'_>, number: Option<&str>) -> Result<Confirmed> {
        let (submission, mut record) = one_record(parsed)?;
        match number.map(number_key) {
            Some(number) if record.numbers.is_empty() => record.numbers.push(number),
            Some(number) if !record.numbers.contains(&number) => {
                return Err(HistoryError::Usage(
                    "the record contains another number; remove `--number`".to_owned(),
                ));
            }
            _ => {}
        }
        let (store, now) = (self.name(), self.now()?);
        self.change(|transaction| {
            transaction.add(std::slice::from_ref(&record))?;
            let history = history_of(transaction, &store, &record.numbers)?;
            transaction.lock(&names_of(&history, &record.numbers))?;
            // Of several names of one number, the first is shown.
            let shown = if record.names_one { 1 } else { usize::MAX };
            let numbers: Vec<String> = record.numbers.iter().take(shown).cloned().collect();
            let ended = record.updated_at.filter(|_| !record.is_open);
            let (mut freed, mut older) = (Vec::new(), Vec::new());
            for number in &numbers {
                for name in history.names(number) {
                    let reserved = transaction.reservation(&name)?.map(|(_, times)| times.since);
                    if ended.zip(reserved).is_some_and(|(ended, since)| is_before(ended, since)) {
                        older.push(number.clone());
                        continue;
                    }
                    // The record shows that the attempt to submit the number arrived.
                    for claim in claims::of_name(transaction, &name)? {
                        claims::accept(transaction, &claim.token, now)?;
                        claims::set_id(transaction, &claim.token, submission.id.trim())?;
                        claims::end(transaction, &name, &claim.token)?;
                    }
                    transaction.delete_reservation(&name)?;
                    if reserved.is_some() {
                        freed.push(number.clone());
                    }
                }
            }
            older.dedup();
            freed.dedup();
            let shown = |keys: Vec<String>| keys.iter().map(|it| shown_of(it, &submission.numbers)).collect();
            let id = submission.id.trim().to_owned();
            Ok(Confirmed { id, numbers: shown(numbers), freed: shown(freed), older: shown(older) })
        })
    }

    /// All reservations, by number; also those that have ended and were not confirmed.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn reservations(&mut self) -> Result<Vec<(String, Reservation)>> {
        let store = self.name();
        self.read(|transaction| {
            let mut reservations = transaction.all_reservations()?;
            let keys: Vec<String> = reservations.iter().map(|it| it.0.clone()).collect();
            let history = history_of(transaction, &store, &keys)?;
            for (number, _) in &mut reservations {
                let names = history.of_number(number).flat_map(|it| it.numbers.clone()).collect::<Vec<_>>();
                *number = shown_of(number, &names);
            }
            Ok(reservations)
        })
    }

    /// Releases the numbers of a draft that is not sent, by one of them. With a token, only reservations under that
    /// token are deleted, and its attempt is withdrawn. Without one, the numbers of attempts stay reserved.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn release(&mut self, number: &str, token: Option<&str>) -> Result<Released> {
        let (number, now) = (number_key(number), self.now()?);
        self.change(|transaction| {
            transaction.lock(std::slice::from_ref(&number))?;
            let Some((holder, _)) = transaction.reservation(&number)? else {
                return Ok(Released::NotReserved);
            };
            if token.is_some_and(|token| token != holder) {
                return Ok(Released::OtherToken);
            }
            if attempt_rows::of_token(transaction, &holder)?.is_some() {
                if token.is_none() {
                    return Ok(Released::HasAttempt);
                }
                attempt_rows::end(transaction, &holder, None, AttemptState::Withdrawn, RELEASED, now)?;
            }
            claims::end_all(transaction, &holder)?;
            Ok(Released::Done)
        })
    }
}

/// Reason to withdraw attempts whose number was released.
const RELEASED: &str = "its number was released";

/// Reserves numbers, which are keys, under a token. Returns all their names, or `None` if one of them is not free.
pub(super) fn reserve_in(
    transaction: &mut dyn StoreTransaction,
    store: &str,
    numbers: &[String],
    token: &str,
    times: Reservation,
) -> Result<Option<Vec<String>>> {
    // All names of a number are reserved, so that callers who use different ones exclude each other.
    let names = names_of(&history_of(transaction, store, numbers)?, numbers);
    transaction.lock(&names)?;
    let mut own = 0;
    for name in &names {
        match transaction.reservation(name)? {
            // The connection was lost after the first try was committed.
            Some((holder, _)) if holder == token => own += 1,
            Some((_, earlier)) if times.since < earlier.until => return Ok(None),
            _ => {}
        }
        if claims::of_name(transaction, name)?.iter().any(|it| it.token != token) {
            return Ok(None);
        }
    }
    if own == names.len() {
        return Ok(Some(names));
    }
    let history = history_of(transaction, store, &names)?;
    if names.iter().any(|name| history.open(name).is_some()) {
        return Ok(None);
    }
    names.iter().try_for_each(|name| transaction.reserve(name, token, times))?;
    Ok(Some(names))
}

/// All names of numbers, sorted.
pub(super) fn names_of(history: &History, numbers: &[String]) -> Vec<String> {
    let names: BTreeSet<String> = numbers.iter().flat_map(|number| history.names(number)).collect();
    names.into_iter().collect()
}

/// The assumed maximum difference between the clocks of the provider and the store.
const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Whether a submission ended before a number was reserved, so that it is not the one that was sent.
pub(super) fn is_before(ended: Timestamp, reserved: Timestamp) -> bool {
    reserved.duration_since(ended) > SKEW
}

/// The only record of a text.
pub(super) fn one_record(parsed: &Parsed<'_>) -> Result<(Submission, Record)> {
    let mut records = Vec::new();
    entry::each(parsed, 1, |entry| {
        match entry {
            Ok(HistoryEntry::Record(submission, record)) => records.push((*submission, record)),
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
