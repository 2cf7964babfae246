//! The phrase language.
//!
//! `opt out`: these words in a row. `enrol*`: any word with this prefix. `sell|share`: either word. `your?`: an
//! optional word. `...`: up to eight words of the same sentence. `#`: a number. `*ing`: any word with this ending,
//! except as the first word. `<consent>`: a term of this group of the vocabulary.

use crate::text::terms::vocabulary::Vocabulary;
use crate::text::words::hit::GroupId;
use crate::text::words::language::contraction;
use crate::text::words::tokenize::{BOX, TICKED_BOX, URL};
use crate::text::words::word::Words;

/// The minimum length of a prefix before `*`.
const MIN_PREFIX: usize = 3;

/// The minimum length of an ending after `*`.
const MIN_ENDING: usize = 2;

/// The maximum number of `...` in a phrase: each one multiplies the positions to try.
const MAX_GAPS: usize = 3;

/// The maximum number of words and operators in a phrase.
const MAX_ELEMENTS: usize = 64;

/// Converts a phrase to its normal form: folded words, separated by single spaces, and groups by their numbers.
///
/// # Errors
///
/// Describes what is wrong with the phrase, in one clause.
pub fn normalize(phrase: &str, vocabulary: &Vocabulary<'_>) -> Result<String, String> {
    let mut normal = Vec::new();
    for element in phrase.split_whitespace() {
        if ["...", "#", URL, BOX, TICKED_BOX].contains(&element) {
            normal.push(element.to_owned());
            continue;
        }
        if let Some(name) = element.strip_prefix('<').and_then(|it| it.strip_suffix('>')) {
            let groups: Vec<String> =
                vocabulary.known_groups(name)?.iter().map(ToString::to_string).collect();
            normal.push(format!("<{}>", groups.join("|")));
            continue;
        }
        let (element, optional) = element.strip_suffix('?').map_or((element, ""), |it| (it, "?"));
        let words =
            element.split('|').map(|word| normal_word(word, phrase)).collect::<Result<Vec<_>, _>>()?;
        match words.as_slice() {
            // "do not" is read as "don't"; see `tokenize`.
            [word] if word == "not" && optional.is_empty() && contract_last(&mut normal) => {}
            // A word that folds to several, such as `opt-out`, becomes these words in a row.
            [word] if optional.is_empty() => normal.extend(word.split(' ').map(str::to_owned)),
            _ if words.iter().any(|word| word.contains(' ')) => {
                return Err(format!(
                    "`{element}` in `{phrase}` is more than one word, which `|` and `?` do not take"
                ));
            }
            _ => normal.push(words.join("|") + optional),
        }
    }
    if normal.len() > MAX_ELEMENTS {
        return Err(format!("the phrase `{} ...` has more than {MAX_ELEMENTS} words", normal[..4].join(" ")));
    }
    if normal.iter().filter(|it| *it == "...").count() > MAX_GAPS {
        return Err(format!("`{phrase}` has more than {MAX_GAPS} gaps; write shorter phrases"));
    }
    match normal.first().map(String::as_str) {
        None => Err("this phrase is empty".to_owned()),
        Some("..." | "#") => Err(format!("`{phrase}` must begin with a word")),
        Some(first) if first.split('|').any(|word| word.starts_with('*')) => {
            Err(format!("the first word of `{phrase}` cannot be an ending"))
        }
        Some(first) if first.ends_with('?') => {
            Err(format!("the first word of `{phrase}` cannot be optional"))
        }
        Some(_)
            if normal
                .windows(2)
                .any(|pair| pair[0] == "..." && (pair[1] == "..." || pair[1].ends_with('?'))) =>
        {
            Err(format!("`...` of `{phrase}` must be followed by a word that is not optional"))
        }
        Some(_) if normal.last().is_some_and(|last| last == "...") => {
            Err(format!("`{phrase}` must end with a word"))
        }
        Some(_) => Ok(normal.join(" ")),
    }
}

/// Makes contractions of the last element, if all its words are verbs that have one.
fn contract_last(normal: &mut [String]) -> bool {
    let Some(last) = normal.last_mut() else { return false };
    let contracted: Option<Vec<&str>> = last.split('|').map(contraction).collect();
    let Some(contracted) = contracted else { return false };
    *last = contracted.join("|");
    true
}

fn normal_word(word: &str, phrase: &str) -> Result<String, String> {
    if let Some(ending) = word.strip_prefix('*') {
        let ending = normal_word(ending, phrase)?;
        if ending.contains([' ', '*']) || ending.len() < MIN_ENDING {
            return Err(format!(
                "`{word}` in `{phrase}`: at least {MIN_ENDING} letters of one word after `*`"
            ));
        }
        return Ok(format!("*{ending}"));
    }
    let (stem, star) = word.strip_suffix('*').map_or((word, ""), |it| (it, "*"));
    let words = Words::of(stem);
    let folded: Vec<&str> = (0..words.len()).map(|index| words.word(index)).collect();
    if folded.is_empty() {
        return Err(format!("`{word}` in `{phrase}` holds no letter or digit"));
    }
    if !star.is_empty() && folded.last().is_some_and(|last| last.len() < MIN_PREFIX) {
        return Err(format!("`{word}` in `{phrase}`: at least {MIN_PREFIX} letters before `*`"));
    }
    Ok(folded.join(" ") + star)
}

/// The numbers of the groups that an element in normal form names.
pub fn group_numbers(element: &[u8]) -> Option<impl Iterator<Item = GroupId>> {
    let numbers = element.strip_prefix(b"<").and_then(|it| it.strip_suffix(b">"))?;
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
    numbers
        .first()
        .is_some_and(u8::is_ascii_digit)
        .then(|| numbers.split(|&it| it == b'|').filter_map(number))
}
