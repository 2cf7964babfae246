//! The start of a part of a file.

/// The place of a source's text in its file, if the file is read in parts.
///
/// A part may begin with a copy of the file's first bytes, such as the header row of a CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartStart {
    /// The length of that copy, in bytes.
    pub head: u32,
    /// The number of lines in that copy.
    pub head_lines: usize,
    /// The number of bytes in the file before the text that follows the copy.
    pub bytes: u64,
    /// The number of lines in the file before that text.
    pub lines: usize,
    /// The number of documents in the file before that text.
    pub documents: usize,
}

impl PartStart {
    /// Whether the text begins where the file begins.
    pub fn is_first(self) -> bool {
        self.bytes == u64::from(self.head)
    }

    /// The same start with another length of the copy.
    pub(crate) fn with_head(self, head: u32) -> Self {
        let bytes = if self.is_first() { u64::from(head) } else { self.bytes };
        Self { head, bytes, ..self }
    }

    /// The offset in the file of an offset in the text.
    pub fn file_offset(self, offset: u32) -> u64 {
        match offset.checked_sub(self.head) {
            Some(after) if !self.is_first() => self.bytes + u64::from(after),
            _ => u64::from(offset),
        }
    }

    /// The 0-based line in the file of a 0-based line in the text.
    pub fn file_line(self, line: usize) -> usize {
        match line.checked_sub(self.head_lines) {
            Some(after) if !self.is_first() => self.lines + after,
            _ => line,
        }
    }
}
