//! Finds sentences and clauses, and detects whether a phrase in one is negated.

use std::ops::Range;

use super::hit::Hit;
use super::tokenize::{Break, Words, is_contraction};
use super::vocabulary::{Language, Languages};
use crate::validators::word_lists::polarity::{
    DENIED, ENGLISH_NEGATORS, FRENCH_NEGATORS, SPANISH_NEGATORS, SUBJECTS, TURNS,
};

/// How many words before a phrase are searched for a negation.
const REACH: usize = 14;

/// How many words behind a phrase are searched for one.
const BEHIND: usize = 3;

/// The range of words of the sentence that contains a word.
pub(crate) fn sentence(words: &Words, at: usize) -> Range<usize> {
    let begins = |index: usize| words.get(index).is_none_or(|word| word.before == Break::Sentence);
    let start = (0..=at).rev().find(|&index| begins(index)).unwrap_or(0);
    let end = (at + 1..words.len()).find(|&index| begins(index)).unwrap_or(words.len());
    start..end
}

/// The range of words of the clause that contains a word.
pub(crate) fn clause(words: &Words, at: usize) -> Range<usize> {
    let begins = |index: usize| {
        words.get(index).is_none_or(|word| word.before >= Break::Clause) || TURNS.contains(&words.word(index))
    };
    let start = (0..=at).rev().find(|&index| begins(index)).unwrap_or(0);
    let end = (at + 1..words.len()).find(|&index| begins(index)).unwrap_or(words.len());
    start..end
}

/// The index of the first word of the next quotation after a word, if one is announced before the sentence ends.
pub(crate) fn quotation(words: &Words, at: usize) -> Option<usize> {
    let strong = (at + 1..words.len())
        .find(|&it| words.get(it).is_some_and(|word| word.before >= Break::Quotation))?;
    words.get(strong).is_some_and(|word| word.before == Break::Quotation).then_some(strong)
}

/// Whether a word negates what follows it in a sentence of these languages.
pub(crate) fn is_negator(word: &str, languages: Languages) -> bool {
    languages.may_be(Language::English) && ENGLISH_NEGATORS.contains(&word)
        || languages.may_be(Language::French) && FRENCH_NEGATORS.contains(&word)
        || languages.may_be(Language::Spanish) && SPANISH_NEGATORS.contains(&word)
}

/// Whether a phrase is negated in its clause, by a word before it or in one of its gaps.
///
/// A phrase that begins with a negation or requires one, such as `cannot book without` and `refuse ... not serve`, is
/// not negated by that word. `negates` tells whether a word is a negation that counts.
pub(crate) fn is_negated(words: &Words, hit: &Hit, negates: impl Fn(usize) -> bool) -> bool {
    if !hit.negative && !negates(hit.first) && (hit.first..=hit.last).any(&negates) {
        return true;
    }
    if is_denied_after(words, hit) {
        return true;
    }
    let mut bracketed = false;
    for at in (hit.first.saturating_sub(REACH)..hit.first).rev() {
        let next = words.get(at + 1).map_or(Break::None, |word| word.before);
        // A negation before a quotation does not apply to it: in "not ticked: I agree", the quoted text agrees.
        if next >= Break::Quotation {
            return false;
        }
        // A negation in brackets does not apply to the words after them.
        bracketed = next == Break::Closing || bracketed && next != Break::Opening;
        if bracketed {
            continue;
        }
        if negates(at) {
            return true;
        }
        if TURNS.contains(&words.word(at)) {
            return false;
        }
        // After a comma, a phrase with its own subject starts a new clause.
        if next >= Break::Clause && is_subject(words.word(at + 1)) {
            return false;
        }
    }
    false
}

/// Whether a verb right behind a phrase is negated: "consent is not required", "el consentimiento no es necesario".
pub(crate) fn is_negated_behind(words: &Words, hit: &Hit, negates: impl Fn(usize) -> bool) -> bool {
    let same_clause = |at: &usize| words.get(*at).is_some_and(|word| word.before == Break::None);
    let denies = |at: usize| {
        let word = words.word(at);
        negates(at) && (is_contraction(word) || ["not", "never", "pas", "jamais", "nunca"].contains(&word))
    };
    (hit.last + 1..=hit.last + BEHIND).take_while(same_clause).any(denies)
}

/// Whether the rest of the sentence negates a phrase: "gambling and CBD: we send none of these".
fn is_denied_after(words: &Words, hit: &Hit) -> bool {
    let same_sentence = |at: &usize| words.get(*at).is_some_and(|word| word.before < Break::Sentence);
    let rest = (hit.last + 1..=hit.last + 2 * REACH).take_while(same_sentence);
    rest.into_iter().any(|at| match words.word(at) {
        "none" => true,
        word if word == "not" || word == "never" || is_contraction(word) => {
            (at + 1..=at + 2).any(|at| DENIED.contains(&words.word(at)))
        }
        _ => false,
    })
}

/// Whether a phrase in normal form requires a negation.
pub(crate) fn asks_for_negation(phrase: &[u8]) -> bool {
    let mut needed = phrase.split(|&byte| byte == b' ').filter(|element| !element.ends_with(b"?"));
    needed.any(|element| {
        let mut words = element.split(|&byte| byte == b'|').filter_map(|word| std::str::from_utf8(word).ok());
        words.any(|word| is_negator(word, Languages::default()))
    })
}

fn is_subject(word: &str) -> bool {
    SUBJECTS.contains(&word)
}
