//! What each sentence of a text has, and what the text has: bit sets in rows, so that many are compared at once.

use tollproof_data::text::table::number_set::NumberSet;
use tollproof_data::text::table::prefilter::Prefilter;
use tollproof_data::text::words::hit::GroupId;

/// A row of bits for each sentence of a text, and behind the last one the row of the text.
#[derive(Debug, Default)]
pub(crate) struct BitRows {
    bits: Vec<u64>,
    layout: RowLayout,
}

/// The lengths of the bit sets in a row, which begins with the groups modulo 64.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowLayout {
    /// The groups that have a term there.
    groups: usize,
    /// The parts of patterns that the groups satisfy.
    parts: usize,
    /// The patterns that are there.
    patterns: usize,
}

impl RowLayout {
    /// The layout for a number of groups and the patterns of a table.
    pub(crate) fn of(groups: usize, prefilter: &Prefilter<'_>) -> Self {
        Self {
            groups: groups.div_ceil(64).max(1),
            parts: prefilter.parts_width(),
            patterns: prefilter.patterns_width(),
        }
    }

    fn width(self) -> usize {
        1 + self.groups + self.parts + self.patterns
    }

    /// The groups, the parts and the patterns of a row.
    fn split(self, row: &mut [u64]) -> (&mut [u64], &mut [u64], &mut [u64]) {
        let (groups, rest) = row[1..].split_at_mut(self.groups);
        let (parts, patterns) = rest.split_at_mut(self.parts);
        (groups, parts, patterns)
    }

    fn groups(self, row: &[u64]) -> &[u64] {
        &row[1..=self.groups]
    }

    fn parts(self, row: &[u64]) -> &[u64] {
        &row[1 + self.groups..][..self.parts]
    }

    fn patterns(self, row: &[u64]) -> &[u64] {
        &row[1 + self.groups + self.parts..]
    }
}

impl BitRows {
    /// No rows yet, with room for those of a text with some sentences.
    pub(crate) fn new(layout: RowLayout, sentences: usize) -> Self {
        Self { bits: Vec::with_capacity((sentences + 1) * layout.width()), layout }
    }

    /// Adds the row of a sentence of which nothing is known yet.
    pub(crate) fn push_empty(&mut self, prefilter: &Prefilter<'_>) {
        let begun = self.bits.len();
        self.bits.resize(begun + self.layout.width(), 0);
        prefilter.begin(self.layout.split(&mut self.bits[begun..]).1);
    }

    /// Adds some groups to the row of the last sentence.
    pub(crate) fn add(&mut self, added: impl Iterator<Item = GroupId>, prefilter: &Prefilter<'_>) {
        let begun = self.bits.len() - self.layout.width();
        let row = &mut self.bits[begun..];
        let (groups, ..) = self.layout.split(row);
        for group in added.map(usize::from) {
            groups[group / 64] |= 1 << (group % 64);
        }
        let folded = groups.iter().fold(0, |all, bits| all | bits);
        let (groups, parts, patterns) = self.layout.split(row);
        prefilter.add_groups(groups, parts);
        prefilter.find_in_sentence(parts, patterns);
        row[0] = folded;
    }

    /// Adds the row of the text, which has some sets of phrases.
    pub(crate) fn finish(&mut self, sets: &[u64], prefilter: &Prefilter<'_>) {
        let Self { bits, layout } = self;
        let begun = bits.len();
        if begun == 0 {
            bits.resize(layout.width(), 0);
            prefilter.begin(layout.split(bits).1);
        } else {
            bits.extend_from_within(..layout.width());
        }
        let (rows, text) = bits.split_at_mut(begun);
        for row in rows.chunks_exact(layout.width()).skip(1) {
            text.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
        }
        let sentences = rows.chunks_exact(layout.width()).map(|row| layout.parts(row));
        let (_, parts, patterns) = layout.split(text);
        prefilter.find_in_text(sets, sentences, parts, patterns);
    }

    fn row(&self, row: usize) -> &[u64] {
        let width = self.layout.width();
        &self.bits[row * width..][..width]
    }

    /// Whether a row has one of some groups.
    pub(crate) fn has_any(&self, row: usize, groups: &NumberSet) -> bool {
        // Modulo 64, both sets have no bit in common in most cases.
        self.row(row)[0] & groups.bits() != 0 && groups.iter().any(|group| self.has(row, group))
    }

    /// Whether a row has a group.
    pub(crate) fn has(&self, row: usize, group: GroupId) -> bool {
        has_bit(self.layout.groups(self.row(row)), usize::from(group))
    }

    /// The patterns in a row.
    pub(crate) fn patterns(&self, row: usize) -> &[u64] {
        self.layout.patterns(self.row(row))
    }
}

/// Whether a bit set has a bit.
pub(crate) fn has_bit(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollproof_data::text::table::prefilter::{PatternScope, PatternTerms, PrefilterPattern, numbers};

    #[test]
    fn patterns_are_where_their_parts_are() {
        let set = |numbers: &[u16]| numbers.iter().copied().collect::<NumberSet>();
        let [one, other, third, far] = [&[1, 70], &[2, 3][..], &[4], &[900]].map(set);
        let pattern = |parts: &[&'static str], scope| -> PrefilterPattern<'_> {
            let named = |name: &&str| match *name {
                "one" => PatternTerms::Groups(&one),
                "other" => PatternTerms::Groups(&other),
                "third" => PatternTerms::Groups(&third),
                _ => PatternTerms::Phrases(&far),
            };
            PrefilterPattern { all: parts.iter().map(named).collect(), scope }
        };
        let mut patterns = vec![
            pattern(&["one", "other"], PatternScope::Sentence),
            pattern(&["one", "other"], PatternScope::Pair),
            pattern(&["one", "other", "third", "third"], PatternScope::Text),
            pattern(&["phrase"], PatternScope::Text),
        ];
        // More than one word of bits.
        patterns.extend((0..70).map(|_| pattern(&["third"], PatternScope::Sentence)));
        let table = Prefilter::of(&patterns);
        let of = |sets: &[u16], sentences: &[&[u16]]| -> Vec<usize> {
            let mut bits = [0; 16];
            sets.iter().for_each(|it| bits[usize::from(*it) / 64] |= 1 << (it % 64));
            let mut rows = BitRows::new(RowLayout::of(1000, &table), sentences.len());
            for groups in sentences {
                rows.push_empty(&table);
                rows.add(groups.iter().copied(), &table);
            }
            rows.finish(&bits, &table);
            let numbers: Vec<usize> = numbers(rows.patterns(sentences.len())).collect();
            let in_sentences = |it: &usize| (0..sentences.len()).any(|at| has_bit(rows.patterns(at), *it));
            let needs_one = |it: &usize| patterns[*it].scope == PatternScope::Sentence;
            assert!(numbers.iter().all(|it| in_sentences(it) == needs_one(it)), "{numbers:?}");
            numbers
        };
        assert_eq!(of(&[], &[]), Vec::<usize>::new());
        assert_eq!(of(&[], &[&[1, 3]]), [0, 1]);
        assert_eq!(of(&[], &[&[70], &[2]]), [1]);
        assert_eq!(of(&[], &[&[70], &[5], &[2]]), Vec::<usize>::new());
        assert_eq!(of(&[900], &[&[2, 900], &[5]]), [3]);
        let third = (4..74).collect::<Vec<_>>();
        assert_eq!(of(&[], &[&[70], &[4], &[2]]), [vec![2], third.clone()].concat());
        assert_eq!(of(&[900], &[&[4]]), [vec![3], third].concat());
    }
}
