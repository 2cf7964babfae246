//! The numbers of a run, each with the place of its first mention, in a limited amount of memory.

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};

use tollproof_core::{Batch, FilePlace, LineIndex, Mention, Position, Source, Span};
use tollproof_history::SpillTable;

/// The most numbers kept in memory. More are moved to a temporary file.
const IN_MEMORY: usize = 50_000;

/// The maximum number of numbers, which take 5 GB of the disk.
const MAX_NUMBERS: usize = 1 << 26;

/// The numbers in the drafts of a run.
pub(super) struct RunNumbers {
    /// By keys of 128 bits, so that two numbers practically never have the same one, and in the order of the table that
    /// they are moved to.
    recent: BTreeMap<u128, Spot>,
    /// Those that were moved out of memory.
    spilled: Option<SpillTable>,
    /// Hash functions with random seeds, so that a file cannot choose numbers with the same key.
    hashes: [RandomState; 2],
    /// The names of files that mention numbers.
    files: Vec<String>,
    count: usize,
    in_memory: usize,
    /// Whether there were more numbers than can be remembered.
    is_full: bool,
}

/// A number's first mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    offset: u64,
    file: u32,
    bytes: u32,
    columns: u32,
    /// The line in the file, or 0 if the whole file was read and `offset` belongs to its text.
    line: u32,
    column: u32,
}

impl Default for RunNumbers {
    fn default() -> Self {
        Self::new(IN_MEMORY)
    }
}

impl RunNumbers {
    /// A table that keeps so many numbers in memory.
    fn new(in_memory: usize) -> Self {
        Self {
            recent: BTreeMap::new(),
            spilled: None,
            hashes: [RandomState::new(), RandomState::new()],
            files: Vec::new(),
            count: 0,
            in_memory,
            is_full: false,
        }
    }

    /// The numbers that were mentioned before, with their first mentions.
    pub(super) fn known(&self, numbers: &Batch) -> Batch {
        let mut known = Batch::default();
        for (number, _) in numbers.mentions() {
            if let Some(spot) = self.spot(self.key(number)) {
                known.add(number, self.mention(&spot));
            }
        }
        known
    }

    /// Adds the numbers of a source that were not mentioned before. `is_part` is whether only a part of the file is in
    /// memory.
    pub(super) fn add(&mut self, numbers: &Batch, source: &Source<'_>, is_part: bool) {
        if numbers.is_empty() {
            return;
        }
        let mut places = LineIndex::new(source);
        for (number, mention) in numbers.mentions() {
            let key = self.key(number);
            if self.spot(key).is_some() {
                continue;
            }
            if self.count >= MAX_NUMBERS {
                self.is_full = true;
                return;
            }
            let file = self.file(&mention.file);
            let spot = if is_part {
                Spot::in_part(file, mention.span, &mut places)
            } else {
                Spot::whole(file, mention.span)
            };
            self.recent.insert(key, spot);
            self.count += 1;
        }
        if self.recent.len() > self.in_memory {
            self.spill();
        }
    }

    /// Whether some numbers could not be remembered.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    fn spot(&self, key: u128) -> Option<Spot> {
        let recent = self.recent.get(&key).copied();
        recent.or_else(|| Spot::decode(&self.spilled.as_ref()?.get(&key.to_be_bytes())?))
    }

    /// Moves all numbers out of memory. Without a place for them, they are forgotten.
    fn spill(&mut self) {
        if self.spilled.is_none() {
            self.spilled = SpillTable::new();
        }
        let mut moved = std::mem::take(&mut self.recent).into_iter();
        let keeps_all =
            |table: &SpillTable| moved.all(|(key, spot)| table.add(&key.to_be_bytes(), &spot.encode()));
        self.is_full |= !self.spilled.as_ref().is_some_and(keeps_all);
    }

    fn key(&self, number: &str) -> u128 {
        // The batch has them in lower case and without blanks around.
        let [one, other] = self.hashes.each_ref().map(|hash| u128::from(hash.hash_one(number)));
        one << 64 | other
    }

    fn file(&mut self, name: &str) -> u32 {
        if self.files.last().is_none_or(|last| last != name) {
            self.files.push(name.to_owned());
        }
        narrow(self.files.len() - 1)
    }

    fn mention(&self, spot: &Spot) -> Mention {
        let file = self.files[spot.file as usize].clone();
        if spot.line == 0 {
            let start = u32::try_from(spot.offset).unwrap_or(u32::MAX);
            let span = Span { start, end: start.saturating_add(spot.bytes) };
            return Mention { file, span, place: None };
        }
        let position = Position { line: spot.line as usize, column: spot.column as usize };
        let place = FilePlace { offset: spot.offset, bytes: spot.bytes, columns: spot.columns, position };
        Mention { file, span: Span::default(), place: Some(place) }
    }
}

impl Spot {
    fn whole(file: u32, span: Span) -> Self {
        let bytes = span.end.saturating_sub(span.start);
        Self { offset: u64::from(span.start), file, bytes, columns: 0, line: 0, column: 0 }
    }

    fn in_part(file: u32, span: Span, places: &mut LineIndex<'_>) -> Self {
        let source = places.source();
        let position = places.at(span.start);
        Self {
            offset: source.start().file_offset(span.start),
            columns: narrow(source.slice(span).chars().count()),
            line: narrow(position.line),
            column: narrow(position.column),
            ..Self::whole(file, span)
        }
    }

    fn encode(self) -> Vec<u8> {
        let numbers = [self.file, self.bytes, self.columns, self.line, self.column];
        let numbers = numbers.into_iter().flat_map(u32::to_le_bytes);
        self.offset.to_le_bytes().into_iter().chain(numbers).collect()
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (offset, rest) = bytes.split_first_chunk()?;
        let mut numbers = rest.chunks_exact(4).map(|chunk| chunk.try_into().map_or(0, u32::from_le_bytes));
        let mut next = || numbers.next();
        Some(Self {
            offset: u64::from_le_bytes(*offset),
            file: next()?,
            bytes: next()?,
            columns: next()?,
            line: next()?,
            column: next()?,
        })
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_known_in_memory_and_out_of_it() {
        let mut numbers = RunNumbers::new(10);
        for at in 0..1_000_u32 {
            let mut batch = Batch::default();
            let span = Span { start: at, end: at + 7 };
            batch
                .add(&format!("n{}", at % 500), Mention { file: format!("{}", at / 100), span, place: None });
            let known = numbers.known(&batch);
            assert_eq!(known.is_empty(), at < 500, "{at}");
            if let Some(first) = known.first(&format!("n{}", at % 500)) {
                assert_eq!(
                    (first.file.as_str(), first.span.start),
                    (&*format!("{}", (at - 500) / 100), at - 500)
                );
            }
            numbers.add(&batch, &Source::new("a", ""), false);
        }
        assert!(numbers.recent.len() <= 11 && numbers.count == 500 && !numbers.is_full());
        let spot = Spot { offset: 1 << 40, file: 1, bytes: 2, columns: 3, line: 4, column: 5 };
        assert_eq!(Spot::decode(&spot.encode()), Some(spot));
    }
}
