//! The table `reasons.yaml`: what reviewers' answers are about, and the rules that check for it.

use serde::Deserialize;
use tollproof_data::text::words::word::Words;

/// A reason, the words that identify it, and the rules that check for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    /// Groups of alternatives, separated by spaces. The answer must contain a word of each group.
    pub(super) words: Vec<String>,
    /// The role of the field that the reason is about, unless the answer names another field. Empty if it is about none.
    #[serde(default)]
    pub(super) field: String,
    /// The code or short text with the same meaning.
    #[serde(default)]
    pub(super) code: Option<String>,
    /// The rules that check for it, the most likely first. If empty, those of the code.
    #[serde(default)]
    pub(super) rules: Vec<String>,
    /// What to do, for reasons without a code.
    #[serde(default)]
    pub(super) advice: Option<String>,
    /// Whether the words only say that something is wrong, so that a code beside them says more.
    #[serde(default)]
    pub(super) vague: bool,
    /// Whether a line with these words is not a reason.
    #[serde(default)]
    pub(super) is_no_reason: bool,
}

impl Reason {
    /// Whether a code or a title says more than these words.
    pub(super) fn is_vague(&self) -> bool {
        self.vague || self.is_no_reason || self.words.len() == 1
    }
}

/// A word of at least this length also matches longer words that start with it.
const STEM: usize = 4;

pub(super) fn all() -> Vec<Reason> {
    serde_yaml::from_str(include_str!("reasons.yaml")).expect("a test reads the table")
}

/// The reason that best matches a text. If the field is known, only reasons for this field are considered.
pub(super) fn by_words<'r>(reasons: &'r [Reason], text: &str, field: Option<&str>) -> Option<&'r Reason> {
    // A host is the words in it.
    let text = &text.replace('.', " ");
    // Split the field's name into words, since a message under the name of a field may not repeat it.
    let mut spaced = text.to_owned();
    for letter in field.unwrap_or_default().chars() {
        spaced.extend((spaced.len() == text.len() || letter.is_uppercase()).then_some(' '));
        spaced.push(letter);
    }
    let words = Words::of(&spaced);
    let own = Words::of(text).len();
    let words: Vec<&str> = (0..words.len()).map(|at| words.word(at)).collect();
    let means = |alternative: &str, words: &[&str]| {
        let is =
            |word: &&str| *word == alternative || alternative.len() >= STEM && word.starts_with(alternative);
        words.iter().any(is)
    };
    // At least one group must match the text itself: the name of the field is not a reason.
    let is_given = |reason: &&Reason| {
        let has = |group: &String, words: &[&str]| group.split(' ').any(|it| means(it, words));
        reason.words.iter().all(|group| has(group, &words))
            && reason.words.iter().any(|group| has(group, &words[..own]))
    };
    let lies_there = |reason: &&Reason| field.is_none_or(|field| reason.field == field);
    let given = reasons.iter().filter(lies_there).filter(is_given);
    // Rows that say more than that something is wrong win, then those with more groups, then the first row. `max_by_key` returns the last maximum, so the order is reversed.
    given.rev().max_by_key(|reason| (!reason.is_no_reason, !reason.vague, reason.words.len()))
}

#[cfg(test)]
mod tests {
    use super::super::codes;
    use super::{all, by_words};

    #[test]
    fn every_rule_field_and_code_of_the_table_exists() {
        let rules: Vec<&str> = crate::rule::builtin::files().map(|(id, _)| id).collect();
        for reason in all() {
            for rule in &reason.rules {
                assert!(rules.contains(&rule.as_str()), "{rule}");
            }
            assert!(
                reason.is_no_reason || reason.code.is_some() != reason.advice.is_some(),
                "{:?} must have a code or advice, not both",
                reason.words
            );
            let is_role = crate::prepared::PREPARED.roles.all.contains(&reason.field.as_str());
            assert!(is_role || reason.field.is_empty(), "{}", reason.field);
            if let Some(code) = &reason.code {
                assert!(codes::by_code(None, code).is_some(), "{code} is not in schemas/codes.yaml");
            }
        }
    }

    #[test]
    fn reasons_are_told_by_words_and_fields() {
        let reasons = all();
        let code = |text: &str, field| by_words(&reasons, text, field).and_then(|it| it.code.as_deref());
        for (text, known) in [
            ("Your sample does not include opt-out instructions.", "Opt-out language missing in a sample"),
            ("Consent must be optional and cannot be a condition of the service", "30475"),
            ("We were unable to validate the website URL", "30473"),
            ("The legal entity name did not match the register", "30484"),
            ("Public URL shorteners may not be used", "30449"),
            ("Checkbox is pre-selected", "30508"),
            ("What you describe as the opt-in workflow is inconsistent with the page", "30498"),
        ] {
            assert_eq!(code(text, None), Some(known), "{text}");
        }
        assert_eq!(code("is not valid", Some("businessContactEmail")), Some("30452"));
        let image = Some("optInWorkflowImageURLs");
        assert_eq!(code("could not be reached", image), Some("30509"));
        assert_eq!(code("is in the wrong house", image), None);
        assert_eq!(code("The moon is in the wrong house", None), None);
    }
}
