//! Matching the rest of a phrase against the words of a text.

use std::ops::Range;

use tollproof_data::text::table::lexicon::{Lexicon, PhraseElement, StoredPhrase};
use tollproof_data::text::words::hit::Hit;
use tollproof_data::text::words::word::Words;

use crate::text::phrases::word_ids::WordIds;
use crate::text::phrases::work::PhraseWork;
use crate::text::words::own_name::NamePlace;

/// The maximum number of words that `...` matches.
const GAP: usize = 8;

/// The terms of groups in a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TermHits<'w> {
    /// Sorted by their first words.
    pub(crate) hits: &'w [Hit],
    /// For each word, the index of the first hit that begins there or after it; then the number of hits.
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
pub(crate) struct PendingPhrase<'w> {
    pub(crate) phrase: &'w StoredPhrase,
    /// The words with which it was looked up.
    pub(crate) first: usize,
    pub(crate) last: usize,
}

/// Matches phrases whose first words were found in a sentence of a text.
pub(crate) struct Matcher<'w> {
    pub(crate) lexicon: &'w Lexicon<'w>,
    work: &'w PhraseWork,
    /// The words of the sentence that is matched.
    pub(crate) sentence: Range<usize>,
    pub(crate) ids: WordIds,
    /// The bits of the groups of which the sentence has terms.
    pub(crate) group_bits: u64,
    /// Phrases that name groups and begin with a word of the sentence.
    pub(crate) pending: Vec<PendingPhrase<'w>>,
    /// Failed attempts: the length of the remaining phrase and the index of the last matched word. Nothing is tried
    /// twice, so that the running time does not grow with the number of possible matches.
    failed: Vec<(usize, usize)>,
}

impl<'w> Matcher<'w> {
    /// A matcher for phrases of a lexicon.
    pub(crate) fn of(lexicon: &'w Lexicon<'w>, work: &'w PhraseWork) -> Self {
        let (ids, pending, failed) = Default::default();
        Self { lexicon, work, sentence: 0..0, ids, group_bits: 0, pending, failed }
    }

    /// The work left for the text.
    pub(crate) fn work(&self) -> &'w PhraseWork {
        self.work
    }

    /// Turns to the sentence with these words, of which phrases know nothing at the places of `names`.
    pub(crate) fn enter(&mut self, words: &Words, sentence: &Range<usize>, names: &[NamePlace<'_>]) {
        self.sentence = sentence.clone();
        self.ids.set((words, sentence), names, self.lexicon);
        self.pending.clear();
    }

    /// Adds the hit of a phrase of this sentence whose beginning matches, from its first word to the last one that was
    /// looked up, if its rest matches too. Phrases that name groups need the terms in the sentence.
    pub(crate) fn matched(
        &mut self,
        phrase: &'w StoredPhrase,
        (first, last): (usize, usize),
        terms: TermHits<'_>,
        found: &mut Vec<Hit>,
    ) {
        let elements = self.lexicon.elements(phrase);
        // Most phrases lack a word or a term in the sentence.
        if !elements.iter().all(|element| self.may_have(element)) {
            return;
        }
        self.failed.clear();
        if let Some(last) = self.rest(elements, last, terms) {
            self.work.take(PhraseWork::HIT);
            let negative = phrase.requires_negation() && last > first + 1;
            found.push(Hit { set: phrase.set(), group: phrase.group(), first, last, negative });
        }
    }

    /// Whether the sentence may have what an element needs.
    fn may_have(&self, element: &PhraseElement) -> bool {
        match element.kind() {
            PhraseElement::WORD => element.may_need(self.ids.bits()),
            PhraseElement::TERM => element.may_need(self.group_bits),
            _ => true,
        }
    }

    /// The last words of the terms that begin at a word and whose group an element names.
    fn terms<'t>(
        &self,
        element: &'w PhraseElement,
        at: usize,
        terms: TermHits<'t>,
    ) -> impl Iterator<Item = usize> + use<'w, 't> {
        let hits = terms.within(at..at + 1);
        self.work.take(1 + hits.len());
        let lexicon = self.lexicon;
        let is_named =
            move |hit: &&Hit| hit.group.is_some_and(|group| lexicon.has_choice(element, u32::from(group)));
        hits.iter().filter(is_named).map(|hit| hit.last)
    }

    /// Matches the elements of `rest` after the word `last`.
    fn rest(&mut self, mut rest: &'w [PhraseElement], mut last: usize, terms: TermHits<'_>) -> Option<usize> {
        loop {
            let Some((element, after)) = rest.split_first() else { return Some(last) };
            if !self.work.take(1) {
                return None;
            }
            match element.kind() {
                PhraseElement::WORD => {
                    if !self.is_next(element, last + 1) {
                        return None;
                    }
                    (rest, last) = (after, last + 1);
                    continue;
                }
                PhraseElement::TERM => {
                    if !self.goes_on(last + 1) {
                        return None;
                    }
                    let mut ends = self.terms(element, last + 1, terms);
                    return ends.find_map(|last| self.rest(after, last, terms));
                }
                _ => {}
            }
            // Alternatives arise only at gaps and optional words, so it is enough to store failures there.
            let state = (rest.len(), last);
            if !self.work.take(self.failed.len() / 16) || self.failed.contains(&state) {
                return None;
            }
            let found = match element.kind() {
                PhraseElement::GAP => self.gap(after, last, terms),
                _ => self.optional(element, after, last, terms),
            };
            if found.is_none() {
                self.failed.push(state);
            }
            return found;
        }
    }

    fn optional(
        &mut self,
        element: &'w PhraseElement,
        after: &'w [PhraseElement],
        last: usize,
        terms: TermHits<'_>,
    ) -> Option<usize> {
        let taken = if self.is_next(element, last + 1) { self.rest(after, last + 1, terms) } else { None };
        taken.or_else(|| self.rest(after, last, terms))
    }

    /// Matches the rest of the phrase at the nearest possible word after a gap.
    fn gap(&mut self, after: &'w [PhraseElement], last: usize, terms: TermHits<'_>) -> Option<usize> {
        let (wanted, after) = after.split_first()?;
        for at in last + 1..=last + 1 + GAP {
            if !self.goes_on(at) || !self.work.take(1) {
                return None;
            }
            let end = match wanted.kind() {
                PhraseElement::TERM => {
                    self.terms(wanted, at, terms).find_map(|last| self.rest(after, last, terms))
                }
                _ if self.is_next(wanted, at) => self.rest(after, at, terms),
                _ => None,
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }

    /// Whether a word of the sentence is one of those of an element.
    fn is_next(&self, element: &PhraseElement, at: usize) -> bool {
        let word = self.ids.get(at);
        element.may_need(word.bits)
            && self.ids.of_word(word).iter().any(|id| self.lexicon.has_choice(element, *id))
    }

    /// Whether a word is in the sentence.
    fn goes_on(&self, at: usize) -> bool {
        at < self.sentence.end
    }
}
