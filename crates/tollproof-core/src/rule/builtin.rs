//! The built-in rules, as `build.rs` prepared them.

use serde::Deserialize;

use crate::rule::Rule;
use crate::rule::prefilter::RulePrefilter;
use crate::text::hit::SetId;
use crate::text::lexicon::Lexicon;
use crate::text::prepared::PREPARED;
use crate::text::vocabulary::Vocabulary;

/// The rule files of `rules/` by id.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rule_files.rs"));

/// The files of `rules/vocabulary/`, by their names without the extension.
static VOCABULARY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/vocabulary_files.rs"));

/// Rules with all their phrases, ready to run.
#[derive(Debug, Deserialize)]
pub(crate) struct Builtin {
    pub(crate) rules: Vec<Rule>,
    #[serde(borrow)]
    pub(crate) prefilter: RulePrefilter<'static>,
    #[cfg_attr(not(target_family = "wasm"), serde(borrow))]
    #[cfg_attr(target_family = "wasm", serde(deserialize_with = "built"))]
    pub(crate) lexicon: Lexicon<'static>,
    pub(crate) titles: Vec<(SetId, String)>,
    #[serde(borrow)]
    pub(crate) vocabulary: Vocabulary<'static>,
    pub(crate) next_set: SetId,
}

/// Builds the table of the phrases, which `build.rs` leaves out where the size of the program counts.
#[cfg(target_family = "wasm")]
fn built<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Lexicon<'static>, D::Error> {
    let phrases = crate::text::lexicon_builder::PhraseTexts::deserialize(deserializer)?;
    Ok(phrases.build())
}

pub(crate) fn load() -> Builtin {
    postcard::from_bytes(PREPARED).expect("build.rs wrote this from the same types")
}

/// The built-in rule files: id and YAML source, sorted by id.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

/// The built-in vocabulary files: path and YAML source.
pub(crate) fn vocabulary_files() -> impl Iterator<Item = (String, &'static str)> {
    VOCABULARY.iter().map(|(name, text)| (format!("rules/vocabulary/{name}.yaml"), *text))
}
