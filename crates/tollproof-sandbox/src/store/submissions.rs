//! Submissions, their versions and the history of their states.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Result, Row, params};
use serde_json::Value;

use super::{StateTables, millis, time};
use crate::review::ReviewReason;

/// Stage of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FilingState {
    /// It was never sent to review.
    Draft,
    /// It waits for the end of its review.
    Open,
    Approved,
    Rejected,
}

impl FilingState {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Open => "open",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
        }
    }

    pub(super) fn named(name: &str) -> Self {
        [Self::Draft, Self::Approved, Self::Rejected]
            .into_iter()
            .find(|it| it.name() == name)
            .unwrap_or(Self::Open)
    }
}

/// A stored submission.
#[derive(Clone, Debug)]
pub(crate) struct Filing {
    sequence: i64,
    pub(crate) id: String,
    pub(crate) account: String,
    pub(crate) state: FilingState,
    /// The submitted data, with the fields of the provider.
    pub(crate) body: Value,
    /// Rejection reasons.
    pub(crate) reasons: Vec<ReviewReason>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    /// The review's end.
    pub(crate) decided_at: Option<Timestamp>,
}

/// A submission to store.
pub(crate) struct NewFiling<'a> {
    pub(crate) provider: &'a str,
    pub(crate) account: &'a str,
    pub(crate) id: &'a str,
    /// The numbers, in E.164.
    pub(crate) numbers: &'a [String],
    pub(crate) body: &'a Value,
    /// Open, or a draft.
    pub(crate) state: FilingState,
    /// The reasons with which the review will end, none for an approval.
    pub(crate) verdict: &'a [ReviewReason],
    /// Length of the review.
    pub(crate) after: SignedDuration,
}

const COLUMNS: &str = "sequence, id, account, state, body, reasons, created_at, updated_at, decided_at";

impl StateTables<'_> {
    /// The name of a number's next submission: it counts those that were deleted too.
    pub(crate) fn next_filing(&self, provider: &str, number: &str) -> Result<String> {
        Ok(self.count(&format!("{provider}:{number}"))?.to_string())
    }

    /// Stores a submission.
    pub(crate) fn file(&self, new: &NewFiling<'_>) -> Result<()> {
        let sql = "INSERT INTO submission (provider, id, account, state, body, reasons, verdict, due_at,
                created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, '[]', ?6, ?7, ?8, ?8)";
        self.connection.prepare_cached(sql)?.execute(params![
            new.provider,
            new.id,
            new.account,
            new.state.name(),
            new.body.to_string(),
            json(new.verdict),
            self.due(new.after),
            millis(self.now),
        ])?;
        let sequence = self.connection.last_insert_rowid();
        let sql = "INSERT OR IGNORE INTO submitted_number (provider, number, submission) VALUES (?1, ?2, ?3)";
        let mut statement = self.connection.prepare_cached(sql)?;
        for number in new.numbers {
            statement.execute(params![new.provider, number, sequence])?;
        }
        self.note_change(sequence, new.state)
    }

    /// Sends a submission again, with what was changed.
    pub(crate) fn refile(
        &self,
        filing: &Filing,
        body: &Value,
        verdict: &[ReviewReason],
        after: SignedDuration,
    ) -> Result<()> {
        let sql = "UPDATE submission SET state = 'open', body = ?2, reasons = '[]', verdict = ?3,
                due_at = ?4, updated_at = ?5, decided_at = NULL WHERE sequence = ?1";
        let values =
            params![filing.sequence, body.to_string(), json(verdict), self.due(after), millis(self.now)];
        self.connection.prepare_cached(sql)?.execute(values)?;
        self.note_change(filing.sequence, FilingState::Open)
    }

    /// Ends the reviews whose time has come; those without a time end when submissions are read.
    pub(crate) fn settle(&self, is_reading: bool) -> Result<()> {
        let sql = "SELECT sequence, verdict, due_at FROM submission WHERE state = 'open' AND due_at <= ?1
            UNION ALL
            SELECT sequence, verdict, ?1 FROM submission WHERE ?2 AND state = 'open' AND due_at IS NULL";
        let mut statement = self.connection.prepare_cached(sql)?;
        let due = statement.query_map(params![millis(self.now), is_reading], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?))
        })?;
        for row in due.collect::<Result<Vec<_>>>()? {
            let (sequence, verdict, at) = row;
            let reasons: Vec<ReviewReason> = serde_json::from_str(&verdict).unwrap_or_default();
            StateTables { now: time(at), ..*self }.decide(sequence, &reasons)?;
        }
        Ok(())
    }

    /// Ends a review now.
    pub(crate) fn decide_now(&self, filing: &Filing, reasons: &[ReviewReason]) -> Result<()> {
        self.decide(filing.sequence, reasons)
    }

    fn decide(&self, sequence: i64, reasons: &[ReviewReason]) -> Result<()> {
        let state = if reasons.is_empty() { FilingState::Approved } else { FilingState::Rejected };
        let sql = "UPDATE submission SET state = ?2, reasons = ?3, updated_at = ?4, decided_at = ?4 WHERE sequence = ?1";
        let reasons = json(reasons);
        let values = params![sequence, state.name(), reasons, millis(self.now)];
        self.connection.prepare_cached(sql)?.execute(values)?;
        self.note_end(sequence, state, &reasons)?;
        self.note_change(sequence, state)
    }

    fn note_change(&self, sequence: i64, state: FilingState) -> Result<()> {
        let sql = "INSERT INTO change (submission, state, at) VALUES (?1, ?2, ?3)";
        let values = params![sequence, state.name(), millis(self.now)];
        self.connection.prepare_cached(sql)?.execute(values).map(drop)
    }

    /// The states that a submission had, oldest first.
    pub(crate) fn changes(&self, filing: &Filing) -> Result<Vec<(FilingState, Timestamp)>> {
        let sql = "SELECT state, at FROM change WHERE submission = ?1 ORDER BY sequence";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([filing.sequence], |row| {
            Ok((FilingState::named(&row.get::<_, String>(0)?), time(row.get(1)?)))
        })?;
        rows.collect()
    }

    /// Counts a submission's reviews.
    pub(crate) fn times_sent(&self, filing: &Filing) -> Result<u32> {
        let sql = "SELECT count(*) FROM change WHERE submission = ?1 AND state = 'open'";
        self.connection.prepare_cached(sql)?.query_row([filing.sequence], |row| row.get(0))
    }

    /// Changes what a submission says, without a review.
    pub(crate) fn amend(&self, filing: &Filing, body: &Value) -> Result<()> {
        let sql = "UPDATE submission SET body = ?2, updated_at = ?3 WHERE sequence = ?1";
        let values = params![filing.sequence, body.to_string(), millis(self.now)];
        self.connection.prepare_cached(sql)?.execute(values).map(drop)
    }

    /// The submission with an id.
    pub(crate) fn filing(&self, provider: &str, id: &str) -> Result<Option<Filing>> {
        let sql = format!("SELECT {COLUMNS} FROM submission WHERE provider = ?1 AND id = ?2");
        self.connection.prepare_cached(&sql)?.query_row([provider, id], filing).optional()
    }

    /// The submissions of a number, newest first.
    pub(crate) fn filings_of(&self, provider: &str, number: &str) -> Result<Vec<Filing>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM submission WHERE sequence IN
                (SELECT submission FROM submitted_number WHERE provider = ?1 AND number = ?2)
             ORDER BY sequence DESC"
        );
        self.connection.prepare_cached(&sql)?.query_map([provider, number], filing)?.collect()
    }

    /// The numbers of a submission.
    pub(crate) fn numbers_of(&self, filing: &Filing) -> Result<Vec<String>> {
        let sql = "SELECT number FROM submitted_number WHERE submission = ?1 ORDER BY number";
        self.connection.prepare_cached(sql)?.query_map([filing.sequence], |row| row.get(0))?.collect()
    }

    /// Deletes a submission, so that its numbers can be submitted again.
    pub(crate) fn delete(&self, filing: &Filing) -> Result<()> {
        self.connection.execute("DELETE FROM submission WHERE sequence = ?1", [filing.sequence]).map(drop)
    }

    /// The submissions of an account, newest first, and at most so many.
    pub(crate) fn filings(&self, provider: &str, account: &str, limit: u32) -> Result<Vec<Filing>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM submission WHERE provider = ?1 AND ?2 IN ('', account) ORDER BY sequence DESC
             LIMIT ?3"
        );
        self.connection.prepare_cached(&sql)?.query_map(params![provider, account, limit], filing)?.collect()
    }

    /// End of a review of this length; without a length, when it is read.
    fn due(&self, after: SignedDuration) -> Option<i64> {
        let end = self.now.saturating_add(after).unwrap_or(Timestamp::MAX);
        after.is_positive().then_some(millis(end))
    }
}

/// A submission by its place in the table.
pub(super) fn filing_by_sequence(connection: &Connection, sequence: i64) -> Result<Option<Filing>> {
    let sql = format!("SELECT {COLUMNS} FROM submission WHERE sequence = ?1");
    connection.prepare_cached(&sql)?.query_row([sequence], filing).optional()
}

fn filing(row: &Row<'_>) -> Result<Filing> {
    Ok(Filing {
        sequence: row.get(0)?,
        id: row.get(1)?,
        account: row.get(2)?,
        state: FilingState::named(&row.get::<_, String>(3)?),
        body: from_json(row, 4)?,
        reasons: from_json(row, 5)?,
        created_at: time(row.get(6)?),
        updated_at: time(row.get(7)?),
        decided_at: row.get::<_, Option<i64>>(8)?.map(time),
    })
}

fn json(reasons: &[ReviewReason]) -> String {
    serde_json::to_string(reasons).expect("texts have JSON")
}

/// JSON of a column; what cannot be read, which nothing writes, is empty.
fn from_json<T: serde::de::DeserializeOwned + Default>(row: &Row<'_>, at: usize) -> Result<T> {
    Ok(serde_json::from_str(&row.get::<_, String>(at)?).unwrap_or_default())
}
