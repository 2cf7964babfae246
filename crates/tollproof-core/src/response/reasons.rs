//! The table `reasons.yaml`: what reviewers' answers are about, and the rules that check for it.

use serde::Deserialize;

use crate::text::words::Words;

/// A reason, the words that identify it, and the rules that check for it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reason {
    /// Groups of alternatives, separated by spaces. The answer must contain a word of each group.
    words: Vec<String>,
    /// The role of the field that the reason is about, unless the answer names another field.
    pub(super) field: String,
    /// The rules that check for it, the most likely first.
    pub(super) rules: Vec<String>,
    /// What to do, if the rules do not say it or there are none.
    #[serde(default)]
    pub(super) advice: Option<String>,
    /// Reviewers' codes for this reason that no rule lists.
    #[serde(default)]
    codes: Vec<String>,
}

/// A word of at least this length also matches longer words that start with it.
const STEM: usize = 4;

pub(super) fn all() -> Vec<Reason> {
    serde_yaml::from_str(include_str!("reasons.yaml")).expect("a test reads the table")
}

/// The reason with a reviewers' code.
pub(super) fn by_code<'r>(reasons: &'r [Reason], code: &str) -> Option<&'r Reason> {
    reasons.iter().find(|reason| reason.codes.iter().any(|known| known == code))
}

/// The reason that best matches a text. If the field is known, only reasons for this field are considered.
pub(super) fn by_words<'r>(reasons: &'r [Reason], text: &str, field: Option<&str>) -> Option<&'r Reason> {
    // Split the field's name into words, since a message under the name of a field may not repeat it.
    let mut said = text.to_owned();
    for letter in field.unwrap_or_default().chars() {
        said.extend((said.len() == text.len() || letter.is_uppercase()).then_some(' '));
        said.push(letter);
    }
    let words = Words::of(&said);
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
    // Rows with more groups win, then the first row. `max_by_key` returns the last maximum, so the order is reversed.
    given.rev().max_by_key(|reason| reason.words.len())
}

#[cfg(test)]
mod tests {
    use super::{all, by_code, by_words};

    #[test]
    fn every_rule_and_field_of_the_table_exists() {
        let rules: Vec<&str> = crate::rule::builtin::files().map(|(id, _)| id).collect();
        for reason in all() {
            for rule in &reason.rules {
                assert!(rules.contains(&rule.as_str()), "{rule}");
            }
            assert!(!reason.rules.is_empty() || reason.advice.is_some(), "{:?} helps nobody", reason.words);
            assert!(crate::provider::builtin::ROLES.contains(&reason.field.as_str()), "{}", reason.field);
        }
    }

    #[test]
    fn reasons_are_told_by_words_fields_and_codes() {
        let reasons = all();
        let first = |text: &str, field| {
            by_words(&reasons, text, field).and_then(|reason| reason.rules.first()).map(String::as_str)
        };
        for (text, rule) in [
            ("Your sample does not include opt-out instructions.", "message/missing-opt-out"),
            (
                "Consent must be optional and cannot be a condition of the service",
                "opt-in/required-for-service",
            ),
            ("We were unable to validate the website URL", "website/malformed-url"),
            ("The legal entity name did not match the register", "business/placeholder"),
            ("Public URL shorteners may not be used", "message/public-shortener"),
            ("Checkbox is pre-selected", "opt-in/prechecked"),
        ] {
            assert_eq!(first(text, None), Some(rule), "{text}");
        }
        assert_eq!(first("is not valid", Some("businessContactEmail")), Some("contact/malformed-email"));
        let image = Some("optInWorkflowImageURLs");
        assert_eq!(first("could not be reached", image), Some("opt-in/image-not-public"));
        assert_eq!(first("is in the wrong house", image), None);
        assert_eq!(first("The moon is in the wrong house", None), None);
        assert!(by_code(&reasons, "30524").is_some_and(|reason| reason.rules.is_empty()));
    }
}
