//! `resubmission-overdue`: the time to answer the authority has passed.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// The time to answer the authority has passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ResubmissionOverdue {}

impl CheckSpec for ResubmissionOverdue {
    const FILLS: &'static [&'static str] = &["window", "since"];
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::ResubmissionOverdue;
    use crate::checks::history::answer;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for ResubmissionOverdue {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            answer(place.node?, context).filter(|it| it.is_over()).map(|it| it.overdue())
        }
    }
}
