CREATE TEMP VIEW submission AS SELECT key, '' AS host, id, notified_at FROM main.submission;
CREATE TEMP VIEW record AS SELECT key, submission, updated_at, status, digest, body, 0 AS seen_at FROM main.record;
CREATE TEMP VIEW reservation AS SELECT '' AS host, number, token, since, until FROM main.reservation;
