//! `announced-keywords`: listed keywords that lack one that is announced.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};
use crate::checks::texts::Texts;
use crate::text::terms::groups::Groups;

/// Listed keywords, without one that people are told to send.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AnnouncedKeywords {
    /// The field that announces keywords.
    pub description: String,
    /// Groups of expressions that announce a word in capitals.
    pub announced: Groups,
    /// Words in capitals that are not keywords to opt in, such as STOP.
    #[serde(default)]
    pub except: Texts,
}

impl CheckSpec for AnnouncedKeywords {
    const FILLS: &'static [&'static str] = &["value", "match"];
    const LOOKS_AT: LooksAt = LooksAt::Value;

    fn groups(&mut self) -> Vec<&mut Groups> {
        vec![&mut self.announced]
    }
}
