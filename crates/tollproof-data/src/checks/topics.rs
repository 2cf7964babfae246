//! `topics`: a text about a topic, shown by terms of different weight.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::text::terms::groups::Groups;

/// A text about a topic of the vocabulary. A strong term counts 3 and one of medium weight 2. Beside such a term, two weak
/// ones count 1 each. A term counts once, however often it is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Topics {
    /// The topics: graded groups of the vocabulary.
    pub any_of: Groups,
    /// The weight of terms that is reported.
    pub at_least: u16,
    /// The required number of different strong terms.
    #[serde(default)]
    pub strong: u16,
    /// Other fields whose terms count too, if the text has a term that is not weak.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Groups of words that offer something; a strong term of `goods` in a sentence with one of them counts twice.
    #[serde(default)]
    pub offered: Groups,
    /// Those of the topics that are goods, of which an offer says enough.
    #[serde(default)]
    pub goods: Groups,
    /// Groups; a term in a sentence with one of them does not count.
    #[serde(default)]
    pub unless: Groups,
    /// Groups; a draft whose business name has one of them is not reported.
    #[serde(default)]
    pub unless_business: Groups,
    /// Groups; a term that is part of one of their terms does not count.
    #[serde(default)]
    pub except: Groups,
    /// Groups of words that make a name of what is before or after them, such as "Street".
    #[serde(default)]
    pub in_names: Groups,
}

impl CheckSpec for Topics {
    const FILLS: &'static [&'static str] = &["value", "match", "topic"];

    fn lacks(&self) -> Option<&'static str> {
        self.any_of.is_empty().then_some("`any_of`")
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        vec![
            &mut self.any_of,
            &mut self.offered,
            &mut self.goods,
            &mut self.unless,
            &mut self.unless_business,
            &mut self.except,
            &mut self.in_names,
        ]
    }
}
