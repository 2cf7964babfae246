//! A small set of numbers of groups or of lexicon sets, which rules ask very often whether it contains one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::prepared;

/// A sorted set of numbers. Prepared rules have them as bytes: [`Self::bits`] (8), then each number (2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberSet(Cow<'static, [u8]>);

/// The set without numbers.
static EMPTY: [u8; 8] = [0; 8];

impl Default for NumberSet {
    fn default() -> Self {
        Self(Cow::Borrowed(&EMPTY))
    }
}

impl NumberSet {
    /// A bit for each number modulo 64, so that most questions need no search.
    pub(crate) fn bits(&self) -> u64 {
        self.0.first_chunk().map_or(0, |it| u64::from_le_bytes(*it))
    }

    pub(crate) fn has(&self, number: u16) -> bool {
        self.bits() >> (number % 64) & 1 == 1
            && self.numbers().binary_search_by_key(&number, |it| u16::from_le_bytes(*it)).is_ok()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.len() <= EMPTY.len()
    }

    /// The numbers in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> {
        self.numbers().iter().map(|it| u16::from_le_bytes(*it))
    }

    fn numbers(&self) -> &[[u8; 2]] {
        self.0[EMPTY.len()..].as_chunks().0
    }
}

impl FromIterator<u16> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u16>>(numbers: I) -> Self {
        let numbers: BTreeSet<u16> = numbers.into_iter().collect();
        let bits: u64 = numbers.iter().fold(0, |bits, number| bits | 1 << (number % 64));
        Self(bits.to_le_bytes().into_iter().chain(numbers.into_iter().flat_map(u16::to_le_bytes)).collect())
    }
}

impl Serialize for NumberSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for NumberSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?;
        let known = prepared::part(bytes).map_or_else(|| Cow::Owned(bytes.to_vec()), Cow::Borrowed);
        Ok(if bytes.len() < EMPTY.len() { Self::default() } else { Self(known) })
    }
}
