//! The language of a page.

use tollproof_core::TextReading;

use super::outline::Outline;

/// The most words counted.
const MOST: usize = 3_000;

/// The fewest frequent words of a language on a page for them to decide.
const ENOUGH: u32 = 5;

/// The language of a page, by its words, or as it says itself where there are few: `en`. Empty if neither says one.
pub(super) fn language(outline: &Outline) -> String {
    let shown = outline.blocks.iter().filter(|block| !block.is_hidden);
    let words: Vec<&str> = shown.flat_map(|block| block.text.split_whitespace()).take(MOST).collect();
    if let Some(language) = TextReading::language_of(&words.join(" "), ENOUGH) {
        return language.to_owned();
    }
    let named = outline.language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let is_code = (2..=3).contains(&named.len()) && named.bytes().all(|it| it.is_ascii_lowercase());
    if is_code { named } else { String::new() }
}
