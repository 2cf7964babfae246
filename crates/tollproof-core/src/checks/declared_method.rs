//! `declared-method`: a declared way to agree that the description does not tell of.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::checks::texts::Texts;
use crate::text::groups::Groups;

/// A declared way to agree, where the description tells of other ways and not of this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DeclaredMethod {
    /// The field with the description.
    pub description: String,
    /// The ways to agree.
    pub methods: Vec<Method>,
}

/// A way to agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Method {
    /// The values that declare it.
    pub values: Texts,
    /// Groups that tell of it; nothing is reported if the description has one of them.
    pub fits: Groups,
    /// Groups that tell of other ways.
    pub others: Groups,
}

impl CheckSpec for DeclaredMethod {
    const FILLS: &'static [&'static str] = &["value", "match"];

    fn groups(&mut self) -> Vec<&mut Groups> {
        self.methods.iter_mut().flat_map(|it| [&mut it.fits, &mut it.others]).collect()
    }
}

#[cfg(engine)]
mod engine {
    use super::DeclaredMethod;
    use crate::checks::compare::stated;
    use crate::checks::{Context, Place, RunCheck, SHOWN, Violation};
    use crate::finding::Related;

    impl RunCheck for DeclaredMethod {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let declared = place.node?.as_str()?;
            let method = self.methods.iter().find(|it| it.values.contain(declared))?;
            let texts = context.values_with(&self.description);
            let read = || texts.iter().filter_map(|node| Some((*node, node.as_str()?)));
            if read().any(|(_, text)| context.scan(text).has_group(&method.fits.ids)) {
                return None;
            }
            let mut related = Vec::new();
            // The longest expression says most.
            let mut found = "";
            for (node, text) in read() {
                let scan = context.scan(text);
                for hit in stated((text, &scan), &method.others, context) {
                    let range = scan.words().range(hit.first, hit.last);
                    found = if range.len() > found.len() { &text[range.clone()] } else { found };
                    let (span, message) = (Some(context.inner(node, range)), "the description".into());
                    related.push(Related { file: None, span, place: None, message });
                }
            }
            related.truncate(SHOWN);
            let violation = Violation { related, ..Violation::default() };
            (!found.is_empty()).then(|| violation.fill("value", declared.trim()).fill("match", found))
        }
    }
}
