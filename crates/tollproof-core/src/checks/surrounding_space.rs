//! `surrounding-space`: spaces and line breaks at the beginning or end of a text.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// Spaces and line breaks at the beginning or end of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SurroundingSpace {}

impl CheckSpec for SurroundingSpace {
    const FILLS: &'static [&'static str] = &["value"];
}

#[cfg(engine)]
mod engine {
    use super::SurroundingSpace;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::finding::Safety;

    impl RunCheck for SurroundingSpace {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let trimmed = text.trim();
            if trimmed.len() == text.len() || trimmed.is_empty() {
                return None;
            }
            Some(Violation::default().rewrite(context, node, trimmed, Safety::Safe))
        }
    }
}
