//! The tables of a store in SQLite.

/// Identifies a store of tollproof in the header of the database: `tlpf` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x746c_7066;

/// The version of these tables, in the header of the database.
pub(super) const VERSION: i64 = 3;

/// Times are microseconds since 1970, ids are in lower case, numbers are keys. The host of the provider's own servers is
/// empty.
pub(super) const TABLES: &str = "
    CREATE TABLE submission (
        key INTEGER PRIMARY KEY,
        host TEXT NOT NULL,
        id TEXT NOT NULL,
        notified_at INTEGER,
        UNIQUE (host, id)
    ) STRICT;
    CREATE TABLE record (
        key INTEGER PRIMARY KEY,
        submission INTEGER NOT NULL REFERENCES submission,
        updated_at INTEGER,
        status TEXT NOT NULL,
        digest BLOB NOT NULL,
        body TEXT NOT NULL,
        seen_at INTEGER NOT NULL,
        UNIQUE (submission, digest)
    ) STRICT;
    CREATE INDEX record_by_age ON record (submission, updated_at, seen_at);
    CREATE TABLE number (
        number TEXT NOT NULL,
        submission INTEGER NOT NULL REFERENCES submission,
        PRIMARY KEY (number, submission)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE reservation (
        host TEXT NOT NULL,
        number TEXT NOT NULL,
        token TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (host, number)
    ) STRICT, WITHOUT ROWID;
";

/// The tables of attempts.
pub(super) const ATTEMPT_TABLES: &str = "
    CREATE TABLE attempt (
        token TEXT NOT NULL PRIMARY KEY,
        host TEXT NOT NULL,
        operation TEXT NOT NULL,
        provider TEXT NOT NULL,
        number TEXT NOT NULL,
        digest TEXT NOT NULL,
        address TEXT NOT NULL,
        state TEXT NOT NULL,
        holder TEXT NOT NULL,
        until INTEGER NOT NULL,
        id TEXT,
        steps TEXT NOT NULL,
        why TEXT,
        record TEXT,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        sent_at INTEGER
    ) STRICT;
    CREATE TABLE attempt_number (
        number TEXT NOT NULL,
        token TEXT NOT NULL REFERENCES attempt,
        reserved INTEGER NOT NULL,
        PRIMARY KEY (number, token)
    ) STRICT, WITHOUT ROWID;
";

/// Changes the tables of version 2.
pub(super) const FROM_VERSION_2: &str = "
    CREATE TABLE submission_3 (
        key INTEGER PRIMARY KEY,
        host TEXT NOT NULL,
        id TEXT NOT NULL,
        notified_at INTEGER,
        UNIQUE (host, id)
    ) STRICT;
    INSERT INTO submission_3 SELECT key, '', id, notified_at FROM submission;
    DROP TABLE submission;
    ALTER TABLE submission_3 RENAME TO submission;
    ALTER TABLE record ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
    DROP INDEX record_by_age;
    CREATE INDEX record_by_age ON record (submission, updated_at, seen_at);
    CREATE TABLE reservation_3 (
        host TEXT NOT NULL,
        number TEXT NOT NULL,
        token TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (host, number)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO reservation_3 SELECT '', number, token, since, until FROM reservation;
    DROP TABLE reservation;
    ALTER TABLE reservation_3 RENAME TO reservation;
";

/// Shows the tables of version 2 like those of this version, for this connection only.
pub(super) const VIEW_OF_VERSION_2: &str = "
    CREATE TEMP VIEW submission AS SELECT key, '' AS host, id, notified_at FROM main.submission;
    CREATE TEMP VIEW record AS SELECT key, submission, updated_at, status, digest, body, 0 AS seen_at FROM main.record;
    CREATE TEMP VIEW reservation AS SELECT '' AS host, number, token, since, until FROM main.reservation;
";
