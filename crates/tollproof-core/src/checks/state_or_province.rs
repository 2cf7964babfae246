//! `state-or-province`: a value that is not a state or province of its country.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A value that is not a state or province of its country.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct StateOrProvince {}

impl CheckSpec for StateOrProvince {
    const FILLS: &'static [&'static str] = &["value", "where"];
    const JUDGES_FORM: bool = true;
}

#[cfg(engine)]
mod engine {
    use super::StateOrProvince;
    use crate::checks::address::unit;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::syntax::message::Message;
    use crate::validators::regions;

    impl RunCheck for StateOrProvince {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?;
            // Territories are not checked: their addresses have a municipality in this field.
            let country = context.country().filter(|it| matches!(*it, "US" | "CA"))?;
            regions::find(country, text)
                .is_none()
                .then(|| Violation::default().fill("where", Message::own(unit(country))))
        }
    }
}
