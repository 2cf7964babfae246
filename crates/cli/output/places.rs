//! Lines and columns of many places in one text, each found from the one before.

use tollproof_core::{Place, Source};

/// Remembers the last place, so that a thousand findings on one long line cost one walk along it.
#[derive(Debug)]
pub(crate) struct Places<'s> {
    source: &'s Source<'s>,
    line: usize,
    offset: usize,
    column: usize,
}

impl<'s> Places<'s> {
    /// Starts at the beginning of a text.
    pub(crate) fn new(source: &'s Source<'s>) -> Self {
        Self { source, line: 0, offset: 0, column: 1 }
    }

    /// The text.
    pub(crate) fn source(&self) -> &'s Source<'s> {
        self.source
    }

    /// Line and column of a byte offset; one past the end is the place behind the last character.
    pub(crate) fn at(&mut self, offset: u32) -> Place {
        let text = self.source.text();
        let offset = (offset as usize).min(text.len());
        let line = self.source.line_of(offset);
        let start = self.source.line_start(line);
        if line != self.line || offset - start < self.offset.abs_diff(offset) {
            (self.line, self.offset, self.column) = (line, start, 1);
        }
        let chars = |from, to| text.get(from..to).unwrap_or_default().chars().count();
        self.column += chars(self.offset, offset);
        self.column -= chars(offset, self.offset);
        self.offset = offset;
        Place { line: line + 1, column: self.column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order_gives_the_same_places_as_the_source() {
        let source = Source::new("a", "añb\r\ncdé\n\nf");
        let mut places = Places::new(&source);
        let ends: Vec<u32> = (0..=source.text().len() + 1)
            .filter(|&at| at > source.text().len() || source.text().is_char_boundary(at))
            .map(|at| u32::try_from(at).expect("a short text"))
            .collect();
        for &first in &ends {
            for &second in &ends {
                assert_eq!(places.at(first), source.place(first));
                assert_eq!(places.at(second), source.place(second));
            }
        }
    }
}
