//! The operations of an SQLite transaction.

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Params, Transaction, params, params_from_iter};

use super::failed;
use crate::backend::StoreTransaction;
use crate::entry::{Record, key, number_key};
use crate::error::Result;
use crate::lookup::{Lookup, Query};
use crate::row::{SqlRow, SqlValue, text};

/// Joins the newest record of a submission.
const NEWEST: &str = "JOIN record r ON r.key = (SELECT key FROM record WHERE submission = s.key \
    ORDER BY updated_at DESC, seen_at DESC, key DESC LIMIT 1)";

/// An open transaction.
pub(super) struct SqliteTransaction<'t> {
    pub(super) transaction: &'t Transaction<'t>,
    pub(super) name: &'t str,
    pub(super) host: &'t str,
}

impl SqliteTransaction<'_> {
    fn run(&self, sql: &str, parameters: impl Params) -> rusqlite::Result<usize> {
        self.transaction.prepare_cached(sql)?.execute(parameters)
    }

    /// Adds a record, or notes that a known one was seen again.
    fn add_one(&self, record: &Record, now: i64) -> rusqlite::Result<usize> {
        let insert = "INSERT INTO submission (host, id) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        self.run(insert, [self.host, &record.id])?;
        let select = "SELECT s.key, max(r.seen_at) FROM submission s LEFT JOIN record r ON r.submission = s.key \
            WHERE s.host = ?1 AND s.id = ?2 GROUP BY s.key";
        let mut select = self.transaction.prepare_cached(select)?;
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, Option<i64>>(1)?));
        let (submission, last): (i64, _) = select.query_row([self.host, &record.id], row)?;
        // Later than all others, whatever the clock says.
        let seen_at = last.map_or(now, |last| now.max(last + 1));
        let insert = "INSERT INTO record (submission, updated_at, status, digest, body, seen_at) \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
        let updated_at = record.updated_at.map(Timestamp::as_microsecond);
        let digest = record.digest();
        let new =
            self.run(insert, params![submission, updated_at, record.status, digest, record.body, seen_at])?;
        if new == 0 {
            let update = "UPDATE record SET seen_at = ?3 WHERE submission = ?1 AND digest = ?2";
            self.run(update, params![submission, digest, seen_at])?;
        }
        for number in &record.numbers {
            let sql = "INSERT INTO number (number, submission) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            self.run(sql, params![number, submission])?;
        }
        Ok(new)
    }
}

impl StoreTransaction for SqliteTransaction<'_> {
    fn host(&self) -> &str {
        self.host
    }

    fn execute(&mut self, sql: &str, parameters: &[SqlValue]) -> Result<usize> {
        self.run(sql, params_from_iter(parameters)).map_err(|error| failed(self.name, &error))
    }

    fn rows(
        &mut self,
        sql: &str,
        parameters: &[SqlValue],
        visit: &mut dyn FnMut(SqlRow) -> Result<()>,
    ) -> Result<()> {
        let failed = |error| failed(self.name, &error);
        let mut statement = self.transaction.prepare_cached(sql).map_err(failed)?;
        let columns = statement.column_count();
        let mut rows = statement.query(params_from_iter(parameters)).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let values: rusqlite::Result<Vec<SqlValue>> =
                (0..columns).map(|column| row.get(column)).collect();
            visit(SqlRow(values.map_err(failed)?))?;
        }
        Ok(())
    }

    fn newest(&self) -> &'static str {
        NEWEST
    }

    /// Runs one statement per key. There is no server, so larger statements would save no round trips.
    fn look_up(&mut self, query: &Query) -> Result<Lookup> {
        let of_number = format!(
            "SELECT s.id, s.notified_at, r.body, n.number FROM number n JOIN submission s ON s.key = n.submission \
             {NEWEST} WHERE s.host = ?1 AND n.number = ?2 ORDER BY n.submission"
        );
        let of_id = format!(
            "SELECT s.id, s.notified_at, r.body, NULL FROM submission s {NEWEST} WHERE s.host = ?1 AND s.id = ?2"
        );
        let mut lookup = Lookup::default();
        let mut seen = HashSet::new();
        let (numbers, ids) = (sorted(&query.numbers, number_key), sorted(&query.ids, key));
        for (sql, keys) in [(&of_number, &numbers), (&of_id, &ids)] {
            for key in keys {
                self.rows(sql, &[text(self.host), text(key)], &mut |mut row| {
                    let record = row.latest_record();
                    if seen.insert(record.id.clone()) {
                        lookup.records.push(record);
                    }
                    Ok(())
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

    fn add(&mut self, records: &[Record]) -> Result<usize> {
        let now = Timestamp::now().as_microsecond();
        let new: rusqlite::Result<Vec<usize>> =
            records.iter().map(|record| self.add_one(record, now)).collect();
        new.map(|new| new.iter().sum()).map_err(|error| failed(self.name, &error))
    }

    /// Does nothing: SQLite finds new rows by index without statistics.
    fn analyze(&mut self) -> Result<()> {
        Ok(())
    }

    /// Does nothing: SQLite runs one writing transaction at a time.
    fn lock(&mut self, _: &[String]) -> Result<()> {
        Ok(())
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Null => Ok(ToSqlOutput::Borrowed(ValueRef::Null)),
            Self::Integer(number) => number.to_sql(),
            Self::Text(text) => text.to_sql(),
        }
    }
}

impl FromSql for SqlValue {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Null => Ok(Self::Null),
            ValueRef::Integer(number) => Ok(Self::Integer(number)),
            ValueRef::Text(_) => Ok(Self::Text(value.as_str()?.to_owned())),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// Keys without duplicates, in index order, so that neighbouring keys are read from the same page.
fn sorted(keys: &[String], key: fn(&str) -> String) -> Vec<String> {
    let mut keys: Vec<String> = keys.iter().map(|it| key(it)).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}
