//! Webhooks that wait: reviews that ended, and what is to be sent because of them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{OptionalExtension as _, Result, params};

use super::{Filing, FilingState, StateTables, millis, submissions::filing_by_sequence, time};
use crate::webhook::Webhook;

/// A review that ended, with the submission as it was then.
#[derive(Clone, Debug)]
pub(crate) struct EndedReview {
    /// Its place among all; with the id of the submission it identifies the event.
    pub(crate) sequence: i64,
    pub(crate) provider: String,
    pub(crate) filing: Filing,
}

/// A webhook that waits for its time.
#[derive(Clone, Debug)]
pub(crate) struct WaitingDelivery {
    pub(crate) sequence: i64,
    pub(crate) provider: String,
    pub(crate) fault: String,
    pub(crate) webhook: Webhook,
}

/// The sender's next step.
#[derive(Clone, Debug)]
pub(crate) enum NextDelivery {
    /// To send this.
    Now(Box<WaitingDelivery>),
    /// To wait.
    Later(Duration),
    /// Nothing.
    Nothing,
}

/// The real time in milliseconds; the clock of the sandbox does not move deliveries.
fn real_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl StateTables<'_> {
    /// Notes that a review ended.
    pub(super) fn note_end(&self, submission: i64, state: FilingState, reasons: &str) -> Result<()> {
        let sql = "INSERT INTO ended_review (submission, state, reasons, at) VALUES (?1, ?2, ?3, ?4)";
        let values = params![submission, state.name(), reasons, millis(self.now)];
        self.connection.prepare_cached(sql)?.execute(values).map(drop)
    }

    /// Takes the reviews that ended, oldest first.
    pub(crate) fn take_ended(&self) -> Result<Vec<EndedReview>> {
        let sql = "SELECT ended_review.sequence, submission, provider, ended_review.state, ended_review.reasons, at
            FROM ended_review JOIN submission ON submission.sequence = submission ORDER BY ended_review.sequence";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut ended = Vec::new();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let Some(mut filing) = filing_by_sequence(self.connection, row.get(1)?)? else { continue };
            let at = time(row.get(5)?);
            filing.state = FilingState::named(&row.get::<_, String>(3)?);
            filing.reasons = serde_json::from_str(&row.get::<_, String>(4)?).unwrap_or_default();
            filing.updated_at = at;
            filing.decided_at = Some(at);
            ended.push(EndedReview { sequence: row.get(0)?, provider: row.get(2)?, filing });
        }
        if !ended.is_empty() {
            self.connection.execute("DELETE FROM ended_review", [])?;
        }
        Ok(ended)
    }

    /// The time until the next review ends that has a length.
    pub(crate) fn next_end(&self) -> Result<Option<Duration>> {
        let sql = "SELECT min(due_at) FROM submission WHERE state = 'open'";
        let due: Option<i64> = self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        let wait = due.map(|due| due.saturating_sub(millis(self.now)).max(1).unsigned_abs());
        Ok(wait.map(Duration::from_millis))
    }

    /// Lets a webhook wait this long; one that is held also goes after the next one of its provider.
    pub(crate) fn deliver(
        &self,
        provider: &str,
        webhook: &Webhook,
        fault: &str,
        (wait, is_held): (Duration, bool),
    ) -> Result<()> {
        let sql =
            "INSERT INTO delivery (provider, due_at, is_held, fault, webhook) VALUES (?1, ?2, ?3, ?4, ?5)";
        let due = real_now().saturating_add(i64::try_from(wait.as_millis()).unwrap_or(i64::MAX));
        let webhook = serde_json::to_string(webhook).expect("texts have JSON");
        self.connection.execute(sql, params![provider, due, is_held, fault, webhook]).map(drop)
    }

    /// The delivery whose time has come, or how long that takes.
    pub(crate) fn next_delivery(&self) -> Result<NextDelivery> {
        let sql = "SELECT sequence, provider, fault, webhook, due_at FROM delivery ORDER BY due_at, sequence LIMIT 1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let next = statement.query_row([], |row| {
            let text: String = row.get(3)?;
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, text, row.get::<_, i64>(4)?))
        });
        let Some((sequence, provider, fault, text, due)) = next.optional()? else {
            return Ok(NextDelivery::Nothing);
        };
        let wait = due.saturating_sub(real_now());
        if wait > 0 {
            return Ok(NextDelivery::Later(Duration::from_millis(wait.unsigned_abs())));
        }
        match serde_json::from_str(&text) {
            Ok(webhook) => {
                Ok(NextDelivery::Now(Box::new(WaitingDelivery { sequence, provider, fault, webhook })))
            }
            // Only another program could have written it.
            Err(_) => {
                self.connection.execute("DELETE FROM delivery WHERE sequence = ?1", [sequence])?;
                self.next_delivery()
            }
        }
    }

    /// Forgets a delivery that was tried, and lets those go that waited for it.
    pub(crate) fn end_delivery(&self, delivery: &WaitingDelivery) -> Result<()> {
        self.connection.execute("DELETE FROM delivery WHERE sequence = ?1", [delivery.sequence])?;
        let sql = "UPDATE delivery SET is_held = 0, due_at = ?3
            WHERE is_held AND provider = ?1 AND sequence < ?2";
        self.connection.execute(sql, params![delivery.provider, delivery.sequence, real_now()]).map(drop)
    }
}
