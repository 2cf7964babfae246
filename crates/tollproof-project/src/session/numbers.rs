//! The numbers of a run, each with the place of its first mention, in a table of limited size.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use tollproof_core::{Batch, FilePlace, LineIndex, Mention, Position, Source, Span};

/// The maximum number of numbers: 16 million, which take 800 MB.
const MAX_NUMBERS: usize = 1 << 24;

/// The numbers in the drafts of a run.
#[derive(Debug, Default)]
pub(super) struct RunNumbers {
    /// By keys of 128 bits, so that two numbers practically never have the same one.
    first: HashMap<[u64; 2], Spot>,
    /// Hash functions with random seeds, so that nobody can choose numbers with the same key.
    hashes: [RandomState; 2],
    /// The names of files that mention numbers.
    files: Vec<String>,
    /// Whether there were more numbers than the table may have.
    is_full: bool,
}

/// Where a number is mentioned first.
#[derive(Clone, Copy, Debug)]
struct Spot {
    offset: u64,
    file: u32,
    bytes: u32,
    columns: u32,
    /// The line in the file, or 0 if the whole file was read and `offset` belongs to its text.
    line: u32,
    column: u32,
}

impl RunNumbers {
    /// The numbers that were mentioned before, with their first mentions.
    pub(super) fn known(&self, numbers: &Batch) -> Batch {
        let mut known = Batch::default();
        for (number, _) in numbers.mentions() {
            if let Some(spot) = self.first.get(&self.key(number)) {
                known.add(number, self.mention(spot));
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
            if self.first.len() >= MAX_NUMBERS {
                self.is_full |= !self.first.contains_key(&key);
                continue;
            }
            if !self.first.contains_key(&key) {
                let file = self.file(&mention.file);
                let spot = match is_part {
                    true => Spot::in_part(file, mention.span, &mut places),
                    false => Spot::whole(file, mention.span),
                };
                self.first.insert(key, spot);
            }
        }
    }

    /// Whether some numbers could not be remembered.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    fn key(&self, number: &str) -> [u64; 2] {
        // The batch has them in lower case and without blanks around.
        self.hashes.each_ref().map(|hash| hash.hash_one(number))
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
            return Mention {
                file,
                span: Span { start, end: start.saturating_add(spot.bytes) },
                place: None,
            };
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
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
