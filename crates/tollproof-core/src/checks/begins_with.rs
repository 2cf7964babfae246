//! `begins-with`: a text that begins with certain characters.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A text that begins with one of these strings, after any whitespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct BeginsWith {
    /// The strings.
    pub any_of: Vec<String>,
}

impl CheckSpec for BeginsWith {
    const FILLS: &'static [&'static str] = &["value", "match"];

    fn lacks(&self) -> Option<&'static str> {
        self.any_of.iter().all(String::is_empty).then_some("`any_of`")
    }
}

#[cfg(engine)]
mod engine {
    use super::BeginsWith;
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for BeginsWith {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let trimmed = text.trim_start();
            let start = self.any_of.iter().find(|it| !it.is_empty() && trimmed.starts_with(it.as_str()))?;
            let at = text.len() - trimmed.len();
            let range = at..at + start.len();
            marked(Vec::from([range]), text, node, context)
        }
    }
}
