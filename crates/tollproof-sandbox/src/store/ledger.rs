//! The ledger: what arrived, how often, and with which key.

use rusqlite::params;

use super::{StateTables, millis, time};

/// One entry of the ledger.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Arrival {
    pub(crate) at: String,
    pub(crate) provider: String,
    pub(crate) operation: String,
    pub(crate) method: String,
    pub(crate) path: String,
    /// The first digits of the SHA-256 of the key; empty without a key.
    pub(crate) key: String,
    /// The SHA-256 of the body; empty without a body.
    pub(crate) body: String,
    pub(crate) status: u16,
    pub(crate) fault: String,
    /// Arrivals of this call until now.
    pub(crate) times: i64,
}

/// The most entries of the ledger.
const MAX_ARRIVALS: i64 = 100_000;

impl StateTables<'_> {
    /// Writes an entry into the ledger.
    pub(crate) fn note(&self, arrival: &Arrival) -> rusqlite::Result<()> {
        let sql = "INSERT INTO arrival (at, provider, operation, method, path, key, body, status, fault)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let it = arrival;
        let values = params![
            millis(self.now),
            it.provider,
            it.operation,
            it.method,
            it.path,
            it.key,
            it.body,
            it.status,
            it.fault
        ];
        self.connection.prepare_cached(sql)?.execute(values)?;
        let last = self.connection.last_insert_rowid();
        if last % 1_000 == 0 {
            self.connection.execute("DELETE FROM arrival WHERE sequence <= ?1", [last - MAX_ARRIVALS])?;
        }
        Ok(())
    }

    /// The ledger, oldest first; `provider` and `operation` filter if they are not empty.
    pub(crate) fn arrivals(&self, provider: &str, operation: &str) -> rusqlite::Result<Vec<Arrival>> {
        let sql = "SELECT at, provider, operation, method, path, key, body, status, fault,
                row_number() OVER (PARTITION BY provider, method, path, body ORDER BY sequence) AS times
            FROM arrival WHERE ?1 IN ('', provider) AND ?2 IN ('', operation) ORDER BY sequence";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([provider, operation], |row| {
            Ok(Arrival {
                at: time(row.get(0)?).to_string(),
                provider: row.get(1)?,
                operation: row.get(2)?,
                method: row.get(3)?,
                path: row.get(4)?,
                key: row.get(5)?,
                body: row.get(6)?,
                status: row.get(7)?,
                fault: row.get(8)?,
                times: row.get(9)?,
            })
        })?;
        rows.collect()
    }
}
