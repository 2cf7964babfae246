//! The built-in rules, as `build.rs` prepared them.

use tollproof_data::prepared::PreparedRules;
use tollproof_data::rule::file::Rule;
use tollproof_data::text::table::lexicon::Lexicon;
use tollproof_data::text::terms::vocabulary::Vocabulary;
use tollproof_data::text::words::hit::SetId;

use crate::prepared::PREPARED;

/// Rules with all their phrases, ready to run.
pub(crate) struct Builtin {
    pub(crate) rules: Vec<Rule>,
    pub(crate) lexicon: Lexicon<'static>,
    pub(crate) titles: Vec<(SetId, String)>,
    pub(crate) vocabulary: Vocabulary<'static>,
    pub(crate) next_set: SetId,
}

pub(crate) fn load() -> Builtin {
    let PreparedRules { rules, phrases: lexicon, titles, vocabulary, next_set } = PREPARED.rules.decoded();
    Builtin { rules, lexicon, titles, vocabulary, next_set }
}

/// The built-in rule files: id and YAML source, sorted by id.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    PREPARED.rule_files.iter().copied()
}

/// The built-in vocabulary files: path and YAML source.
pub(crate) fn vocabulary_files() -> impl Iterator<Item = (String, &'static str)> {
    PREPARED.vocabulary_files.iter().map(|(name, text)| (format!("rules/vocabulary/{name}.yaml"), *text))
}
