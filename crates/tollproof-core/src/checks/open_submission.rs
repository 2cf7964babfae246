//! `open-submission`: the number has an open submission with other data.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// The number has an open submission with other data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenSubmission {}

impl CheckSpec for OpenSubmission {
    const FILLS: &'static [&'static str] = &["status", "ago"];
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::OpenSubmission;
    use crate::checks::history::open;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for OpenSubmission {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            open(place.node?, context, false)
        }
    }
}
