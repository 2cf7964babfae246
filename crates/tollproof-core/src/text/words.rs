//! The words of a text: where each is, what is between them, and the marks around them.

use std::ops::Range;

/// The words of a text, in order.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(super) words: Vec<Word>,
    pub(super) folded: String,
    /// The index of the first word after each quotation mark, and whether the mark opens, closes or may do either.
    pub(super) marks: Vec<(usize, QuoteMark)>,
    /// The index of the first word after each question mark.
    pub(super) questions: Vec<usize>,
}

/// A quotation mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteMark {
    Opens,
    Closes,
    Either,
}

/// The position of a word in the text and what separates it from the word before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Byte range in the text.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Byte range in the folded buffer.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The separator between this word and the one before.
    pub(crate) before: Break,
    /// Whether an amount of money or a percentage.
    pub(crate) is_amount: bool,
    /// The hash of the folded word.
    pub(super) hash: u32,
}

/// The separator between two words, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Break {
    /// Whitespace, hyphens, slashes.
    None,
    /// A comma, quote, bracket or dash.
    Clause,
    /// An opening round bracket.
    Opening,
    /// A closing round bracket.
    Closing,
    /// A colon that announces a quotation.
    Quotation,
    /// The end of a sentence or a line.
    Sentence,
}

impl Words {
    /// Forgets all words, and makes room for those of a text.
    pub(super) fn make_ready(&mut self, text: &str) {
        let Self { words, folded, marks, questions } = self;
        words.clear();
        words.reserve(text.len() / 4 + 4);
        folded.clear();
        folded.reserve(text.len() + 16);
        marks.clear();
        questions.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Adds the words of another text, which begins at an offset of this one; `pending` separates its first word from the
    /// one before.
    pub(super) fn append(&mut self, other: &Self, offset: usize, pending: Break) {
        let first = self.words.len();
        let (offset, from) = (narrow(offset), narrow(self.folded.len()));
        // Copied as they are and then moved, which takes few operations a word.
        self.words.extend_from_slice(&other.words);
        for word in &mut self.words[first..] {
            word.start += offset;
            word.end += offset;
            word.from += from;
            word.to += from;
        }
        if let Some(word) = self.words.get_mut(first) {
            word.before = word.before.max(pending);
        }
        self.folded.push_str(&other.folded);
        self.marks.extend(other.marks.iter().map(|(at, mark)| (at + first, *mark)));
        self.questions.extend(other.questions.iter().map(|at| at + first));
    }

    /// Returns the memory that it does not need.
    pub(super) fn shrink(&mut self) {
        self.words.shrink_to_fit();
        self.folded.shrink_to_fit();
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        size_of_val(self.words.as_slice())
            + self.folded.len()
            + size_of_val(self.marks.as_slice())
            + size_of_val(self.questions.as_slice())
    }

    /// The words in a range.
    pub(super) fn slice(&self, range: Range<usize>) -> &[Word] {
        self.words.get(range).unwrap_or_default()
    }

    /// A word of these, folded, as bytes.
    pub(super) fn folded(&self, word: &Word) -> &[u8] {
        &self.folded.as_bytes()[word.from as usize..word.to as usize]
    }

    /// The position of the word at an index.
    pub(crate) fn get(&self, index: usize) -> Option<Word> {
        self.words.get(index).copied()
    }

    /// The folded word at an index; empty past the end.
    pub(crate) fn word(&self, index: usize) -> &str {
        self.get(index).map_or("", |word| &self.folded[word.from as usize..word.to as usize])
    }

    /// The same as bytes.
    pub(crate) fn bytes(&self, index: usize) -> &[u8] {
        self.words.get(index).map_or(b"", |word| self.folded(word))
    }

    /// The hash of the folded word at an index.
    pub(crate) fn hash(&self, index: usize) -> u32 {
        self.get(index).map_or(HASH_START, |word| word.hash)
    }

    /// The byte range of the words `first..=last` in the text.
    pub(crate) fn range(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.get(first).map_or(0, |word| word.start as usize);
        let end = self.get(last).map_or(start, |word| word.end as usize);
        start..end
    }

    /// Whether a question mark is before a word, or after the last one.
    pub(crate) fn ends_in_question(&self, before: usize) -> bool {
        self.questions.binary_search(&before).is_ok()
    }

    /// The quotations, as ranges of words.
    pub(crate) fn quotations(&self) -> Vec<Range<usize>> {
        let mut open = None;
        let mut found = Vec::new();
        for &(at, mark) in &self.marks {
            match (open, mark) {
                (Some(start), QuoteMark::Closes | QuoteMark::Either) => {
                    found.push(start..at);
                    open = None;
                }
                (_, QuoteMark::Opens) | (None, QuoteMark::Either) => open = Some(at),
                (None, QuoteMark::Closes) => {}
            }
        }
        found
    }
}

/// Where a word begins or ends; texts are much shorter than this can count.
pub(super) fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The hash of words is FNV-1a, which gives the hashes of all prefixes on the way.
pub(crate) const HASH_START: u32 = 0x811c_9dc5;

pub(crate) fn hash_of(word: &[u8]) -> u32 {
    word.iter().fold(HASH_START, |hash, &byte| hash_on(hash, byte))
}

#[inline]
pub(crate) fn hash_on(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}
