//! A text without accents, case and invisible characters, with the original position of each character.

use std::ops::Range;

use tollproof_data::text::words::invisible::is_invisible;
use tollproof_data::text::words::tokenize::fold_letter;
use unicode_normalization::char::is_combining_mark;

/// The folded characters of a text, and the byte range of each in the original text.
#[derive(Debug, Default)]
pub(super) struct Letters {
    pub(super) chars: Vec<char>,
    places: Vec<Range<usize>>,
}

/// A word of letters and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LetterWord {
    /// The folded word.
    pub(super) text: String,
    /// The position in [`Letters::chars`].
    pub(super) range: Range<usize>,
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let mut letters = Self::default();
        let mut folded = String::new();
        for (at, c) in text.char_indices() {
            let place = at..at + c.len_utf8();
            if is_invisible(c) || is_combining_mark(c) {
                // Accents and invisible characters are masked together with the preceding character.
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

    /// The byte range of a run of characters.
    pub(super) fn place(&self, range: Range<usize>) -> Range<usize> {
        let start = self.places.get(range.start).map_or(0, |it| it.start);
        let end = range.end.checked_sub(1).and_then(|last| self.places.get(last)).map_or(start, |it| it.end);
        start..end
    }

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
