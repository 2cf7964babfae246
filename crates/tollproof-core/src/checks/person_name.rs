//! `person-name`: a person's name that contains digits or symbols, is a single letter, or is the name of the business.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A person's name that contains digits or symbols, is a single letter, or is the name of the business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonName {}

impl CheckSpec for PersonName {
    const FILLS: &'static [&'static str] = &["value", "reason"];
}

#[cfg(engine)]
mod engine {
    use super::PersonName;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::provider::role;
    use crate::suggest::{bare, is_same_name};
    use crate::syntax::message::Message;

    impl RunCheck for PersonName {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?.trim();
            let reason = no_person(text, context)?;
            Some(Violation::default().fill("reason", Message::own(reason)))
        }
    }

    /// Why a text is not the name of a person.
    fn no_person(text: &str, context: &Context<'_>) -> Option<&'static str> {
        if text.chars().any(|it| it.is_ascii_digit() || "@#/_".contains(it)) {
            return Some("it contains digits or symbols");
        }
        if text.chars().filter(|it| it.is_alphanumeric()).count() == 1 {
            return Some("it is a single letter");
        }
        let business = context.field(role::BUSINESS_NAME).unwrap_or_default();
        (is_same_name(text, business) && bare(text).len() > 3).then_some("it is the name of the business")
    }
}
