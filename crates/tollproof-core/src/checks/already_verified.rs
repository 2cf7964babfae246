//! `already-verified`: the number was verified, and no later submission of it is open.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// The number was verified, and no later submission of it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct AlreadyVerified {}

impl CheckSpec for AlreadyVerified {
    const FILLS: &'static [&'static str] = &["status", "ago"];
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::AlreadyVerified;
    use crate::checks::history::verified;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for AlreadyVerified {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            verified(place.node?, context)
        }
    }
}
