//! The tables of a store in PostgreSQL.

/// The version of these tables, which the table `tollproof_form` contains.
pub(super) const VERSION: i64 = 3;

/// Times are microseconds since 1970, ids are in lower case, numbers are keys. The host of the provider's own servers is
/// empty. The collation `C` sorts by bytes, so that every server exports in the same order.
pub(super) const TABLES: &str = include_str!("tables.sql");
