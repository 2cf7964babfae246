//! `ended-submission`: the submission that would be updated has ended.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// The submission that would be updated has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct EndedSubmission {}

impl CheckSpec for EndedSubmission {
    const FILLS: &'static [&'static str] = &["status"];
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::EndedSubmission;
    use crate::checks::history::shown_status;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::facts::Outcome;

    impl RunCheck for EndedSubmission {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let record = context.beyond.record()?;
            let ended = match record.outcome() {
                Outcome::Open => false,
                Outcome::Verified | Outcome::Ended => true,
                Outcome::Rejected => record.may_resubmit().is_none() && !record.waits_for_answer(),
            };
            ended.then(|| {
                Violation::at(node.opening())
                    .fill("status", shown_status(record))
                    .see_record(record, "its record")
            })
        }
    }
}
