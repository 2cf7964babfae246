//! `length`: a text that is too long.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// The length of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Length {
    /// The maximum number of characters.
    pub max: usize,
}

impl CheckSpec for Length {
    const FILLS: &'static [&'static str] = &["count", "max"];
}

#[cfg(engine)]
mod engine {
    use super::Length;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::provider::schema::shape::Shape;
    use crate::syntax::message::Message;

    impl RunCheck for Length {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            if text.len() <= self.max {
                return None;
            }
            // Where the provider has a limit of its own, that one counts.
            let shape = context.shape_at(place);
            if matches!(shape, Some(Shape::Text(text)) if text.max.is_some()) {
                return None;
            }
            let (end, _) = text.char_indices().nth(self.max)?;
            let count = text.chars().count();
            let violation = Violation::at(context.inner(node, end..text.len()));
            Some(
                violation
                    .fill("count", Message::own(count.to_string()))
                    .fill("max", Message::own(self.max.to_string())),
            )
        }
    }
}
