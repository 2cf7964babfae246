//! Matching the rest of a phrase against the words of a text.

use std::ops::Range;

use tollproof_data::text::entry::{
    ELEMENT, NEGATIVE, NumberChoice, PhraseElement, PhraseElementKind, PhraseEntry,
};
use tollproof_data::text::hit::Hit;
use tollproof_data::text::lexicon::Lexicon;
use tollproof_data::text::words::Words;

use super::occurring::Occurring;
use super::own_name::NamePlace;
use super::word_ids::WordIds;
use super::work::PhraseWork;

/// The maximum number of words that `...` matches.
const GAP: usize = 8;

/// The terms of groups in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TermHits<'w> {
    /// Sorted by their first words.
    pub(crate) hits: &'w [Hit],
    /// For each word, the index of the first hit that begins there or behind it; then the number of hits.
    pub(crate) starts: &'w [u32],
}

impl<'w> TermHits<'w> {
    /// The hits whose first word is in a range of words.
    pub(crate) fn within(self, words: Range<usize>) -> &'w [Hit] {
        let start = |word: usize| self.starts.get(word).map_or(self.hits.len(), |it| *it as usize);
        self.hits.get(start(words.start)..start(words.end)).unwrap_or_default()
    }
}

/// A phrase that names groups, to be matched when the terms of its sentence are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingPhrase {
    /// The index of its entry.
    pub(super) entry: u32,
    /// The words with which it was looked up.
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Matches phrases whose first words were found in a sentence of a text.
#[derive(Debug)]
pub(crate) struct Matcher<'w> {
    pub(super) lexicon: &'w Lexicon<'w>,
    work: &'w PhraseWork,
    /// The words of the sentence that is matched.
    pub(super) sentence: Range<usize>,
    pub(super) ids: WordIds,
    /// Phrases that name groups and begin with a word of the sentence.
    pub(super) pending: Vec<PendingPhrase>,
    /// What the sentence has, if some phrase asked for it.
    occurring: Occurring,
    /// What of it is set for this sentence.
    knows_words: bool,
    knows_groups: bool,
    /// Failed attempts: the length of the remaining phrase and the index of the last matched word. Nothing is tried
    /// twice, so that the running time does not grow with the number of possible matches.
    failed: Vec<(usize, usize)>,
}

impl<'w> Matcher<'w> {
    /// A matcher for phrases of a lexicon.
    pub(crate) fn of(lexicon: &'w Lexicon<'w>, work: &'w PhraseWork) -> Self {
        let (ids, pending, occurring, failed) = Default::default();
        let (knows_words, knows_groups) = (false, false);
        Self { lexicon, work, sentence: 0..0, ids, pending, occurring, knows_words, knows_groups, failed }
    }

    /// What the text may still cost.
    pub(crate) fn work(&self) -> &'w PhraseWork {
        self.work
    }

    /// Turns to the sentence with these words, of which phrases know nothing at the places of `names`.
    pub(super) fn enter(&mut self, words: &Words, sentence: &Range<usize>, names: &[NamePlace<'_>]) {
        self.sentence = sentence.clone();
        self.ids.set((words, sentence), names, self.lexicon);
        self.pending.clear();
        (self.knows_words, self.knows_groups) = (false, false);
    }

    /// Adds the hit of a phrase of this sentence whose beginning matches, from its first word to the last one that was
    /// looked up, if its rest matches too. Phrases that name groups need the terms in the sentence.
    pub(super) fn matched(
        &mut self,
        entry: PhraseEntry,
        (first, last): (usize, usize),
        terms: TermHits<'_>,
        found: &mut Vec<Hit>,
    ) {
        let last = match entry.rest_length {
            0 => Some(last),
            _ => self.match_behind(entry, last, terms),
        };
        if let Some(last) = last {
            self.work.take(PhraseWork::HIT);
            let negative = entry.has(NEGATIVE) && last > first + 1;
            found.push(Hit { set: entry.set, group: entry.group, first, last, negative });
        }
    }

    /// The last word of a phrase whose rest must follow a word.
    fn match_behind(&mut self, entry: PhraseEntry, last: usize, terms: TermHits<'_>) -> Option<usize> {
        if entry.needs != 0 {
            if !self.knows_words {
                self.occurring.set_words(self.ids.numbers());
                self.knows_words = true;
            }
            if !self.knows_groups && !terms.hits.is_empty() {
                self.occurring.add_groups(terms.within(self.sentence.clone()));
                self.knows_groups = true;
            }
            if !self.occurring.may_go_on(self.lexicon.needs(entry.needs), self.work) {
                return None;
            }
        }
        self.failed.clear();
        self.rest(self.lexicon.rest(entry)?, last, terms)
    }

    /// The last words of the terms that begin at a word and whose group an element names.
    fn terms<'t>(
        &self,
        groups: NumberChoice<'w>,
        at: usize,
        terms: TermHits<'t>,
    ) -> impl Iterator<Item = usize> + use<'w, 't> {
        let hits = terms.within(at..at + 1);
        self.work.take(1 + hits.len());
        let is_named = move |hit: &&Hit| hit.group.is_some_and(|group| groups.has_group(group));
        hits.iter().filter(is_named).map(|hit| hit.last)
    }

    fn choice(&self, at: u32) -> NumberChoice<'w> {
        NumberChoice::at(&self.lexicon.choices, at)
    }

    /// Matches the elements of `rest` after the word `last`.
    fn rest(&mut self, mut rest: &'w [[u8; ELEMENT]], mut last: usize, terms: TermHits<'_>) -> Option<usize> {
        loop {
            let Some((encoded, behind)) = rest.split_first() else { return Some(last) };
            if !self.work.take(1) {
                return None;
            }
            let element = PhraseElement::decode(*encoded);
            match element.kind {
                PhraseElementKind::Groups(groups) => {
                    if !self.goes_on(last + 1) {
                        return None;
                    }
                    let mut ends = self.terms(self.choice(groups), last + 1, terms);
                    return ends.find_map(|last| self.rest(behind, last, terms));
                }
                PhraseElementKind::Word(_) | PhraseElementKind::AnyOf(_) if !element.is_optional => {
                    if !self.is_next(element.kind, last + 1) {
                        return None;
                    }
                    (rest, last) = (behind, last + 1);
                    continue;
                }
                _ => {}
            }
            // Alternatives arise only at gaps and optional words, so it is enough to store failures there.
            let state = (rest.len(), last);
            if !self.work.take(self.failed.len() / 16) || self.failed.contains(&state) {
                return None;
            }
            let found = match element.kind {
                PhraseElementKind::Gap => self.gap(behind, last, terms),
                kind => self.optional(kind, behind, last, terms),
            };
            if found.is_none() {
                self.failed.push(state);
            }
            return found;
        }
    }

    fn optional(
        &mut self,
        kind: PhraseElementKind,
        behind: &'w [[u8; ELEMENT]],
        last: usize,
        terms: TermHits<'_>,
    ) -> Option<usize> {
        let taken = if self.is_next(kind, last + 1) { self.rest(behind, last + 1, terms) } else { None };
        taken.or_else(|| self.rest(behind, last, terms))
    }

    /// Matches the rest of the phrase at the nearest possible word after a gap.
    fn gap(&mut self, behind: &'w [[u8; ELEMENT]], last: usize, terms: TermHits<'_>) -> Option<usize> {
        let (wanted, behind) = behind.split_first()?;
        let wanted = PhraseElement::decode(*wanted).kind;
        for at in last + 1..=last + 1 + GAP {
            if !self.goes_on(at) || !self.work.take(1) {
                return None;
            }
            let end = match wanted {
                PhraseElementKind::Groups(groups) => {
                    self.terms(self.choice(groups), at, terms).find_map(|last| self.rest(behind, last, terms))
                }
                _ if self.is_next(wanted, at) => self.rest(behind, at, terms),
                _ => None,
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Whether a word of the sentence is a wanted one.
    fn is_next(&self, wanted: PhraseElementKind, at: usize) -> bool {
        let ids = &self.ids;
        match wanted {
            PhraseElementKind::Word(id) => ids.has(at, id),
            PhraseElementKind::AnyOf(choice) => {
                let (choice, word) = (self.choice(choice), ids.get(at));
                choice.may_have(word.bits) && ids.of_word(word).any(|id| choice.has(id))
            }
            PhraseElementKind::Groups(_) | PhraseElementKind::Gap => false,
        }
    }

    /// Whether a word is in the sentence.
    fn goes_on(&self, at: usize) -> bool {
        at < self.sentence.end
    }
}
