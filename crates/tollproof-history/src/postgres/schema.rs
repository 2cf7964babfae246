//! The form of a store in PostgreSQL, and how it came about.

/// What each form adds to the one before.
///
/// Times are microseconds since 1970, ids and numbers are in small letters; they are ordered byte by byte, so that
/// every server exports the same.
pub(super) const MIGRATIONS: [&str; 1] = [r#"
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
    INSERT INTO tollproof_form VALUES (0);
"#];

/// The latest form.
pub(super) const LATEST: i64 = MIGRATIONS.len() as i64;
