//! Attempts as rows of a store.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::claims;
use crate::attempt::{Attempt, AttemptOperation, AttemptState, NewAttempt};
use crate::backend::StoreTransaction;
use crate::error::{HistoryError, Result};
use crate::row::{SqlRow, SqlValue, microseconds, optional, text};

/// The condition of an open attempt.
pub(super) const IS_OPEN: &str = "AND state IN ('prepared', 'sent')";

const COLUMNS: &str = "token, operation, provider, number, digest, address, state, holder, until, id, steps, why, \
    record, created_at, updated_at, sent_at";

/// The attempts at the host of the transaction that meet a condition, the newest first. The parameters of the condition
/// begin with `?2`.
pub(super) fn find(
    transaction: &mut dyn StoreTransaction,
    condition: &str,
    parameters: &[SqlValue],
) -> Result<Vec<Attempt>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM attempt WHERE host = ?1 {condition} ORDER BY created_at DESC, token DESC"
    );
    let parameters: Vec<SqlValue> =
        [text(transaction.host())].into_iter().chain(parameters.iter().cloned()).collect();
    transaction.all(&sql, &parameters)?.into_iter().map(attempt).collect()
}

/// The attempt with a token.
pub(super) fn of_token(transaction: &mut dyn StoreTransaction, token: &str) -> Result<Option<Attempt>> {
    Ok(find(transaction, "AND token = ?2", &[text(token)])?.pop())
}

/// Adds an attempt.
pub(super) fn insert(
    transaction: &mut dyn StoreTransaction,
    token: &str,
    new: &NewAttempt,
    now: Timestamp,
) -> Result<()> {
    let sql = "INSERT INTO attempt (token, host, operation, provider, number, digest, address, state, holder, until, \
        steps, record, created_at, updated_at) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'prepared', ?8, ?9, ?10, ?11, ?12, ?12)";
    let parameters = [
        text(token),
        text(transaction.host()),
        text(new.operation.name()),
        text(&new.provider),
        text(&new.number),
        text(&new.digest),
        text(&new.address),
        text(&new.holder),
        microseconds(new.until),
        text(&steps_text(&new.steps)),
        optional(new.record.as_deref()),
        microseconds(now),
    ];
    transaction.execute(sql, &parameters).map(drop)
}

/// Steps as a store keeps them.
pub(super) fn steps_text(steps: &BTreeMap<String, String>) -> String {
    serde_json::to_string(steps).expect("texts can be written as JSON")
}

/// Changes the attempt with a token if it meets a condition. The parameters of `changes` and `condition` begin with `?3`.
pub(super) fn update(
    transaction: &mut dyn StoreTransaction,
    token: &str,
    changes: &str,
    condition: &str,
    parameters: &[SqlValue],
) -> Result<bool> {
    let sql = format!("UPDATE attempt SET {changes} WHERE host = ?1 AND token = ?2 {condition}");
    let own = [text(transaction.host()), text(token)];
    let parameters: Vec<SqlValue> = own.into_iter().chain(parameters.iter().cloned()).collect();
    Ok(transaction.execute(&sql, &parameters)? > 0)
}

/// Ends an open attempt, if it is that of the holder where one is named, and releases its names.
pub(super) fn end(
    transaction: &mut dyn StoreTransaction,
    token: &str,
    holder: Option<&str>,
    state: AttemptState,
    why: &str,
    now: Timestamp,
) -> Result<bool> {
    let names = claims::names_of(transaction, token)?;
    transaction.lock(&names)?;
    let changes = "state = ?3, why = ?4, updated_at = ?5";
    let parameters = [text(state.name()), text(why), microseconds(now), optional(holder)];
    let condition = format!("{IS_OPEN} AND holder = COALESCE(?6, holder)");
    if update(transaction, token, changes, &condition, &parameters)? {
        claims::end_all(transaction, token)?;
        return Ok(true);
    }
    // The connection was lost after the first try was committed.
    let is_done = |attempt: Attempt| {
        attempt.state == state
            && attempt.why.as_deref() == Some(why)
            && attempt.updated_at.as_microsecond() == now.as_microsecond()
    };
    Ok(of_token(transaction, token)?.is_some_and(is_done))
}

fn attempt(mut row: SqlRow) -> Result<Attempt> {
    let unknown = |what: &str| {
        HistoryError::Usage(format!(
            "the history contains an attempt whose {what} is not known; update tollproof"
        ))
    };
    let operation = AttemptOperation::of_name(&row.text(1)).ok_or_else(|| unknown("operation"))?;
    let state = AttemptState::of_name(&row.text(6)).ok_or_else(|| unknown("state"))?;
    Ok(Attempt {
        token: row.text(0),
        operation,
        provider: row.text(2),
        number: row.text(3),
        digest: row.text(4),
        address: row.text(5),
        state,
        holder: row.text(7),
        until: row.time(8).unwrap_or_default(),
        id: row.optional_text(9),
        steps: serde_json::from_str(&row.text(10)).map_err(|_| unknown("list of steps"))?,
        why: row.optional_text(11),
        record: row.optional_text(12),
        created_at: row.time(13).unwrap_or_default(),
        updated_at: row.time(14).unwrap_or_default(),
        sent_at: row.time(15),
    })
}
