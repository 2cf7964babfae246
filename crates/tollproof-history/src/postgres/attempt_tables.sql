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
