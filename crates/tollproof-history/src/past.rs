//! Several histories, asked as one.

use std::collections::HashMap;

use jiff::Timestamp;
use tollproof_core::{Format, History, Parsed, Reservation, Source, Submission, quoted};

use crate::entry::key;
use crate::error::HistoryError;
use crate::files::Files;
use crate::location::Location;
use crate::store::{Kept, Store};

/// What may be done to a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The history must be there: a wrong path must not look like a number without a past.
    Read,
    /// A store that is not there is made.
    Create,
}

/// Histories of any sort, opened.
#[derive(Debug, Default)]
pub struct Past {
    files: Vec<Files>,
    stores: Vec<Store>,
}

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

impl Past {
    /// Opens histories. Files are read as a whole; of a store nothing is read but its form.
    ///
    /// # Errors
    ///
    /// A history that is not there, that cannot be read, or that holds a record without an id or a number.
    pub fn open(locations: &[Location], access: Access) -> Result<Self, HistoryError> {
        let mut past = Self::default();
        for location in locations {
            match location {
                Location::Files(pattern) => past.files.push(Files::open(pattern)?),
                location => past.stores.push(Store::open(location, access)?),
            }
        }
        Ok(past)
    }

    /// Finds the submissions of numbers and ids: of each the newest record, by whichever history has it.
    ///
    /// # Errors
    ///
    /// A store that cannot be asked, or that holds something that is no record.
    pub fn look_up(&mut self, wanted: &Wanted) -> Result<Found, HistoryError> {
        let mut gathered = Gathered::default();
        for files in &self.files {
            for submission in files.look_up(wanted) {
                let noted = files.notes.get(&key(&submission.id)).copied();
                gathered.add(submission, noted);
            }
        }
        for store in &mut self.stores {
            let answer = store.look_up(wanted)?;
            gathered.add_kept(&store.name(), answer.records)?;
            gathered.reservations.extend(answer.reservations);
        }
        Ok(gathered.found())
    }

    /// What was passed over in files because it is no record: its place, and what it is.
    pub fn skipped(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|it| &it.skipped).map(String::as_str)
    }

    /// The one store among the histories.
    ///
    /// # Errors
    ///
    /// None, or several.
    pub fn store(&mut self) -> Result<&mut Store, HistoryError> {
        match self.stores.as_mut_slice() {
            [store] => Ok(store),
            [] => Err(HistoryError::of_files()),
            _ => Err(HistoryError::Usage(
                "several of the histories are stores; name the one to write to alone, or among files"
                    .to_owned(),
            )),
        }
    }
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
    fn add(&mut self, submission: Submission, noted: Option<Timestamp>) {
        if let Some(noted) = noted {
            let latest = self.notes.entry(key(&submission.id)).or_insert(noted);
            *latest = noted.max(*latest);
        }
        self.submissions.push(submission);
    }

    /// Reads records of a store.
    pub(crate) fn add_kept(&mut self, store: &str, records: Vec<Kept>) -> Result<(), HistoryError> {
        for Kept { id, notified_at, body } in records {
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
