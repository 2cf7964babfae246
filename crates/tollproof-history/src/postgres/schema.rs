//! The tables of a store in PostgreSQL.

/// The version of these tables, which the table `tollproof_form` contains.
pub(super) const VERSION: i64 = 3;

/// Times are microseconds since 1970, ids are in lower case, numbers are keys. The host of the provider's own servers is
/// empty. The collation `C` sorts by bytes, so that every server exports in the same order.
pub(super) const TABLES: &str = r#"
    CREATE TABLE submission (
        key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        host TEXT COLLATE "C" NOT NULL,
        id TEXT COLLATE "C" NOT NULL,
        notified_at BIGINT,
        UNIQUE (host, id)
    );
    CREATE TABLE record (
        key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        submission BIGINT NOT NULL REFERENCES submission,
        updated_at BIGINT,
        status TEXT NOT NULL,
        digest BYTEA NOT NULL,
        body TEXT NOT NULL,
        seen_at BIGINT NOT NULL,
        UNIQUE (submission, digest)
    );
    CREATE INDEX record_by_age ON record (submission, updated_at DESC NULLS LAST, seen_at DESC, key DESC);
    CREATE TABLE number (
        number TEXT COLLATE "C" NOT NULL,
        submission BIGINT NOT NULL REFERENCES submission,
        PRIMARY KEY (number, submission)
    );
    CREATE TABLE reservation (
        host TEXT COLLATE "C" NOT NULL,
        number TEXT COLLATE "C" NOT NULL,
        token TEXT COLLATE "C" NOT NULL,
        since BIGINT NOT NULL,
        until BIGINT NOT NULL,
        PRIMARY KEY (host, number)
    );
    CREATE TABLE tollproof_form (form BIGINT NOT NULL);
    INSERT INTO tollproof_form VALUES (3);
"#;

/// The tables of attempts.
pub(super) const ATTEMPT_TABLES: &str = r#"
    CREATE TABLE attempt (
        token TEXT COLLATE "C" NOT NULL PRIMARY KEY,
        host TEXT COLLATE "C" NOT NULL,
        operation TEXT NOT NULL,
        provider TEXT NOT NULL,
        number TEXT COLLATE "C" NOT NULL,
        digest TEXT NOT NULL,
        address TEXT NOT NULL,
        state TEXT NOT NULL,
        holder TEXT NOT NULL,
        until BIGINT NOT NULL,
        id TEXT,
        steps TEXT NOT NULL,
        why TEXT,
        record TEXT,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        sent_at BIGINT
    );
    CREATE TABLE attempt_number (
        number TEXT COLLATE "C" NOT NULL,
        token TEXT COLLATE "C" NOT NULL REFERENCES attempt,
        reserved BIGINT NOT NULL,
        PRIMARY KEY (number, token)
    );
"#;

/// Changes the tables of version 2.
pub(super) const FROM_VERSION_2: &str = r#"
    ALTER TABLE submission ADD COLUMN host TEXT COLLATE "C" NOT NULL DEFAULT '',
        DROP CONSTRAINT submission_id_key;
    ALTER TABLE submission ALTER COLUMN host DROP DEFAULT, ADD UNIQUE (host, id);
    ALTER TABLE record ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;
    ALTER TABLE record ALTER COLUMN seen_at DROP DEFAULT;
    DROP INDEX record_by_age;
    CREATE INDEX record_by_age ON record (submission, updated_at DESC NULLS LAST, seen_at DESC, key DESC);
    ALTER TABLE reservation ADD COLUMN host TEXT COLLATE "C" NOT NULL DEFAULT '',
        DROP CONSTRAINT reservation_pkey;
    ALTER TABLE reservation ALTER COLUMN host DROP DEFAULT, ADD PRIMARY KEY (host, number);
    UPDATE tollproof_form SET form = 3;
"#;
