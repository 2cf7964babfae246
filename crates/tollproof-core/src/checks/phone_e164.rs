//! `phone-e164`: a phone number that is not written as `+` and digits.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A phone number that is not written as `+` and digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PhoneE164 {}

impl CheckSpec for PhoneE164 {
    const FILLS: &'static [&'static str] = &["value", "e164"];
}

#[cfg(engine)]
mod engine {
    use super::PhoneE164;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::finding::Safety;
    use crate::provider::forms::Form;

    impl RunCheck for PhoneE164 {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let read = context.phone(text);
            let number = read.as_ref().as_ref().ok()?;
            // Some providers want the same number without its `+`.
            let is_bare = context.kind.form(place.role) == Some(Form::Digits);
            if number.e164 == text || is_bare && number.e164.strip_prefix('+') == Some(text) {
                return None;
            }
            // The ten digits of a US or Canadian number are unambiguous; a person should check any other number.
            let safety = if number.area.is_some() { Safety::Safe } else { Safety::Unsafe };
            let violation = Violation::default().fill("e164", number.e164.as_str());
            Some(violation.rewrite(context, node, &number.e164, safety).around(node, &number.e164))
        }
    }
}
