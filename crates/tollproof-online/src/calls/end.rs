//! Ends a submission or an update that the provider took, with the record that it shows of it.

use tollproof_core::{Format, NumberKey, Outcome, Parsed, Source};
use tollproof_history::{Attempt, AttemptOperation, Query};

use super::error::Result;
use super::look::Looked;
use super::numbers::NumberNames;
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::record::ProviderRecord;
use super::session::{CallSession, accepted};
use super::template::Variables;

/// The submission that has the id of an answer.
enum Shown {
    /// It is of the number that was sent.
    Own(Box<ProviderRecord>),
    /// It is of another number.
    Other,
    /// The provider was not asked, did not answer, or has none yet.
    Nothing,
}

impl CallSession<'_> {
    /// Ends an attempt after its last step, with its record if it can be had. Its outcome is unknown if the answer is about
    /// something else, or if the provider shows that nothing was done.
    pub(crate) fn end(
        &mut self,
        attempt: &Attempt,
        variables: &Variables,
        id: Option<&str>,
        answered: Option<ProviderRecord>,
    ) -> Result<CallOutcome> {
        if self.is_foreign(attempt, variables, id, answered.as_ref())? {
            return self.foreign(attempt);
        }
        let names = NumberNames::of_variables(variables);
        let id = answered.as_ref().map(|record| record.submission.id.clone()).or(id.map(str::to_owned));
        let is_submission = attempt.operation == AttemptOperation::Submission;
        // An answer without a number may be about another submission, and one to a submission may have the id of another one.
        let answered = answered.filter(|record| !record.submission.numbers.is_empty());
        let asked = id.as_ref().filter(|_| is_submission || answered.is_none());
        let shown = asked.map_or(Shown::Nothing, |id| self.shown(attempt, id, &names));
        let id = id.filter(|_| !matches!(shown, Shown::Other));
        let record = match shown {
            Shown::Own(record) if self.is_as_before(attempt, &record)? => {
                let (_, until) = self.lease()?;
                return self.unknown(attempt, "the provider took it, and shows what it showed before", until);
            }
            // `status` reports what has become of it since it was answered.
            Shown::Own(record) => answered.or(Some(*record)),
            Shown::Nothing if answered.is_some() || !is_submission && id.is_some() => answered,
            Shown::Nothing | Shown::Other => self.found(attempt, &names),
        };
        let id = record.as_ref().map(|record| record.submission.id.clone()).or(id);
        self.end_accepted(attempt, id.as_deref(), record.as_ref()).map(CallOutcome::Accepted)
    }

    /// Whether an id that was returned for a submission is that of another number.
    pub(crate) fn is_of_another(&mut self, attempt: &Attempt, variables: &Variables, id: &str) -> bool {
        matches!(self.shown(attempt, id, &NumberNames::of_variables(variables)), Shown::Other)
    }

    /// The outcome of an attempt whose answer is about something else.
    pub(crate) fn foreign(&mut self, attempt: &Attempt) -> Result<CallOutcome> {
        let (_, until) = self.lease()?;
        let why = "the answer is about another number or submission than what was sent";
        self.unknown(attempt, why, until)
    }

    /// The submission that has an id. The provider took what was sent, whatever a look says now, so an error is not one here.
    fn shown(&mut self, attempt: &Attempt, id: &str, names: &NumberNames) -> Shown {
        let Ok(Looked::Records(records)) = self.fetch(id, names) else { return Shown::Nothing };
        let own = match (records.is_empty(), attempt.operation) {
            (true, _) => return Shown::Nothing,
            (false, AttemptOperation::Submission) => self.of_number(records, names.clone()),
            (false, _) => Ok(Looked::Records(records)),
        };
        match own {
            Ok(Looked::Records(own)) => {
                own.into_iter().next().map_or(Shown::Other, |record| Shown::Own(Box::new(record)))
            }
            _ => Shown::Nothing,
        }
    }

    /// The submission that an attempt made, among those of its number.
    fn found(&mut self, attempt: &Attempt, names: &NumberNames) -> Option<ProviderRecord> {
        match self.look(names) {
            Ok(Looked::Records(records)) => self.made_by(attempt, records).ok().flatten(),
            _ => None,
        }
    }

    /// Whether a submission is a draft still, or waits to be updated as it did before an update, though the last step was taken.
    fn is_as_before(&mut self, attempt: &Attempt, record: &ProviderRecord) -> Result<bool> {
        let submission = &record.submission;
        let waits = submission.outcome() == Outcome::Rejected || submission.waits_for_answer();
        if attempt.operation != AttemptOperation::Update || !waits {
            return Ok(record.is_unsent);
        }
        let known = self.known_before(attempt, std::slice::from_ref(record))?;
        Ok(record.is_unsent || !known.is_changed(record))
    }

    /// Whether what an answer says of itself is not what was asked for: another number, or the submission of another one.
    fn is_foreign(
        &mut self,
        attempt: &Attempt,
        variables: &Variables,
        id: Option<&str>,
        record: Option<&ProviderRecord>,
    ) -> Result<bool> {
        let names = ["number", "number-id"].into_iter().filter_map(|name| variables.get(name));
        let names: Vec<NumberKey> = names.chain([&attempt.number]).map(|name| NumberKey::of(name)).collect();
        // A number in E.164 and the provider's id of it cannot be compared.
        let is_other = |number: &String| {
            let number = NumberKey::of(number);
            let mut same = names.iter().filter(|name| name.is_e164() == number.is_e164()).peekable();
            same.peek().is_some() && same.all(|name| *name != number)
        };
        let of_record = record.map(|record| record.submission.id.as_str());
        let Some(id) = of_record.or(id) else { return Ok(false) };
        let is_same_id = |changed: &String| changed.eq_ignore_ascii_case(id);
        if attempt.operation == AttemptOperation::Update && record.is_some() {
            return Ok(!attempt.record.as_ref().is_none_or(is_same_id));
        }
        let known = self.past.look_up(&Query { numbers: Vec::new(), ids: vec![id.to_owned()] })?.history;
        let are_others = |numbers: &[String]| !numbers.is_empty() && numbers.iter().all(is_other);
        Ok(known.of_id(id).is_some_and(|known| are_others(&known.numbers))
            || record.is_some_and(|record| are_others(&record.submission.numbers)))
    }

    fn end_accepted(
        &mut self,
        attempt: &Attempt,
        id: Option<&str>,
        record: Option<&ProviderRecord>,
    ) -> Result<Accepted> {
        if attempt.operation == AttemptOperation::Submission {
            return self.end_with(attempt, id, record, AcceptedBy::Answer);
        }
        if let Some(record) = record {
            self.keep(std::slice::from_ref(record))?;
        }
        let ended = self.end_with(attempt, id, None, AcceptedBy::Answer)?;
        Ok(Accepted { status: record.map(|record| record.submission.status.clone()), ..ended })
    }

    /// Ends an attempt that the provider accepted; the number is released with the record.
    pub(crate) fn end_with(
        &mut self,
        attempt: &Attempt,
        id: Option<&str>,
        record: Option<&ProviderRecord>,
        by: AcceptedBy,
    ) -> Result<Accepted> {
        let now = self.store()?.now()?;
        let source = record.map(|record| Source::new("answer", record.text.as_str()));
        let parsed = source.as_ref().map(|source| Parsed::of(source, Some(Format::Json)));
        let ended = self.store()?.accept(&attempt.token, id, parsed.as_ref(), now)?;
        let status = record.map(|record| record.submission.status.clone());
        Ok(Accepted { status, ..accepted(&ended, by) })
    }
}
