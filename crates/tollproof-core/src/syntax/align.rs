//! Finds the characters of a decoded string in a source that has other characters between them: marks, indentation, code.

use std::ops::Range;

use crate::syntax::span::Span;

/// The characters that must agree where a string is found again.
const AGREE: usize = 6;

/// The most characters between two that agree.
const APART: usize = 400;

/// The most comparisons for a string that is looked for.
const MAX_STEPS: usize = 400_000;

/// The span of a range of `text` in a source whose characters are `written`. `None` if it cannot be told.
pub(super) fn aligned(written: &[(usize, usize, char)], text: &str, range: Range<usize>) -> Option<Span> {
    let said: Vec<(usize, char)> = text.char_indices().collect();
    let (mut from, mut at, mut steps) = (0, 0, 0);
    let mut found: Option<Span> = None;
    while at < said.len() && from < written.len() {
        let ((start, end, source), (offset, character)) = (written[from], said[at]);
        if source == character || source.is_whitespace() && character.is_whitespace() {
            let is_inside = offset < range.end && offset + character.len_utf8() > range.start;
            if is_inside || range.is_empty() && offset >= range.start {
                let first = found.map_or(start, |span| span.start as usize);
                found = Some(Span::new(first, if range.is_empty() { first } else { end }));
            }
            if offset >= range.end && found.is_some() {
                return found;
            }
            (from, at) = (from + 1, at + 1);
        } else if source.is_whitespace() {
            from += 1;
        } else if character.is_whitespace() {
            at += 1;
        } else {
            let (skipped, left_out) = again(&written[from..], &said[at..], &mut steps)?;
            // What is put in the place of something has its place.
            let is_touched = left_out > 0
                && said[at].0 < range.end
                && said[at..at + left_out].iter().any(|(at, _)| *at >= range.start);
            if is_touched && skipped > 0 {
                let first = found.map_or(start, |span| span.start as usize);
                found = Some(Span::new(first, written[from + skipped - 1].1));
            }
            (from, at) = (from + skipped, at + left_out);
        }
    }
    found
}

/// The characters of both to leave out until they agree again.
fn again(
    written: &[(usize, usize, char)],
    said: &[(usize, char)],
    steps: &mut usize,
) -> Option<(usize, usize)> {
    for apart in 1..APART {
        for skipped in 0..=apart {
            let left_out = apart - skipped;
            let (Some(written), Some(said)) = (written.get(skipped..), said.get(left_out..)) else {
                continue;
            };
            *steps += 1;
            if *steps > MAX_STEPS {
                return None;
            }
            let agree = AGREE.min(written.len()).min(said.len());
            let is_same = |(one, other): (&(usize, usize, char), &(usize, char))| {
                one.2 == other.1 || one.2.is_whitespace() && other.1.is_whitespace()
            };
            if written.iter().zip(said).take(agree).all(is_same) && (agree > 0 || written.len() == said.len())
            {
                return Some((skipped, left_out));
            }
        }
    }
    None
}
