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
