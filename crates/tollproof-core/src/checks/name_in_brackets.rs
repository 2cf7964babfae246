//! `name-in-brackets`: a name followed by another name in brackets that has a legal form.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A name followed by another name in brackets that has a legal form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NameInBrackets {}

impl CheckSpec for NameInBrackets {
    const FILLS: &'static [&'static str] = &["value", "reason"];
}

#[cfg(engine)]
mod engine {
    use super::NameInBrackets;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::syntax::message::Message;
    use crate::text::business_name;

    impl RunCheck for NameInBrackets {
        fn check(&self, place: &Place<'_>, _context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?.trim();
            let reason = bracketed(text)?;
            Some(Violation::default().fill("reason", Message::own(reason)))
        }
    }

    /// A message if another name with a legal form follows in brackets: `Acme (Acme Holdings LLC)`. A place in brackets
    /// is not reported: it is part of many legal names.
    fn bracketed(text: &str) -> Option<&'static str> {
        let (before, inside) = text.strip_suffix(')')?.split_once('(')?;
        (!before.trim().is_empty() && business_name::has_legal_form(inside))
            .then_some("it contains another name in brackets")
    }
}
