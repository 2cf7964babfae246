//! `resubmission-due`: the authority waits for an answer, and there is still time.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// The authority waits for an answer, and there is still time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ResubmissionDue {}

impl CheckSpec for ResubmissionDue {
    const FILLS: &'static [&'static str] = &["since", "left"];
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::ResubmissionDue;
    use crate::checks::history::answer;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for ResubmissionDue {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            answer(place.node?, context).filter(|it| !it.is_over()).map(|it| it.due())
        }
    }
}
