//! `not-after`: a time that is later than the time in another field.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A time that is after another time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NotAfter {
    /// The field with the later time.
    pub field: String,
}

impl CheckSpec for NotAfter {
    const FILLS: &'static [&'static str] = &["value", "other"];
}

#[cfg(engine)]
mod engine {
    use super::NotAfter;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use jiff::Timestamp;

    use crate::finding::Related;
    use crate::syntax::document::Node;

    impl RunCheck for NotAfter {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let time = |node: &Node<'_>| node.as_str()?.trim().parse::<Timestamp>().ok();
            let other = context.node(&self.field)?;
            (time(node)? > time(other)?).then(|| {
                let related = Related {
                    file: None,
                    span: Some(other.span),
                    place: None,
                    message: "this is earlier".into(),
                };
                let violation = Violation { related: vec![related], ..Violation::default() };
                violation
                    .fill("value", node.as_str().unwrap_or_default())
                    .fill("other", other.as_str().unwrap_or_default())
            })
        }
    }
}
