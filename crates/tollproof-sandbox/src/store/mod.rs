//! The state: numbers, submissions, the ledger and settings, in one SQLite database.

mod deliveries;
mod ledger;
mod numbers;
mod schema;
mod submissions;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Result};

pub(crate) use self::deliveries::{EndedReview, NextDelivery, WaitingDelivery};
pub(crate) use self::ledger::Arrival;
pub(crate) use self::numbers::OwnedNumber;
pub(crate) use self::submissions::{Filing, FilingState, NewFiling};
use crate::error::SandboxError;

/// The database. One call at a time uses it.
#[derive(Debug)]
pub(crate) struct SandboxStore(Mutex<Connection>);

/// The tables inside of one transaction, and the time that it has.
pub(crate) struct StateTables<'t> {
    pub(crate) connection: &'t Connection,
    pub(crate) now: Timestamp,
}

impl SandboxStore {
    /// Opens the file, which is created if there is none; without one, everything is in memory.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, SandboxError> {
        let connection = match path {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        schema::prepare(&connection)?;
        Ok(Self(Mutex::new(connection)))
    }

    /// The connection. A call that panicked has rolled its transaction back.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'t> StateTables<'t> {
    /// The tables, at the time of the sandbox's clock.
    pub(crate) fn of(connection: &'t Connection) -> Result<Self> {
        let mut tables = Self { connection, now: Timestamp::now() };
        let moved = tables.setting("clock")?.and_then(|text| text.parse().ok()).unwrap_or_default();
        tables.now = tables.now.saturating_add(SignedDuration::from_millis(moved)).unwrap_or(Timestamp::MAX);
        Ok(tables)
    }

    /// Moves the clock to a time.
    pub(crate) fn set_clock(&mut self, now: Timestamp) -> Result<()> {
        let moved = now.duration_since(Timestamp::now()).as_millis();
        self.set("clock", &moved.to_string())?;
        self.now = now;
        Ok(())
    }

    pub(crate) fn setting(&self, name: &str) -> Result<Option<String>> {
        let sql = "SELECT value FROM setting WHERE name = ?1";
        self.connection.prepare_cached(sql)?.query_row([name], |row| row.get(0)).optional()
    }

    /// The values of all settings whose names begin so.
    pub(crate) fn settings(&self, prefix: &str) -> Result<Vec<String>> {
        let sql = "SELECT value FROM setting WHERE substr(name, 1, length(?1)) = ?1";
        self.connection.prepare_cached(sql)?.query_map([prefix], |row| row.get(0))?.collect()
    }

    pub(crate) fn set(&self, name: &str, value: &str) -> Result<()> {
        let sql = "INSERT INTO setting (name, value) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        self.connection.prepare_cached(sql)?.execute([name, value])?;
        Ok(())
    }

    /// Forgets a setting.
    pub(crate) fn unset(&self, name: &str) -> Result<()> {
        self.connection.prepare_cached("DELETE FROM setting WHERE name = ?1")?.execute([name]).map(drop)
    }

    /// Counts the calls for a name, with this time.
    pub(crate) fn count(&self, name: &str) -> Result<u64> {
        let name = format!("count:{name}");
        let next = self.setting(&name)?.and_then(|text| text.parse::<u64>().ok()).unwrap_or_default() + 1;
        self.set(&name, &next.to_string())?;
        Ok(next)
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) -> Result<()> {
        self.connection.execute_batch(schema::CLEAR)
    }

    /// Plans a fault for the next calls that it is meant for.
    pub(crate) fn plan_fault(&self, provider: &str, operation: &str, fault: &str) -> Result<()> {
        let sql = "INSERT INTO planned_fault (provider, operation, fault) VALUES (?1, ?2, ?3)";
        self.connection.execute(sql, [provider, operation, fault]).map(drop)
    }

    /// The planned fault of a call, which is used up by it.
    pub(crate) fn take_fault(&self, provider: &str, operation: &str) -> Result<Option<String>> {
        let sql = "DELETE FROM planned_fault WHERE sequence = (SELECT sequence FROM planned_fault
            WHERE provider IN ('', ?1) AND operation IN ('', ?2) AND fault NOT LIKE 'webhook-%'
            ORDER BY sequence LIMIT 1) RETURNING fault";
        self.connection.prepare_cached(sql)?.query_row([provider, operation], |row| row.get(0)).optional()
    }

    /// The planned fault of a webhook, which is used up by it.
    pub(crate) fn take_webhook_fault(&self, provider: &str) -> Result<Option<String>> {
        let sql = "DELETE FROM planned_fault WHERE sequence = (SELECT sequence FROM planned_fault
            WHERE provider IN ('', ?1) AND fault LIKE 'webhook-%' ORDER BY sequence LIMIT 1) RETURNING fault";
        self.connection.prepare_cached(sql)?.query_row([provider], |row| row.get(0)).optional()
    }

    /// The balance in the wallet of a provider, in cents.
    pub(crate) fn wallet(&self, provider: &str) -> Result<i64> {
        let value = self.setting(&format!("wallet:{provider}"))?;
        Ok(value.and_then(|text| text.parse().ok()).unwrap_or(FULL_WALLET))
    }

    pub(crate) fn set_wallet(&self, provider: &str, cents: i64) -> Result<()> {
        self.set(&format!("wallet:{provider}"), &cents.to_string())
    }
}

/// A wallet's first balance, in cents: more than a test spends.
const FULL_WALLET: i64 = 100_000_000;

/// A time as the database has it: milliseconds.
fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

fn time(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH)
}
