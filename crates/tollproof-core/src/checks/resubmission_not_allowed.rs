//! `resubmission-not-allowed`: the submission was rejected for good.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// The submission was rejected for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ResubmissionNotAllowed {}

impl CheckSpec for ResubmissionNotAllowed {
    const FILLS: &'static [&'static str] = &["allowed", "field"];
    const LOOKS_AT: LooksAt = LooksAt::Anything;
}

#[cfg(engine)]
mod engine {
    use super::ResubmissionNotAllowed;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::facts::{Outcome, Submission};
    use crate::finding::Severity;
    use crate::provider::number_names::number_name;
    use crate::syntax::message::Message;

    impl RunCheck for ResubmissionNotAllowed {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let is_final =
                |it: &&Submission| it.outcome() == Outcome::Rejected && it.may_resubmit() == Some(false);
            let (record, violation) = if context.kind.is_update() {
                (context.beyond.record().filter(is_final)?, Violation::at(node.opening()))
            } else {
                let history = &context.beyond.facts.history;
                let newest = history.of_number(number_name(node)?).max_by_key(|it| it.updated_at)?;
                let violation = Violation { severity: Some(Severity::Warning), ..Violation::default() };
                (Some(newest).filter(is_final)?, violation)
            };
            let allowed = record.resubmit_allowed.trim().to_owned();
            let violation =
                violation.fill("allowed", allowed).fill("field", Message::own(record.resubmit_field()));
            Some(violation.see_record(record, "rejected for good"))
        }
    }
}
