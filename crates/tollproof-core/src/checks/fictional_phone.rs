//! `fictional-phone`: a fictional number (555-0100 to 555-0199), or a placeholder such as 555-1234 or 222-2222.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A fictional number (555-0100 to 555-0199), or a placeholder such as 555-1234 or 222-2222.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FictionalPhone {}

impl CheckSpec for FictionalPhone {
    const FILLS: &'static [&'static str] = &["value"];
}

#[cfg(engine)]
mod engine {
    use super::FictionalPhone;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for FictionalPhone {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?;
            let read = context.phone(text);
            // The ten digits of a number of the North American Numbering Plan.
            let number = read.as_ref().as_ref().ok().filter(|number| number.area.is_some())?;
            let national = number.e164.strip_prefix("+1")?;
            let fiction = &national[3..6] == "555" && &national[6..8] == "01";
            let one_digit = national[3..].bytes().all(|it| it == national.as_bytes()[3]);
            let row = national.ends_with("5551234") || national.ends_with("1234567");
            (fiction || one_digit || row).then(Violation::default)
        }
    }
}
