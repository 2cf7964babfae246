//! The tables of a store in SQLite.

/// Identifies a store of tollproof in the header of the database: `tlpf` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x746c_7066;

/// The version of these tables, in the header of the database.
pub(super) const VERSION: i64 = 3;

/// Times are microseconds since 1970, ids are in lower case, numbers are keys. The host of the provider's own servers is
/// empty.
pub(super) const TABLES: &str = include_str!("tables.sql");

/// The tables of attempts.
pub(super) const ATTEMPT_TABLES: &str = include_str!("attempt_tables.sql");

/// Changes the tables of version 2.
pub(super) const FROM_VERSION_2: &str = include_str!("from_version_2.sql");

/// Shows the tables of version 2 like those of this version, for this connection only.
pub(super) const VIEW_OF_VERSION_2: &str = include_str!("view_of_version_2.sql");
