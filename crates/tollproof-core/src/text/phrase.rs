//! The little language of phrases, and how one is recognised among words.
//!
//! `opt out`: these words in a row. `enrol*`: any word that begins so. `sell|share`: either word.
//! `your?`: may be left out. `...`: up to eight words of the same sentence. `#`: a number.

use super::tokenize::{Break, Words};

/// How many words `...` may stand for.
const GAP: usize = 8;

/// The shortest beginning that `*` may follow.
const MIN_PREFIX: usize = 3;

/// More of them in one phrase are no phrase but a search: each `...` multiplies the places to look at.
const MAX_GAPS: usize = 3;

/// How many words and signs a phrase may have.
const MAX_ELEMENTS: usize = 64;

/// Brings a phrase to its normal form: folded words, single blanks.
///
/// # Errors
///
/// What is wrong with the phrase, in one clause.
pub(crate) fn normalize(phrase: &str) -> Result<String, String> {
    let mut normal = Vec::new();
    for element in phrase.split_whitespace() {
        if element == "..." || element == "#" || element == super::tokenize::URL {
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
    if normal.len() > MAX_ELEMENTS {
        return Err(format!("the phrase `{} ...` has more than {MAX_ELEMENTS} words", normal[..4].join(" ")));
    }
    if normal.iter().filter(|it| *it == "...").count() > MAX_GAPS {
        return Err(format!("`{phrase}` has more than {MAX_GAPS} gaps; write shorter phrases"));
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

/// Matches phrases whose first word stands in a text.
#[derive(Debug)]
pub(crate) struct Matcher<'w> {
    words: &'w Words,
    /// Lengths of rests and the words behind which they do not stand: none is tried twice, so that the work
    /// grows with the phrase and not with the number of ways through it.
    failed: Vec<(usize, usize)>,
}

impl<'w> Matcher<'w> {
    pub(crate) fn of(words: &'w Words) -> Self {
        Self { words, failed: Vec::new() }
    }

    /// The last word of a phrase in normal form whose first element is known to stand at the word `at`; of that
    /// element, the beginning may be left out.
    pub(crate) fn match_behind(&mut self, normal: &[u8], at: usize) -> Option<usize> {
        self.failed.clear();
        self.rest(split_element(normal).1, at)
    }

    /// Matches the elements of `rest` behind the word `last`.
    fn rest(&mut self, rest: &[u8], last: usize) -> Option<usize> {
        if rest.is_empty() {
            return Some(last);
        }
        let (element, behind) = split_element(rest);
        let (wanted, optional) = element.strip_suffix(b"?").map_or((element, false), |it| (it, true));
        if element != b"..." && !optional {
            return if self.stands(wanted, last + 1) { self.rest(behind, last + 1) } else { None };
        }
        // Ways through a phrase part at a gap or an optional word alone, so they meet again there too.
        let state = (rest.len(), last);
        if self.failed.contains(&state) {
            return None;
        }
        let found = if optional { self.optional(wanted, behind, last) } else { self.gap(behind, last) };
        if found.is_none() {
            self.failed.push(state);
        }
        found
    }

    fn optional(&mut self, wanted: &[u8], behind: &[u8], last: usize) -> Option<usize> {
        let taken = if self.stands(wanted, last + 1) { self.rest(behind, last + 1) } else { None };
        taken.or_else(|| self.rest(behind, last))
    }

    /// The nearest word behind a gap from which the phrase goes on.
    fn gap(&mut self, behind: &[u8], last: usize) -> Option<usize> {
        let (wanted, behind) = split_element(behind);
        for at in last + 1..=last + 1 + GAP {
            if !self.goes_on(at) {
                return None;
            }
            if element_matches(wanted, self.words.word(at))
                && let Some(end) = self.rest(behind, at)
            {
                return Some(end);
            }
        }
        None
    }

    fn stands(&self, wanted: &[u8], at: usize) -> bool {
        self.goes_on(at) && element_matches(wanted, self.words.word(at))
    }

    /// Whether a word belongs to the sentence of the one before.
    fn goes_on(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.before < Break::Sentence)
    }
}

/// The first element of a normal phrase, and the others. Elements are short: a plain loop is the fastest search.
fn split_element(normal: &[u8]) -> (&[u8], &[u8]) {
    match normal.iter().position(|&byte| byte == b' ') {
        Some(end) => (&normal[..end], &normal[end + 1..]),
        None => (normal, b""),
    }
}

fn element_matches(element: &[u8], word: &str) -> bool {
    element.split(|&byte| byte == b'|').any(|wanted| word_matches(wanted, word.as_bytes()))
}

/// Whether a word of a text is the wanted one, a beginning of it, or any number.
fn word_matches(wanted: &[u8], word: &[u8]) -> bool {
    match wanted {
        b"#" => word.first().is_some_and(u8::is_ascii_digit),
        _ if wanted.first() != word.first() => false,
        [stem @ .., b'*'] => word.starts_with(stem),
        wanted => wanted == word,
    }
}

#[cfg(test)]
mod tests {
    use super::{Matcher, Words, normalize};

    #[test]
    fn the_nearest_way_through_a_phrase_is_found() {
        for (phrase, text, last) in [
            ("a ... b ... c", "a b x c b c", Some(3)),
            ("a ... b c", "a b x b c", Some(4)),
            ("a b? c", "a c", Some(1)),
            ("a b? b? c", "a b b c", Some(3)),
            ("a b? b c", "a b c", Some(2)),
            ("aa ... bb ... cc", "aa bb. cc", None),
        ] {
            let normal = normalize(phrase).expect("a phrase");
            assert_eq!(
                Matcher::of(&Words::of(text)).match_behind(normal.as_bytes(), 0),
                last,
                "{phrase} in {text}"
            );
        }
    }

    #[test]
    fn the_work_of_a_phrase_is_bounded() {
        let optional = "a ".to_owned() + &"b? ".repeat(62) + "c";
        let normal = normalize(&optional).expect("a phrase");
        let words = Words::of(&("a".to_owned() + &" b".repeat(70)));
        assert_eq!(Matcher::of(&words).match_behind(normal.as_bytes(), 0), None);
        for phrase in ["a ... b ... c ... d ... e".to_owned(), "word ".repeat(65), optional + " d e"] {
            assert!(normalize(&phrase).is_err(), "{phrase}");
        }
    }
}
