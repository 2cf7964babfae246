//! Parameters of the checks of what a text says.

use serde::{Deserialize, Serialize};

use crate::finding::Severity;
use crate::text::phrases::Phrases;

/// Parameters of `require`: `any_of`, or `elements`.
///
/// Fills `{value}`, `{missing}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Require {
    /// One of these phrases must stand in the text.
    #[serde(default)]
    pub any_of: Phrases,
    /// Things that the text must say.
    #[serde(default)]
    pub elements: Vec<Element>,
    /// How many of the elements suffice; all of them if it is not given.
    #[serde(default)]
    pub at_least: Option<usize>,
    /// A phrase that stands inside one of these longer ones does not count.
    #[serde(default)]
    pub except: Phrases,
    /// A text of fewer characters does not suffice, whatever it says.
    #[serde(default)]
    pub min_chars: usize,
    /// A text that says one of these is left alone.
    #[serde(default)]
    pub unless: Phrases,
}

impl Require {
    pub(super) const FILLS: &[&str] = &["value", "missing"];
}

/// One thing that a text must say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// What is missing where none of the phrases stands, as a part of a sentence.
    pub name: String,
    /// Phrases that say it.
    #[serde(default)]
    pub any_of: Phrases,
    /// Whether the name of the business says it.
    #[serde(default)]
    pub brand: bool,
    /// The weight of its absence, if more than the rule's.
    #[serde(default)]
    pub severity: Option<Severity>,
}

/// Parameters of `forbid`.
///
/// Fills `{value}`, `{match}`, `{list}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Forbid {
    /// None of these may stand in the text.
    #[serde(default)]
    pub any_of: Phrases,
    /// The text may not be one of these as a whole.
    #[serde(default)]
    pub whole: Phrases,
    /// Regular expressions of which none may match.
    #[serde(default)]
    pub matches: Vec<String>,
    /// A phrase that stands inside one of these longer ones does not count.
    #[serde(default)]
    pub except: Phrases,
    /// A phrase in a sentence with one of these does not count.
    #[serde(default)]
    pub unless: Phrases,
    /// Whether a phrase in a negated clause does not count.
    #[serde(default)]
    pub skip_negated: bool,
    /// Whether a phrase does not count that touches a slot of a template, such as `[Name]`: `slots` reports those.
    #[serde(default)]
    pub outside_slots: bool,
}

impl Forbid {
    pub(super) const FILLS: &[&str] = &["value", "match", "list"];
}

/// Parameters of `brand`.
///
/// Fills `{value}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Brand {
    /// Whether a text is refused that names the business in a link alone, instead of one that names it nowhere.
    #[serde(default)]
    pub only_in_link: bool,
}

impl Brand {
    pub(super) const FILLS: &[&str] = &["value"];
}

/// Parameters of `slots`.
///
/// Fills `{value}`, `{match}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Slots {
    /// Which slots are refused.
    pub kind: SlotKind,
}

impl Slots {
    pub(super) const FILLS: &[&str] = &["value", "match"];
}

/// The sorts of slots in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SlotKind {
    /// A slot for the business itself, or an instruction to the writer: `[Company Name]`, `INSERT LINK`.
    Business,
    /// A slot that each message fills: `{{first_name}}`, `[Date]`.
    Variable,
}

/// Parameters of `length`.
///
/// Fills `{count}`, `{max}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Length {
    /// The most characters.
    pub max: usize,
}

impl Length {
    pub(super) const FILLS: &[&str] = &["count", "max"];
}

/// Parameters of `repeated`: none.
///
/// Fills `{value}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Repeated {}

impl Repeated {
    pub(super) const FILLS: &[&str] = &["value"];
}

/// Parameters of `same_as`.
///
/// Fills `{value}`, `{other}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SameAs {
    /// The fields of which the value must not be a copy, compared by their words.
    pub fields: Vec<String>,
}

impl SameAs {
    pub(super) const FILLS: &[&str] = &["value", "other"];
}

/// Parameters of `comment`: none.
///
/// Fills `{value}`, `{match}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Comment {}

impl Comment {
    pub(super) const FILLS: &[&str] = &["value", "match"];
}

/// Parameters of `characters`.
///
/// Fills `{value}`, `{match}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Characters {
    /// What is refused.
    pub problem: CharacterProblem,
}

impl Characters {
    pub(super) const FILLS: &[&str] = &["value", "match"];
}

/// What can be wrong with the characters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CharacterProblem {
    /// Text that went through a wrong encoding.
    Garbled,
    /// Invisible and control characters.
    Invisible,
    /// Blanks at the beginning or end.
    OuterBlanks,
    /// Capitals and exclamation marks as advertising has them.
    Shouting,
}
