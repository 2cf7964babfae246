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
CREATE TABLE tollproof_form (form BIGINT NOT NULL);
INSERT INTO tollproof_form VALUES (3);
