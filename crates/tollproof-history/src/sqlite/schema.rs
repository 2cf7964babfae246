//! The tables of a store in SQLite.

/// Identifies a store of tollproof in the header of the database: `tlpf` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x746c_7066;

/// The version of these tables, in the header of the database.
pub(super) const VERSION: i64 = 3;

/// Times are microseconds since 1970, ids are in lower case, numbers are keys. The host of the provider's own servers is
/// empty.
pub(super) const TABLES: &str = include_str!("tables.sql");
