//! Tables of prepared data that are used where they are, without decoding.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

/// A table of records, stored as their bytes: `#[serde(with = "records", borrow)]`.
pub mod records {
    use std::borrow::Cow;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};
    use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

    /// Writes the bytes of the records.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S, T>(records: &[T], serializer: S) -> Result<S::Ok, S::Error>
    where
        S: Serializer,
        T: IntoBytes + Immutable,
    {
        serializer.serialize_bytes(records.as_bytes())
    }

    /// Returns the records where their bytes are.
    ///
    /// # Errors
    ///
    /// These are not records.
    pub fn deserialize<'de, 'a, D, T>(deserializer: D) -> Result<Cow<'a, [T]>, D::Error>
    where
        'de: 'a,
        D: Deserializer<'de>,
        T: FromBytes + KnownLayout + Immutable + Unaligned + Clone,
    {
        let bytes = <&'de [u8]>::deserialize(deserializer)?;
        let records = <[T]>::ref_from_bytes(bytes);
        records.map(Cow::Borrowed).map_err(|_| D::Error::custom("the size is not that of records"))
    }
}

/// The records of an index, by where those of each start.
pub fn row<'r, T>(records: &'r [T], starts: &[U32], index: usize) -> &'r [T] {
    let Some([start, end]) = starts.get(index..index + 2) else { return &[] };
    records.get(start.get() as usize..end.get() as usize).unwrap_or_default()
}

/// Words with an index for each, by a perfect hash function.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WordTable<'a> {
    /// The key of the hash function.
    key: u64,
    #[serde(borrow, with = "records")]
    displacements: Cow<'a, [Displacement]>,
    #[serde(borrow, with = "records")]
    words: Cow<'a, [StoredWord]>,
    /// The letters of all words.
    #[serde(borrow)]
    letters: Cow<'a, [u8]>,
}

/// Numbers that the hash function adds to the hashes of some words.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct Displacement {
    first: U32,
    second: U32,
}

/// The place of a word's letters.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct StoredWord {
    start: U32,
    length: U16,
}

/// The hashes of a word. Words are short, so that a stronger function would take most of the time of a search.
fn hashes(word: &[u8], key: u64) -> [u32; 3] {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = word.iter().fold(key, mix);
    // The higher bits of a product depend on all bits of its factors.
    [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb, 0xff51_afd7_ed55_8ccd]
        .map(|factor| (hash.wrapping_mul(factor) >> 32) as u32)
}

impl WordTable<'_> {
    /// A table of words, and for each index the one among these words that has it.
    pub fn of(words: &[&str]) -> (Self, Vec<usize>) {
        let bytes: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        let hash = phf_generator::generate_hash_with_hash_fn(&bytes, |word, key| {
            let mut found = phf_shared::hash(*word, key);
            [found.g, found.f1, found.f2] = hashes(word, *key);
            found
        });
        let mut table = Self { key: hash.key, ..Self::default() };
        let displacement =
            |(first, second): (u32, u32)| Displacement { first: first.into(), second: second.into() };
        table.displacements = hash.disps.into_iter().map(displacement).collect();
        for at in &hash.map {
            let (start, length) = (table.letters.len() as u32, words[*at].len() as u16);
            table.words.to_mut().push(StoredWord { start: start.into(), length: length.into() });
            table.letters.to_mut().extend(words[*at].bytes());
        }
        (table, hash.map)
    }

    /// The index of a word.
    pub fn find(&self, word: &[u8]) -> Option<usize> {
        let [g, f1, f2] = hashes(word, self.key);
        let displacement = g.checked_rem(self.displacements.len() as u32)?;
        let Displacement { first, second } = self.displacements[displacement as usize];
        let hash = phf_shared::displace(f1, f2, first.get(), second.get());
        let index = hash.checked_rem(self.words.len() as u32)? as usize;
        let StoredWord { start, length } = self.words[index];
        let letters = &self.letters[start.get() as usize..][..usize::from(length.get())];
        (letters == word).then_some(index)
    }
}

/// Numbers of beginnings of words, by a finite state transducer: one walk along a word finds all of them.
#[derive(Clone)]
pub struct BeginningTable<'a>(fst::Map<Cow<'a, [u8]>>);

impl<'a> BeginningTable<'a> {
    /// A table of beginnings with their numbers, sorted.
    pub fn of<K: AsRef<[u8]>>(sorted: impl IntoIterator<Item = (K, u32)>) -> Self {
        let sorted = sorted.into_iter().map(|(letters, number)| (letters, u64::from(number)));
        let map = fst::Map::from_iter(sorted).expect("the letters are sorted, and memory can be written");
        Self::stored(map.into_fst().into_inner().into()).expect("this is a map")
    }

    fn stored(bytes: Cow<'a, [u8]>) -> Result<Self, fst::Error> {
        fst::Map::new(bytes).map(Self)
    }

    /// The numbers of the beginnings that some letters have, the shortest first.
    pub fn find(&self, letters: impl Iterator<Item = u8>) -> impl Iterator<Item = u32> {
        let table = self.0.as_fst();
        let (mut node, mut number) = (table.root(), 0);
        let steps = letters.map_while(move |letter| {
            let step = node.transition(node.find_input(letter)?);
            number += step.out.value();
            node = table.node(step.addr);
            Some(node.is_final().then(|| (number + node.final_output().value()) as u32))
        });
        steps.flatten()
    }
}

impl Default for BeginningTable<'_> {
    fn default() -> Self {
        Self::of::<&[u8]>([])
    }
}

impl std::fmt::Debug for BeginningTable<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "BeginningTable of {}", self.0.len())
    }
}

impl Serialize for BeginningTable<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0.as_fst().as_bytes())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for BeginningTable<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&'de [u8]>::deserialize(deserializer)?;
        Self::stored(bytes.into()).map_err(serde::de::Error::custom)
    }
}
