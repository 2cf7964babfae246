//! `brand`: a text that must contain the name of the business.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A text that must contain the name of the business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Brand {
    /// Report a text that names the business only in a link, instead of one that does not name it.
    #[serde(default)]
    pub only_in_link: bool,
}

impl CheckSpec for Brand {
    const FILLS: &'static [&'static str] = &["value"];
}

#[cfg(engine)]
mod engine {
    use super::Brand;
    use crate::checks::url::is_sender;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::provider::role;

    impl RunCheck for Brand {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            // If the name of the business is not a string, another rule reports it, and no name can be searched for.
            if context.node(role::BUSINESS_NAME).is_some_and(|name| name.as_str().is_none()) {
                return None;
            }
            let brand = context.brand();
            let scan = context.scan(text);
            let is_wrong = if self.only_in_link {
                let names_sender = |(range, address): &(_, _)| is_sender(text, range, address, context);
                !brand.is_in_words(&scan)
                    && brand.is_in_link(text, &scan)
                    && !scan.addresses(text).iter().any(names_sender)
            } else {
                !brand.is_unknown() && !brand.is_in(text, &scan)
            };
            is_wrong.then(Violation::default)
        }
    }
}
