//! `present`: a field that must be missing when the conditions of the rule are true.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// A field that has a value. Use `when` to limit the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Present {}

impl CheckSpec for Present {
    const FILLS: &'static [&'static str] = &["value"];
    const LOOKS_AT: LooksAt = LooksAt::Value;
}

#[cfg(engine)]
mod engine {
    use super::Present;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for Present {
        fn check(&self, place: &Place<'_>, _context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str().unwrap_or_default();
            Some(Violation::default().fill("value", text))
        }
    }
}
