//! Matching the rest of a phrase against the words of a text.

use std::ops::Range;

use super::entry::{ELEMENT, NEGATIVE, NumberChoice, PhraseElement, PhraseElementKind, PhraseEntry};
use super::hit::Hit;
use super::lexicon::Lexicon;
use super::occurring::Occurring;
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

/// For each word, the index of the first hit that begins there or behind it; then the number of hits.
pub(crate) fn starts_of(hits: &[Hit], words: usize) -> Vec<u32> {
    let mut starts = Vec::with_capacity(words + 1);
    for (at, hit) in (0..).zip(hits) {
        while starts.len() <= hit.first {
            starts.push(at);
        }
    }
    starts.resize(words + 1, hits.len() as u32);
    starts
}

/// A phrase that names groups, to be matched when the terms of groups are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingPhrase {
    pub(super) entry: PhraseEntry,
    /// The words with which it was looked up.
    pub(crate) first: usize,
    pub(super) last: usize,
}

/// Matches phrases whose first words were found in a text.
#[derive(Debug)]
pub(crate) struct Matcher<'w> {
    pub(super) lexicon: &'w Lexicon<'w>,
    pub(super) ids: &'w WordIds<'w>,
    pub(super) terms: TermHits<'w>,
    work: &'w PhraseWork,
    /// The words of the sentence that is matched.
    sentence: Range<usize>,
    /// What this sentence has, if some phrase asked for it.
    occurring: Occurring,
    is_known: bool,
    /// Failed attempts: the length of the remaining phrase and the index of the last matched word. Nothing is tried
    /// twice, so that the running time does not grow with the number of possible matches.
    failed: Vec<(usize, usize)>,
}

impl<'w> Matcher<'w> {
    /// A matcher for phrases of a lexicon; those that name groups need the terms in the text.
    pub(crate) fn of(
        lexicon: &'w Lexicon<'w>,
        ids: &'w WordIds<'w>,
        terms: TermHits<'w>,
        work: &'w PhraseWork,
    ) -> Self {
        let (sentence, occurring, failed) = Default::default();
        Self { lexicon, ids, terms, work, sentence, occurring, is_known: false, failed }
    }

    /// What the text may still cost.
    pub(crate) fn work(&self) -> &'w PhraseWork {
        self.work
    }

    /// Turns to the sentence with these words.
    pub(crate) fn enter(&mut self, sentence: &Range<usize>) {
        if self.sentence != *sentence {
            self.sentence = sentence.clone();
            self.is_known = false;
        }
    }

    /// The hit of a phrase of this sentence whose beginning matches.
    pub(crate) fn matched(&mut self, candidate: PendingPhrase) -> Option<Hit> {
        let PendingPhrase { entry, last, .. } = candidate;
        if entry.needs != 0 {
            if !self.is_known {
                let terms = self.terms.within(self.sentence.clone());
                self.occurring.set(self.ids, self.sentence.clone(), terms);
                self.is_known = true;
            }
            if !self.occurring.may_go_on(self.lexicon.needs(entry.needs), self.work) {
                return None;
            }
        }
        let last =
            if entry.rest_length > 0 { self.match_behind(self.lexicon.rest(entry)?, last)? } else { last };
        Some(self.found(candidate, last))
    }

    /// The hit of a phrase that ends with a word.
    pub(crate) fn found(&self, candidate: PendingPhrase, last: usize) -> Hit {
        let PendingPhrase { entry, first, .. } = candidate;
        self.work.take(PhraseWork::HIT);
        let negative = entry.has(NEGATIVE) && last > first + 1;
        Hit { set: entry.set, group: entry.group, first, last, negative }
    }

    /// The last words of the terms that begin at a word and whose group an element names.
    fn terms(&self, groups: NumberChoice<'w>, at: usize) -> impl Iterator<Item = usize> + use<'w> {
        let hits = self.terms.within(at..at + 1);
        self.work.take(1 + hits.len());
        let is_named = move |hit: &&Hit| hit.group.is_some_and(|group| groups.has_group(group));
        hits.iter().filter(is_named).map(|hit| hit.last)
    }

    fn choice(&self, at: u32) -> NumberChoice<'w> {
        NumberChoice::at(&self.lexicon.choices, at)
    }

    /// The index of the last word of a phrase whose elements must follow the word `at`.
    fn match_behind(&mut self, elements: &'w [[u8; ELEMENT]], at: usize) -> Option<usize> {
        self.failed.clear();
        self.rest(elements, at)
    }

    /// Matches the elements of `rest` after the word `last`.
    fn rest(&mut self, mut rest: &'w [[u8; ELEMENT]], mut last: usize) -> Option<usize> {
        loop {
            let Some((encoded, behind)) = rest.split_first() else { return Some(last) };
            if !self.work.take(1) {
                return None;
            }
            let element = PhraseElement::decode(*encoded);
            match element.kind {
                PhraseElementKind::Groups(groups) => {
                    let terms = self.goes_on(last + 1).then(|| self.terms(self.choice(groups), last + 1))?;
                    return terms.into_iter().find_map(|last| self.rest(behind, last));
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
                PhraseElementKind::Gap => self.gap(behind, last),
                kind => self.optional(kind, behind, last),
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
    ) -> Option<usize> {
        let taken = if self.is_next(kind, last + 1) { self.rest(behind, last + 1) } else { None };
        taken.or_else(|| self.rest(behind, last))
    }

    /// Matches the rest of the phrase at the nearest possible word after a gap.
    fn gap(&mut self, behind: &'w [[u8; ELEMENT]], last: usize) -> Option<usize> {
        let (wanted, behind) = behind.split_first()?;
        let wanted = PhraseElement::decode(*wanted).kind;
        for at in last + 1..=last + 1 + GAP {
            if !self.goes_on(at) || !self.work.take(1) {
                return None;
            }
            let end = match wanted {
                PhraseElementKind::Groups(groups) => {
                    self.terms(self.choice(groups), at).find_map(|last| self.rest(behind, last))
                }
                _ if self.is_next(wanted, at) => self.rest(behind, at),
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
        self.goes_on(at)
            && match wanted {
                PhraseElementKind::Word(id) => self.ids.has(at, id),
                PhraseElementKind::AnyOf(choice) => {
                    let choice = self.choice(choice);
                    choice.may_have(self.ids.bits(at))
                        && self.ids.of_word(at).iter().any(|id| choice.has(u32::from_le_bytes(*id)))
                }
                PhraseElementKind::Groups(_) | PhraseElementKind::Gap => false,
            }
    }

    /// Whether a word is in the sentence.
    fn goes_on(&self, at: usize) -> bool {
        at < self.sentence.end
    }
}
