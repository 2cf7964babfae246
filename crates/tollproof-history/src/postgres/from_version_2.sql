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
