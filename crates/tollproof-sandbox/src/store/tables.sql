CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE number (
    sequence INTEGER PRIMARY KEY, provider TEXT NOT NULL, number TEXT NOT NULL, id TEXT NOT NULL,
    account TEXT NOT NULL, created_at INTEGER NOT NULL,
    UNIQUE (provider, number), UNIQUE (provider, id)
) STRICT;
CREATE TABLE submission (
    sequence INTEGER PRIMARY KEY, provider TEXT NOT NULL, id TEXT NOT NULL, account TEXT NOT NULL,
    state TEXT NOT NULL, body TEXT NOT NULL,
    reasons TEXT NOT NULL, verdict TEXT NOT NULL, due_at INTEGER,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, decided_at INTEGER,
    UNIQUE (provider, id)
) STRICT;
CREATE INDEX waiting ON submission (due_at) WHERE state = 'open';
CREATE TABLE submitted_number (
    provider TEXT NOT NULL, number TEXT NOT NULL,
    submission INTEGER NOT NULL REFERENCES submission ON DELETE CASCADE,
    PRIMARY KEY (provider, number, submission)
) STRICT, WITHOUT ROWID;
CREATE INDEX number_of_submission ON submitted_number (submission);
CREATE TABLE change (
    sequence INTEGER PRIMARY KEY, submission INTEGER NOT NULL REFERENCES submission ON DELETE CASCADE,
    state TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX change_of_submission ON change (submission);
CREATE TABLE planned_fault (
    sequence INTEGER PRIMARY KEY, provider TEXT NOT NULL, operation TEXT NOT NULL, fault TEXT NOT NULL
) STRICT;
CREATE TABLE ended_review (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    submission INTEGER NOT NULL REFERENCES submission ON DELETE CASCADE,
    state TEXT NOT NULL, reasons TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE delivery (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, provider TEXT NOT NULL, due_at INTEGER NOT NULL,
    is_held INTEGER NOT NULL, fault TEXT NOT NULL, webhook TEXT NOT NULL
) STRICT;
CREATE INDEX next_delivery ON delivery (due_at, sequence);
CREATE TABLE arrival (
    sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, provider TEXT NOT NULL, operation TEXT NOT NULL,
    method TEXT NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, status INTEGER NOT NULL,
    fault TEXT NOT NULL
) STRICT;
