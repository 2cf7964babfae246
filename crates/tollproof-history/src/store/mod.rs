//! A store of submissions, whatever keeps it.

mod import;
mod reserve;

use jiff::Timestamp;

pub use self::import::Imported;
pub use self::reserve::{Confirmed, Released, Reserved};
use crate::backend::{Backend, Listed, Mode, OnConflict, StoreTransaction, Version};
use crate::entry::{Note, key};
use crate::error::HistoryError;
use crate::location::{Access, Location};
use crate::lookup::{Gathered, Lookup, Wanted};
use crate::sqlite::Sqlite;

/// A history that can be written to: SQLite or PostgreSQL.
#[derive(Debug)]
pub struct Store {
    location: Location,
    backend: Box<dyn Backend>,
    /// Whether this is a copy of files in memory, which nobody else sees.
    is_copy: bool,
}

impl Store {
    /// Opens a store. A history of files can be asked like one: it is copied into memory, and not to be changed.
    ///
    /// # Errors
    ///
    /// A store that is not there and is not to be made, that is not ours, or that a later version has made.
    pub fn open(location: &Location, access: Access) -> Result<Self, HistoryError> {
        let backend: Box<dyn Backend> = match location {
            Location::Sqlite(path) => Box::new(Sqlite::open(path, &location.to_string(), access)?),
            #[cfg(feature = "postgres")]
            Location::Postgres(url) => Box::new(crate::postgres::Postgres::open(url, access)?),
            #[cfg(not(feature = "postgres"))]
            Location::Postgres(_) => return Err(HistoryError::Usage("built without PostgreSQL".to_owned())),
            Location::Files(_) if access == Access::Create => return Err(HistoryError::of_files()),
            Location::Files(pattern) => return Self::copy_of(pattern, location),
        };
        Ok(Self { location: location.clone(), backend, is_copy: false })
    }

    fn copy_of(pattern: &str, location: &Location) -> Result<Self, HistoryError> {
        let backend = Box::new(Sqlite::in_memory(&location.to_string())?);
        let mut copy = Self { location: location.clone(), backend, is_copy: false };
        copy.import(&[pattern.to_owned()], |_| {})?;
        copy.is_copy = true;
        Ok(copy)
    }

    /// What the store is called: its location, without any password.
    #[must_use]
    pub fn name(&self) -> String {
        self.location.to_string()
    }

    /// The newest records of submissions, and reservations.
    pub(crate) fn look_up(&mut self, wanted: &Wanted) -> Result<Lookup, HistoryError> {
        self.ask(|transaction| transaction.look_up(wanted))
    }

    /// Hands over all submissions, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// A store that cannot be asked, and what `take` says.
    pub fn list(
        &mut self,
        mut take: impl FnMut(&Listed) -> Result<(), HistoryError>,
    ) -> Result<(), HistoryError> {
        self.backend.transact(Mode::Read, &mut |transaction| transaction.list(&mut take))
    }

    /// All versions of the records of all submissions that ever had a number, the oldest first.
    ///
    /// # Errors
    ///
    /// A store that cannot be asked.
    pub fn timeline(&mut self, number: &str) -> Result<Timeline, HistoryError> {
        let number = key(number);
        self.ask(|transaction| {
            let versions = transaction.versions(&number)?;
            let reserved_until = transaction.reservation(&number)?.map(|it| it.1.until);
            Ok(Timeline { versions, reserved_until })
        })
    }

    /// Hands over everything that the store keeps but reservations, as lines of JSON that an import takes: the
    /// records by id and age, then the notes. Two stores that hold the same give the same lines.
    ///
    /// # Errors
    ///
    /// A store that cannot be asked, and what `take` says.
    pub fn export(
        &mut self,
        mut take: impl FnMut(&str) -> Result<(), HistoryError>,
    ) -> Result<(), HistoryError> {
        self.backend.transact(Mode::Read, &mut |transaction| {
            transaction.records(&mut take)?;
            transaction.notes(&mut |note| take(&note.line()))
        })
    }

    /// Notes when the authority's notification was received, for the submission of a number that is open, or was
    /// the last to change. Returns its id.
    ///
    /// # Errors
    ///
    /// A number that no submission has, and a store that cannot be asked.
    pub fn note(&mut self, number: &str, notified_at: Timestamp) -> Result<String, HistoryError> {
        let wanted = Wanted { numbers: vec![key(number)], ids: Vec::new() };
        let name = self.name();
        self.change(|transaction| {
            let mut gathered = Gathered::default();
            gathered.add_records(&name, transaction.look_up(&wanted)?.records)?;
            let history = gathered.found().history;
            let newest = || history.of_number(number).max_by_key(|it| it.updated_at);
            let Some(submission) = history.open(number).or_else(newest) else {
                return Err(HistoryError::UnknownNumber(key(number)));
            };
            let id = key(&submission.id);
            transaction.note(&Note { id: id.clone(), notified_at }, OnConflict::Replace)?;
            Ok(id)
        })
    }

    /// The time by the clock that all users of the store share.
    pub(crate) fn now(&mut self) -> Result<Timestamp, HistoryError> {
        let now = self.backend.now();
        if !now.as_ref().is_err_and(HistoryError::is_lost) {
            return now;
        }
        self.backend.reconnect()?;
        self.backend.now()
    }

    fn ask<T>(
        &mut self,
        work: impl FnMut(&mut dyn StoreTransaction) -> Result<T, HistoryError>,
    ) -> Result<T, HistoryError> {
        self.again(Mode::Read, work)
    }

    /// Changes the store; the work may be done a second time where the connection was lost, so it must come to the
    /// same whether or not the first time counted.
    pub(crate) fn change<T>(
        &mut self,
        work: impl FnMut(&mut dyn StoreTransaction) -> Result<T, HistoryError>,
    ) -> Result<T, HistoryError> {
        if self.is_copy {
            return Err(HistoryError::of_files());
        }
        self.again(Mode::Write, work)
    }

    fn again<T>(
        &mut self,
        mode: Mode,
        mut work: impl FnMut(&mut dyn StoreTransaction) -> Result<T, HistoryError>,
    ) -> Result<T, HistoryError> {
        let mut done = None;
        let mut keep = |transaction: &mut dyn StoreTransaction| {
            done = Some(work(transaction)?);
            Ok(())
        };
        let mut first = self.backend.transact(mode, &mut keep);
        if first.as_ref().is_err_and(HistoryError::is_lost) {
            self.backend.reconnect()?;
            first = self.backend.transact(mode, &mut keep);
        }
        first.map(|()| done.expect("work that ends well leaves something"))
    }
}

/// The whole past of a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// All versions of all submissions.
    pub versions: Vec<Version>,
    /// When its reservation ends or has ended, if there is one.
    pub reserved_until: Option<Timestamp>,
}
