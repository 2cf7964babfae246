//! The operations of a PostgreSQL transaction.

use std::collections::HashSet;

use jiff::Timestamp;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::private::BytesMut;
use postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use postgres::{Error, Row, Transaction};

use super::failed;
use crate::backend::StoreTransaction;
use crate::entry::{Record, key, number_key};
use crate::error::Result;
use crate::lookup::{Lookup, Query};
use crate::row::{SqlRow, SqlValue};

/// Joins the newest record of a submission.
const NEWEST: &str = "JOIN LATERAL (SELECT status, updated_at, body FROM record WHERE submission = s.key \
    ORDER BY updated_at DESC NULLS LAST, seen_at DESC, key DESC LIMIT 1) r ON true";

/// The maximum number of keys per query. With many more the server scans whole tables.
const KEYS_PER_QUERY: usize = 1_000;

/// An open transaction.
pub(super) struct PostgresTransaction<'t> {
    pub(super) transaction: Transaction<'t>,
    pub(super) name: &'t str,
    pub(super) host: &'t str,
}

type SqlParameters<'p> = &'p [&'p (dyn ToSql + Sync)];

impl PostgresTransaction<'_> {
    fn run(&mut self, sql: &str, parameters: SqlParameters<'_>) -> Result<usize> {
        let changed = self.transaction.execute(sql, parameters).map_err(|error| failed(self.name, &error))?;
        Ok(usize::try_from(changed).unwrap_or_default())
    }

    fn each(
        &mut self,
        sql: &str,
        parameters: SqlParameters<'_>,
        visit: &mut dyn FnMut(SqlRow) -> Result<()>,
    ) -> Result<()> {
        let Self { transaction, name, .. } = self;
        let failed = |error: Error| failed(name, &error);
        let mut rows = transaction.query_raw(sql, parameters.iter().copied()).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let values: Result<Vec<SqlValue>, Error> =
                (0..row.len()).map(|column| value(&row, column)).collect();
            visit(SqlRow(values.map_err(failed)?))?;
        }
        Ok(())
    }

    /// A time in microseconds that is not before any at which a record of these submissions was seen.
    fn seen_at(&mut self, ids: &[&str]) -> Result<i64> {
        let sql = "SELECT GREATEST((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, max(r.seen_at)) \
            FROM submission s JOIN record r ON r.submission = s.key WHERE s.host = $1 AND s.id = ANY($2)";
        let row = self.transaction.query_one(sql, &[&self.host, &ids]);
        row.and_then(|row| row.try_get(0)).map_err(|error| failed(self.name, &error))
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

/// NULL, for a column of any type.
#[derive(Debug)]
struct Null;

impl ToSql for Null {
    fn to_sql(&self, _: &Type, _: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        Ok(IsNull::Yes)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Values as parameters of the client.
fn parameters(values: &[SqlValue]) -> Vec<&(dyn ToSql + Sync)> {
    let mut parameters: Vec<&(dyn ToSql + Sync)> = Vec::new();
    for value in values {
        parameters.push(match value {
            SqlValue::Integer(number) => number,
            SqlValue::Text(text) => text,
            SqlValue::Null => &Null,
        });
    }
    parameters
}

impl StoreTransaction for PostgresTransaction<'_> {
    fn host(&self) -> &str {
        self.host
    }

    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<usize> {
        self.run(&sql.replace('?', "$"), &parameters(values))
    }

    fn rows(
        &mut self,
        sql: &str,
        values: &[SqlValue],
        visit: &mut dyn FnMut(SqlRow) -> Result<()>,
    ) -> Result<()> {
        self.each(&sql.replace('?', "$"), &parameters(values), visit)
    }

    fn newest(&self) -> &'static str {
        NEWEST
    }

    fn look_up(&mut self, query: &Query) -> Result<Lookup> {
        let of_numbers = format!(
            "SELECT s.id, s.notified_at, r.body, n.number FROM (SELECT submission, min(number) AS number FROM number \
             WHERE number = ANY($2) GROUP BY submission) n JOIN submission s ON s.key = n.submission AND s.host = $1 \
             {NEWEST}"
        );
        let of_ids = format!(
            "SELECT s.id, s.notified_at, r.body, NULL::text FROM submission s {NEWEST} \
             WHERE s.host = $1 AND s.id = ANY($2)"
        );
        let (host, mut lookup) = (self.host, Lookup::default());
        let numbers: Vec<String> = query.numbers.iter().map(|it| number_key(it)).collect();
        let ids: Vec<String> = query.ids.iter().map(|it| key(it)).collect();
        for (sql, keys) in [(&of_numbers, &numbers), (&of_ids, &ids)] {
            for keys in keys.chunks(KEYS_PER_QUERY) {
                self.each(sql, &[&host, &keys], &mut |mut row| {
                    lookup.records.push(row.latest_record());
                    Ok(())
                })?;
            }
        }
        lookup.records.sort_by(|a, b| a.id.cmp(&b.id));
        lookup.records.dedup_by(|a, b| a.id == b.id);
        for numbers in numbers.chunks(KEYS_PER_QUERY) {
            let sql = "SELECT number, since, until FROM reservation WHERE host = $1 AND number = ANY($2)";
            self.each(sql, &[&host, &numbers], &mut |mut row| {
                lookup.reservations.push((row.text(0), row.reservation(1)));
                Ok(())
            })?;
        }
        Ok(lookup)
    }

    /// Runs a few statements for any number of records, to save round trips.
    fn add(&mut self, records: &[Record]) -> Result<usize> {
        let host = self.host;
        let ids: Vec<&str> = records.iter().map(|it| it.id.as_str()).collect();
        let submissions = "INSERT INTO submission (host, id) SELECT DISTINCT $1, id COLLATE \"C\" \
            FROM unnest($2::text[]) AS g (id) ORDER BY 2 ON CONFLICT DO NOTHING";
        self.run(submissions, &[&host, &ids])?;
        let seen_at = self.seen_at(&ids)?;
        // Of equal records, the last counts, because it was seen last.
        let digests: Vec<[u8; 16]> = records.iter().map(Record::digest).collect();
        let mut seen = HashSet::new();
        let mut places: Vec<usize> =
            (0..records.len()).rev().filter(|&at| seen.insert((ids[at], digests[at]))).collect();
        places.reverse();
        let (mut kept, mut times, mut statuses, mut hashes, mut bodies) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for at in places {
            let record = &records[at];
            kept.push(ids[at]);
            times.push(record.updated_at.map(Timestamp::as_microsecond));
            statuses.push(record.status.as_str());
            hashes.push(&digests[at][..]);
            bodies.push(record.body.as_str());
        }
        let insert = "INSERT INTO record (submission, updated_at, status, digest, body, seen_at) \
            SELECT s.key, g.updated_at, g.status, g.digest, g.body, $2 + g.place \
            FROM unnest($3::text[], $4::bigint[], $5::text[], $6::bytea[], $7::text[]) \
            WITH ORDINALITY AS g (id, updated_at, status, digest, body, place) \
            JOIN submission s ON s.host = $1 AND s.id = g.id ORDER BY g.place ON CONFLICT DO NOTHING";
        let new = self.run(insert, &[&host, &seen_at, &kept, &times, &statuses, &hashes, &bodies])?;
        if new < kept.len() {
            // The rows are locked in one order, so that two callers cannot deadlock.
            let update = "UPDATE record SET seen_at = known.seen_at \
                FROM (SELECT r.key, $2 + g.place AS seen_at FROM unnest($3::text[], $4::bytea[]) \
                WITH ORDINALITY AS g (id, digest, place) JOIN submission s ON s.host = $1 AND s.id = g.id \
                JOIN record r ON r.submission = s.key AND r.digest = g.digest AND r.seen_at <= $2 \
                ORDER BY r.key FOR UPDATE OF r) known WHERE record.key = known.key";
            self.run(update, &[&host, &seen_at, &kept, &hashes])?;
        }
        let pairs = records
            .iter()
            .flat_map(|record| record.numbers.iter().map(|number| (record.id.as_str(), number.as_str())));
        let (ids, numbers): (Vec<&str>, Vec<&str>) = pairs.unzip();
        let insert = "INSERT INTO number (number, submission) SELECT DISTINCT g.number COLLATE \"C\", s.key \
            FROM unnest($2::text[], $3::text[]) AS g (id, number) \
            JOIN submission s ON s.host = $1 AND s.id = g.id ORDER BY 1, 2 ON CONFLICT DO NOTHING";
        self.run(insert, &[&host, &ids, &numbers])?;
        Ok(new)
    }

    /// Without new statistics the server scans whole tables for a few keys, until autovacuum updates them.
    fn analyze(&mut self) -> Result<()> {
        self.run("ANALYZE submission, record, number", &[]).map(drop)
    }

    fn lock(&mut self, names: &[String]) -> Result<()> {
        let host = self.host;
        for name in names {
            let sql =
                "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || $1 || ' ' || $2, 0))";
            self.run(sql, &[&host, name])?;
        }
        Ok(())
    }
}
