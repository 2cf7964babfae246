//! `present`: a field that must be missing when the conditions of the rule are true.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};
use crate::checks::texts::Texts;

/// A field that has a value. Use `when` to limit the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Present {
    /// Fields that are reported together: the finding is at the first of them that has a value, and labels the others.
    #[serde(default)]
    pub together: Texts,
}

impl CheckSpec for Present {
    const FILLS: &'static [&'static str] = &["value"];
    const LOOKS_AT: LooksAt = LooksAt::Value;
}

#[cfg(engine)]
mod engine {
    use super::Present;
    use crate::checks::{Context, Place, RunCheck, Violation, labelled};
    use crate::syntax::document::Node;

    impl RunCheck for Present {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str().unwrap_or_default();
            if self.together.is_empty() {
                return Some(Violation::default().fill("value", text));
            }
            let is_given = |node: &&Node<'_>| node.as_str().is_none_or(|text| !text.trim().is_empty());
            let given: Vec<&Node<'_>> =
                self.together.iter().filter_map(|it| context.node(it)).filter(is_given).collect();
            let is_first = given.first().is_some_and(|first| std::ptr::eq(*first, node));
            let spans = given.iter().map(|node| node.span).collect();
            let violation = labelled(spans).filter(|_| is_first)?;
            Some(Violation { span: None, ..violation }.fill("value", text))
        }
    }
}
