//! What a sentence has, as bits: most phrases are refused by it.

use tollproof_data::text::hit::Hit;
use tollproof_data::text::lexicon::BUCKETS;

use super::work::PhraseWork;

/// What a sentence has: a bit for each number of its words, modulo [`BUCKETS`], and for each group of its terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occurring(Vec<u64>);

impl Occurring {
    /// Sets it to what a sentence has whose words have these numbers, with or without flags.
    pub(super) fn set_words(&mut self, numbers: &[u32]) {
        self.0.clear();
        self.0.resize(BUCKETS / 64, 0);
        numbers.iter().for_each(|number| self.add(*number as usize % BUCKETS));
    }

    /// Adds the groups of the terms in the sentence.
    pub(super) fn add_groups(&mut self, terms: &[Hit]) {
        for group in terms.iter().filter_map(|hit| hit.group) {
            self.add(BUCKETS + usize::from(group));
        }
    }

    fn add(&mut self, bit: usize) {
        if bit / 64 >= self.0.len() {
            self.0.resize(bit / 64 + 1, 0);
        }
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }

    /// Whether it has a bit of each list in `needs`, as a phrase requires after its beginning.
    pub(super) fn may_go_on(&self, needs: &[[u8; 2]], work: &PhraseWork) -> bool {
        let number = |bytes: &[u8; 2]| usize::from(u16::from_le_bytes(*bytes));
        let Some((count, mut rest)) = needs.split_first() else { return true };
        for _ in 0..number(count) {
            let Some((count, behind)) = rest.split_first() else { return true };
            let Some((bits, behind)) = behind.split_at_checked(number(count)) else { return true };
            work.take(bits.len() / 16);
            if !bits.iter().any(|bit| self.has(number(bit))) {
                return false;
            }
            rest = behind;
        }
        true
    }
}
