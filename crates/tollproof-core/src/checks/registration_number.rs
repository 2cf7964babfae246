//! `registration-number`: a number that does not fit its kind of business registration.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A number that does not fit its kind of business registration: its length, its prefix or its check digit is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistrationNumber {
    /// The field with the kind of registration.
    #[serde(rename = "type")]
    pub kind: String,
    /// The field with the country of the registration.
    pub country: String,
}

impl CheckSpec for RegistrationNumber {
    const FILLS: &'static [&'static str] = &["value", "type", "reason"];
    const JUDGES_FORM: bool = true;
}

#[cfg(engine)]
mod engine {
    use super::RegistrationNumber;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::suggest::bare;
    use crate::syntax::message::Message;
    use crate::validators::{countries, registration};

    impl RunCheck for RegistrationNumber {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let number = place.node?.as_str()?.trim();
            let written = context.field(&self.kind)?.trim();
            let country = context.field(&self.country).and_then(countries::alpha2_of);
            let reason =
                registration::find(&bare(written))?.fault(number, country).filter(|_| !number.is_empty())?;
            let violation = Violation::default().fill("value", number).fill("type", written);
            Some(violation.fill("reason", Message::own(reason)))
        }
    }
}
