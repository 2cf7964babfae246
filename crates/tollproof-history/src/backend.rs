//! The traits that a database implements to be a store: a connection, and the operations of one transaction.

use jiff::Timestamp;
use tollproof_core::Reservation;

use crate::entry::{Note, Record};
use crate::error::Result;
use crate::host::Host;
use crate::lookup::{Lookup, Query};
use crate::row::{SqlRow, SqlValue, microseconds, text};
use crate::version::{SubmissionSummary, Version};

/// The access mode of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Reads a consistent snapshot.
    Read,
    /// Changes the store, all or nothing.
    Write,
}

/// A connection to the database of a store.
pub(crate) trait Backend: std::fmt::Debug + Send {
    /// Runs `work` on what belongs to a host, in one transaction, which is rolled back if `work` fails.
    fn transact(&mut self, mode: Mode, host: &Host, work: Work<'_>) -> Result<()>;

    /// The current time, from the clock that all users of the store share.
    fn now(&mut self) -> Result<Timestamp>;

    /// Replaces a lost connection.
    fn reconnect(&mut self) -> Result<()>;
}

/// The operations to run in a transaction.
pub(crate) type Work<'w> = &'w mut dyn FnMut(&mut dyn StoreTransaction) -> Result<()>;

/// The note to keep if a submission already has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnConflict {
    /// The one with the later time, so that the order of imports makes no difference.
    KeepLatest,
    /// The new one, so that it can correct the old one.
    Replace,
}

/// The operations of one transaction. Ids are in lower case and numbers are keys, except in a [`Query`].
///
/// SQL that is given to `execute` and `rows` is the same for all databases, with `?1` for the first parameter.
pub(crate) trait StoreTransaction {
    /// The host to which all that the transaction sees and changes belongs, as it is stored.
    fn host(&self) -> &str;

    /// Runs a statement and returns the number of rows that it changed.
    fn execute(&mut self, sql: &str, parameters: &[SqlValue]) -> Result<usize>;

    /// Runs a query and calls `visit` for each row as it arrives.
    fn rows(
        &mut self,
        sql: &str,
        parameters: &[SqlValue],
        visit: &mut dyn FnMut(SqlRow) -> Result<()>,
    ) -> Result<()>;

    /// All rows of a query of few rows.
    fn all(&mut self, sql: &str, parameters: &[SqlValue]) -> Result<Vec<SqlRow>> {
        let mut found = Vec::new();
        self.rows(sql, parameters, &mut |row| {
            found.push(row);
            Ok(())
        })?;
        Ok(found)
    }

    /// SQL that joins `r`, the newest record of the submission `s`: the one that changed last, or of equally recent ones the
    /// one that was stored last. A record without a time is older than all others.
    fn newest(&self) -> &'static str;

    /// The newest record of each submission with one of the ids, or that ever contained one of the numbers.
    fn look_up(&mut self, query: &Query) -> Result<Lookup>;

    /// Adds records, which are sorted by id, and returns how many of them are new.
    fn add(&mut self, records: &[Record]) -> Result<usize>;

    /// Updates the statistics of the query planner after many records were added.
    fn analyze(&mut self) -> Result<()>;

    /// Locks names, mostly numbers, until the end of the transaction. They are sorted, so that callers cannot deadlock.
    fn lock(&mut self, names: &[String]) -> Result<()>;

    /// All versions of all submissions that ever contained a number, by submission, the oldest version first.
    fn versions(&mut self, number: &str) -> Result<Vec<Version>> {
        let sql = "SELECT s.id, r.status, r.updated_at, s.notified_at, r.body \
            FROM number n JOIN submission s ON s.key = n.submission JOIN record r ON r.submission = s.key \
            WHERE s.host = ?1 AND n.number = ?2 ORDER BY s.key, r.updated_at NULLS FIRST, r.seen_at, r.key";
        let rows = self.all(sql, &[text(self.host()), text(number)])?;
        Ok(rows.into_iter().map(|mut row| row.version()).collect())
    }

    /// All submissions, sorted by number and id; those without a number come last.
    fn list(&mut self, visit: Visit<'_, SubmissionSummary>) -> Result<()> {
        let columns = "SELECT s.id, r.status, r.updated_at, s.notified_at, r.body";
        let newest = self.newest();
        let with_number = format!(
            "{columns}, n.number FROM number n JOIN submission s ON s.key = n.submission {newest} \
             WHERE s.host = ?1 ORDER BY n.number, s.id"
        );
        let without_number = format!(
            "{columns}, '' FROM submission s {newest} \
             WHERE s.host = ?1 AND NOT EXISTS (SELECT 1 FROM number n WHERE n.submission = s.key) ORDER BY s.id"
        );
        for sql in [with_number, without_number] {
            self.rows(&sql, &[text(self.host())], &mut |mut row| {
                let number = row.text(5);
                visit(&SubmissionSummary::new(number, row.version()))
            })?;
        }
        Ok(())
    }

    /// The bodies of all records, sorted by id, the oldest version first.
    fn records(&mut self, visit: Visit<'_, str>) -> Result<()> {
        let sql = "SELECT r.body FROM submission s JOIN record r ON r.submission = s.key \
            WHERE s.host = ?1 ORDER BY s.id, r.updated_at NULLS FIRST, r.seen_at, r.key";
        self.rows(sql, &[text(self.host())], &mut |mut row| visit(&row.text(0)))
    }

    /// All notes, sorted by id.
    fn notes(&mut self, visit: Visit<'_, Note>) -> Result<()> {
        let sql =
            "SELECT id, notified_at FROM submission WHERE host = ?1 AND notified_at IS NOT NULL ORDER BY id";
        self.rows(sql, &[text(self.host())], &mut |mut row| {
            let notified_at = row.time(1).unwrap_or_default();
            visit(&Note { id: row.text(0), notified_at })
        })
    }

    /// Adds a note. Returns whether its submission exists.
    fn note(&mut self, note: &Note, on_conflict: OnConflict) -> Result<bool> {
        let sql = match on_conflict {
            OnConflict::Replace => "UPDATE submission SET notified_at = ?3 WHERE host = ?1 AND id = ?2",
            OnConflict::KeepLatest => {
                "UPDATE submission SET notified_at = CASE WHEN notified_at > ?3 THEN notified_at ELSE ?3 END \
                 WHERE host = ?1 AND id = ?2"
            }
        };
        Ok(self.execute(sql, &[text(self.host()), text(&note.id), microseconds(note.notified_at)])? > 0)
    }

    /// The numbers that are or were reserved, and the times, sorted by number.
    fn all_reservations(&mut self) -> Result<Vec<(String, Reservation)>> {
        let sql = "SELECT number, since, until FROM reservation WHERE host = ?1 ORDER BY number";
        let rows = self.all(sql, &[text(self.host())])?;
        Ok(rows.into_iter().map(|mut row| (row.text(0), row.reservation(1))).collect())
    }

    /// The token and the times of a reservation.
    fn reservation(&mut self, number: &str) -> Result<Option<(String, Reservation)>> {
        let sql = "SELECT token, since, until FROM reservation WHERE host = ?1 AND number = ?2";
        let row = self.all(sql, &[text(self.host()), text(number)])?.pop();
        Ok(row.map(|mut row| (row.text(0), row.reservation(1))))
    }

    /// Reserves a number and replaces an earlier reservation.
    fn reserve(&mut self, number: &str, token: &str, times: Reservation) -> Result<()> {
        let sql = "INSERT INTO reservation (host, number, token, since, until) VALUES (?1, ?2, ?3, ?4, ?5) \
            ON CONFLICT (host, number) DO UPDATE SET token = ?3, since = ?4, until = ?5";
        let (since, until) = (microseconds(times.since), microseconds(times.until));
        self.execute(sql, &[text(self.host()), text(number), text(token), since, until]).map(drop)
    }

    /// Deletes a reservation. Returns whether there was one.
    fn delete_reservation(&mut self, number: &str) -> Result<bool> {
        let sql = "DELETE FROM reservation WHERE host = ?1 AND number = ?2";
        Ok(self.execute(sql, &[text(self.host()), text(number)])? > 0)
    }

    /// Deletes all reservations under a token.
    fn delete_reservations_of(&mut self, token: &str) -> Result<()> {
        let sql = "DELETE FROM reservation WHERE host = ?1 AND token = ?2";
        self.execute(sql, &[text(self.host()), text(token)]).map(drop)
    }
}

/// A callback for each item.
pub(crate) type Visit<'t, T> = &'t mut dyn FnMut(&T) -> Result<()>;
