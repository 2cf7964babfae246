//! Matches in the sentences of a text so far.

use std::ops::Range;

use tollproof_data::text::words::hit::Hit;

use crate::text::phrases::work::PhraseWork;
use crate::text::terms::bit_rows::BitRows;
use crate::text::words::own_name::NamePlace;

/// Matches in the sentences of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct FoundTerms {
    /// Sorted by their first words.
    pub(crate) hits: Vec<Hit>,
    /// For each word, the index of its first hit, as in [`TermHits`](crate::text::phrases::matcher::TermHits).
    pub(crate) starts: Vec<u32>,
    /// A bit set of the phrase sets that have a hit.
    pub(crate) sets: Vec<u64>,
    /// The groups of each sentence.
    pub(crate) rows: BitRows,
}

impl FoundTerms {
    /// Nothing yet, with room for a text with some words and sentences.
    pub(crate) fn new(words: usize, sentences: usize, groups: usize) -> Self {
        Self {
            hits: Vec::with_capacity(words * 2),
            starts: Vec::with_capacity(words + 1),
            sets: Vec::with_capacity(64),
            rows: BitRows::new(groups, sentences),
        }
    }

    /// Adds hits to those of the last sentence, which begin at an index; they are sorted by their first words.
    pub(crate) fn merge(&mut self, begun: usize, added: &[Hit]) {
        merge(&mut self.hits, begun, added);
    }

    /// Brings the hits of the last sentence, which begin at an index, into order.
    pub(crate) fn put_in_order(&mut self, begun: usize, sentence: &Range<usize>) {
        in_order(&mut self.hits, begun, &mut self.starts[sentence.start..], sentence.start);
    }

    /// Notes the groups and sets of the hits of a sentence, which begin at an index.
    pub(crate) fn end_sentence(&mut self, begun: usize) {
        let Self { hits, sets, rows, .. } = self;
        let hits = &hits[begun..];
        rows.push_empty();
        rows.add(hits.iter().filter_map(|hit| hit.group));
        note_sets(hits, sets);
    }

    /// Adds what was found in the names of the business to what was found in the last sentence, whose hits begin at an
    /// index.
    pub(crate) fn add_names(
        &mut self,
        names: &[NamePlace<'_>],
        (begun, sentence): (usize, &Range<usize>),
        work: &PhraseWork,
    ) {
        let mut added: Vec<Hit> = Vec::new();
        for name in names {
            let before = added.len();
            added.extend(name.hits_in(sentence));
            if !work.take(PhraseWork::HIT * (added.len() - before)) {
                break;
            }
        }
        if added.is_empty() {
            return;
        }
        self.merge(begun, &added);
        self.put_in_order(begun, sentence);
        let Self { sets, rows, .. } = self;
        rows.add(added.iter().filter_map(|hit| hit.group));
        note_sets(&added, sets);
    }

    /// Notes what the whole text has.
    pub(crate) fn end_text(&mut self) {
        self.starts.push(self.hits.len() as u32);
        self.rows.finish();
    }
}

/// Adds the sets of some hits to a bit set.
fn note_sets(hits: &[Hit], sets: &mut Vec<u64>) {
    for set in hits.iter().map(|hit| usize::from(hit.set)) {
        if set / 64 >= sets.len() {
            sets.resize(set / 64 + 1, 0);
        }
        sets[set / 64] |= 1 << (set % 64);
    }
}

/// Adds hits to those from an index on; both are sorted by their first words. Of those with the same first word, the added
/// come last.
fn merge(hits: &mut Vec<Hit>, begun: usize, added: &[Hit]) {
    let mut left = hits.len();
    hits.extend_from_slice(added);
    // From the back, every hit is moved at most once.
    for (more, hit) in added.iter().enumerate().rev() {
        while left > begun && hits[left - 1].first > hit.first {
            left -= 1;
            hits[left + more + 1] = hits[left];
        }
        hits[left + more] = *hit;
    }
}

/// Brings the hits from an index on into an order that does not depend on how they were found, removes those that are the
/// same as another one, and sets where the hits of each word start; `first` is the first of these words.
fn in_order(hits: &mut Vec<Hit>, begun: usize, starts: &mut [u32], first: usize) {
    let (mut next, mut removed) = (begun, 0);
    for (at, start) in (first..).zip(starts) {
        *start = (next - removed) as u32;
        let begun = next;
        while hits.get(next).is_some_and(|hit| hit.first == at) {
            next += 1;
        }
        let same = &mut hits[begun..next];
        if same.len() > 1 {
            same.sort_unstable_by_key(|hit| (hit.set, hit.last, hit.negative));
        }
        if removed > 0 || same.windows(2).any(|pair| pair[0] == pair[1]) {
            for index in begun..next {
                if index > begun && hits[index] == hits[index - removed - 1] {
                    removed += 1;
                } else {
                    hits[index - removed] = hits[index];
                }
            }
        }
    }
    hits.truncate(next - removed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_ordered_and_counted_once() {
        let hit = |set, first, last| Hit { set, group: None, first, last, negative: false };
        let before = hit(9, 0, 0);
        let mut hits =
            vec![before, hit(2, 1, 1), hit(1, 1, 2), hit(2, 1, 1), hit(1, 1, 2), hit(3, 3, 3), hit(3, 3, 3)];
        let mut starts = [0; 3];
        in_order(&mut hits, 1, &mut starts, 1);
        assert_eq!(hits, [before, hit(1, 1, 2), hit(2, 1, 1), hit(3, 3, 3)]);
        assert_eq!(starts, [1, 3, 3]);
    }
}
