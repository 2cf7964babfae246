//! The tables of a store in SQLite, as a list of migrations.

/// Identifies a store of tollproof in the header of the database: `tlpf` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x746c_7066;

/// The migration to each schema version from the previous one. The first one applies to an empty file.
///
/// Times are microseconds since 1970, ids are in lower case, numbers are keys. The second version changes no table: its
/// keys of numbers are in E.164.
pub(super) const MIGRATIONS: [&str; 2] = [
    "    CREATE TABLE submission (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        notified_at INTEGER
    ) STRICT;
    CREATE TABLE record (
        key INTEGER PRIMARY KEY,
        submission INTEGER NOT NULL REFERENCES submission,
        updated_at INTEGER,
        status TEXT NOT NULL,
        digest BLOB NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (submission, digest)
    ) STRICT;
    CREATE INDEX record_by_age ON record (submission, updated_at);
    CREATE TABLE number (
        number TEXT NOT NULL,
        submission INTEGER NOT NULL REFERENCES submission,
        PRIMARY KEY (number, submission)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reservation (
        number TEXT NOT NULL PRIMARY KEY,
        token TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
",
    "",
];

/// The latest schema version.
pub(super) const LATEST_VERSION: i64 = MIGRATIONS.len() as i64;
