//! Matching the rest of a phrase against the words of a text.

use super::hit::{GroupId, Hit};
use super::phrase;
use super::tokenize::{Break, Words, hash_of, is_contraction};
use super::work::PhraseWork;

/// The maximum number of words that `...` matches.
const GAP: usize = 8;

/// An element of an encoded phrase: a kind (1), the length of its content (2), and the content.
#[derive(Clone, Copy, Debug)]
struct PhrasePart<'p> {
    kind: u8,
    is_optional: bool,
    content: &'p [u8],
}

/// A word: its hash (4), and the word.
const WORD: u8 = 0;

/// Any word that begins so.
const PREFIX: u8 = 1;

/// Any longer word that ends so.
const ENDING: u8 = 2;

/// A number.
const NUMBER: u8 = 3;

/// "not", or a contraction with it.
const NOT: u8 = 4;

/// One of several: the [`FirstLetters`] of all (16), and the alternatives in normal form.
const ANY_OF: u8 = 5;

/// A term of one of some groups, by their numbers (2 each).
const GROUP: u8 = 6;

/// Up to [`GAP`] words.
const ANYTHING: u8 = 7;

/// A bit beside the kind: the word can be left out.
const IS_OPTIONAL: u8 = 1 << 7;

/// The length of what is before the content.
const HEAD: usize = 3;

/// Encodes a phrase in normal form, or its rest, for [`Matcher`].
pub(super) fn encode(normal: &str) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(normal.len() * 2);
    for element in normal.split(' ').filter(|it| !it.is_empty()) {
        let (bare, optional) = element.strip_suffix('?').map_or((element, 0), |it| (it, IS_OPTIONAL));
        let (kind, content) = encode_element(bare);
        encoded.push(kind | optional);
        encoded.extend((content.len() as u16).to_le_bytes());
        encoded.extend(content);
    }
    encoded
}

fn encode_element(element: &str) -> (u8, Vec<u8>) {
    if let Some(groups) = phrase::group_numbers(element.as_bytes()) {
        return (GROUP, groups.flat_map(GroupId::to_le_bytes).collect());
    }
    match element {
        "..." => (ANYTHING, Vec::new()),
        "#" => (NUMBER, Vec::new()),
        "not" => (NOT, Vec::new()),
        _ if element.contains('|') => {
            let is_any = |it: &str| it == "#" || it == "not" || it.starts_with('*');
            let letters = match element.split('|').any(is_any) {
                true => FirstLetters(u64::MAX, u64::MAX),
                false => element
                    .split('|')
                    .fold(FirstLetters::default(), |all, it| all.or(FirstLetters::of(it.as_bytes()))),
            };
            (ANY_OF, [&letters.0.to_le_bytes(), &letters.1.to_le_bytes(), element.as_bytes()].concat())
        }
        _ => match (element.strip_prefix('*'), element.strip_suffix('*')) {
            (Some(ending), _) => (ENDING, ending.into()),
            (_, Some(stem)) => (PREFIX, stem.into()),
            _ => (WORD, [&hash_of(element.as_bytes()).to_le_bytes(), element.as_bytes()].concat()),
        },
    }
}

impl<'p> PhrasePart<'p> {
    /// The first element of an encoded phrase, and those behind it.
    fn split(encoded: &'p [u8]) -> Option<(Self, &'p [u8])> {
        let (&[kind, low, high], rest) = encoded.split_first_chunk::<HEAD>()?;
        let (content, behind) = rest.split_at_checked(usize::from(u16::from_le_bytes([low, high])))?;
        Some((Self { kind: kind & !IS_OPTIONAL, is_optional: kind & IS_OPTIONAL != 0, content }, behind))
    }

    /// The steps of comparing it with a word: it may have thousands of alternatives.
    fn steps(self) -> usize {
        1 + self.content.len() / 16
    }

    fn has_group(self, group: GroupId) -> bool {
        self.content.chunks_exact(2).any(|it| it == group.to_le_bytes())
    }

    /// Whether it matches a word, with this hash.
    fn matches(self, bytes: &[u8], hash: u32) -> bool {
        match self.kind {
            WORD => self
                .content
                .split_first_chunk()
                .is_some_and(|(known, wanted)| u32::from_le_bytes(*known) == hash && wanted == bytes),
            PREFIX => bytes.starts_with(self.content),
            ENDING => bytes.len() > self.content.len() && bytes.ends_with(self.content),
            NUMBER => bytes.first().is_some_and(u8::is_ascii_digit),
            NOT => alternative_matches(b"not", bytes),
            ANY_OF => {
                let Some((letters, alternatives)) = self.content.split_first_chunk() else { return false };
                FirstLetters::decode(letters).have(FirstLetters::of(bytes))
                    && alternatives.split(|&byte| byte == b'|').any(|it| alternative_matches(it, bytes))
            }
            _ => false,
        }
    }
}

/// Whether a word is a wanted alternative in normal form.
pub(super) fn alternative_matches(wanted: &[u8], bytes: &[u8]) -> bool {
    match wanted {
        b"#" => bytes.first().is_some_and(u8::is_ascii_digit),
        [b'*', ending @ ..] => bytes.len() > ending.len() && bytes.ends_with(ending),
        b"not" => bytes == b"not" || std::str::from_utf8(bytes).is_ok_and(is_contraction),
        _ if wanted.first() != bytes.first() => false,
        [stem @ .., b'*'] => bytes.starts_with(stem),
        wanted => wanted == bytes,
    }
}

/// How words begin: a bit for the first letter of each, and one for a hash of its first three, which every prefix has.
#[derive(Clone, Copy, Debug, Default)]
struct FirstLetters(u64, u64);

impl FirstLetters {
    fn of(word: &[u8]) -> Self {
        let byte = |at: usize| word.get(at).copied().map_or(0, u32::from);
        let hash = (byte(0) << 16 | byte(1) << 8 | byte(2)).wrapping_mul(0x9e37_79b1) >> 26;
        Self(1 << (byte(0) & 63), 1 << hash)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }

    fn decode(bytes: &[u8; 16]) -> Self {
        let both = u128::from_le_bytes(*bytes);
        Self(both as u64, (both >> 64) as u64)
    }

    fn have(self, word: Self) -> bool {
        self.0 & word.0 != 0 && self.1 & word.1 != 0
    }
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
    fn terms(&self, element: PhrasePart<'w>, at: usize) -> impl Iterator<Item = usize> + use<'w> {
        let start = self.terms.partition_point(|hit| hit.first < at);
        let terms = &self.terms[start..];
        let count = terms.iter().take_while(|hit| hit.first == at).count();
        self.work.take(1 + count);
        let is_named = move |hit: &&Hit| hit.group.is_some_and(|group| element.has_group(group));
        terms[..count].iter().filter(is_named).map(|hit| hit.last)
    }

    /// The index of the last word of a phrase, whose rest in the form of [`encode`] must follow the word `at`.
    pub(crate) fn match_behind(&mut self, rest: &'w [u8], at: usize) -> Option<usize> {
        self.failed.clear();
        self.rest(rest, at)
    }

    /// Matches the elements of `rest` after the word `last`.
    fn rest(&mut self, mut rest: &'w [u8], mut last: usize) -> Option<usize> {
        loop {
            let Some((element, behind)) = PhrasePart::split(rest) else { return Some(last) };
            if !self.work.take(element.steps()) {
                return None;
            }
            if element.kind == GROUP {
                if !self.goes_on(last + 1) {
                    return None;
                }
                return self.terms(element, last + 1).find_map(|last| self.rest(behind, last));
            }
            if element.kind != ANYTHING && !element.is_optional {
                if !self.is_next(element, last + 1) {
                    return None;
                }
                (rest, last) = (behind, last + 1);
                continue;
            }
            // Alternatives arise only at gaps and optional words, so it is enough to store failures there.
            let state = (rest.len(), last);
            if !self.work.take(self.failed.len() / 16) || self.failed.contains(&state) {
                return None;
            }
            let found = match element.kind {
                ANYTHING => self.gap(behind, last),
                _ => self.optional(element, behind, last),
            };
            if found.is_none() {
                self.failed.push(state);
            }
            return found;
        }
    }

    fn optional(&mut self, element: PhrasePart<'w>, behind: &'w [u8], last: usize) -> Option<usize> {
        let taken = if self.is_next(element, last + 1) { self.rest(behind, last + 1) } else { None };
        taken.or_else(|| self.rest(behind, last))
    }

    /// Matches the rest of the phrase at the nearest possible word after a gap.
    fn gap(&mut self, behind: &'w [u8], last: usize) -> Option<usize> {
        let (wanted, behind) = PhrasePart::split(behind)?;
        for at in last + 1..=last + 1 + GAP {
            if !self.goes_on(at) || !self.work.take(wanted.steps()) {
                return None;
            }
            let end = match wanted.kind {
                GROUP => self.terms(wanted, at).find_map(|last| self.rest(behind, last)),
                _ if self.matches(wanted, at) => self.rest(behind, at),
                _ => None,
            };
            if end.is_some() {
                return end;
            }
        }
        None
    }

    fn is_next(&self, wanted: PhrasePart<'_>, at: usize) -> bool {
        self.goes_on(at) && self.matches(wanted, at)
    }

    fn matches(&self, wanted: PhrasePart<'_>, at: usize) -> bool {
        wanted.matches(self.words.bytes(at), self.words.hash(at))
    }

    /// Whether a word is in the same sentence as the word before it.
    fn goes_on(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.before < Break::Sentence)
    }
}

#[cfg(test)]
mod tests {
    use super::{Matcher, PhraseWork, Words, encode};
    use crate::text::phrase::normalize;
    use crate::text::vocabulary::Vocabulary;

    /// The last word of a phrase in a text that begins with its first word.
    fn last_word(phrase: &str, words: &Words, work: &PhraseWork) -> Option<usize> {
        let normal = normalize(phrase, &Vocabulary::default()).expect("a phrase");
        let rest = encode(normal.split_once(' ').map_or("", |(_, rest)| rest));
        Matcher::of(words, work).match_behind(&rest, 0)
    }

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
            let (words, work) = (Words::of(text), PhraseWork::of(text.len()));
            assert_eq!(last_word(phrase, &words, &work), last, "{phrase} in {text}");
        }
    }

    #[test]
    fn the_work_of_a_phrase_is_bounded() {
        let optional = "a ".to_owned() + &"b? ".repeat(62) + "c";
        let words = Words::of(&("a".to_owned() + &" b".repeat(70)));
        let work = PhraseWork::of(0);
        assert_eq!(last_word(&optional, &words, &work), None);
        assert!(!work.is_spent());
        for phrase in ["a ... b ... c ... d ... e".to_owned(), "word ".repeat(65), optional + " d e"] {
            assert!(normalize(&phrase, &Vocabulary::default()).is_err(), "{phrase}");
        }
    }
}
