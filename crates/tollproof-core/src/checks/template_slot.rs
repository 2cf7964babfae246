//! `template-slot`: a template field for the business (`[Company Name]`), or an instruction to the writer.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A template field for the business itself, or an instruction to the writer: `[Company Name]`, `INSERT LINK`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TemplateSlot {}

impl CheckSpec for TemplateSlot {
    const FILLS: &'static [&'static str] = &["value", "match"];
}

#[cfg(engine)]
mod engine {
    use super::TemplateSlot;
    use crate::checks::slots::{SlotKind, slots_of};
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for TemplateSlot {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            marked(slots_of(SlotKind::Business, text, &context.slots(text)), text, node, context)
        }
    }
}
