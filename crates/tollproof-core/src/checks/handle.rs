//! `handle`: a name that is a user name, an e-mail address or a web address.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A name that is a user name, an e-mail address or a web address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Handle {}

impl CheckSpec for Handle {
    const FILLS: &'static [&'static str] = &["value", "reason"];
}

#[cfg(engine)]
mod engine {
    use super::Handle;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::syntax::message::Message;
    use crate::validators::text_urls;

    impl RunCheck for Handle {
        fn check(&self, place: &Place<'_>, _context: &Context<'_>) -> Option<Violation> {
            let text = place.node?.as_str()?.trim();
            let reason = handle(text)?;
            Some(Violation::default().fill("reason", Message::own(reason)))
        }
    }

    fn handle(text: &str) -> Option<&'static str> {
        let single = !text.contains(char::is_whitespace);
        if text.starts_with('@') || text.contains('@') && single {
            return Some("it is a user name or an e-mail address");
        }
        if single && (text.contains("://") || !text_urls::in_text(text).is_empty()) {
            return Some("it is a web address");
        }
        let lower = text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_uppercase);
        (single && lower).then_some("it is one word in small letters, like a user name")
    }
}
