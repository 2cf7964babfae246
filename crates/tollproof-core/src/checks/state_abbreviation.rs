//! `state-abbreviation`: an abbreviation of a state or province that is neither its code nor its name.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// An abbreviation of a state or province that is neither its code nor its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StateAbbreviation {}

impl CheckSpec for StateAbbreviation {
    const FILLS: &'static [&'static str] = &["value", "state", "code"];
    const JUDGES_FORM: bool = true;
}

#[cfg(engine)]
mod engine {
    use super::StateAbbreviation;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::finding::Safety;
    use crate::syntax::message::Message;
    use crate::validators::regions;

    impl RunCheck for StateAbbreviation {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?.trim();
            let letters = || text.chars().filter(|it| it.is_alphanumeric());
            if text.len() == 2 || !text.contains('.') && letters().count() > MAX_ABBREVIATION {
                return None;
            }
            let country = context.country().filter(|it| matches!(*it, "US" | "CA"))?;
            let region = regions::find(country, text)?;
            let is_written =
                |form: &str| letters().collect::<String>().eq_ignore_ascii_case(&form.replace(' ', ""));
            (!is_written(region.code) && !is_written(region.name)).then(|| {
                let violation = Violation::default().fill("value", text);
                let violation = violation.fill("state", Message::own(region.name));
                let violation = violation.fill("code", Message::own(region.code));
                violation.rewrite(context, node, region.code, Safety::Unsafe)
            })
        }
    }

    /// The maximum length of an abbreviation without a dot. A longer value is probably a name, perhaps in another
    /// language.
    const MAX_ABBREVIATION: usize = 5;
}
