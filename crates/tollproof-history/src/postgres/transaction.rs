//! The operations of a PostgreSQL transaction.

use jiff::Timestamp;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::{ToSql, Type};
use postgres::{Error, Row, Transaction};

use super::failed;
use crate::backend::{SqlRow, SqlValue, StoreTransaction};
use crate::entry::{Record, key, number_key};
use crate::error::HistoryError;
use crate::lookup::{Lookup, Query};

/// Joins the newest record of a submission.
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
    fn run(&mut self, sql: &str, parameters: SqlParameters<'_>) -> Result<usize, HistoryError> {
        let changed = self.transaction.execute(sql, parameters).map_err(|error| failed(self.name, &error))?;
        Ok(usize::try_from(changed).unwrap_or_default())
    }

    fn each(
        &mut self,
        sql: &str,
        parameters: SqlParameters<'_>,
        visit: &mut dyn FnMut(SqlRow) -> Result<(), HistoryError>,
    ) -> Result<(), HistoryError> {
        let Self { transaction, name } = self;
        let failed = |error: Error| failed(name, &error);
        let mut rows = transaction.query_raw(sql, parameters.iter().copied()).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let values: Result<Vec<SqlValue>, Error> =
                (0..row.len()).map(|column| value(&row, column)).collect();
            visit(SqlRow(values.map_err(failed)?))?;
        }
        Ok(())
    }
}

/// The value of a column, which is a `BIGINT` or a `TEXT`.
fn value(row: &Row, column: usize) -> Result<SqlValue, Error> {
    Ok(if *row.columns()[column].type_() == Type::INT8 {
        row.try_get::<_, Option<i64>>(column)?.map_or(SqlValue::Null, SqlValue::Integer)
    } else {
        row.try_get::<_, Option<String>>(column)?.map_or(SqlValue::Null, SqlValue::Text)
    })
}

/// Values as parameters of the client.
fn parameters(values: &[SqlValue]) -> Vec<&(dyn ToSql + Sync)> {
    let mut parameters: Vec<&(dyn ToSql + Sync)> = Vec::new();
    for value in values {
        parameters.push(match value {
            SqlValue::Integer(number) => number,
            SqlValue::Text(text) => text,
            SqlValue::Null => &None::<i64>,
        });
    }
    parameters
}

impl StoreTransaction for PostgresTransaction<'_> {
    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<usize, HistoryError> {
        self.run(&sql.replace('?', "$"), &parameters(values))
    }

    fn rows(
        &mut self,
        sql: &str,
        values: &[SqlValue],
        visit: &mut dyn FnMut(SqlRow) -> Result<(), HistoryError>,
    ) -> Result<(), HistoryError> {
        self.each(&sql.replace('?', "$"), &parameters(values), visit)
    }

    fn newest(&self) -> &'static str {
        NEWEST
    }

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
                self.each(sql, &[&keys], &mut |mut row| {
                    lookup.records.push(row.latest_record());
                    Ok(())
                })?;
            }
        }
        lookup.records.sort_by(|a, b| a.id.cmp(&b.id));
        lookup.records.dedup_by(|a, b| a.id == b.id);
        for numbers in numbers.chunks(KEYS_PER_QUERY) {
            let sql = "SELECT number, since, until FROM reservation WHERE number = ANY($1)";
            self.each(sql, &[&numbers], &mut |mut row| {
                lookup.reservations.push((row.text(0), row.reservation(1)));
                Ok(())
            })?;
        }
        Ok(lookup)
    }

    /// Runs three statements for any number of records, to save round trips.
    fn add(&mut self, records: &[Record]) -> Result<usize, HistoryError> {
        let ids: Vec<&str> = records.iter().map(|it| it.id.as_str()).collect();
        let submissions = "INSERT INTO submission (id) SELECT DISTINCT id COLLATE \"C\" FROM unnest($1::text[]) AS g (id) \
            ORDER BY 1 ON CONFLICT DO NOTHING";
        self.run(submissions, &[&ids])?;
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
        let new = self.run(insert, &[&ids, &times, &statuses, &digests, &bodies])?;
        let pairs =
            records.iter().flat_map(|it| it.numbers.iter().map(|number| (it.id.as_str(), number.as_str())));
        let (ids, numbers): (Vec<&str>, Vec<&str>) = pairs.unzip();
        let insert = "INSERT INTO number (number, submission) SELECT DISTINCT g.number COLLATE \"C\", s.key \
            FROM unnest($1::text[], $2::text[]) AS g (id, number) JOIN submission s ON s.id = g.id \
            ORDER BY 1, 2 ON CONFLICT DO NOTHING";
        self.run(insert, &[&ids, &numbers])?;
        Ok(new)
    }

    /// Without new statistics the server scans whole tables for a few keys, until autovacuum updates them.
    fn analyze(&mut self) -> Result<(), HistoryError> {
        self.run("ANALYZE submission, record, number", &[]).map(drop)
    }

    fn lock(&mut self, names: &[String]) -> Result<(), HistoryError> {
        for name in names {
            let sql = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || $1, 0))";
            self.run(sql, &[name])?;
        }
        Ok(())
    }
}
