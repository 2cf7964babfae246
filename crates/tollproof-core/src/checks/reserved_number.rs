//! `reserved-number`: a number that someone has reserved for a submission.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// Someone has reserved the number to submit it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReservedNumber {}

impl CheckSpec for ReservedNumber {
    const FILLS: &'static [&'static str] = &["until"];
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::ReservedNumber;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::provider::number_names::number_name;
    use crate::syntax::message::Message;

    impl RunCheck for ReservedNumber {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let facts = context.beyond.facts;
            let reservation = facts.history.reservation(number_name(node)?)?;
            let runs = facts.now.is_none_or(|now| now < reservation.until);
            runs.then(|| {
                Violation::default().fill("until", Message::own(format!("{:.0}", reservation.until)))
            })
        }
    }
}
