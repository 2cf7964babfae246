//! `template-variable`: a template field that each message fills: `{{first_name}}`, `[Date]`.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A template field that each message fills: `{{first_name}}`, `[Date]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TemplateVariable {}

impl CheckSpec for TemplateVariable {
    const FILLS: &'static [&'static str] = &["value", "match"];
}

#[cfg(engine)]
mod engine {
    use super::TemplateVariable;
    use crate::checks::slots::{SlotKind, slots_of};
    use crate::checks::violation::marked;
    use crate::checks::{Context, Place, RunCheck, Violation};

    impl RunCheck for TemplateVariable {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            marked(slots_of(SlotKind::Variable, text, &context.slots(text)), text, node, context)
        }
    }
}
