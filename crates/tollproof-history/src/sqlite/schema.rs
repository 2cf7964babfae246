//! The tables of a store in SQLite.

/// Identifies a store of tollproof in the header of the database: `tlpf` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x746c_7066;

/// The version of these tables, in the header of the database.
pub(super) const VERSION: i64 = 2;

/// Times are microseconds since 1970, ids are in lower case, numbers are keys.
pub(super) const TABLES: &str = "    CREATE TABLE submission (
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
";
