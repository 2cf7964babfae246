//! Finds sentences and clauses, and detects whether a phrase in one is negated.

use std::ops::Range;
use std::sync::LazyLock;

use super::hit::Hit;
use super::tokenize::{CONTRACTIONS, is_contraction};
use super::vocabulary::{Language, Languages};
use super::words::{Break, Words, hash_of};
use crate::tables::polarity::{DENIED, ENGLISH_NEGATORS, FRENCH_NEGATORS, SPANISH_NEGATORS, SUBJECTS, TURNS};

/// How many words before a phrase are searched for a negation.
const REACH: usize = 14;

/// How many words behind a phrase are searched for one.
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
    let begins = |index: usize| {
        words.get(index).is_none_or(|word| word.before >= Break::Clause) || roles.has(index, TURNS_AWAY)
    };
    let start = (0..=at).rev().find(|&index| begins(index)).unwrap_or(0);
    let end = (at + 1..words.len()).find(|&index| begins(index)).unwrap_or(words.len());
    start..end
}

/// The index of the first word of the next quotation after a word, if one is announced before the sentence ends.
pub fn quotation(words: &Words, at: usize) -> Option<usize> {
    let strong = (at + 1..words.len())
        .find(|&it| words.get(it).is_some_and(|word| word.before >= Break::Quotation))?;
    words.get(strong).is_some_and(|word| word.before == Break::Quotation).then_some(strong)
}

/// Whether a word negates what follows it in a sentence of these languages.
fn is_negator(word: &str, languages: Languages) -> bool {
    languages.may_be(Language::English) && ENGLISH_NEGATORS.contains(&word)
        || languages.may_be(Language::French) && FRENCH_NEGATORS.contains(&word)
        || languages.may_be(Language::Spanish) && SPANISH_NEGATORS.contains(&word)
}

/// What each word of a text does to the words beside it, as bits: bit `n` if it negates in [`Language`] `n`, and the
/// constants below.
#[derive(Debug, Default)]
pub struct WordRoles(Vec<u8>);

/// Begins a new thought.
const TURNS_AWAY: u8 = 1 << 4;

/// Is the subject of a new clause when a comma precedes it.
const IS_SUBJECT: u8 = 1 << 5;

/// Is "none", which denies what is before it.
const IS_NONE: u8 = 1 << 6;

/// Is "not", "never" or a contraction.
const IS_NOT: u8 = 1 << 7;

const NEGATES: u8 = 1 << Language::English as u8 | 1 << Language::French as u8 | 1 << Language::Spanish as u8;

impl WordRoles {
    /// The roles of the words of a text.
    pub fn of(words: &Words) -> Self {
        let table = &**ROLES;
        Self(words.all().iter().map(|word| role_of(table, word.hash)).collect())
    }

    fn has(&self, at: usize, role: u8) -> bool {
        self.0.get(at).is_some_and(|roles| roles & role != 0)
    }

    /// Whether a word negates what follows it in some language, as few words do.
    pub fn may_negate(&self, at: usize) -> bool {
        self.has(at, NEGATES)
    }

    /// Whether a word negates what follows it in a sentence of these languages.
    pub fn negates(&self, at: usize, languages: Languages) -> bool {
        let is_in = |language: &Language| self.has(at, 1 << *language as u8) && languages.may_be(*language);
        self.may_negate(at) && [Language::English, Language::French, Language::Spanish].iter().any(is_in)
    }
}

/// The slots of [`ROLES`], several for each word that has a role.
const ROLE_SLOTS: usize = 1024;

/// The words with a role by hash, with open addressing; a slot without a role is empty.
static ROLES: LazyLock<Vec<(u32, u8)>> = LazyLock::new(|| {
    let of = |language: Language, words: std::slice::Iter<'static, &'static str>| {
        words.map(move |word| (*word, 1 << language as u8))
    };
    let negators = of(Language::English, ENGLISH_NEGATORS.iter())
        .chain(of(Language::French, FRENCH_NEGATORS.iter()))
        .chain(of(Language::Spanish, SPANISH_NEGATORS.iter()));
    let contractions = CONTRACTIONS.iter().map(|(_, contracted)| (*contracted, IS_NOT));
    let others = TURNS.iter().map(|word| (*word, TURNS_AWAY));
    let others = others.chain(SUBJECTS.iter().map(|word| (*word, IS_SUBJECT)));
    let others = others.chain([("none", IS_NONE), ("not", IS_NOT), ("never", IS_NOT)]);
    let mut table = vec![(0, 0); ROLE_SLOTS];
    for (word, role) in negators.chain(contractions).chain(others) {
        let hash = hash_of(word.as_bytes());
        let mut slot = hash as usize % ROLE_SLOTS;
        while table[slot].1 != 0 && table[slot].0 != hash {
            slot = (slot + 1) % ROLE_SLOTS;
        }
        table[slot] = (hash, table[slot].1 | role);
    }
    table
});

fn role_of(table: &[(u32, u8)], hash: u32) -> u8 {
    let mut slot = hash as usize % ROLE_SLOTS;
    while let Some(&(known, role)) = table.get(slot) {
        if known == hash || role == 0 {
            return role;
        }
        slot = (slot + 1) % ROLE_SLOTS;
    }
    0
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
        if roles.has(at, TURNS_AWAY) {
            return false;
        }
        // After a comma, a phrase with its own subject starts a new clause.
        if next >= Break::Clause && roles.has(at + 1, IS_SUBJECT) {
            return false;
        }
    }
    false
}

/// Whether a verb right behind a phrase is negated: "consent is not required", "el consentimiento no es necesario".
pub fn is_negated_behind(words: &Words, hit: &Hit, negates: impl Fn(usize) -> bool) -> bool {
    let same_clause = |at: &usize| words.get(*at).is_some_and(|word| word.before == Break::None);
    let denies = |at: usize| {
        let word = words.word(at);
        negates(at) && (is_contraction(word) || ["not", "never", "pas", "jamais", "nunca"].contains(&word))
    };
    (hit.last + 1..=hit.last + BEHIND).take_while(same_clause).any(denies)
}

/// Whether the rest of the sentence negates a phrase: "gambling and CBD: we send none of these".
fn is_denied_after((words, roles): (&Words, &WordRoles), hit: &Hit) -> bool {
    let same_sentence = |at: &usize| words.get(*at).is_some_and(|word| word.before < Break::Sentence);
    let rest = (hit.last + 1..=hit.last + 2 * REACH).take_while(same_sentence);
    let is_denied = |at: usize| (at + 1..=at + 2).any(|at| DENIED.contains(&words.word(at)));
    rest.into_iter().any(|at| roles.has(at, IS_NONE) || roles.has(at, IS_NOT) && is_denied(at))
}

/// Whether a phrase in normal form requires a negation.
pub fn asks_for_negation(phrase: &[u8]) -> bool {
    let mut needed = phrase.split(|&byte| byte == b' ').filter(|element| !element.ends_with(b"?"));
    needed.any(|element| {
        let mut words = element.split(|&byte| byte == b'|').filter_map(|word| std::str::from_utf8(word).ok());
        words.any(|word| is_negator(word, Languages::default()))
    })
}
