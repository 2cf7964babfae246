//! The operations of an SQLite transaction.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::{CachedStatement, OptionalExtension as _, Params, Row, Transaction, params};
use tollproof_core::Reservation;

use super::failed;
use crate::backend::{OnConflict, StoreTransaction, SubmissionSummary, Version, Visit};
use crate::entry::{Note, Record, key, number_key};
use crate::error::HistoryError;
use crate::lookup::{LatestRecord, Lookup, Query};

/// SQL: `r` is the newest record of the submission `s`. A record without a time is older than all others.
const NEWEST: &str = "r.key = (SELECT key FROM record WHERE submission = s.key \
    ORDER BY updated_at DESC, key DESC LIMIT 1)";

/// A callback for each row.
trait VisitRow: FnMut(&Row<'_>) -> rusqlite::Result<Result<(), HistoryError>> {}

impl<T: FnMut(&Row<'_>) -> rusqlite::Result<Result<(), HistoryError>>> VisitRow for T {}

/// An open transaction.
pub(super) struct SqliteTransaction<'t> {
    pub(super) transaction: &'t Transaction<'t>,
    pub(super) name: &'t str,
}

impl SqliteTransaction<'_> {
    /// Runs a statement once and calls `visit` for each row.
    fn rows(&self, sql: &str, params: impl Params, visit: impl VisitRow) -> Result<(), HistoryError> {
        self.each(&mut self.prepare(sql)?, params, visit)
    }

    fn prepare(&self, sql: &str) -> Result<CachedStatement<'_>, HistoryError> {
        self.transaction.prepare_cached(sql).map_err(|error| self.failed(error))
    }

    /// Runs a prepared statement and calls `visit` for each row.
    fn each(
        &self,
        statement: &mut CachedStatement<'_>,
        params: impl Params,
        mut visit: impl VisitRow,
    ) -> Result<(), HistoryError> {
        let mut rows = statement.query(params).map_err(|error| self.failed(error))?;
        while let Some(row) = rows.next().map_err(|error| self.failed(error))? {
            visit(row).map_err(|error| self.failed(error))??;
        }
        Ok(())
    }

    /// Runs a statement and returns the number of rows that it changed.
    fn execute(&self, sql: &str, params: impl Params) -> rusqlite::Result<usize> {
        self.transaction.prepare_cached(sql)?.execute(params)
    }

    fn failed(&self, error: rusqlite::Error) -> HistoryError {
        failed(self.name, &error)
    }

    fn add_one(&self, record: &Record) -> rusqlite::Result<usize> {
        self.execute("INSERT INTO submission (id) VALUES (?1) ON CONFLICT DO NOTHING", [&record.id])?;
        let mut key = self.transaction.prepare_cached("SELECT key FROM submission WHERE id = ?1")?;
        let submission: i64 = key.query_row([&record.id], |row| row.get(0))?;
        let sql = "INSERT INTO record (submission, updated_at, status, digest, body) \
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING";
        let updated_at = record.updated_at.map(Timestamp::as_microsecond);
        let digest = record.digest();
        let new = self.execute(sql, params![submission, updated_at, record.status, digest, record.body])?;
        for number in &record.numbers {
            let sql = "INSERT INTO number (number, submission) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            self.execute(sql, params![number, submission])?;
        }
        Ok(new)
    }
}

impl StoreTransaction for SqliteTransaction<'_> {
    /// Runs one statement per key. There is no server, so larger statements would save no round trips.
    fn look_up(&mut self, query: &Query) -> Result<Lookup, HistoryError> {
        let of_number = format!(
            "SELECT s.key, s.id, s.notified_at, r.body FROM number n JOIN submission s ON s.key = n.submission \
             JOIN record r ON {NEWEST} WHERE n.number = ?1 ORDER BY n.submission"
        );
        let of_id = format!(
            "SELECT s.key, s.id, s.notified_at, r.body FROM submission s JOIN record r ON {NEWEST} WHERE s.id = ?1"
        );
        let mut lookup = Lookup::default();
        let mut seen = HashSet::new();
        let (numbers, ids) = (sorted(&query.numbers, number_key), sorted(&query.ids, key));
        for (sql, keys, are_numbers) in [(&of_number, &numbers, true), (&of_id, &ids, false)] {
            let mut statement = self.prepare(sql)?;
            for key in keys {
                self.each(&mut statement, [key], |row| {
                    if seen.insert(row.get::<_, i64>(0)?) {
                        let (id, body) = (row.get(1)?, row.get(3)?);
                        let number = are_numbers.then(|| key.clone());
                        lookup.records.push(LatestRecord { id, notified_at: time(row, 2)?, body, number });
                    }
                    Ok(Ok(()))
                })?;
            }
        }
        // All reservations are read, because few numbers are reserved at a time and a query may contain many.
        let numbers: HashSet<String> = numbers.into_iter().collect();
        if numbers.is_empty() {
            return Ok(lookup);
        }
        lookup.reservations = self.all_reservations()?;
        lookup.reservations.retain(|(number, _)| numbers.contains(number));
        Ok(lookup)
    }

    fn all_reservations(&mut self) -> Result<Vec<(String, Reservation)>, HistoryError> {
        let mut found = Vec::new();
        self.rows("SELECT number, since, until FROM reservation ORDER BY number", [], |row| {
            let (since, until) = (time(row, 1)?.unwrap_or_default(), time(row, 2)?.unwrap_or_default());
            found.push((row.get(0)?, Reservation { since, until }));
            Ok(Ok(()))
        })?;
        Ok(found)
    }

    fn versions(&mut self, number: &str) -> Result<Vec<Version>, HistoryError> {
        let sql = "SELECT s.id, r.status, r.updated_at, s.notified_at, r.body \
            FROM number n JOIN submission s ON s.key = n.submission JOIN record r ON r.submission = s.key \
            WHERE n.number = ?1 ORDER BY s.key, r.updated_at, r.key";
        let mut versions = Vec::new();
        self.rows(sql, [number], |row| {
            let (updated_at, notified_at) = (time(row, 2)?, time(row, 3)?);
            let (id, status, body) = (row.get(0)?, row.get(1)?, row.get(4)?);
            versions.push(Version { id, status, updated_at, notified_at, body });
            Ok(Ok(()))
        })?;
        Ok(versions)
    }

    fn list(&mut self, visit: Visit<'_, SubmissionSummary>) -> Result<(), HistoryError> {
        let sql = format!(
            "SELECT n.number, s.id, r.status, r.updated_at, s.notified_at, r.body FROM number n \
             JOIN submission s ON s.key = n.submission JOIN record r ON {NEWEST} ORDER BY n.number, s.id"
        );
        let without_number = format!(
            "SELECT '', s.id, r.status, r.updated_at, s.notified_at, r.body FROM submission s JOIN record r ON {NEWEST} \
             WHERE s.key NOT IN (SELECT submission FROM number) ORDER BY s.id"
        );
        for sql in [sql, without_number] {
            self.rows(&sql, [], |row| {
                let (updated_at, notified_at) = (time(row, 3)?, time(row, 4)?);
                let (id, status, body) = (row.get(1)?, row.get(2)?, row.get(5)?);
                let newest = Version { id, status, updated_at, notified_at, body };
                Ok(visit(&SubmissionSummary::new(row.get(0)?, newest)))
            })?;
        }
        Ok(())
    }

    fn records(&mut self, visit: Visit<'_, str>) -> Result<(), HistoryError> {
        let sql = "SELECT r.body FROM submission s JOIN record r ON r.submission = s.key \
            ORDER BY s.id, r.updated_at, r.key";
        self.rows(sql, [], |row| Ok(visit(row.get_ref(0)?.as_str()?)))
    }

    fn notes(&mut self, visit: Visit<'_, Note>) -> Result<(), HistoryError> {
        let sql = "SELECT id, notified_at FROM submission WHERE notified_at IS NOT NULL ORDER BY id";
        self.rows(sql, [], |row| {
            let (id, notified_at) = (row.get(0)?, time(row, 1)?.unwrap_or_default());
            Ok(visit(&Note { id, notified_at }))
        })
    }

    fn add(&mut self, records: &[Record]) -> Result<usize, HistoryError> {
        let mut new = 0;
        for record in records {
            new += self.add_one(record).map_err(|error| self.failed(error))?;
        }
        Ok(new)
    }

    /// Does nothing: SQLite finds new rows by index without statistics.
    fn analyze(&mut self) -> Result<(), HistoryError> {
        Ok(())
    }

    fn note(&mut self, note: &Note, on_conflict: OnConflict) -> Result<bool, HistoryError> {
        let sql = match on_conflict {
            OnConflict::Replace => "UPDATE submission SET notified_at = ?2 WHERE id = ?1",
            OnConflict::KeepLatest => {
                "UPDATE submission SET notified_at = max(coalesce(notified_at, ?2), ?2) WHERE id = ?1"
            }
        };
        let changed = self.execute(sql, params![note.id, note.notified_at.as_microsecond()]);
        changed.map(|count| count > 0).map_err(|error| self.failed(error))
    }

    /// Does nothing: SQLite runs one writing transaction at a time.
    fn lock(&mut self, _: &[String]) -> Result<(), HistoryError> {
        Ok(())
    }

    fn reservation(&mut self, number: &str) -> Result<Option<(String, Reservation)>, HistoryError> {
        let sql = "SELECT token, since, until FROM reservation WHERE number = ?1";
        let reservation = |row: &Row<'_>| {
            let (since, until) = (time(row, 1)?.unwrap_or_default(), time(row, 2)?.unwrap_or_default());
            Ok((row.get(0)?, Reservation { since, until }))
        };
        let asked = || self.transaction.prepare_cached(sql)?.query_row([number], reservation).optional();
        asked().map_err(|error| self.failed(error))
    }

    fn reserve(&mut self, number: &str, token: &str, times: Reservation) -> Result<(), HistoryError> {
        let sql = "INSERT OR REPLACE INTO reservation (number, token, since, until) VALUES (?1, ?2, ?3, ?4)";
        let (since, until) = (times.since.as_microsecond(), times.until.as_microsecond());
        self.execute(sql, params![number, token, since, until]).map_err(|error| self.failed(error))?;
        Ok(())
    }

    fn delete_reservation(&mut self, number: &str) -> Result<bool, HistoryError> {
        let freed = self.execute("DELETE FROM reservation WHERE number = ?1", [number]);
        freed.map(|count| count > 0).map_err(|error| self.failed(error))
    }

    fn delete_reservations_of(&mut self, token: &str) -> Result<(), HistoryError> {
        let freed = self.execute("DELETE FROM reservation WHERE token = ?1", [token]);
        freed.map(drop).map_err(|error| self.failed(error))
    }
}

/// Writes the numbers of a store again whose keys were made by an older version.
pub(super) fn renumber(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    for (table, rest) in [("number", "submission"), ("reservation", "token, since, until")] {
        let mut names = transaction.prepare(&format!("SELECT DISTINCT number FROM {table}"))?;
        let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        for old in names {
            let new = number_key(&old);
            if new != old {
                let copy =
                    format!("INSERT OR IGNORE INTO {table} SELECT ?2, {rest} FROM {table} WHERE number = ?1");
                transaction.execute(&copy, [&old, &new])?;
                transaction.execute(&format!("DELETE FROM {table} WHERE number = ?1"), [&old])?;
            }
        }
    }
    Ok(())
}

/// Keys without duplicates, in index order, so that neighbouring keys are read from the same page.
fn sorted(keys: &[String], key: fn(&str) -> String) -> Vec<String> {
    let mut keys: Vec<String> = keys.iter().map(|it| key(it)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    let microseconds: Option<i64> = row.get(column)?;
    microseconds.map(Timestamp::from_microsecond).transpose().map_err(|_| rusqlite::Error::InvalidQuery)
}
