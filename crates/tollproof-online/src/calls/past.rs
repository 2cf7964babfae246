//! Answers of the history: the submissions of names, those that are not at their end, and their providers.

use jiff::Timestamp;
use tollproof_core::{NumberKey, Outcome, Provider, Submission};
use tollproof_history::{AttemptOperation, HistorySet, Query};

use super::bought::bought;
use super::error::Result;
use super::operations::callable_providers;
use super::session::CallSession;

/// The number of submissions that are looked up at once.
const AT_ONCE: usize = 500;

impl CallSession<'_> {
    /// The submissions with numbers or ids, and the names of which there is none.
    pub(crate) fn named(&mut self, names: &[String]) -> Result<(Vec<Submission>, Vec<String>)> {
        let provider = self.api.provider();
        let (mut found, mut unknown) = (Vec::new(), Vec::new());
        for name in names {
            let known = self.known_name(name)?;
            let query = Query { numbers: vec![known.clone()], ids: vec![known.clone()] };
            let history = self.past.look_up(&query)?.history;
            let of_name: Vec<&Submission> = match history.of_id(&known) {
                Some(one) => vec![one],
                None => history.of_number(&known).collect(),
            };
            let own = of_name.into_iter().filter(|known| known.provider.is_none_or(|of| of == provider));
            let before = found.len();
            found.extend(own.cloned());
            if found.len() == before {
                unknown.push(name.clone());
            }
        }
        Ok((found, unknown))
    }

    /// The name under which the history knows a number or submission. Records of some providers have only the provider's id of a
    /// number: then it comes from the purchase, or from the provider's list of numbers.
    pub(crate) fn known_name(&mut self, name: &str) -> Result<String> {
        let past = &mut *self.past;
        let mut is_known = |name: &str| -> Result<bool> {
            let history =
                past.look_up(&Query { numbers: vec![name.to_owned()], ids: vec![name.to_owned()] })?.history;
            Ok(history.of_id(name).is_some() || history.of_number(name).next().is_some())
        };
        let key = NumberKey::of(name);
        if is_known(name)? || !key.is_e164() {
            return Ok(name.to_owned());
        }
        let is_same = |number: &str| NumberKey::of(number) == key;
        let attempts = self.past.store()?.attempts()?;
        let purchases = attempts.iter().filter(|attempt| attempt.operation == AttemptOperation::Purchase);
        let known = purchases.flat_map(bought).find(|bought| is_same(&bought.number));
        let id = match known.and_then(|bought| bought.id) {
            Some(id) => Some(id),
            None => match self.api.own_numbers() {
                Ok(Ok(found)) => found.into_iter().find(|own| is_same(&own.number)).and_then(|own| own.id),
                // The number stays unknown then, which is reported.
                Ok(Err(_)) | Err(_) => None,
            },
        };
        Ok(id.unwrap_or_else(|| name.to_owned()))
    }

    /// The submissions that are open, or wait for an answer.
    pub(crate) fn unfinished(&mut self, now: Timestamp) -> Result<Vec<Submission>> {
        let may_change = |known: &Submission| {
            known.is_open() || known.waits_for_answer() || known.answer_by().is_some_and(|until| now <= until)
        };
        let mut all = not_verified(self.past, Some(self.api.provider()))?;
        all.retain(may_change);
        Ok(all)
    }

    /// The submissions that wait for an answer, with the end of the time for it.
    ///
    /// # Errors
    ///
    /// The history cannot be used.
    pub fn deadlines(&mut self) -> Result<Vec<(Submission, Timestamp)>> {
        let all = not_verified(self.past, Some(self.api.provider()))?.into_iter();
        Ok(all.filter_map(|open| open.answer_by().map(|until| (open, until))).collect())
    }
}

/// The providers of the attempts and of open or rejected submissions in a history, as far as they can be called.
///
/// # Errors
///
/// The history cannot be used.
pub fn providers_of(past: &mut HistorySet) -> Result<Vec<Provider>> {
    let attempts = past.store()?.attempts()?;
    let submissions = not_verified(past, None)?;
    let is_there = |provider: &Provider| {
        attempts.iter().any(|attempt| attempt.provider == provider.name())
            || submissions.iter().any(|known| known.provider.as_ref() == Some(provider))
    };
    Ok(callable_providers().filter_map(|name| Provider::named(name).ok()).filter(is_there).collect())
}

/// The submissions, of a provider or of all, that are open or rejected.
fn not_verified(past: &mut HistorySet, provider: Option<Provider>) -> Result<Vec<Submission>> {
    let mut ids: Vec<String> = Vec::new();
    past.store()?.list(|known| {
        let is_meant = known.is_open || Outcome::of(&known.status, provider) == Outcome::Rejected;
        if is_meant && ids.last() != Some(&known.id) {
            ids.push(known.id.clone());
        }
        Ok(())
    })?;
    ids.sort_unstable();
    ids.dedup();
    let mut found = Vec::new();
    for ids in ids.chunks(AT_ONCE) {
        let history = past.look_up(&Query { numbers: Vec::new(), ids: ids.to_vec() })?.history;
        let own =
            history.submissions().iter().filter(|known| provider.is_none() || known.provider == provider);
        found.extend(own.filter(|known| ids.iter().any(|id| id.eq_ignore_ascii_case(&known.id))).cloned());
    }
    Ok(found)
}
