//! `duplicate-number`: a number that an earlier draft of the same run already contains.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// An earlier draft of the same run contains the number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct DuplicateNumber {}

impl CheckSpec for DuplicateNumber {
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::DuplicateNumber;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::facts::Mention;
    use crate::finding::Related;
    use crate::provider::number_names::number_name;

    impl RunCheck for DuplicateNumber {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let number = number_name(node)?;
            let beyond = context.beyond;
            let Mention { file, span, place } =
                beyond.facts.batch.first(number).or_else(|| beyond.earlier.first(number))?;
            let span = place.is_none().then_some(*span);
            let first =
                Related { file: Some(file.clone()), span, place: *place, message: "first named here".into() };
            Some(Violation {
                related: vec![first],
                label: Some("the same number".into()),
                ..Violation::default()
            })
        }
    }
}
