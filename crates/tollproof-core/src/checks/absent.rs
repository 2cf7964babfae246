//! `absent`: a field that is missing.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// An absent field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Absent {}

impl CheckSpec for Absent {
    const LOOKS_AT: LooksAt = LooksAt::Field;
}

#[cfg(engine)]
mod engine {
    use super::Absent;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for Absent {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            // A field that the kind does not have cannot be missing.
            let belongs = context.kind.has(place.role);
            (place.node.is_none() && belongs).then(Violation::default)
        }
    }
}
