//! A store of submissions, for any database.

mod accepted;
mod attempt_rows;
mod attempts;
mod claims;
mod fetched;
mod import;
mod reserve;
mod withdrawn;

use jiff::Timestamp;
use tollproof_core::{History, Submission};

pub use self::attempts::Begun;
pub use self::fetched::Stored;
pub use self::import::Imported;
pub use self::reserve::{Confirmed, Released, Reserved};
use crate::backend::{Backend, Mode, OnConflict, StoreTransaction};
use crate::entry::{Note, key, number_key, shown_number};
use crate::error::{HistoryError, Result};
use crate::host::Host;
use crate::location::{Access, Location};
use crate::lookup::{Lookup, Query, gather};
use crate::sqlite::Sqlite;
use crate::version::{SubmissionSummary, Version};

/// A history that can be written to: SQLite or PostgreSQL.
#[derive(Debug)]
pub struct Store {
    location: Location,
    backend: Box<dyn Backend>,
    host: Host,
    /// Whether this is a copy of record files in memory, which must not be changed.
    is_copy: bool,
}

impl Store {
    /// Opens a store. Record files are copied into a read-only store in memory.
    ///
    /// # Errors
    ///
    /// The store does not exist and `access` is [`Access::Read`], the file is not a store of tollproof, or another
    /// version of tollproof created it.
    pub fn open(location: &Location, access: Access) -> Result<Self> {
        let backend: Box<dyn Backend> = match location {
            Location::Sqlite(path) => Box::new(Sqlite::open(path, &location.to_string(), access)?),
            #[cfg(feature = "postgres")]
            Location::Postgres(url) => Box::new(crate::postgres::Postgres::open(url, access)?),
            #[cfg(not(feature = "postgres"))]
            Location::Postgres(_) => {
                return Err(HistoryError::Usage(crate::location::NO_POSTGRES.to_owned()));
            }
            Location::Files(_) if access == Access::Create => return Err(HistoryError::of_files()),
            Location::Files(pattern) => return Self::copy_of(pattern, location),
        };
        Ok(Self { location: location.clone(), backend, host: Host::default(), is_copy: false })
    }

    fn copy_of(pattern: &str, location: &Location) -> Result<Self> {
        let backend = Box::new(Sqlite::in_memory(&location.to_string())?);
        let mut copy = Self { location: location.clone(), backend, host: Host::default(), is_copy: false };
        copy.import(&[pattern.to_owned()], |_| {})?;
        copy.is_copy = true;
        Ok(copy)
    }

    /// This store, for what belongs to a host. Record files belong to the provider's own servers.
    #[must_use]
    pub fn at(mut self, host: Host) -> Self {
        self.host = host;
        self
    }

    /// The host to which all that the store reads and writes belongs.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The location of the store, without password.
    pub fn name(&self) -> String {
        self.location.to_string()
    }

    /// The newest records of the matching submissions, and reservations.
    pub(crate) fn look_up(&mut self, query: &Query) -> Result<Lookup> {
        self.read(|transaction| transaction.look_up(query))
    }

    /// Calls `visit` for each submission, sorted by number.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or `visit` returned an error.
    pub fn list(&mut self, mut visit: impl FnMut(&SubmissionSummary) -> Result<()>) -> Result<()> {
        self.backend.transact(Mode::Read, &self.host, &mut |transaction| transaction.list(&mut visit))
    }

    /// All versions of all submissions that ever contained a number, the oldest first; or those of the submission with an
    /// id.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn timeline(&mut self, number: &str) -> Result<Timeline> {
        let (text, name) = (number.trim(), self.name());
        self.read(|transaction| {
            let mut number = number_key(text);
            let mut history = history_of(transaction, &name, std::slice::from_ref(&number))?;
            let id = key(text);
            let of_id = history
                .submissions()
                .is_empty()
                .then(|| id_of(transaction, &name, &id))
                .transpose()?
                .flatten();
            if let Some(of_number) = of_id.as_ref().and_then(|it| it.numbers.first()) {
                number = number_key(of_number);
                history = history_of(transaction, &name, std::slice::from_ref(&number))?;
            }
            let names = history.names(&number);
            let mut timeline = Timeline { number: shown_number(text), ..Timeline::default() };
            for name in &names {
                for version in transaction.versions(name)? {
                    let is_meant = of_id.is_none() || version.id == id;
                    if is_meant && !timeline.versions.contains(&version) {
                        timeline.versions.push(version);
                    }
                }
                let until = transaction.reservation(name)?.map(|it| it.1.until);
                timeline.reserved_until = timeline.reserved_until.max(until);
            }
            for version in &mut timeline.versions {
                let submission = version.submission();
                if key(&submission.id) == version.id {
                    version.id.clone_from(&submission.id);
                }
                if let Some(written) = submission.numbers.iter().find(|it| number_key(it) == number) {
                    timeline.number = shown_number(written);
                }
            }
            Ok(timeline)
        })
    }

    /// Calls `visit` with each record and note as one line of JSON, in the format of an import; reservations are not
    /// exported. Records come first, sorted by id and age, then notes. Stores with the same content export the same
    /// lines.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or `visit` returned an error.
    pub fn export(&mut self, mut visit: impl FnMut(&str) -> Result<()>) -> Result<()> {
        self.backend.transact(Mode::Read, &self.host, &mut |transaction| {
            transaction.records(&mut visit)?;
            transaction.notes(&mut |note| visit(&note.line()))
        })
    }

    /// Notes when the authority's notification was received, for the open submission of a number, or else for the one
    /// that changed last. Returns the id of the submission.
    ///
    /// # Errors
    ///
    /// The number has no submission, or the store cannot be written to.
    pub fn note(&mut self, number: &str, notified_at: Timestamp) -> Result<String> {
        let name = self.name();
        self.change(|transaction| {
            let history = history_of(transaction, &name, &[number_key(number)])?;
            let newest = || history.of_number(number).max_by_key(|it| it.updated_at);
            let Some(submission) = history.open(number).or_else(newest) else {
                return Err(HistoryError::UnknownNumber(number_key(number)));
            };
            let id = key(&submission.id);
            transaction.note(&Note { id: id.clone(), notified_at }, OnConflict::Replace)?;
            Ok(id)
        })
    }

    /// The current time, from the clock that all users of the store share.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn now(&mut self) -> Result<Timestamp> {
        let now = self.backend.now();
        if !now.as_ref().is_err_and(HistoryError::is_lost) {
            return now;
        }
        self.backend.reconnect()?;
        self.backend.now()
    }

    fn read<T>(&mut self, work: impl FnMut(&mut dyn StoreTransaction) -> Result<T>) -> Result<T> {
        self.with_retry(Mode::Read, work)
    }

    /// Changes the store. If the connection is lost, `work` runs a second time, and the first may have been committed:
    /// `work` must be idempotent.
    pub(crate) fn change<T>(
        &mut self,
        work: impl FnMut(&mut dyn StoreTransaction) -> Result<T>,
    ) -> Result<T> {
        if self.is_copy {
            return Err(HistoryError::of_files());
        }
        self.with_retry(Mode::Write, work)
    }

    fn with_retry<T>(
        &mut self,
        mode: Mode,
        mut work: impl FnMut(&mut dyn StoreTransaction) -> Result<T>,
    ) -> Result<T> {
        let mut done = None;
        let mut attempt = |transaction: &mut dyn StoreTransaction| {
            done = Some(work(transaction)?);
            Ok(())
        };
        let mut result = self.backend.transact(mode, &self.host, &mut attempt);
        if result.as_ref().is_err_and(HistoryError::is_lost) {
            self.backend.reconnect()?;
            result = self.backend.transact(mode, &self.host, &mut attempt);
        }
        result.map(|()| done.expect("work that succeeds sets it"))
    }
}

/// The submissions of numbers in one store, whichever of their names they show.
fn history_of(transaction: &mut dyn StoreTransaction, store: &str, numbers: &[String]) -> Result<History> {
    let query = Query { numbers: numbers.to_vec(), ids: Vec::new() };
    let builder =
        gather(&query, |query, builder| builder.add_records(store, transaction.look_up(query)?.records))?;
    Ok(builder.build().history)
}

/// The submission with an id.
fn id_of(transaction: &mut dyn StoreTransaction, store: &str, id: &str) -> Result<Option<Submission>> {
    let query = Query { numbers: Vec::new(), ids: vec![id.to_owned()] };
    let builder =
        gather(&query, |query, builder| builder.add_records(store, transaction.look_up(query)?.records))?;
    Ok(builder.build().history.of_id(id).cloned())
}

/// The complete history of a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The number, as it is written in the records.
    pub number: String,
    /// All versions of all submissions, by submission, the oldest first.
    pub versions: Vec<Version>,
    /// Past or future end of the number's reservation, if there is one.
    pub reserved_until: Option<Timestamp>,
}
