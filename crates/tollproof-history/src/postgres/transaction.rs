//! The operations of a PostgreSQL transaction.

use jiff::Timestamp;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::ToSql;
use postgres::{Error, Row, Transaction};
use tollproof_core::Reservation;

use super::failed;
use crate::backend::{OnConflict, StoreTransaction, SubmissionSummary, Version, Visit};
use crate::entry::{Note, Record, key, number_key};
use crate::error::HistoryError;
use crate::lookup::{LatestRecord, Lookup, Query};

/// SQL: `r` is the newest record of the submission `s`. A record without a time is older than all others.
const NEWEST: &str = "JOIN LATERAL (SELECT status, updated_at, body FROM record WHERE submission = s.key \
    ORDER BY updated_at DESC NULLS LAST, key DESC LIMIT 1) r ON true";

/// The maximum number of keys per query. With many more the server scans whole tables.
const KEYS_PER_QUERY: usize = 1_000;

/// An open transaction.
pub(super) struct PostgresTransaction<'t> {
    pub(super) transaction: Transaction<'t>,
    pub(super) name: &'t str,
}

type SqlParameters<'p> = &'p [&'p (dyn ToSql + Sync)];

impl PostgresTransaction<'_> {
    /// Runs a query and calls `visit` for each row as it arrives.
    fn rows(
        &mut self,
        sql: &str,
        parameters: SqlParameters<'_>,
        mut visit: impl FnMut(&Row) -> Result<Result<(), HistoryError>, Error>,
    ) -> Result<(), HistoryError> {
        let Self { transaction, name } = self;
        let failed = |error: Error| failed(name, &error);
        let mut rows = transaction.query_raw(sql, parameters.iter().copied()).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            visit(&row).map_err(failed)??;
        }
        Ok(())
    }

    fn execute(&mut self, sql: &str, parameters: SqlParameters<'_>) -> Result<u64, HistoryError> {
        self.transaction.execute(sql, parameters).map_err(|error| failed(self.name, &error))
    }

    fn reservations(
        &mut self,
        numbers: &[String],
    ) -> Result<Vec<(String, String, Reservation)>, HistoryError> {
        let sql = "SELECT number, token, since, until FROM reservation WHERE number = ANY($1)";
        let mut found = Vec::new();
        self.rows(sql, &[&numbers], |row| {
            let times = Reservation { since: time(row.try_get(2)?), until: time(row.try_get(3)?) };
            found.push((row.try_get(0)?, row.try_get(1)?, times));
            Ok(Ok(()))
        })?;
        Ok(found)
    }

    fn add_records(&mut self, sql: &str, keys: &[String], lookup: &mut Lookup) -> Result<(), HistoryError> {
        self.rows(sql, &[&keys], |row| {
            let notified_at: Option<i64> = row.try_get(1)?;
            let (id, body, number) = (row.try_get(0)?, row.try_get(2)?, row.try_get(3)?);
            lookup.records.push(LatestRecord { id, notified_at: notified_at.map(time), body, number });
            Ok(Ok(()))
        })
    }
}

impl StoreTransaction for PostgresTransaction<'_> {
    fn look_up(&mut self, query: &Query) -> Result<Lookup, HistoryError> {
        let of_numbers = format!(
            "SELECT s.id, s.notified_at, r.body, n.number FROM (SELECT submission, min(number) AS number FROM number \
             WHERE number = ANY($1) GROUP BY submission) n JOIN submission s ON s.key = n.submission {NEWEST}"
        );
        let of_ids = format!(
            "SELECT s.id, s.notified_at, r.body, NULL::text FROM submission s {NEWEST} WHERE s.id = ANY($1)"
        );
        let mut lookup = Lookup::default();
        let numbers: Vec<String> = query.numbers.iter().map(|it| number_key(it)).collect();
        let ids: Vec<String> = query.ids.iter().map(|it| key(it)).collect();
        for (sql, keys) in [(&of_numbers, &numbers), (&of_ids, &ids)] {
            for keys in keys.chunks(KEYS_PER_QUERY) {
                self.add_records(sql, keys, &mut lookup)?;
            }
        }
        lookup.records.sort_by(|a, b| a.id.cmp(&b.id));
        lookup.records.dedup_by(|a, b| a.id == b.id);
        for numbers in numbers.chunks(KEYS_PER_QUERY) {
            let found = self.reservations(numbers)?;
            lookup.reservations.extend(found.into_iter().map(|(number, _, times)| (number, times)));
        }
        Ok(lookup)
    }

    fn versions(&mut self, number: &str) -> Result<Vec<Version>, HistoryError> {
        let sql = "SELECT s.id, r.status, r.updated_at, s.notified_at, r.body \
            FROM number n JOIN submission s ON s.key = n.submission JOIN record r ON r.submission = s.key \
            WHERE n.number = $1 ORDER BY s.key, r.updated_at NULLS FIRST, r.key";
        let mut versions = Vec::new();
        self.rows(sql, &[&number], |row| {
            let (updated_at, notified_at): (Option<i64>, Option<i64>) = (row.try_get(2)?, row.try_get(3)?);
            let (updated_at, notified_at) = (updated_at.map(time), notified_at.map(time));
            let (id, status, body) = (row.try_get(0)?, row.try_get(1)?, row.try_get(4)?);
            versions.push(Version { id, status, updated_at, notified_at, body });
            Ok(Ok(()))
        })?;
        Ok(versions)
    }

    fn list(&mut self, visit: Visit<'_, SubmissionSummary>) -> Result<(), HistoryError> {
        let sql = format!(
            "SELECT n.number, s.id, r.status, r.updated_at, s.notified_at, r.body FROM number n \
             JOIN submission s ON s.key = n.submission {NEWEST} ORDER BY n.number, s.id"
        );
        let without_number = format!(
            "SELECT '', s.id, r.status, r.updated_at, s.notified_at, r.body FROM submission s {NEWEST} \
             WHERE NOT EXISTS (SELECT 1 FROM number n WHERE n.submission = s.key) ORDER BY s.id"
        );
        for sql in [sql, without_number] {
            self.rows(&sql, &[], |row| {
                let (updated_at, notified_at): (Option<i64>, Option<i64>) =
                    (row.try_get(3)?, row.try_get(4)?);
                let (updated_at, notified_at) = (updated_at.map(time), notified_at.map(time));
                let (id, status, body) = (row.try_get(1)?, row.try_get(2)?, row.try_get(5)?);
                let newest = Version { id, status, updated_at, notified_at, body };
                Ok(visit(&SubmissionSummary::new(row.try_get(0)?, newest)))
            })?;
        }
        Ok(())
    }

    fn records(&mut self, visit: Visit<'_, str>) -> Result<(), HistoryError> {
        let sql = "SELECT r.body FROM submission s JOIN record r ON r.submission = s.key \
            ORDER BY s.id, r.updated_at NULLS FIRST, r.key";
        self.rows(sql, &[], |row| Ok(visit(row.try_get(0)?)))
    }

    fn notes(&mut self, visit: Visit<'_, Note>) -> Result<(), HistoryError> {
        let sql = "SELECT id, notified_at FROM submission WHERE notified_at IS NOT NULL ORDER BY id";
        self.rows(sql, &[], |row| {
            let (id, notified_at) = (row.try_get(0)?, time(row.try_get(1)?));
            Ok(visit(&Note { id, notified_at }))
        })
    }

    /// Runs three statements for any number of records, to save round trips.
    fn add(&mut self, records: &[Record]) -> Result<usize, HistoryError> {
        let ids: Vec<&str> = records.iter().map(|it| it.id.as_str()).collect();
        let submissions = "INSERT INTO submission (id) SELECT DISTINCT id COLLATE \"C\" FROM unnest($1::text[]) AS g (id) \
            ORDER BY 1 ON CONFLICT DO NOTHING";
        self.execute(submissions, &[&ids])?;
        let times: Vec<Option<i64>> =
            records.iter().map(|it| it.updated_at.map(Timestamp::as_microsecond)).collect();
        let statuses: Vec<&str> = records.iter().map(|it| it.status.as_str()).collect();
        let digests: Vec<Vec<u8>> = records.iter().map(|it| it.digest().to_vec()).collect();
        let bodies: Vec<&str> = records.iter().map(|it| it.body.as_str()).collect();
        let insert = "INSERT INTO record (submission, updated_at, status, digest, body) \
            SELECT s.key, g.updated_at, g.status, g.digest, g.body \
            FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[], $5::text[]) \
            WITH ORDINALITY AS g (id, updated_at, status, digest, body, place) \
            JOIN submission s ON s.id = g.id ORDER BY g.place ON CONFLICT DO NOTHING";
        let new = self.execute(insert, &[&ids, &times, &statuses, &digests, &bodies])?;
        let pairs =
            records.iter().flat_map(|it| it.numbers.iter().map(|number| (it.id.as_str(), number.as_str())));
        let (ids, numbers): (Vec<&str>, Vec<&str>) = pairs.unzip();
        let insert = "INSERT INTO number (number, submission) SELECT DISTINCT g.number COLLATE \"C\", s.key \
            FROM unnest($1::text[], $2::text[]) AS g (id, number) JOIN submission s ON s.id = g.id \
            ORDER BY 1, 2 ON CONFLICT DO NOTHING";
        self.execute(insert, &[&ids, &numbers])?;
        Ok(usize::try_from(new).unwrap_or_default())
    }

    /// Without new statistics the server scans whole tables for a few keys, until autovacuum updates them.
    fn analyze(&mut self) -> Result<(), HistoryError> {
        self.execute("ANALYZE submission, record, number", &[]).map(drop)
    }

    fn note(&mut self, note: &Note, on_conflict: OnConflict) -> Result<bool, HistoryError> {
        let sql = match on_conflict {
            OnConflict::Replace => "UPDATE submission SET notified_at = $2 WHERE id = $1",
            OnConflict::KeepLatest => {
                "UPDATE submission SET notified_at = greatest(notified_at, $2) WHERE id = $1"
            }
        };
        Ok(self.execute(sql, &[&note.id, &note.notified_at.as_microsecond()])? > 0)
    }

    fn lock(&mut self, names: &[String]) -> Result<(), HistoryError> {
        for name in names {
            let sql = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1, 0))";
            self.execute(sql, &[name])?;
        }
        Ok(())
    }

    fn all_reservations(&mut self) -> Result<Vec<(String, Reservation)>, HistoryError> {
        let mut found = Vec::new();
        self.rows(
            "SELECT number, since, until FROM reservation ORDER BY number COLLATE \"C\"",
            &[],
            |row| {
                let times = Reservation { since: time(row.try_get(1)?), until: time(row.try_get(2)?) };
                found.push((row.try_get(0)?, times));
                Ok(Ok(()))
            },
        )?;
        Ok(found)
    }

    fn reservation(&mut self, number: &str) -> Result<Option<(String, Reservation)>, HistoryError> {
        let found = self.reservations(&[number.to_owned()])?;
        Ok(found.into_iter().next().map(|(_, token, times)| (token, times)))
    }

    fn reserve(&mut self, number: &str, token: &str, times: Reservation) -> Result<(), HistoryError> {
        let sql = "INSERT INTO reservation (number, token, since, until) VALUES ($1, $2, $3, $4) \
            ON CONFLICT (number) DO UPDATE SET token = $2, since = $3, until = $4";
        let (since, until) = (times.since.as_microsecond(), times.until.as_microsecond());
        self.execute(sql, &[&number, &token, &since, &until])?;
        Ok(())
    }

    fn delete_reservation(&mut self, number: &str) -> Result<bool, HistoryError> {
        Ok(self.execute("DELETE FROM reservation WHERE number = $1", &[&number])? > 0)
    }

    fn delete_reservations_of(&mut self, token: &str) -> Result<(), HistoryError> {
        self.execute("DELETE FROM reservation WHERE token = $1", &[&token]).map(drop)
    }
}

/// Writes the numbers of a store again whose keys were made by an older version.
pub(super) fn renumber(transaction: &mut Transaction<'_>) -> Result<(), Error> {
    for (table, rest) in [("number", "submission"), ("reservation", "token, since, until")] {
        for row in transaction.query(&format!("SELECT DISTINCT number FROM {table}"), &[])? {
            let old: String = row.try_get(0)?;
            let new = number_key(&old);
            if new != old {
                let copy = format!(
                    "INSERT INTO {table} (number, {rest}) SELECT $2, {rest} FROM {table} WHERE number = $1 \
                     ON CONFLICT DO NOTHING"
                );
                transaction.execute(&copy, &[&old, &new])?;
                transaction.execute(&format!("DELETE FROM {table} WHERE number = $1"), &[&old])?;
            }
        }
    }
    Ok(())
}

fn time(microseconds: i64) -> Timestamp {
    Timestamp::from_microsecond(microseconds).unwrap_or_default()
}
