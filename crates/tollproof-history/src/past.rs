//! Several histories, asked as one.

use crate::entry::key;
use crate::error::HistoryError;
use crate::files::Files;
use crate::location::{Access, Location};
use crate::lookup::{Found, Gathered, Wanted};
use crate::store::Store;

/// Histories of any sort, opened.
#[derive(Debug, Default)]
pub struct Past {
    files: Vec<Files>,
    stores: Vec<Store>,
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
            gathered.add_records(&store.name(), answer.records)?;
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
