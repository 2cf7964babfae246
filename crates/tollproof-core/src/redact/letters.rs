//! A text as its readers see it: letters folded, invisible characters left out, each with its place.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::text::tokenize::fold_letter;

/// The folded characters of a text, and the bytes that each is written with.
#[derive(Debug, Default)]
pub(super) struct Letters {
    pub(super) chars: Vec<char>,
    places: Vec<Range<usize>>,
}

/// A run of letters and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LetterWord {
    /// Folded.
    pub(super) text: String,
    /// In [`Letters::chars`].
    pub(super) range: Range<usize>,
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let mut letters = Self::default();
        let mut folded = String::new();
        for (at, c) in text.char_indices() {
            let place = at..at + c.len_utf8();
            if is_invisible(c) || is_combining_mark(c) {
                // An accent belongs to its letter, and what cannot be seen to the word that it is in.
                if let Some(last) = letters.places.last_mut().filter(|it| it.end == at) {
                    last.end = place.end;
                }
                continue;
            }
            folded.clear();
            match c {
                'đ' | 'Đ' | 'ð' | 'Ð' => folded.push('d'),
                'þ' | 'Þ' => folded.push_str("th"),
                c => fold_letter(c, &mut folded),
            }
            for c in folded.chars() {
                letters.chars.push(c);
                letters.places.push(place.clone());
            }
        }
        letters
    }

    /// The bytes that a run of characters is written with.
    pub(super) fn place(&self, range: Range<usize>) -> Range<usize> {
        let start = self.places.get(range.start).map_or(0, |it| it.start);
        let end = range.end.checked_sub(1).and_then(|last| self.places.get(last)).map_or(start, |it| it.end);
        start..end
    }

    /// The words, in order.
    pub(super) fn words(&self) -> Vec<LetterWord> {
        let mut words: Vec<LetterWord> = Vec::new();
        for (at, c) in self.chars.iter().enumerate().filter(|(_, c)| c.is_alphanumeric()) {
            match words.last_mut().filter(|last| last.range.end == at) {
                Some(last) => {
                    last.text.push(*c);
                    last.range.end = at + 1;
                }
                None => words.push(LetterWord { text: c.to_string(), range: at..at + 1 }),
            }
        }
        words
    }
}

/// Characters that take no room: zero-width spaces and joiners, soft hyphens, marks of direction, fillers, tags.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}
