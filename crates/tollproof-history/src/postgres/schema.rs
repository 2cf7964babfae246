//! The tables of a store in PostgreSQL.

/// The version of these tables, which the table `tollproof_form` contains.
pub(super) const VERSION: i64 = 2;

/// Times are microseconds since 1970, ids are in lower case, numbers are keys. The collation `C` sorts by bytes, so that
/// every server exports in the same order.
pub(super) const TABLES: &str = r#"
    CREATE TABLE submission (
        key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        id TEXT COLLATE "C" NOT NULL UNIQUE,
        notified_at BIGINT
    );
    CREATE TABLE record (
        key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        submission BIGINT NOT NULL REFERENCES submission,
        updated_at BIGINT,
        status TEXT NOT NULL,
        digest BYTEA NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (submission, digest)
    );
    CREATE INDEX record_by_age ON record (submission, updated_at DESC NULLS LAST, key DESC);
    CREATE TABLE number (
        number TEXT COLLATE "C" NOT NULL,
        submission BIGINT NOT NULL REFERENCES submission,
        PRIMARY KEY (number, submission)
    );
    CREATE TABLE reservation (
        number TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        token TEXT NOT NULL,
        since BIGINT NOT NULL,
        until BIGINT NOT NULL
    );
    CREATE TABLE tollproof_form (form BIGINT NOT NULL);
    INSERT INTO tollproof_form VALUES (2);
"#;
