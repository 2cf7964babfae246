//! The words of a text: where each is, what is between them, and the marks around them.

use std::ops::Range;

/// The words of a text, in order.
#[derive(Debug, Default)]
pub struct Words {
    pub words: Vec<Word>,
    pub folded: String,
    /// The index of the first word after each quotation mark, and whether the mark opens, closes or may do either.
    pub marks: Vec<(usize, QuoteMark)>,
    /// The index of the first word after each question mark.
    pub questions: Vec<usize>,
}

/// A quotation mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteMark {
    Opens,
    Closes,
    Either,
}

/// The position of a word in the text and what separates it from the word before.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Byte range in the text.
    pub start: u32,
    pub end: u32,
    /// Byte range in the folded buffer.
    pub from: u32,
    pub to: u32,
    /// The separator between this word and the one before.
    pub before: Break,
    /// Whether an amount of money or a percentage.
    pub is_amount: bool,
}

/// The separator between two words, from weak to strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Break {
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
    /// No words yet, with room for those of a text.
    pub fn for_text(text: &str) -> Self {
        Self {
            words: Vec::with_capacity(text.len() / 4 + 4),
            folded: String::with_capacity(text.len() + 16),
            ..Self::default()
        }
    }

    #[allow(clippy::len_without_is_empty, reason = "no caller asks for it")]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// All words, in order.
    pub fn all(&self) -> &[Word] {
        &self.words
    }

    /// A word of these, folded, as bytes.
    #[inline]
    pub fn folded(&self, word: &Word) -> &[u8] {
        &self.folded.as_bytes()[word.from as usize..word.to as usize]
    }

    /// The position of the word at an index.
    pub fn get(&self, index: usize) -> Option<Word> {
        self.words.get(index).copied()
    }

    /// The folded word at an index; empty past the end.
    pub fn word(&self, index: usize) -> &str {
        self.get(index).map_or("", |word| &self.folded[word.from as usize..word.to as usize])
    }

    /// The same as bytes.
    pub fn bytes(&self, index: usize) -> &[u8] {
        self.words.get(index).map_or(b"", |word| self.folded(word))
    }

    /// The byte range of the words `first..=last` in the text.
    pub fn range(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.get(first).map_or(0, |word| word.start as usize);
        let end = self.get(last).map_or(start, |word| word.end as usize);
        start..end
    }

    /// Whether a question mark is before a word, or after the last one.
    pub fn ends_in_question(&self, before: usize) -> bool {
        self.questions.binary_search(&before).is_ok()
    }

    /// The quotations, as ranges of words.
    pub fn quotations(&self) -> Vec<Range<usize>> {
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

/// Converts a word's start or end; texts are much shorter than this can count.
pub fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
