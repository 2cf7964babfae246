//! The tables of the database.

use rusqlite::Connection;

use crate::error::SandboxError;

/// Identifies files of the sandbox: "tpsb".
const APPLICATION_ID: i64 = 0x7470_7362;
const VERSION: i64 = 2;

const TABLES: &str = include_str!("tables.sql");

pub(super) const CLEAR: &str = "DELETE FROM ended_review; DELETE FROM delivery; DELETE FROM change; DELETE FROM submission; DELETE FROM number;
    DELETE FROM planned_fault; DELETE FROM arrival; DELETE FROM setting;";

/// Creates the tables in an empty database, and refuses one that is not the sandbox's.
///
/// A committed change survives the end of the process at any moment: the log is written before a call is answered.
pub(super) fn prepare(connection: &Connection) -> Result<(), SandboxError> {
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let found = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    let is_empty = number("SELECT count(*) FROM sqlite_schema")? == 0;
    if found != (APPLICATION_ID, VERSION) && !is_empty {
        return Err(SandboxError::NotOurs);
    }
    connection.execute_batch(
        "PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
         PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;",
    )?;
    if is_empty {
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {TABLES}
             PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
        ))?;
    }
    Ok(())
}
