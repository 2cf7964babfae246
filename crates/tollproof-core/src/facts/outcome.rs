//! The meaning of a record's status, at its provider or, if that is unknown, at any.

use jiff::SignedDuration;
use tollproof_data::provider::data::Statuses;
use tollproof_data::provider::kept::squeezed;

use crate::provider::kind::Provider;

/// The result of a submission's review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The review has not ended. This includes unknown statuses.
    Open,
    /// The number was verified and can send messages.
    Verified,
    /// The reviewers rejected the submission.
    Rejected,
    /// The submission was withdrawn, closed or deleted without a result.
    Ended,
}

impl Provider {
    /// The time to answer the reviewers, from the receipt of their notification, if the provider names one.
    pub(crate) fn answer_within(self) -> Option<SignedDuration> {
        Some(SignedDuration::from_hours(24 * i64::from(self.0.resubmit_days?)))
    }
}

/// The status that a history gives a submission that was withdrawn, whatever the provider.
const WITHDRAWN: &str = "deleted";

impl Outcome {
    /// The outcome that a status means at a provider; if that is unknown, at any. Case and whitespace are ignored.
    #[must_use]
    pub fn of(status: &str, provider: Option<Provider>) -> Self {
        match () {
            () if is_listed(status, provider, |it| &it.verified) => Self::Verified,
            () if is_listed(status, provider, |it| &it.rejected) => Self::Rejected,
            () if is_listed(status, provider, |it| &it.ended) || squeezed(status) == WITHDRAWN => Self::Ended,
            () => Self::Open,
        }
    }
}

impl Provider {
    /// Whether the provider's lists have a status, or are all empty.
    pub(crate) fn knows_status(self, status: &str) -> bool {
        let it = &self.0.statuses;
        let mut all =
            [&it.waiting, &it.open, &it.asked, &it.verified, &it.rejected, &it.ended].into_iter().flatten();
        let status = squeezed(status);
        all.clone().next().is_none() || all.any(|listed| *listed == status)
    }
}

/// Whether a status says that the review waits for an answer of the applicant.
pub(crate) fn waits_for_answer(status: &str, provider: Option<Provider>) -> bool {
    is_listed(status, provider, |it| &it.asked)
}

/// Whether a list of the provider, or of any, has the status.
pub(super) fn is_listed(
    status: &str,
    provider: Option<Provider>,
    list: fn(&Statuses) -> &[&'static str],
) -> bool {
    let status = squeezed(status);
    let has = |provider: &Provider| list(&provider.0.statuses).contains(&status.as_str());
    provider.as_ref().map_or_else(|| Provider::all().iter().any(has), has)
}
