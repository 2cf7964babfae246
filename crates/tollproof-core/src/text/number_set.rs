//! A small set of numbers of groups or of lexicon sets, which rules ask very often whether it contains one.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;

/// A sorted set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberSet {
    numbers: SmallVec<[u16; 8]>,
    /// A bit for each number modulo 64, so that most questions need no search.
    bits: u64,
}

impl NumberSet {
    pub(crate) fn has(&self, number: u16) -> bool {
        self.bits >> (number % 64) & 1 == 1 && self.numbers.binary_search(&number).is_ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The numbers in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> {
        self.numbers.iter().copied()
    }
}

impl FromIterator<u16> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> Self {
        let mut numbers: SmallVec<[u16; 8]> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let bits = numbers.iter().fold(0, |bits, number| bits | 1 << (number % 64));
        Self { numbers, bits }
    }
}

impl Serialize for NumberSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.numbers.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NumberSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = SmallVec::deserialize(deserializer)?;
        let bits = numbers.iter().fold(0, |bits, number: &u16| bits | 1 << (number % 64));
        Ok(Self { numbers, bits })
    }
}
