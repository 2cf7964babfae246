//! `registration-country`: a kind of business registration that the country does not have.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::checks::texts::Texts;

/// A kind of business registration that does not exist in the country of the registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RegistrationCountry {
    /// The field with the kind of registration.
    #[serde(rename = "type")]
    pub kind: String,
    /// Providers that accept a kind only in the countries of their own list.
    #[serde(default)]
    pub listed_only: Texts,
}

impl CheckSpec for RegistrationCountry {
    const FILLS: &'static [&'static str] = &["value", "type", "where", "country"];
}

#[cfg(engine)]
mod engine {
    use super::RegistrationCountry;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::finding::Related;
    use crate::suggest::bare;
    use crate::syntax::message::Message;
    use crate::validators::{countries, registration};

    impl RunCheck for RegistrationCountry {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?;
            let country = countries::alpha2_of(text)?;
            let kind_node = context.node(&self.kind)?;
            let written = kind_node.as_str()?;
            let kind = registration::find(&bare(written))?;
            let is_right = match self.listed_only.contain(context.kind.provider().name()) {
                true => kind.is_listed_in(country),
                false => kind.exists_in(country),
            };
            if is_right {
                return None;
            }
            let message = "this kind of registration".into();
            let related = vec![Related { file: None, span: Some(kind_node.span), place: None, message }];
            Some(
                Violation { related, ..Violation::default() }
                    .fill("type", written.trim())
                    .fill("where", Message::own(kind.places()))
                    .fill("country", Message::own(countries::name_in_sentence(country).unwrap_or_default())),
            )
        }
    }
}
