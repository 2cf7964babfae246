//! The groups that each sentence of a text has, and those that the text has: bit sets in rows.

use tollproof_data::text::table::number_set::NumberSet;
use tollproof_data::text::words::hit::GroupId;

/// A row of bits for each sentence of a text, and after the last one the row of the text.
#[derive(Debug, Default)]
pub(crate) struct BitRows {
    bits: Vec<u64>,
    /// The length of a row, which begins with the groups modulo 64.
    width: usize,
}

impl BitRows {
    /// No rows yet, with room for those of a text with some sentences.
    pub(crate) fn new(groups: usize, sentences: usize) -> Self {
        let width = 1 + groups.div_ceil(64).max(1);
        Self { bits: Vec::with_capacity((sentences + 1) * width), width }
    }

    /// Adds the row of a sentence of which nothing is known yet.
    pub(crate) fn push_empty(&mut self) {
        self.bits.resize(self.bits.len() + self.width, 0);
    }

    /// Adds some groups to the row of the last sentence.
    pub(crate) fn add(&mut self, added: impl Iterator<Item = GroupId>) {
        let begun = self.bits.len() - self.width;
        let row = &mut self.bits[begun..];
        for group in added {
            row[0] |= 1 << (group % 64);
            row[1 + usize::from(group) / 64] |= 1 << (group % 64);
        }
    }

    /// Adds the row of the text.
    pub(crate) fn finish(&mut self) {
        let begun = self.bits.len();
        self.push_empty();
        let (rows, text) = self.bits.split_at_mut(begun);
        for row in rows.chunks_exact(self.width) {
            text.iter_mut().zip(row).for_each(|(all, bits)| *all |= bits);
        }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.width..][..self.width]
    }

    /// Whether a row has one of some groups.
    pub(crate) fn has_any(&self, row: usize, groups: &NumberSet) -> bool {
        // Modulo 64, both sets have no bit in common in most cases.
        self.row(row)[0] & groups.bits() != 0 && groups.iter().any(|group| self.has(row, group))
    }

    /// Whether a row has a group.
    pub(crate) fn has(&self, row: usize, group: GroupId) -> bool {
        has_bit(&self.row(row)[1..], usize::from(group))
    }
}

/// Whether a bit set has a bit.
pub(crate) fn has_bit(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 == 1)
}
