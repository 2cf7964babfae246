//! `phone-format`: a value that is not a phone number that can be dialed.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A value that is not a phone number that can be dialed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PhoneFormat {}

impl CheckSpec for PhoneFormat {
    const FILLS: &'static [&'static str] = &["value", "reason"];
}

#[cfg(engine)]
mod engine {
    use super::PhoneFormat;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::syntax::message::Message;

    impl RunCheck for PhoneFormat {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?;
            let reason = *context.phone(text).as_ref().as_ref().err()?;
            Some(Violation::default().fill("reason", Message::own(reason)))
        }
    }
}
