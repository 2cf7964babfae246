//! The phrase language, and matching a phrase against words.
//!
//! `opt out`: these words in a row. `enrol*`: any word with this prefix. `sell|share`: either word. `your?`: an
//! optional word. `...`: up to eight words of the same sentence. `#`: a number. `*ing`: any word with this ending,
//! except as the first word. `<consent>`: a term of this group of the vocabulary.

use super::hit::{GroupId, Hit};
use super::tokenize::{BOX, Break, TICKED_BOX, URL, Words, contraction, is_contraction};
use super::vocabulary::Vocabulary;
use super::work::PhraseWork;

/// The maximum number of words that `...` matches.
const GAP: usize = 8;

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
pub(crate) fn normalize(phrase: &str, vocabulary: &Vocabulary<'_>) -> Result<String, String> {
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
            Err(format!("behind `...` of `{phrase}` must stand a word that cannot be left out"))
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

/// Whether a phrase in normal form names groups.
pub(crate) fn names_groups(normal: &str) -> bool {
    normal.split(' ').any(|element| group_numbers(element.as_bytes()).is_some())
}

/// The numbers of the groups that an element in normal form names.
pub(super) fn group_numbers(element: &[u8]) -> Option<impl Iterator<Item = GroupId>> {
    let numbers = element.strip_prefix(b"<").and_then(|it| it.strip_suffix(b">"))?;
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
    numbers
        .first()
        .is_some_and(u8::is_ascii_digit)
        .then(|| numbers.split(|&it| it == b'|').filter_map(number))
}

/// The alternatives of the first word of a phrase in normal form.
pub(crate) fn first_words(normal: &str) -> impl Iterator<Item = &str> {
    normal.split(' ').next().unwrap_or_default().split('|')
}

/// Matches phrases whose first word was found in a text.
#[derive(Debug)]
pub(crate) struct Matcher<'w> {
    words: &'w Words,
    /// The terms of groups in the text, sorted by their first words.
    terms: &'w [Hit],
    /// Failed attempts: the length of the remaining phrase and the index of the last matched word. Nothing is tried
    /// twice, so that the running time does not grow with the number of possible matches.
    failed: Vec<(usize, usize)>,
    work: &'w PhraseWork,
}

impl<'w> Matcher<'w> {
    pub(crate) fn of(words: &'w Words, work: &'w PhraseWork) -> Self {
        Self::with_terms(words, &[], work)
    }

    /// A matcher for phrases that name groups.
    pub(crate) fn with_terms(words: &'w Words, terms: &'w [Hit], work: &'w PhraseWork) -> Self {
        Self { words, terms, failed: Vec::new(), work }
    }

    /// What the text may still cost.
    pub(crate) fn work(&self) -> &'w PhraseWork {
        self.work
    }

    /// The last words of the terms that begin at a word and whose group an element names.
    fn term(&self, element: &'w [u8], at: usize) -> impl Iterator<Item = usize> + use<'w> {
        let before = |word: usize| self.terms.partition_point(|hit| hit.first < word);
        let terms = &self.terms[before(at)..before(at + 1)];
        self.work.take(1 + terms.len());
        let names =
            move |group: GroupId| group_numbers(element).is_some_and(|mut it| it.any(|known| known == group));
        terms.iter().filter(move |hit| hit.group.is_some_and(names)).map(|hit| hit.last)
    }

    /// The index of the last word of the rest of a phrase in normal form, as [`encode`] writes it, behind elements that end
    /// with the word `at`. The start of the last of these elements may stand before the rest.
    pub(crate) fn match_behind(&mut self, normal: &'w [u8], at: usize) -> Option<usize> {
        self.failed.clear();
        let (alternatives, behind) = split_element(normal);
        self.work.take(steps(alternatives));
        self.rest(behind, at)
    }

    /// Matches the elements of `rest` after the word `last`.
    fn rest(&mut self, rest: &'w [u8], last: usize) -> Option<usize> {
        if rest.is_empty() {
            return Some(last);
        }
        let (element, behind) = split_element(rest);
        if !self.work.take(steps(element)) {
            return None;
        }
        if group_numbers(element).is_some() {
            if !self.goes_on(last + 1) {
                return None;
            }
            return self.term(element, last + 1).find_map(|last| self.rest(behind, last));
        }
        let (wanted, optional) = element.strip_suffix(b"?").map_or((element, false), |it| (it, true));
        if element != b"..." && !optional {
            return if self.stands(wanted, last + 1) { self.rest(behind, last + 1) } else { None };
        }
        // Alternatives arise only at gaps and optional words, so it is enough to store failures there.
        let state = (rest.len(), last);
        if !self.work.take(self.failed.len() / 16) || self.failed.contains(&state) {
            return None;
        }
        let found = if optional { self.optional(wanted, behind, last) } else { self.gap(behind, last) };
        if found.is_none() {
            self.failed.push(state);
        }
        found
    }

    fn optional(&mut self, wanted: &'w [u8], behind: &'w [u8], last: usize) -> Option<usize> {
        let taken = if self.stands(wanted, last + 1) { self.rest(behind, last + 1) } else { None };
        taken.or_else(|| self.rest(behind, last))
    }

    /// Matches the rest of the phrase at the nearest possible word after a gap.
    fn gap(&mut self, behind: &'w [u8], last: usize) -> Option<usize> {
        let (wanted, behind) = split_element(behind);
        for at in last + 1..=last + 1 + GAP {
            if !self.goes_on(at) || !self.work.take(steps(wanted)) {
                return None;
            }
            if group_numbers(wanted).is_some() {
                let end = self.term(wanted, at).find_map(|last| self.rest(behind, last));
                if end.is_some() {
                    return end;
                }
            } else if element_matches(wanted, self.words.word(at))
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

    /// Whether a word is in the same sentence as the word before it.
    fn goes_on(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.before < Break::Sentence)
    }
}

/// The steps of comparing an element with a word: it may have thousands of alternatives.
fn steps(element: &[u8]) -> usize {
    1 + element.len() / 16
}

/// In the rest of an encoded phrase: an element with many alternatives follows, after its length (2) and the [`Letters`]
/// of its alternatives (16), so that most words need not be compared with each of them.
const MANY: u8 = 1;

/// The length of what is before such an element.
const HEAD: usize = 3 + 16;

/// The number of alternatives that are many.
const FEW: usize = 3;

/// Encodes the rest of a phrase in normal form for [`Matcher`].
pub(super) fn encode(rest: &str) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(rest.len());
    for element in rest.split(' ').filter(|it| !it.is_empty()) {
        encoded.push(b' ');
        let bare = element.strip_suffix('?').unwrap_or(element);
        let is_word = |it: &str| it != "#" && it != "not" && !it.starts_with('*');
        if bare.split('|').count() > FEW && bare.split('|').all(is_word) && !element.starts_with('<') {
            let letters =
                bare.split('|').fold(Letters::default(), |all, it| all.and(Letters::of(it.as_bytes())));
            encoded.push(MANY);
            encoded.extend((element.len() as u16).to_le_bytes());
            encoded.extend(letters.0.to_le_bytes());
            encoded.extend(letters.1.to_le_bytes());
        }
        encoded.extend(element.as_bytes());
    }
    encoded
}

/// How words begin: a bit for the first letter of each, and one for a hash of its first three, which every prefix has.
#[derive(Clone, Copy, Debug, Default)]
struct Letters(u64, u64);

impl Letters {
    fn of(word: &[u8]) -> Self {
        let byte = |at: usize| word.get(at).copied().map_or(0, u32::from);
        let hash = (byte(0) << 16 | byte(1) << 8 | byte(2)).wrapping_mul(0x9e37_79b1) >> 26;
        Self(1 << (byte(0) & 63), 1 << hash)
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }

    fn decode(head: &[u8; HEAD]) -> Self {
        let bits = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| head[at + index]));
        Self(bits(3), bits(11))
    }

    fn have(self, word: Self) -> bool {
        self.0 & word.0 != 0 && self.1 & word.1 != 0
    }
}

/// The head of an element with many alternatives, and the element.
fn split_head(element: &[u8]) -> Option<(&[u8; HEAD], &[u8])> {
    element.first().filter(|it| **it == MANY)?;
    element.split_first_chunk()
}

/// Splits off the first element of a phrase. Elements are short, so a plain loop is fastest.
fn split_element(normal: &[u8]) -> (&[u8], &[u8]) {
    if let Some((head, _)) = split_head(normal) {
        let end = HEAD + usize::from(u16::from_le_bytes([head[1], head[2]]));
        return (&normal[..end], normal.get(end + 1..).unwrap_or_default());
    }
    match normal.iter().position(|&byte| byte == b' ') {
        Some(end) => (&normal[..end], &normal[end + 1..]),
        None => (normal, b""),
    }
}

fn element_matches(element: &[u8], word: &str) -> bool {
    let mut element = element;
    if let Some((head, alternatives)) = split_head(element) {
        if !Letters::decode(head).have(Letters::of(word.as_bytes())) {
            return false;
        }
        element = alternatives;
    }
    element.split(|&byte| byte == b'|').any(|wanted| word_matches(wanted, word.as_bytes()))
}

/// Whether a word equals the wanted one, starts with the wanted prefix, or is a number if any number is wanted.
pub(super) fn word_matches(wanted: &[u8], word: &[u8]) -> bool {
    match wanted {
        b"#" => word.first().is_some_and(u8::is_ascii_digit),
        [b'*', ending @ ..] => word.len() > ending.len() && word.ends_with(ending),
        b"not" => word == b"not" || std::str::from_utf8(word).is_ok_and(is_contraction),
        _ if wanted.first() != word.first() => false,
        [stem @ .., b'*'] => word.starts_with(stem),
        wanted => wanted == word,
    }
}

#[cfg(test)]
mod tests {
    use super::{Matcher, PhraseWork, Vocabulary, Words, normalize};

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
            let normal = normalize(phrase, &Vocabulary::default()).expect("a phrase");
            let (words, work) = (Words::of(text), PhraseWork::of(text.len()));
            let found = Matcher::of(&words, &work).match_behind(normal.as_bytes(), 0);
            assert_eq!(found, last, "{phrase} in {text}");
        }
    }

    #[test]
    fn the_work_of_a_phrase_is_bounded() {
        let optional = "a ".to_owned() + &"b? ".repeat(62) + "c";
        let normal = normalize(&optional, &Vocabulary::default()).expect("a phrase");
        let words = Words::of(&("a".to_owned() + &" b".repeat(70)));
        let work = PhraseWork::of(0);
        assert_eq!(Matcher::of(&words, &work).match_behind(normal.as_bytes(), 0), None);
        assert!(!work.is_spent());
        for phrase in ["a ... b ... c ... d ... e".to_owned(), "word ".repeat(65), optional + " d e"] {
            assert!(normalize(&phrase, &Vocabulary::default()).is_err(), "{phrase}");
        }
    }
}
