//! A range of bytes in a source.

use std::ops::Range;

/// A range of bytes in a [`Source`](crate::Source): start inclusive, end exclusive, both on character boundaries.
///
/// Offsets have 32 bits; the rule `input/limit` reports larger files, which are not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span of `start..end`, in bytes.
    ///
    /// Offsets above 4 GiB are clamped; the readers never produce them.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end) }
    }

    /// The span as a range of indices.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether the span contains no byte: a position between two characters.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}
