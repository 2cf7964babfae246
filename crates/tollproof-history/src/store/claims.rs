//! The numbers that attempts claim: an open attempt, and an accepted one until the record of its submission is stored.
//!
//! A number with a claim is reserved without a limit, for one of the attempts that claim it. Callers lock the names of a
//! number before they change its claims.

use jiff::Timestamp;
use tollproof_core::Reservation;

use crate::backend::StoreTransaction;
use crate::error::Result;
use crate::row::{SqlRow, SqlValue, microseconds, text};

/// Marks a name that the attempt only mentions.
const MENTIONED: i64 = 0;

/// Marks a name that the attempt claims.
const CLAIMED: i64 = 1;

/// A name that an attempt claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// The key of the name.
    pub(super) name: String,
    /// The token of the attempt.
    pub(super) token: String,
    /// The id that the attempt returned, if it is known.
    pub(super) id: Option<String>,
    /// The time the attempt was recorded.
    pub(super) since: Timestamp,
}

/// Adds the names of a new attempt: those that it claims, and the one that it mentions.
pub(super) fn add(
    transaction: &mut dyn StoreTransaction,
    token: &str,
    names: &[String],
    mentioned: Option<String>,
) -> Result<()> {
    let sql =
        "INSERT INTO attempt_number (number, token, reserved) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let claimed = names.iter().map(|name| (name, CLAIMED));
    for (name, mark) in claimed.chain(mentioned.iter().map(|name| (name, MENTIONED))) {
        transaction.execute(sql, &[text(name), text(token), SqlValue::Integer(mark)])?;
    }
    Ok(())
}

/// All claims at the host of the transaction.
fn all(transaction: &mut dyn StoreTransaction, condition: &str, value: Option<&str>) -> Result<Vec<Claim>> {
    let sql = format!(
        "SELECT n.number, a.token, a.id, a.created_at FROM attempt_number n \
         JOIN attempt a ON a.token = n.token WHERE a.host = ?1 AND n.reserved = 1 {condition} \
         ORDER BY a.created_at, a.token, n.number"
    );
    let mut parameters = vec![text(transaction.host())];
    parameters.extend(value.map(text));
    let claim = |mut row: SqlRow| {
        let (name, token, id) = (row.text(0), row.text(1), row.optional_text(2));
        Claim { name, token, id, since: row.time(3).unwrap_or_default() }
    };
    Ok(transaction.all(&sql, &parameters)?.into_iter().map(claim).collect())
}

/// The claims to a name.
pub(super) fn of_name(transaction: &mut dyn StoreTransaction, name: &str) -> Result<Vec<Claim>> {
    all(transaction, "AND n.number = ?2", Some(name))
}

/// The claims of accepted attempts.
pub(super) fn of_accepted(transaction: &mut dyn StoreTransaction) -> Result<Vec<Claim>> {
    all(transaction, "AND a.state = 'accepted'", None)
}

/// The names that an attempt claims or has claimed, sorted.
pub(super) fn names_of(transaction: &mut dyn StoreTransaction, token: &str) -> Result<Vec<String>> {
    let sql = "SELECT number FROM attempt_number WHERE token = ?1 AND reserved > 0 ORDER BY number";
    Ok(transaction.all(sql, &[text(token)])?.iter_mut().map(|row| row.text(0)).collect())
}

/// Ends the claim of an attempt to a name, and reserves the name for another attempt that claims it.
pub(super) fn end(transaction: &mut dyn StoreTransaction, name: &str, token: &str) -> Result<()> {
    let sql = "UPDATE attempt_number SET reserved = 2 WHERE number = ?1 AND token = ?2 AND reserved = 1";
    transaction.execute(sql, &[text(name), text(token)])?;
    let sql = "DELETE FROM reservation WHERE host = ?1 AND number = ?2 AND token = ?3";
    transaction.execute(sql, &[text(transaction.host()), text(name), text(token)])?;
    hand_over(transaction, name)
}

/// Ends all reservations under a token, and the claims of its attempt.
pub(super) fn end_all(transaction: &mut dyn StoreTransaction, token: &str) -> Result<()> {
    let sql = "SELECT number FROM reservation WHERE host = ?1 AND token = ?2 ORDER BY number";
    let mut names = transaction.all(sql, &[text(transaction.host()), text(token)])?;
    let sql = "UPDATE attempt_number SET reserved = 2 WHERE token = ?1 AND reserved = 1";
    transaction.execute(sql, &[text(token)])?;
    transaction.delete_reservations_of(token)?;
    names.iter_mut().try_for_each(|name| hand_over(transaction, &name.text(0)))
}

/// Claims the names of an attempt again that had ended: the provider accepted it after all.
pub(super) fn renew(transaction: &mut dyn StoreTransaction, token: &str) -> Result<()> {
    let sql = "UPDATE attempt_number SET reserved = 1 WHERE token = ?1 AND reserved = 2";
    transaction.execute(sql, &[text(token)])?;
    for name in names_of(transaction, token)? {
        // A reservation with a limit would end before the claim.
        if transaction.reservation(&name)?.is_some_and(|(_, times)| !times.is_endless()) {
            transaction.delete_reservation(&name)?;
        }
        hand_over(transaction, &name)?;
    }
    Ok(())
}

/// Reserves a name that is not reserved for the first attempt that claims it.
fn hand_over(transaction: &mut dyn StoreTransaction, name: &str) -> Result<()> {
    if transaction.reservation(name)?.is_some() {
        return Ok(());
    }
    match of_name(transaction, name)?.first() {
        Some(claim) => transaction.reserve(name, &claim.token, endless(claim.since)),
        None => Ok(()),
    }
}

/// A reservation that lasts until its attempt has ended.
pub(super) fn endless(since: Timestamp) -> Reservation {
    Reservation { since, until: Timestamp::MAX }
}

/// Sets the id of an attempt that has none.
pub(super) fn set_id(transaction: &mut dyn StoreTransaction, token: &str, id: &str) -> Result<()> {
    let sql = "UPDATE attempt SET id = ?2 WHERE token = ?1 AND id IS NULL";
    transaction.execute(sql, &[text(token), text(id)]).map(drop)
}

/// Marks an open attempt as accepted, because the record of its submission was confirmed.
pub(super) fn accept(transaction: &mut dyn StoreTransaction, token: &str, now: Timestamp) -> Result<()> {
    let sql = "UPDATE attempt SET state = 'accepted', updated_at = ?2 \
        WHERE token = ?1 AND state IN ('prepared', 'sent')";
    transaction.execute(sql, &[text(token), microseconds(now)]).map(drop)
}
