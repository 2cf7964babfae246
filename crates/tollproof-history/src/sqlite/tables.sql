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
