//! The little language of phrases, and how one is recognised among words.
//!
//! `opt out`: these words in a row. `enrol*`: any word that begins so. `sell|share`: either word.
//! `your?`: may be left out. `...`: up to eight words of the same sentence. `#`: a number.

use super::fold::{Break, Words};

/// How many words `...` may stand for.
const GAP: usize = 8;

/// The shortest beginning that `*` may follow.
const MIN_PREFIX: usize = 3;

/// Brings a phrase to its normal form: folded words, single blanks.
///
/// # Errors
///
/// What is wrong with the phrase, in one clause.
pub(crate) fn normalize(phrase: &str) -> Result<String, String> {
    let mut normal = Vec::new();
    for element in phrase.split_whitespace() {
        if element == "..." || element == "#" || element == super::fold::URL {
            normal.push(element.to_owned());
            continue;
        }
        let (element, optional) = element.strip_suffix('?').map_or((element, ""), |it| (it, "?"));
        let words =
            element.split('|').map(|word| normal_word(word, phrase)).collect::<Result<Vec<_>, _>>()?;
        match words.as_slice() {
            // A word that folds to several, such as `opt-out`, is those words in a row.
            [word] if optional.is_empty() => normal.extend(word.split(' ').map(str::to_owned)),
            _ if words.iter().any(|word| word.contains(' ')) => {
                return Err(format!(
                    "`{element}` in `{phrase}` is more than one word, which `|` and `?` do not take"
                ));
            }
            _ => normal.push(words.join("|") + optional),
        }
    }
    match normal.first().map(String::as_str) {
        None => Err("this phrase is empty".to_owned()),
        Some("..." | "#") => Err(format!("`{phrase}` must begin with a word")),
        Some(first) if first.ends_with('?') => {
            Err(format!("the first word of `{phrase}` cannot be optional"))
        }
        Some(_)
            if normal
                .windows(2)
                .any(|pair| pair[0] == "..." && (pair[1] == "..." || pair[1].ends_with('?'))) =>
        {
            Err(format!("behind `...` of `{phrase}` must stand a word that cannot be left out"))
        }
        Some(_) if normal.last().is_some_and(|last| last == "...") => {
            Err(format!("`{phrase}` must end with a word"))
        }
        Some(_) => Ok(normal.join(" ")),
    }
}

fn normal_word(word: &str, phrase: &str) -> Result<String, String> {
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

/// The alternatives of the first word of a normal phrase.
pub(crate) fn first_words(normal: &str) -> impl Iterator<Item = &str> {
    normal.split(' ').next().unwrap_or_default().split('|')
}

/// The last word of the phrase, if a normal phrase stands at the word `at`.
pub(crate) fn match_at(normal: &str, words: &Words, at: usize) -> Option<usize> {
    let (first, rest) = split_element(normal);
    element_matches(first, words.word(at)).then(|| match_rest(rest, words, at)).flatten()
}

/// Matches the elements of `rest` behind the word `last`.
fn match_rest(rest: &str, words: &Words, last: usize) -> Option<usize> {
    if rest.is_empty() {
        return Some(last);
    }
    let (element, rest) = split_element(rest);
    let next = last + 1;
    if element == "..." {
        let (wanted, rest) = split_element(rest);
        return (next..=next + GAP)
            .take_while(|&at| words.get(at).is_some_and(|word| word.before < Break::Sentence))
            .find_map(|at| {
                element_matches(wanted, words.word(at)).then(|| match_rest(rest, words, at)).flatten()
            });
    }
    let (wanted, optional) = element.strip_suffix('?').map_or((element, false), |it| (it, true));
    let stands = words.get(next).is_some_and(|word| word.before < Break::Sentence);
    let taken = (stands && element_matches(wanted, words.word(next))).then(|| match_rest(rest, words, next));
    taken.flatten().or_else(|| optional.then(|| match_rest(rest, words, last)).flatten())
}

/// The first element of a normal phrase, and the others. Elements are short: a plain loop is the fastest search.
fn split_element(normal: &str) -> (&str, &str) {
    match normal.bytes().position(|byte| byte == b' ') {
        Some(end) => (&normal[..end], &normal[end + 1..]),
        None => (normal, ""),
    }
}

fn element_matches(element: &str, word: &str) -> bool {
    element.as_bytes().split(|&byte| byte == b'|').any(|wanted| word_matches(wanted, word.as_bytes()))
}

/// Whether a word of a text is the wanted one, a beginning of it, or any number.
fn word_matches(wanted: &[u8], word: &[u8]) -> bool {
    match wanted {
        [stem @ .., b'*'] => word.starts_with(stem),
        b"#" => word.first().is_some_and(u8::is_ascii_digit),
        wanted => wanted == word,
    }
}
