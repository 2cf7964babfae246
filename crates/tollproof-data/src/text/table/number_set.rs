//! A small set of numbers of groups or of lexicon sets, which rules ask very often whether it contains one.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;

/// A sorted set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberSet {
    bits: u64,
    numbers: SmallVec<[u16; 8]>,
}

impl NumberSet {
    /// A bit for each number modulo 64, so that most questions need no search.
    pub fn bits(&self) -> u64 {
        self.bits
    }

    pub fn has(&self, number: u16) -> bool {
        self.bits >> (number % 64) & 1 == 1 && self.numbers.binary_search(&number).is_ok()
    }

    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The numbers in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        self.numbers.iter().copied()
    }
}

impl FromIterator<u16> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> Self {
        let numbers: BTreeSet<u16> = numbers.into_iter().collect();
        let bits = numbers.iter().fold(0, |bits, number| bits | 1 << (number % 64));
        Self { bits, numbers: numbers.into_iter().collect() }
    }
}

/// Prepared rules have the numbers as pairs of bytes: most sets are empty, and the others are read without a step for each.
impl Serialize for NumberSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = self.iter().flat_map(u16::to_le_bytes).collect();
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for NumberSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let numbers: SmallVec<[u16; 8]> =
            bytes.as_chunks().0.iter().map(|it| u16::from_le_bytes(*it)).collect();
        let bits = numbers.iter().fold(0, |bits, number| bits | 1 << (number % 64));
        Ok(Self { bits, numbers })
    }
}
