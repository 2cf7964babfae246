//! Attempts that the provider accepted, by its answer or by a look at what it has.

use jiff::Timestamp;
use tollproof_core::Parsed;

use super::attempts::known;
use super::reserve::one_record;
use super::{Store, attempt_rows, claims};
use crate::attempt::{Attempt, AttemptOperation, AttemptState};
use crate::entry::number_key;
use crate::error::Result;
use crate::row::{microseconds, optional};

impl Store {
    /// Notes that the provider accepted an attempt, whoever holds it and even if it was refused or withdrawn before.
    /// `id` identifies the submission, or the number that was bought.
    ///
    /// With the record of the submission, the record is stored and the names are released, atomically. Without
    /// it, the names stay reserved until a record of them is stored.
    ///
    /// # Errors
    ///
    /// The attempt is unknown, the text is not exactly one record, or the store cannot be written to.
    pub fn accept(
        &mut self,
        token: &str,
        id: Option<&str>,
        record: Option<&Parsed<'_>>,
        now: Timestamp,
    ) -> Result<Attempt> {
        self.end_accepted(token, id, record, now, true)
    }

    /// Does the same as [`Store::accept`] for what a look has found, unless the attempt was refused or withdrawn: then
    /// another attempt made it. Returns the attempt as it is now.
    ///
    /// # Errors
    ///
    /// The attempt is unknown, the text is not exactly one record, or the store cannot be written to.
    pub fn adopt(
        &mut self,
        token: &str,
        id: Option<&str>,
        record: Option<&Parsed<'_>>,
        now: Timestamp,
    ) -> Result<Attempt> {
        self.end_accepted(token, id, record, now, false)
    }

    fn end_accepted(
        &mut self,
        token: &str,
        id: Option<&str>,
        record: Option<&Parsed<'_>>,
        now: Timestamp,
        may_be_late: bool,
    ) -> Result<Attempt> {
        let record = record.map(one_record).transpose()?;
        let parameters = [optional(id), microseconds(now)];
        self.change(|transaction| {
            let attempt = known(transaction, token)?;
            // Records come before locks, as wherever both are needed, so that callers cannot deadlock.
            if let Some((_, record)) = &record {
                let mut record = record.clone();
                if record.numbers.is_empty() && !attempt.number.is_empty() {
                    record.numbers.push(number_key(&attempt.number));
                }
                transaction.add(&[record])?;
            }
            let names = claims::names_of(transaction, token)?;
            transaction.lock(&names)?;
            let attempt = known(transaction, token)?;
            let is_late = matches!(attempt.state, AttemptState::Refused | AttemptState::Withdrawn);
            let changes = "state = 'accepted', id = COALESCE(?3, id), why = NULL, updated_at = ?4";
            let condition = if may_be_late { "" } else { "AND state NOT IN ('refused', 'withdrawn')" };
            if !attempt_rows::update(transaction, token, changes, condition, &parameters)? {
                return known(transaction, token);
            }
            match &record {
                Some((submission, _)) => {
                    claims::set_id(transaction, token, submission.id.trim())?;
                    claims::end_all(transaction, token)?;
                }
                // Only a submission has a record to wait for.
                None if attempt.operation != AttemptOperation::Submission => {
                    claims::end_all(transaction, token)?
                }
                None if is_late => claims::renew(transaction, token)?,
                None => {}
            }
            known(transaction, token)
        })
    }
}
