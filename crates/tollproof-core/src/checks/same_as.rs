//! `same-as`: a value that repeats another field.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A value that is the same as another field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SameAs {
    /// The fields that the value must not repeat, compared word by word.
    pub fields: Vec<String>,
}

impl CheckSpec for SameAs {
    const FILLS: &'static [&'static str] = &["value", "other"];
}

#[cfg(engine)]
mod engine {
    use super::SameAs;
    use crate::checks::{Context, Place, RunCheck, Violation};
    use crate::finding::Related;
    use crate::suggest::is_same_name;
    use crate::syntax::message::Message;

    impl RunCheck for SameAs {
        fn check(&self, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
            let node = place.node?;
            let text = node.as_str()?;
            let (name, other) = self.fields.iter().find_map(|name| {
                let other = context.node(name)?;
                let is_same = is_same_name(text, other.as_str()?) && text.contains(char::is_alphanumeric);
                is_same.then_some((name, other))
            })?;
            let related = vec![Related {
                file: None,
                span: Some(other.span),
                place: None,
                message: "the same value".into(),
            }];
            Some(Violation { related, ..Violation::default() }.fill("other", Message::own(name.as_str())))
        }
    }
}
