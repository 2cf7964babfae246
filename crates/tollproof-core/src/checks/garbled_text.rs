//! `garbled-text`: text that was decoded with the wrong encoding.

use crate::checks::violation::marked;
use crate::checks::{Context, Place, Violation};
use std::ops::Range;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    marked(garbled(text), text, node, context)
}

/// UTF-8 that was decoded as Windows-1252. These sequences do not occur in words.
const MOJIBAKE: [&str; 4] = ["â€", "ðŸ", "ï¸", "\u{fffd}"];

fn garbled(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return Vec::new();
    }
    let marks = MOJIBAKE.iter().flat_map(|mark| text.match_indices(mark));
    let marks = marks.map(|(at, mark)| at..at + mark.len());
    // An accented letter becomes two characters, and the second is not a letter: the `é` of café becomes `Ã©`.
    let pairs = text.char_indices().zip(text.chars().skip(1)).filter_map(|((at, first), second)| {
        let torn = matches!(first, 'Ã' | 'Â') && matches!(second, '\u{80}'..='\u{bf}');
        torn.then(|| at..at + first.len_utf8() + second.len_utf8())
    });
    let mut ranges: Vec<_> = marks.chain(pairs).collect();
    ranges.sort_by_key(|range| range.start);
    ranges
}

#[cfg(test)]
mod tests {
    use super::{MOJIBAKE, garbled};

    #[test]
    fn garbled_characters_are_found_and_letters_are_not() {
        for mark in MOJIBAKE.into_iter().chain(["Ã©", "Â\u{a0}"]) {
            assert_eq!(garbled(&format!("Caf{mark}s")).first(), Some(&(3..3 + mark.len())), "{mark}");
        }
        for text in ["", "Café", "Müller ÃLA", "Âme", "“quoted” ✓", "ﬁne"] {
            assert!(garbled(text).is_empty(), "{text}");
        }
    }
}
