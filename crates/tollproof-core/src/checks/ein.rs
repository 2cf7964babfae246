//! `ein`: employer identification numbers in a text.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// Employer identification numbers in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Ein {}

impl CheckSpec for Ein {
    const FILLS: &'static [&'static str] = &["match", "reason"];
}

#[cfg(engine)]
mod engine {
    use super::Ein;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::syntax::message::Message;
    use crate::validators::ein;

    /// Words before an employer identification number.
    const NAMES: [&str; 4] = ["ein", "fein", "tax id", "employer identification number"];

    impl RunCheck for Ein {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let last = text.bytes().rposition(|it| it.is_ascii_digit())?;
            let lower = text[..last].to_ascii_lowercase();
            NAMES.iter().flat_map(|name| lower.match_indices(name)).find_map(|(at, name)| {
                let before = text[..at].chars().next_back();
                let behind = at + name.len();
                let apart = before.is_none_or(|it| !it.is_alphanumeric())
                    && !text[behind..].starts_with(char::is_alphanumeric);
                let start =
                    behind + text[behind..].find(|it: char| it.is_ascii_digit()).filter(|gap| *gap <= 12)?;
                let length = text[start..]
                    .find(|it: char| !it.is_ascii_digit() && it != '-')
                    .unwrap_or(text.len() - start);
                let number = text[start..start + length].trim_end_matches('-');
                let reason = ein::fault(number)?;
                let span = context.inner(node, start..start + number.len());
                apart.then(|| Violation::at(span).fill("match", number).fill("reason", Message::own(reason)))
            })
        }
    }
}
