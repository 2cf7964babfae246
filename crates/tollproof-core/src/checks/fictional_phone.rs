//! `fictional-phone`: a fictional number (555-0100 to 555-0199), or a placeholder such as 555-1234 or 222-2222.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A fictional number (555-0100 to 555-0199), or a placeholder such as 555-1234 or 222-2222.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FictionalPhone {}

impl CheckSpec for FictionalPhone {
    const FILLS: &'static [&'static str] = &["value"];
}

#[cfg(engine)]
mod engine {
    use super::FictionalPhone;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::validators::phone;

    impl RunCheck for FictionalPhone {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?;
            let national = national(text, context)?;
            let fiction = &national[3..6] == "555" && &national[6..8] == "01";
            let one_digit = national[3..].bytes().all(|it| it == national.as_bytes()[3]);
            let row = national.ends_with("5551234") || national.ends_with("1234567");
            (fiction || one_digit || row).then(|| Violation::default().fill("value", text.trim()))
        }
    }

    /// The ten digits of a number of the North American Numbering Plan.
    fn national(text: &str, context: &Context<'_>) -> Option<String> {
        let number = phone::parse(text, context.country()).ok()?;
        number.area.and_then(|_| number.e164.strip_prefix("+1").map(str::to_owned))
    }
}
