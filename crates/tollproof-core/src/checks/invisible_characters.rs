//! `invisible-characters`: invisible and control characters.

use std::ops::Range;

use icu_properties::CodePointSetData;
use icu_properties::props::Emoji;
use tollproof_data::text::words::invisible::is_invisible;
use unicode_segmentation::UnicodeSegmentation;

use crate::checks::violation::marked;
use crate::checks::{Context, Place, Violation};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    marked(hidden(text), text, node, context)
}

/// The control characters of a text, and the invisible ones that are not part of an emoji.
fn hidden(text: &str) -> Vec<Range<usize>> {
    let is_hidden = |character: char| match character {
        '\n' | '\r' | '\t' => false,
        _ => character.is_control() || !character.is_ascii() && is_invisible(character),
    };
    // Bytes are compared faster than characters, without an early end many at once, and most texts are plain.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    if text.bytes().fold(true, |all, byte| all & is_plain(byte)) || !text.contains(is_hidden) {
        return Vec::new();
    }
    let emojis = CodePointSetData::new::<Emoji>();
    let seen = text.grapheme_indices(true).filter(|(_, cluster)| {
        // A joiner, a variation selector or a tag after an emoji says how the emoji looks.
        !cluster.starts_with(|it| emojis.contains(it))
    });
    let parts = seen.flat_map(|(start, cluster)| {
        cluster.match_indices(is_hidden).map(move |(at, it)| start + at..start + at + it.len())
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn invisible_characters_are_found() {
        let hides = |character: char| !hidden(&format!("a{character}b")).is_empty();
        let all = "\0\u{7f}\u{85}\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\u{200d}\u{202e}\u{2060}\u{2066}\u{2069}\u{3164}\u{feff}\u{e0041}";
        assert_eq!(all.chars().find(|it| !hides(*it)), None);
        assert!(!"b\n\r\té\u{301}\u{a0}漢م☂👩".chars().any(hides));
    }

    #[test]
    fn invisible_parts_of_emojis_are_not_found() {
        for text in ["☂\u{fe0f}", "1\u{fe0f}\u{20e3}", "👩\u{200d}👧", "🏴\u{e0067}\u{e0062}\u{e007f}"]
        {
            assert!(hidden(text).is_empty(), "{text}");
        }
        assert_eq!(hidden("a\u{200d}☂\u{2066}"), [1..4, 7..10]);
    }
}
