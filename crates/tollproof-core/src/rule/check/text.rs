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
    /// Phrases of which the text must contain at least one.
    #[serde(default)]
    pub any_of: Phrases,
    /// Elements that the text must contain.
    #[serde(default)]
    pub elements: Vec<Element>,
    /// How many of the elements are enough; by default all.
    #[serde(default)]
    pub at_least: Option<usize>,
    /// Longer phrases; a phrase inside one of them does not count.
    #[serde(default)]
    pub except: Phrases,
    /// The minimum number of characters, whatever the text says.
    #[serde(default)]
    pub min_chars: usize,
    /// Phrases; a text that contains one of them is not reported.
    #[serde(default)]
    pub unless: Phrases,
}

impl Require {
    pub(super) const FILLS: &[&str] = &["value", "missing"];
}

/// One element that a text must contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// What is missing without these phrases, as a part of a sentence.
    pub name: String,
    /// Phrases of which one is enough.
    #[serde(default)]
    pub any_of: Phrases,
    /// Whether the name of the business is enough.
    #[serde(default)]
    pub brand: bool,
    /// The severity if it is missing, if higher than that of the rule.
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
    /// Phrases that the text must not contain.
    #[serde(default)]
    pub any_of: Phrases,
    /// Phrases that must not be the whole text.
    #[serde(default)]
    pub whole: Phrases,
    /// Regular expressions that must not match.
    #[serde(default)]
    pub matches: Vec<String>,
    /// Longer phrases; a phrase inside one of them does not count.
    #[serde(default)]
    pub except: Phrases,
    /// Phrases; a forbidden phrase in the same sentence does not count.
    #[serde(default)]
    pub unless: Phrases,
    /// Whether to skip a phrase in a negated clause.
    #[serde(default)]
    pub skip_negated: bool,
    /// Whether to skip a phrase next to a template field, such as `[Name]`, which `slots` reports.
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
    /// Report a text that names the business only in a link, instead of one that does not name it.
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
    /// Which template fields are refused.
    pub kind: SlotKind,
}

impl Slots {
    pub(super) const FILLS: &[&str] = &["value", "match"];
}

/// The types of template fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SlotKind {
    /// A field for the business itself, or an instruction to the writer: `[Company Name]`, `INSERT LINK`.
    Business,
    /// A field that is different in each message: `{{first_name}}`, `[Date]`.
    Variable,
}

/// Parameters of `length`.
///
/// Fills `{count}`, `{max}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Length {
    /// The maximum number of characters.
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
    /// The fields that the value must not repeat, compared word by word.
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
    /// What the rule reports.
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
    /// Text that was read with the wrong encoding.
    Garbled,
    /// Invisible and control characters.
    Invisible,
    /// Spaces at the beginning or end.
    OuterBlanks,
    /// Several words in capitals, or several exclamation marks, in a row.
    Shouting,
}
