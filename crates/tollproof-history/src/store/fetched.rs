//! Records that were fetched from the provider: what changed, and which accepted attempts they settle.

use std::collections::{BTreeMap, BTreeSet};

use tollproof_core::{Parsed, Submission};

use super::claims::Claim;
use super::reserve::{is_before, names_of};
use super::{Store, claims, history_of, id_of};
use crate::backend::StoreTransaction;
use crate::entry::{self, HistoryEntry, Record, key, number_key, shown_number};
use crate::error::{HistoryError, Result};
use crate::row::text;

/// Result of [`Store::add_records`] for one submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The id of the submission.
    pub id: String,
    /// Its numbers as people see them.
    pub numbers: Vec<String>,
    /// The status before; `None` if the submission was unknown.
    pub before: Option<String>,
    /// The status of its newest record now.
    pub status: String,
    /// Whether the store contained none of these records of the submission before.
    pub is_new: bool,
}

impl Store {
    /// Stores records as they were fetched, atomically, and returns what changed, by submission. An older record never
    /// becomes the newest. A record that shows what became of an accepted attempt ends its reservation.
    ///
    /// # Errors
    ///
    /// A document is not a record, or the store cannot be written to.
    pub fn add_records(&mut self, parsed: &Parsed<'_>) -> Result<Vec<Stored>> {
        self.add_records_of(parsed, &BTreeMap::new())
    }

    /// Does the same as [`Store::add_records`] for records that may not show their numbers. `numbers` has those, by the id of
    /// the submission.
    ///
    /// # Errors
    ///
    /// Those of [`Store::add_records`].
    pub fn add_records_of(
        &mut self,
        parsed: &Parsed<'_>,
        numbers: &BTreeMap<String, Vec<String>>,
    ) -> Result<Vec<Stored>> {
        let mut records = Vec::new();
        let mut all: Vec<Stored> = Vec::new();
        entry::each(parsed, 1, |entry| {
            match entry.map_err(HistoryError::Record)? {
                HistoryEntry::Record(mut submission, mut record) => {
                    if let Some(own) = numbers.get(&submission.id).filter(|_| record.numbers.is_empty()) {
                        record.numbers = own.iter().map(|number| number_key(number)).collect();
                        submission.numbers.clone_from(own);
                    }
                    let known = all.iter_mut().find(|it| key(&it.id) == record.id);
                    let numbers = submission.numbers.iter().map(|it| shown_number(it)).collect();
                    match known {
                        Some(stored) => stored.numbers = numbers,
                        None => {
                            let (before, status) = (None, String::new());
                            let id = submission.id.trim().to_owned();
                            all.push(Stored { id, numbers, before, status, is_new: true });
                        }
                    }
                    records.push(record);
                }
                HistoryEntry::Note(..) => {}
                HistoryEntry::Other(other) => return Err(HistoryError::Record(other)),
            }
            Ok(())
        })?;
        // A stable sort, because of equally recent versions the last is the newest.
        records.sort_by(|a, b| a.id.cmp(&b.id));
        let store = self.name();
        // What was known before the first try, because it may have been committed before the connection was lost.
        let mut before = None;
        self.change(|transaction| {
            let mut records = records.clone();
            records.iter_mut().try_for_each(|record| number_of_attempt(transaction, record))?;
            if before.is_none() {
                let statuses: Result<Vec<_>, _> =
                    all.iter().map(|record| status(transaction, &key(&record.id))).collect();
                let known: Result<Vec<_>, _> = records.iter().map(|it| is_known(transaction, it)).collect();
                before = Some((statuses?, known?));
            }
            let mut fetched = FetchedRecords::awaited(transaction)?;
            fetched.note(transaction, &records)?;
            transaction.add(&records)?;
            fetched.settle(transaction, &store)?;
            let (statuses, known) = before.as_ref().expect("it was set above");
            let mut stored = all.clone();
            for (stored, before) in stored.iter_mut().zip(statuses) {
                let id = key(&stored.id);
                stored.before.clone_from(before);
                stored.status = status(transaction, &id)?.unwrap_or_default();
                stored.is_new = records.iter().zip(known).filter(|it| it.0.id == id).all(|it| !it.1);
            }
            Ok(stored)
        })
    }
}

/// Adds the number of the attempt that returned the id of a record, if the record shows no number.
fn number_of_attempt(transaction: &mut dyn StoreTransaction, record: &mut Record) -> Result<()> {
    if !record.numbers.is_empty() {
        return Ok(());
    }
    let sql = "SELECT number FROM attempt WHERE host = ?1 AND lower(id) = ?2 AND number <> ''";
    let parameters = [text(transaction.host()), text(&record.id)];
    let number = transaction.all(sql, &parameters)?.pop().map(|mut row| number_key(&row.text(0)));
    record.numbers.extend(number);
    Ok(())
}

/// The status of the newest record of a submission.
fn status(transaction: &mut dyn StoreTransaction, id: &str) -> Result<Option<String>> {
    let newest = transaction.newest();
    let sql = format!("SELECT r.status FROM submission s {newest} WHERE s.host = ?1 AND s.id = ?2");
    Ok(transaction.all(&sql, &[text(transaction.host()), text(id)])?.pop().map(|mut row| row.text(0)))
}

/// Whether the store contains this version of a record.
fn is_known(transaction: &mut dyn StoreTransaction, record: &Record) -> Result<bool> {
    let sql = "SELECT s.id FROM submission s JOIN record r ON r.submission = s.key \
        WHERE s.host = ?1 AND s.id = ?2 AND r.body = ?3";
    let parameters = [text(transaction.host()), text(&record.id), text(&record.body)];
    Ok(!transaction.all(sql, &parameters)?.is_empty())
}

/// The records of a transaction that may settle accepted attempts.
pub(super) struct FetchedRecords {
    /// Whether an accepted attempt waits for the record of its submission.
    are_awaited: bool,
    /// The records, without their bodies, and whether they are new.
    records: Vec<(Record, bool)>,
}

impl FetchedRecords {
    /// None yet.
    pub(super) fn awaited(transaction: &mut dyn StoreTransaction) -> Result<Self> {
        let are_awaited = !claims::of_accepted(transaction)?.is_empty();
        Ok(Self { are_awaited, records: Vec::new() })
    }

    /// Notes records before they are added.
    pub(super) fn note(&mut self, transaction: &mut dyn StoreTransaction, records: &[Record]) -> Result<()> {
        if !self.are_awaited {
            return Ok(());
        }
        for record in records {
            let is_new = !is_known(transaction, record)?;
            self.records.push((Record { body: String::new(), ..record.clone() }, is_new));
        }
        Ok(())
    }

    /// Ends the reservations of the accepted attempts that the added records are about.
    pub(super) fn settle(self, transaction: &mut dyn StoreTransaction, store: &str) -> Result<()> {
        if self.records.is_empty() {
            return Ok(());
        }
        let mut named = Vec::new();
        for (record, is_new) in self.records {
            let history = history_of(transaction, store, &record.numbers)?;
            let names = names_of(&history, &record.numbers);
            // The newest record counts: this one may be older.
            let newest = match history.of_id(&record.id) {
                Some(newest) => Some(newest.clone()),
                None => id_of(transaction, store, &record.id)?,
            };
            named.extend(newest.map(|newest| FetchedRecord { newest, names, is_new }));
        }
        let waiting = claims::of_accepted(transaction)?;
        let names: BTreeSet<String> = waiting
            .into_iter()
            .filter(|claim| named.iter().any(|it| it.is_about(claim)))
            .map(|claim| claim.name)
            .collect();
        transaction.lock(&names.into_iter().collect::<Vec<_>>())?;
        for claim in claims::of_accepted(transaction)? {
            let settles = |seen: &&FetchedRecord| seen.is_about(&claim) && seen.shows_outcome(&claim);
            if let Some(fetched) = named.iter().find(settles) {
                // As the provider writes it, because it may be needed to ask for the submission.
                claims::set_id(transaction, &claim.token, fetched.newest.id.trim())?;
                claims::end(transaction, &claim.name, &claim.token)?;
            }
        }
        Ok(())
    }
}

/// A record that was added.
struct FetchedRecord {
    /// The newest state of its submission.
    newest: Submission,
    /// The keys of all names of its numbers.
    names: Vec<String>,
    /// Whether the store did not contain the record before.
    is_new: bool,
}

impl FetchedRecord {
    /// Whether the record is about the number or the submission of an attempt.
    fn is_about(&self, claim: &Claim) -> bool {
        self.names.contains(&claim.name) || self.is_of(claim) == Some(true)
    }

    /// Whether the attempt returned the id of the submission; `None` if it returned no id.
    fn is_of(&self, claim: &Claim) -> Option<bool> {
        claim.id.as_deref().map(|id| key(id) == key(&self.newest.id))
    }

    /// Whether the record shows what became of an accepted attempt, so that the number need not be reserved for it.
    fn shows_outcome(&self, claim: &Claim) -> bool {
        if self.newest.is_open() {
            // From now on, the open submission takes the number.
            return true;
        }
        match (self.is_of(claim), self.newest.updated_at) {
            (Some(is_same), _) => is_same,
            (None, Some(ended)) => !is_before(ended, claim.since),
            // A record without a time that was known before is about an earlier submission.
            (None, None) => self.is_new,
        }
    }
}
