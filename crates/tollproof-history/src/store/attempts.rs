//! Attempts: each is written down before it is sent, changed by one holder at a time, and ended once its outcome is known.

use jiff::Timestamp;
use tollproof_core::quoted;

use super::attempt_rows::{IS_OPEN, steps_text};
use super::reserve::reserve_in;
use super::{Store, attempt_rows, claims, history_of};
use crate::attempt::{Attempt, AttemptOperation, AttemptState, NewAttempt};
use crate::backend::StoreTransaction;
use crate::entry::number_key;
use crate::error::{HistoryError, Result};
use crate::row::{SqlValue, microseconds, text};
use crate::token::token;

/// The shortest beginning of a token that identifies an attempt.
const MIN_PREFIX: usize = 6;

/// The condition of an open attempt of a holder.
const IS_OWN: &str = "AND holder = ?3 AND state IN ('prepared', 'sent')";

/// The result of [`Store::begin`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one for each request that is sent")]
pub enum Begun {
    /// The attempt is written down, and its names are reserved without a limit.
    Started(Attempt),
    /// One of the names is reserved for another caller, or has an open submission.
    Taken,
}

impl Store {
    /// Writes down an attempt and reserves its names, atomically: if several callers try at the same time, one of them
    /// starts. The names stay reserved until the attempt is refused or withdrawn, or until the record of its submission
    /// is stored.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn begin(&mut self, new: &NewAttempt, now: Timestamp) -> Result<Begun> {
        let token = token()?;
        let numbers: Vec<String> = new.names.iter().map(|it| number_key(it)).collect();
        let mentioned = Some(number_key(&new.number)).filter(|it| !it.is_empty());
        let store = self.name();
        self.change(|transaction| {
            // The connection was lost after the first try was committed.
            if let Some(attempt) = attempt_rows::of_token(transaction, &token)? {
                return Ok(Begun::Started(attempt));
            }
            let Some(names) = reserve_in(transaction, &store, &numbers, &token, claims::endless(now))? else {
                return Ok(Begun::Taken);
            };
            attempt_rows::insert(transaction, &token, new, now)?;
            claims::add(transaction, &token, &names, mentioned.clone())?;
            Ok(Begun::Started(known(transaction, &token)?))
        })
    }

    /// Makes a caller the holder of an open attempt, if the attempt is its own or the time of the other holder had ended
    /// at `now`. Of several callers at the same time, one becomes the holder. `None` if this caller does not.
    ///
    /// A holder's request may arrive until its time has ended. So a caller that looked for it must give the time at
    /// which its look began as `now`: another holder may have sent since.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn take_over(
        &mut self,
        token: &str,
        holder: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Attempt>> {
        let (changes, condition) = (
            "holder = ?3, until = ?4, updated_at = ?5",
            format!("{IS_OPEN} AND (holder = ?3 OR until <= ?5 OR holder = '' AND state = 'prepared')"),
        );
        let parameters = [text(holder), microseconds(until), microseconds(now)];
        self.change(|transaction| {
            if attempt_rows::update(transaction, token, changes, &condition, &parameters)? {
                attempt_rows::of_token(transaction, token)
            } else {
                Ok(None)
            }
        })
    }

    /// Lets the time of an open attempt end at `until`, if the clock was ahead when it began.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn shorten(&mut self, token: &str, now: Timestamp, until: Timestamp) -> Result<bool> {
        let changes =
            "until = ?4, updated_at = ?3, sent_at = CASE WHEN sent_at > ?3 THEN ?3 ELSE sent_at END";
        let parameters = [microseconds(now), microseconds(until)];
        self.change(|transaction| attempt_rows::update(transaction, token, changes, IS_OPEN, &parameters))
    }

    /// Notes that a request is about to be sent. Returns whether the caller holds the open attempt; otherwise it must not
    /// send.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn mark_sent(&mut self, token: &str, holder: &str, now: Timestamp, until: Timestamp) -> Result<bool> {
        let changes = "state = 'sent', sent_at = ?4, updated_at = ?4, until = ?5";
        let parameters = [text(holder), microseconds(now), microseconds(until)];
        self.change(|transaction| attempt_rows::update(transaction, token, changes, IS_OWN, &parameters))
    }

    /// Notes that nothing was sent after all, or that a step is done. Returns whether the caller holds the open attempt.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn mark_unsent(&mut self, token: &str, holder: &str) -> Result<bool> {
        let changes = "state = 'prepared'";
        self.change(|transaction| attempt_rows::update(transaction, token, changes, IS_OWN, &[text(holder)]))
    }

    /// Keeps the id that a step returned, and notes that the step is done, atomically. Returns whether the caller holds
    /// the open attempt.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn keep_step(&mut self, token: &str, holder: &str, name: &str, value: &str) -> Result<bool> {
        let own = [text(holder)];
        self.change(|transaction| {
            insert_step(transaction, token, "state = 'prepared'", IS_OWN, &own, name, value)
        })
    }

    /// Notes that the request of an attempt arrived, as a look has found, whoever sent it, and that nothing of it is on its
    /// way. Returns false if the attempt is not as it was given any more.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn settle_step(
        &mut self,
        attempt: &Attempt,
        name: &str,
        value: &str,
        now: Timestamp,
    ) -> Result<bool> {
        let sent_at = attempt.sent_at.map_or(SqlValue::Null, microseconds);
        let parameters = [microseconds(now), sent_at];
        let (changes, condition) = (
            "state = 'prepared', holder = '', until = ?3, updated_at = ?3",
            "AND state = 'sent' AND sent_at = ?4",
        );
        self.change(|transaction| {
            insert_step(transaction, &attempt.token, changes, condition, &parameters, name, value)
        })
    }

    /// Notes something about an open attempt, whoever holds it. Returns false if it has ended.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn note_step(&mut self, token: &str, name: &str, value: &str) -> Result<bool> {
        self.change(|transaction| insert_step(transaction, token, "state = state", IS_OPEN, &[], name, value))
    }

    /// Lets others continue an open attempt of a holder at once, or as soon as what was sent cannot arrive any more.
    /// Returns whether the caller held it.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn let_go(&mut self, token: &str, holder: &str, now: Timestamp) -> Result<bool> {
        let changes = "holder = '', until = CASE WHEN state = 'sent' THEN until ELSE ?4 END";
        let parameters = [text(holder), microseconds(now)];
        self.change(|transaction| attempt_rows::update(transaction, token, changes, IS_OWN, &parameters))
    }

    /// Reserves one more name for an open attempt of a holder. False if the name is not free, or another caller holds the
    /// attempt.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn claim(&mut self, token: &str, holder: &str, name: &str, now: Timestamp) -> Result<bool> {
        let (name, store) = (number_key(name), self.name());
        self.change(|transaction| {
            let own = [text(holder)];
            if !attempt_rows::update(transaction, token, "state = state", IS_OWN, &own)? {
                return Ok(false);
            }
            let name = std::slice::from_ref(&name);
            let Some(names) = reserve_in(transaction, &store, name, token, claims::endless(now))? else {
                return Ok(false);
            };
            claims::add(transaction, token, &names, None)?;
            Ok(true)
        })
    }

    /// Ends an open attempt of a holder that the provider refused, and releases its names, atomically. Returns false if
    /// the attempt had ended before, or has another holder by now.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn refuse(&mut self, token: &str, holder: &str, why: &str, now: Timestamp) -> Result<bool> {
        self.end_attempt(token, Some(holder), AttemptState::Refused, why, now)
    }

    /// Ends an open attempt of a holder of which nothing arrived, and releases its names, atomically. Returns false if
    /// the attempt had ended before, or has another holder by now: it may have been sent since.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn give_up(&mut self, token: &str, holder: &str, why: &str, now: Timestamp) -> Result<bool> {
        self.end_attempt(token, Some(holder), AttemptState::Withdrawn, why, now)
    }

    /// Ends an open attempt because a person says that nothing arrived, whoever holds it, and releases its names,
    /// atomically. Returns false if the attempt had ended before.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn withdraw(&mut self, token: &str, why: &str, now: Timestamp) -> Result<bool> {
        self.end_attempt(token, None, AttemptState::Withdrawn, why, now)
    }

    fn end_attempt(
        &mut self,
        token: &str,
        holder: Option<&str>,
        state: AttemptState,
        why: &str,
        now: Timestamp,
    ) -> Result<bool> {
        self.change(|transaction| attempt_rows::end(transaction, token, holder, state, why, now))
    }

    /// Ends a submission that was accepted without a record, because a person says that the provider does not have it, and
    /// releases its names, atomically. Returns false if it has a record, or is not accepted.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn disown(&mut self, token: &str, why: &str, now: Timestamp) -> Result<bool> {
        if !self.unrecorded()?.iter().any(|attempt| attempt.token == token) {
            return Ok(false);
        }
        let parameters = [text(why), microseconds(now)];
        self.change(|transaction| {
            let names = claims::names_of(transaction, token)?;
            transaction.lock(&names)?;
            let changes = "state = 'withdrawn', why = ?3, updated_at = ?4";
            let is_ended =
                attempt_rows::update(transaction, token, changes, "AND state = 'accepted'", &parameters)?;
            if is_ended {
                claims::end_all(transaction, token)?;
            }
            Ok(is_ended)
        })
    }

    /// The submissions that were accepted without a record, which keeps their numbers reserved; the oldest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn unrecorded(&mut self) -> Result<Vec<Attempt>> {
        let (mut attempts, reserved) = (self.attempts()?, self.reservations()?);
        let is_same = |name: &str, attempt: &Attempt| number_key(name) == number_key(&attempt.number);
        attempts.retain(|attempt| {
            attempt.operation == AttemptOperation::Submission
                && attempt.state == AttemptState::Accepted
                && reserved.iter().any(|(name, it)| it.is_endless() && is_same(name, attempt))
        });
        attempts.reverse();
        Ok(attempts)
    }

    /// All attempts, the newest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn attempts(&mut self) -> Result<Vec<Attempt>> {
        self.read(|transaction| attempt_rows::find(transaction, "", &[]))
    }

    /// The attempt whose token begins with at least 6 characters.
    ///
    /// # Errors
    ///
    /// The text is shorter, several attempts begin with it, or the store cannot be read.
    pub fn attempt(&mut self, prefix: &str) -> Result<Option<Attempt>> {
        let prefix = prefix.trim().to_ascii_lowercase();
        if prefix.len() < MIN_PREFIX {
            return Err(HistoryError::Usage(format!(
                "`{}` is too short; write at least {MIN_PREFIX} characters of the attempt's token",
                quoted(&prefix)
            )));
        }
        // Tokens are hexadecimal; other characters may have a meaning in a pattern.
        if !prefix.bytes().all(|it| it.is_ascii_hexdigit()) {
            return Ok(None);
        }
        let pattern = [text(&format!("{prefix}%"))];
        let mut found =
            self.read(|transaction| attempt_rows::find(transaction, "AND token LIKE ?2", &pattern))?;
        match found.len() {
            0 | 1 => Ok(found.pop()),
            count => Err(HistoryError::Usage(format!(
                "{count} attempts begin with `{prefix}`; write more characters of the token"
            ))),
        }
    }

    /// The attempts with any name of a number, the newest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn attempts_of(&mut self, number: &str) -> Result<Vec<Attempt>> {
        let (number, store) = (number_key(number), self.name());
        let condition =
            "AND EXISTS (SELECT 1 FROM attempt_number n WHERE n.number = ?2 AND n.token = attempt.token)";
        self.read(|transaction| {
            let names = history_of(transaction, &store, std::slice::from_ref(&number))?.names(&number);
            let mut found: Vec<Attempt> = Vec::new();
            for name in &names {
                let of_name = attempt_rows::find(transaction, condition, &[text(name)])?;
                found.extend(of_name);
            }
            found.sort_by(|a, b| (b.created_at, &b.token).cmp(&(a.created_at, &a.token)));
            found.dedup_by(|a, b| a.token == b.token);
            Ok(found)
        })
    }
}

/// Changes an attempt that meets a condition, and adds a step to it.
fn insert_step(
    transaction: &mut dyn StoreTransaction,
    token: &str,
    changes: &str,
    condition: &str,
    parameters: &[SqlValue],
    name: &str,
    value: &str,
) -> Result<bool> {
    // This locks the row, so that its steps cannot change before they are written.
    if !attempt_rows::update(transaction, token, changes, condition, parameters)? {
        return Ok(false);
    }
    let mut steps = known(transaction, token)?.steps;
    steps.insert(name.to_owned(), value.to_owned());
    attempt_rows::update(transaction, token, "steps = ?3", "", &[text(&steps_text(&steps))])
}

/// The attempt with a token, which must exist.
pub(super) fn known(transaction: &mut dyn StoreTransaction, token: &str) -> Result<Attempt> {
    let found = attempt_rows::of_token(transaction, token)?;
    found.ok_or_else(|| {
        HistoryError::Usage(format!(
            "the history contains no attempt `{}`; `tollproof attempts` lists them",
            quoted(token)
        ))
    })
}
