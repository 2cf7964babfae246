//! The words of a text as codes: what the phrases of a lexicon know of each.

use std::ops::Range;

use super::entry::marked;
use super::lexicon::Lexicon;
use super::own_name::NamePlace;
use super::words::{HASH_START, Word, Words, hash_on};

/// The codes of the words of a text. Words with the same codes are the same for all phrases of the lexicon.
#[derive(Debug, Default)]
pub(super) struct WordCodes {
    codes: Vec<u32>,
    /// For each word, where its codes end.
    ends: Vec<u32>,
}

/// Marks the code of a word that phrases name; its other bits are the place of the word in the lexicon.
const IS_NAMED: u32 = 1 << 31;

/// Marks another word that is not short.
const IS_LONG: u32 = 1 << 30;

/// English words shorter than this do not count in a text of another language.
const SHORT: usize = 4;

/// The code of a word of which phrases know nothing.
const UNKNOWN: u32 = 0;

/// A word by its code.
#[derive(Clone, Copy, Debug)]
pub(super) enum CodedWord<'c> {
    /// Phrases name it: its place in the lexicon.
    Named(u32),
    /// Phrases know at most its beginning, its ending, or that it is a number: those numbers with their flags, and whether
    /// it is not short.
    Other(&'c [u32], bool),
}

impl WordCodes {
    /// Forgets all words.
    pub(super) fn clear(&mut self) {
        self.codes.clear();
        self.ends.clear();
    }

    /// Adds the codes of the words behind those that it has.
    pub(super) fn read(&mut self, words: &Words, lexicon: &Lexicon<'_>) {
        let added = words.slice(self.ends.len()..words.len());
        self.codes.reserve(added.len());
        self.ends.reserve(added.len());
        for word in added {
            self.push(word, words.folded(word), lexicon);
            self.ends.push(self.codes.len() as u32);
        }
    }

    fn push(&mut self, word: &Word, folded: &[u8], lexicon: &Lexicon<'_>) {
        if let Some(place) = lexicon.place_of(word.hash, folded) {
            self.codes.push(IS_NAMED | place);
            return;
        }
        let start = self.codes.len();
        self.codes.push(UNKNOWN);
        let mut hash = HASH_START;
        for (at, &byte) in folded.iter().enumerate() {
            hash = hash_on(hash, byte);
            if let Some(stem) = lexicon.stem(hash, &folded[..=at]) {
                self.codes.push(marked(stem.own, stem.flags));
            }
        }
        self.codes.extend(lexicon.endings_of(folded).map(|(id, flags)| marked(id, flags)));
        let count = self.codes.len() - start - 1;
        if count > 0 {
            self.codes[start] = count as u32 | if is_short(folded.len()) { 0 } else { IS_LONG };
        }
    }

    /// Adds the codes of other words.
    pub(super) fn append(&mut self, other: &Self) {
        let before = self.codes.len() as u32;
        self.codes.extend_from_slice(&other.codes);
        self.ends.extend(other.ends.iter().map(|end| end + before));
    }

    /// Where the codes of some words are.
    fn range(&self, words: &Range<usize>) -> Range<usize> {
        let end = |word: usize| word.checked_sub(1).map_or(0, |last| self.ends[last] as usize);
        end(words.start)..end(words.end)
    }

    /// Copies the codes of some words, of which phrases know nothing at the places of names among them.
    pub(super) fn copy(&self, words: &Range<usize>, names: &[NamePlace<'_>], to: &mut Vec<u32>) {
        let mut start = words.start;
        for NamePlace { words: name, .. } in names {
            let (begin, end) = (name.start.max(start), name.end.min(words.end));
            to.extend_from_slice(&self.codes[self.range(&(start..begin))]);
            to.resize(to.len() + (end - begin), UNKNOWN);
            start = end;
        }
        to.extend_from_slice(&self.codes[self.range(&(start..words.end))]);
    }

    /// Returns the memory that it does not need.
    pub(super) fn shrink(&mut self) {
        self.codes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        size_of_val(self.codes.as_slice()) + size_of_val(self.ends.as_slice())
    }
}

/// The words of some codes.
pub(super) fn coded_words(mut codes: &[u32]) -> impl Iterator<Item = CodedWord<'_>> {
    std::iter::from_fn(move || {
        let (&first, rest) = codes.split_first()?;
        if first & IS_NAMED != 0 {
            codes = rest;
            return Some(CodedWord::Named(first & !IS_NAMED));
        }
        let (numbers, rest) = rest.split_at_checked((first & !IS_LONG) as usize)?;
        codes = rest;
        Some(CodedWord::Other(numbers, first & IS_LONG != 0))
    })
}

/// Whether a word has few letters.
pub(super) fn is_short(letters: usize) -> bool {
    letters < SHORT
}
