//! A small set of numbers of groups or of lexicon sets, which rules ask very often whether it contains one.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;

/// A sorted set of numbers. Rules that are prepared have them as little-endian bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberSet {
    numbers: SmallVec<[u16; 8]>,
    /// A bit for each number modulo 64, so that most questions need no search.
    bits: u64,
}

impl NumberSet {
    fn of_sorted(numbers: SmallVec<[u16; 8]>) -> Self {
        let bits = numbers.iter().fold(0, |bits, number| bits | 1 << (number % 64));
        Self { numbers, bits }
    }

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
        Self::of_sorted(numbers)
    }
}

impl Serialize for NumberSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.iter().flat_map(u16::to_le_bytes).collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for NumberSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        let numbers = bytes.chunks_exact(2).map(|it| u16::from_le_bytes([it[0], it[1]]));
        Ok(Self::of_sorted(numbers.collect()))
    }
}
