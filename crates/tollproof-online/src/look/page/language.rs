//! The language of a page.

use super::super::words::{folded, words};
use super::outline::Outline;

/// How many words are counted.
const MOST: usize = 3_000;

/// How many frequent words of a language a page has at least, if they are to decide.
const ENOUGH: usize = 5;

/// The language of a page, by its words, or as it says itself where there are few: `en`. Empty if neither says one.
pub(super) fn language(outline: &Outline) -> String {
    let languages = &words().languages;
    let named = [("en", &languages.en), ("fr", &languages.fr), ("es", &languages.es)];
    let mut counts = [0; 3];
    let shown = outline.blocks.iter().filter(|it| !it.is_hidden);
    for word in shown
        .flat_map(|it| it.text.split(|it: char| !it.is_alphabetic()))
        .filter(|it| !it.is_empty())
        .take(MOST)
    {
        let word = folded(word);
        for (count, (_, frequent)) in counts.iter_mut().zip(named) {
            *count += usize::from(frequent.contains(&word));
        }
    }
    let most = counts.into_iter().max().unwrap_or_default();
    let mut best = named.iter().zip(counts).filter(|(_, count)| *count == most);
    if most >= ENOUGH
        && let (Some(((name, _), _)), None) = (best.next(), best.next())
    {
        return (*name).to_owned();
    }
    let named = outline.language.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let is_code = (2..=3).contains(&named.len()) && named.bytes().all(|it| it.is_ascii_lowercase());
    if is_code { named } else { String::new() }
}
