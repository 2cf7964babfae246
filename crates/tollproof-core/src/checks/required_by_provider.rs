//! `required-by-provider`: a field that the provider requires under a condition or from a date.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// A field that is absent or empty, although the data of the provider requires it: under a condition, or from a date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RequiredByProvider {}

impl CheckSpec for RequiredByProvider {
    const FILLS: &'static [&'static str] = &["provider", "since"];
    const LOOKS_AT: LooksAt = LooksAt::Field;
}

#[cfg(engine)]
mod engine {
    use jiff::tz::TimeZone;

    use super::RequiredByProvider;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::syntax::document::{Node, Value};
    use crate::syntax::message::{Message, message};

    impl RunCheck for RequiredByProvider {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            if place.node.is_some_and(has_content) {
                return None;
            }
            let mut requirements = context.kind.requirements(place.role);
            let requirement = requirements.find(|it| {
                it.since.is_none_or(|since| has_begun(since, context))
                    && it.applies(context.kind, context.root)
            })?;
            let since = requirement.since.map(|since| message!(" since {}", Message::own(since)));
            Some(
                Violation::default()
                    .fill("provider", Message::own(context.kind.provider().title()))
                    .fill("since", since.unwrap_or_default()),
            )
        }
    }

    fn has_content(node: &Node<'_>) -> bool {
        match &node.value {
            Value::String(text) => !text.trim().is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => true,
        }
    }

    /// Whether a day, in UTC, has come. Without the current time, nothing begins.
    fn has_begun(day: &str, context: &Context<'_>) -> bool {
        let today = context.beyond.facts.now.map(|now| now.to_zoned(TimeZone::UTC).date());
        today.zip(day.parse().ok()).is_some_and(|(today, day)| today >= day)
    }
}
