//! `frame`: meanings that must not occur together in a text.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::text::terms::groups::Groups;

/// Meanings that must not occur together in a text, in any order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Frames {
    /// Patterns; each one that fits is reported.
    pub any_of: Vec<FramePattern>,
    /// Groups that no pattern may have in the place where it fits.
    #[serde(default)]
    pub none: Groups,
    /// Groups; a text with a term of one of them is not reported.
    #[serde(default)]
    pub unless: Groups,
    /// Whether a question counts too. It usually states nothing.
    #[serde(default)]
    pub questions: bool,
}

/// Groups of the vocabulary that stand together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FramePattern {
    /// The parts of the meaning, in any order: for each, the groups of which one term is enough. No word counts for two
    /// parts.
    pub all: Vec<Groups>,
    /// Groups that must not be in the same place.
    #[serde(default)]
    pub none: Groups,
    /// The scope that must not contain those groups: the same place, or with `pair` the next sentence too.
    #[serde(default)]
    pub none_in: FrameScope,
    /// Whether those groups count if the text denies them: "never sell photos".
    #[serde(default)]
    pub none_polarity: FramePolarity,
    /// Groups that must not be anywhere in the text.
    #[serde(default)]
    pub unless: Groups,
    /// The scope that contains the parts.
    #[serde(default, rename = "in")]
    pub scope: FrameScope,
    /// The most words between the anchor and each other part.
    pub near: Option<u16>,
    /// The part from which distances and polarity are measured, by its groups; by default the first part.
    #[serde(default)]
    pub anchor: Groups,
    /// Whether the anchor must be asserted or denied.
    #[serde(default)]
    pub polarity: FramePolarity,
    /// Groups whose terms must be asserted too.
    #[serde(default)]
    pub asserted: Groups,
    /// The required number of different anchor terms.
    #[serde(default = "one")]
    pub count: u16,
}

fn one() -> u16 {
    1
}

/// The scope that contains the parts of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FrameScope {
    /// A part of a sentence between commas, brackets or words such as "but".
    Clause,
    /// A sentence or a line.
    #[default]
    Sentence,
    /// A sentence and the next one.
    Pair,
    /// The whole text.
    Field,
}

/// Whether the anchor of a frame must be asserted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FramePolarity {
    /// The text says it.
    #[default]
    Asserted,
    /// The text denies it.
    Denied,
    /// Either.
    Any,
}

impl CheckSpec for Frames {
    const FILLS: &'static [&'static str] = &["value", "match"];

    fn lacks(&self) -> Option<&'static str> {
        let finds_nothing = self.any_of.is_empty() || self.any_of.iter().any(|it| it.all.is_empty());
        finds_nothing.then_some("a pattern with `all` under `any_of`")
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        let of_patterns = self.any_of.iter_mut().flat_map(FramePattern::groups);
        of_patterns.chain([&mut self.none, &mut self.unless]).collect()
    }
}

impl FramePattern {
    fn groups(&mut self) -> impl Iterator<Item = &mut Groups> {
        let Self { all, none, unless, anchor, asserted, .. } = self;
        all.iter_mut().chain([none, unless, anchor, asserted])
    }
}
