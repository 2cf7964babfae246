//! Finds sentences and clauses, and detects whether a phrase in one is negated.

use std::ops::Range;

use crate::text::words::hit::Hit;
use crate::text::words::language::{Languages, WordRole};
use crate::text::words::word::{Break, Words};

/// The number of words before a phrase searched for a negation.
const REACH: usize = 14;

/// The number of words after a phrase searched for one.
const BEHIND: usize = 3;

/// The range of words of the sentence that contains a word.
pub fn sentence(words: &Words, at: usize) -> Range<usize> {
    let begins = |index: usize| words.get(index).is_none_or(|word| word.before == Break::Sentence);
    let start = (0..=at).rev().find(|&index| begins(index)).unwrap_or(0);
    let end = (at + 1..words.len()).find(|&index| begins(index)).unwrap_or(words.len());
    start..end
}

/// The range of words of the clause that contains a word.
pub fn clause((words, roles): (&Words, &WordRoles), at: usize) -> Range<usize> {
    let begins =
        |index: usize| words.get(index).is_none_or(|word| word.before >= Break::Clause) || roles.turns(index);
    let start = (0..=at).rev().find(|&index| begins(index)).unwrap_or(0);
    let end = (at + 1..words.len()).find(|&index| begins(index)).unwrap_or(words.len());
    start..end
}

/// The index of the first word of the next quotation after a word, if one is announced before the sentence ends.
pub fn quotation(words: &Words, at: usize) -> Option<usize> {
    let strong = (at + 1..words.len())
        .find(|&index| words.get(index).is_some_and(|word| word.before >= Break::Quotation))?;
    words.get(strong).is_some_and(|word| word.before == Break::Quotation).then_some(strong)
}

/// The effect of each word of a text on the words beside it.
#[derive(Debug, Default)]
pub struct WordRoles(Vec<WordRole>);

impl WordRoles {
    /// The roles of the words of a text.
    pub fn of(words: &Words) -> Self {
        Self(words.all().iter().map(|word| WordRole::of(words.folded(word))).collect())
    }

    /// The roles in order.
    pub fn all(&self) -> &[WordRole] {
        &self.0
    }

    /// Whether a word negates what follows it in a sentence of these languages.
    pub fn negates(&self, at: usize, languages: Languages) -> bool {
        self.0.get(at).is_some_and(|role| languages.may_be_one_of(role.negates))
    }

    fn turns(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|role| role.turns.are_known())
    }

    fn is_subject(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|role| role.is_subject.are_known())
    }

    /// Whether a word denies what is before it by itself or with what is denied: "none", "never sent".
    fn denies(&self, at: usize) -> bool {
        let Some(role) = self.0.get(at) else { return false };
        let next = self.0[at + 1..].iter().take(2);
        role.is_none.are_known() || next.into_iter().any(|next| role.negates_before.shares(next.is_denied))
    }
}

/// Whether a phrase is negated in its clause, by a word before it or in one of its gaps.
///
/// A phrase that begins with a negation or requires one, such as `cannot book without` and `refuse ... not serve`, is
/// not negated by that word. `negates` tells whether a word is a negation that counts.
pub fn is_negated((words, roles): (&Words, &WordRoles), hit: &Hit, negates: impl Fn(usize) -> bool) -> bool {
    if !hit.negative && !negates(hit.first) && (hit.first..=hit.last).any(&negates) {
        return true;
    }
    if is_denied_after((words, roles), hit) {
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
        if roles.turns(at) {
            return false;
        }
        // After a comma, a phrase with its own subject starts a new clause.
        if next >= Break::Clause && roles.is_subject(at + 1) {
            return false;
        }
    }
    false
}

/// Whether a verb right after a phrase is negated: "consent is not required", "el consentimiento no es necesario".
pub fn is_negated_behind(
    (words, roles): (&Words, &WordRoles),
    hit: &Hit,
    negates: impl Fn(usize) -> bool,
) -> bool {
    let same_clause = |at: &usize| words.get(*at).is_some_and(|word| word.before == Break::None);
    let denies = |at: usize| negates(at) && roles.0[at].negates_before.are_known();
    (hit.last + 1..=hit.last + BEHIND).take_while(same_clause).any(denies)
}

/// Whether the rest of the sentence negates a phrase: "gambling and CBD: we send none of these".
fn is_denied_after((words, roles): (&Words, &WordRoles), hit: &Hit) -> bool {
    let same_sentence = |at: &usize| words.get(*at).is_some_and(|word| word.before < Break::Sentence);
    let rest = (hit.last + 1..=hit.last + 2 * REACH).take_while(same_sentence);
    rest.into_iter().any(|at| roles.denies(at))
}

/// Whether a phrase in normal form requires a negation.
pub fn asks_for_negation(phrase: &[u8]) -> bool {
    let mut needed = phrase.split(|&byte| byte == b' ').filter(|element| !element.ends_with(b"?"));
    needed.any(|element| {
        let mut words = element.split(|&byte| byte == b'|');
        words.any(|word| WordRole::of(word).negates.are_known())
    })
}
