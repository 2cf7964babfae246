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
