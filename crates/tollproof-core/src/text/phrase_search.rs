//! Searches a sentence for the phrases that begin with its words, and for those that begin with its terms.

use std::iter::Peekable;
use std::ops::Range;

use super::entry::{GOES_ON, LANGUAGE_SHIFT, NAMES_GROUPS, PhraseEntry, WordId};
use super::hit::Hit;
use super::lexicon::{BEGINS, BEGINS_PAIR, IS_GROUP, IS_SECOND};
use super::matcher::{Matcher, PendingPhrase};
use super::vocabulary::{Language, Languages};
use super::words::Words;
use super::work::PhraseWork;

/// A sentence, and what is known of it before its phrases.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) words: Range<usize>,
    /// A bit for each language that it may be in.
    languages: u8,
}

impl Sentence {
    pub(crate) fn of(words: Range<usize>, languages: Languages) -> Self {
        let may_be = |language: &&Language| **language == Language::Any || languages.may_be(**language);
        let possible = Language::ALL.iter().filter(may_be);
        Self { words, languages: possible.fold(0, |bits, language| bits | 1 << *language as u8) }
    }

    /// Whether a phrase with these flags is in a language of the sentence.
    fn may_have(&self, flags: u8, is_long: bool) -> bool {
        let language = flags >> LANGUAGE_SHIFT;
        // English terms such as "opt in" are used in other languages too, but not its shortest words.
        let is_borrowed = || language == Language::English as u8 && (is_long || flags & GOES_ON != 0);
        self.languages >> language & 1 == 1 || is_borrowed()
    }
}

impl Matcher<'_> {
    /// Finds the phrases without groups in a sentence, and those with groups that begin with one of its words.
    pub(crate) fn scan(
        &mut self,
        words: &Words,
        sentence: &Sentence,
        hits: &mut Vec<Hit>,
        pending: &mut Vec<PendingPhrase>,
    ) {
        let (lexicon, ids) = (self.lexicon, self.ids);
        self.enter(&sentence.words);
        for at in sentence.words.clone() {
            if !ids.has_flag(at, BEGINS | BEGINS_PAIR) {
                continue;
            }
            let is_long = words.bytes(at).len() >= SHORT;
            let pairs = at + 1 < sentence.words.end
                && ids.has_flag(at, BEGINS_PAIR)
                && ids.has_flag(at + 1, IS_SECOND);
            let seconds = if pairs { ids.of_word(at + 1) } else { &[] };
            for id in ids.of_word(at) {
                let id = WordId::from_le_bytes(*id);
                let mut take = |entries: Range<usize>, last: usize| {
                    if entries.is_empty() || !self.work().take(entries.len()) {
                        return;
                    }
                    let next = ids.bits_within(last + 1, &sentence.words);
                    for record in lexicon.candidates(entries, next) {
                        if !sentence.may_have(PhraseEntry::flags(record), is_long) {
                            continue;
                        }
                        let entry = PhraseEntry::decode(record);
                        let candidate = PendingPhrase { entry, first: at, last };
                        if entry.has(NAMES_GROUPS) {
                            self.work().take(PhraseWork::HIT / 4);
                            pending.push(candidate);
                        } else if entry.rest_length == 0 {
                            hits.push(self.found(candidate, last));
                        } else {
                            hits.extend(self.matched(candidate));
                        }
                    }
                };
                take(lexicon.alone(id), at);
                for second in seconds {
                    take(lexicon.pair(id, WordId::from_le_bytes(*second)), at + 1);
                }
            }
        }
    }

    /// Finds the phrases that name groups in a sentence: those in `pending`, which begin with one of its words, and those
    /// that begin with one of its terms.
    pub(crate) fn composites<'p>(
        &mut self,
        sentence: &Sentence,
        pending: &mut Peekable<impl Iterator<Item = &'p PendingPhrase>>,
        found: &mut Vec<Hit>,
    ) {
        self.enter(&sentence.words);
        while let Some(candidate) = pending.next_if(|it| it.first < sentence.words.end) {
            found.extend(self.matched(*candidate));
        }
        for hit in self.terms.within(sentence.words.clone()) {
            self.begin_with(hit, sentence, found);
        }
    }

    /// Finds the phrases that begin with a term of a group.
    fn begin_with(&mut self, hit: &Hit, sentence: &Sentence, found: &mut Vec<Hit>) {
        let (lexicon, ids) = (self.lexicon, self.ids);
        let Some(group) = hit.group else { return };
        let next = hit.last + 1;
        let (alone, flags) = lexicon.of_group(group);
        let pairs = flags & BEGINS_PAIR != 0 && next < sentence.words.end && ids.has_flag(next, IS_SECOND);
        if alone.is_empty() && !pairs {
            return;
        }
        let mut take = |entries: Range<usize>, last: usize| {
            if entries.is_empty() || !self.work().take(entries.len()) {
                return;
            }
            let next = ids.bits_within(last + 1, &sentence.words);
            for record in lexicon.candidates(entries, next) {
                if sentence.may_have(PhraseEntry::flags(record), false) {
                    self.work().take(PhraseWork::HIT / 4);
                    let entry = PhraseEntry::decode(record);
                    found.extend(self.matched(PendingPhrase { entry, first: hit.first, last }));
                }
            }
        };
        take(alone, hit.last);
        for second in if pairs { ids.of_word(next) } else { &[] } {
            take(lexicon.pair(u32::from(group) | IS_GROUP, WordId::from_le_bytes(*second)), next);
        }
    }
}

/// English words shorter than this do not count in a text of another language.
const SHORT: usize = 4;
