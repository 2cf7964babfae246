//! `toll-free`: a toll-free number where the number of a person is required.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A toll-free number where the number of a person is required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TollFree {}

impl CheckSpec for TollFree {
    const FILLS: &'static [&'static str] = &["value"];
}

#[cfg(engine)]
mod engine {
    use super::TollFree;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::validators::area_codes::Area;

    impl RunCheck for TollFree {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?;
            let read = context.phone(text);
            let area = read.as_ref().as_ref().ok()?.area;
            (area == Some(Area::TollFree)).then(Violation::default)
        }
    }
}
