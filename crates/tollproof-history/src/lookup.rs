//! A query and its result: submissions by number and id, with notes and reservations.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::Timestamp;
use tollproof_core::{Format, History, Parsed, Reservation, Source, Submission, quoted};

use crate::entry::{key, number_key};
use crate::error::{HistoryError, Result};

/// A query: the numbers and ids to look up, in any spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The names of numbers.
    pub numbers: Vec<String>,
    /// The ids of submissions.
    pub ids: Vec<String>,
}

/// The submissions that match a query.
#[derive(Clone, Debug, Default)]
pub struct QueryResult {
    /// The submissions, with notes and reservations.
    pub history: History,
    /// The texts of records from stores, by the name in [`tollproof_core::Written::file`].
    pub texts: HashMap<String, String>,
}

/// The newest record of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LatestRecord {
    /// The id of the submission, in lower case.
    pub(crate) id: String,
    /// Receipt time of the submission's notification, if there is a note.
    pub(crate) notified_at: Option<Timestamp>,
    /// The record as one line of JSON.
    pub(crate) body: String,
    /// The number by which it was found. A record may lack it, if the number was named when the record was confirmed.
    pub(crate) number: Option<String>,
}

/// The matches of a query in one store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lookup {
    /// One record per submission.
    pub(crate) records: Vec<LatestRecord>,
    /// Numbers and their reservations, which may have expired.
    pub(crate) reservations: Vec<(String, Reservation)>,
}

/// Collects submissions, notes and reservations for a [`History`].
#[derive(Debug, Default)]
pub(crate) struct HistoryBuilder {
    submissions: Vec<Submission>,
    notes: HashMap<String, Timestamp>,
    pub(crate) reservations: Vec<(String, Reservation)>,
    texts: HashMap<String, String>,
}

/// Runs a query, and runs it again for the other names of the numbers that it found.
pub(crate) fn gather(
    query: &Query,
    mut look_up: impl FnMut(&Query, &mut HistoryBuilder) -> Result<()>,
) -> Result<HistoryBuilder> {
    let mut builder = HistoryBuilder::default();
    look_up(query, &mut builder)?;
    let mut asked: Option<HashSet<String>> = None;
    loop {
        let names = builder.joined_names();
        if names.is_empty() {
            return Ok(builder);
        }
        let asked = asked.get_or_insert_with(|| query.numbers.iter().map(|it| number_key(it)).collect());
        let numbers: Vec<String> = names.into_iter().filter(|name| asked.insert(name.clone())).collect();
        if numbers.is_empty() {
            return Ok(builder);
        }
        look_up(&Query { numbers, ids: Vec::new() }, &mut builder)?;
    }
}

impl HistoryBuilder {
    /// The names in records that show several names of a number.
    fn joined_names(&self) -> BTreeSet<String> {
        let joined =
            self.submissions.iter().filter(|submission| submission.names_one && submission.numbers.len() > 1);
        joined.flat_map(|it| &it.numbers).map(|name| number_key(name)).collect()
    }

    /// Adds a submission; `noted` is when its notification was received. The latest of several notes is used.
    pub(crate) fn add(&mut self, submission: Submission, noted: Option<Timestamp>) {
        if let Some(noted) = noted {
            let latest = self.notes.entry(key(&submission.id)).or_insert(noted);
            *latest = noted.max(*latest);
        }
        self.submissions.push(submission);
    }

    /// Parses and adds the records of a store.
    pub(crate) fn add_records(&mut self, store: &str, records: Vec<LatestRecord>) -> Result<()> {
        for LatestRecord { id, notified_at, body, number } in records {
            let name = format!("{store}#{id}");
            let source = Source::new(name.as_str(), body.as_str());
            let read = Parsed::of(&source, Some(Format::Json)).only().map(Submission::read);
            let Some(Ok(mut submission)) = read else {
                let why =
                    format!("the stored record of submission {} is not a verification record", quoted(&id));
                return Err(HistoryError::Store { name: store.to_owned(), why, lost: false });
            };
            drop(source);
            if submission.numbers.is_empty() {
                submission.numbers.extend(number);
            }
            self.add(submission, notified_at);
            self.texts.insert(name, body);
        }
        Ok(())
    }

    pub(crate) fn build(mut self) -> QueryResult {
        for submission in &mut self.submissions {
            submission.notified_at = self.notes.get(&key(&submission.id)).copied();
        }
        let history = History::new(self.submissions).with_reservations(self.reservations);
        QueryResult { history, texts: self.texts }
    }
}
