//! The names by which readers recognize the business.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use smallvec::SmallVec;
use tollproof_data::tables::business_names::{ALSO_KNOWN, CATEGORIES, COMMON, LEGAL_FORMS, SMALL};
use tollproof_data::text::words::word::Words;

use crate::text::asked::scan::Scan;
use crate::validators::host;

/// The maximum number of words read of a name.
const MAX_WORDS: usize = 16;

/// The most words that are looked for on a website.
const MAX_NAMING: usize = 50;

/// The names that a business uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BusinessName {
    names: Vec<NameWords>,
    /// Names written as one word, such as initials; most texts have another name.
    single: OnceCell<Vec<String>>,
    /// The domain label of the website, such as `acme` of `www.acme.com`.
    site: Option<String>,
}

/// A name as folded words, without legal forms.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NameWords {
    /// The words, written as one.
    joined: String,
    /// The place of each word in it.
    ranges: SmallVec<[Range<usize>; 4]>,
    /// The places of the distinctive ones.
    telling: SmallVec<[Range<usize>; 2]>,
}

impl NameWords {
    /// The words of a name, unless all of them are legal forms.
    fn of(all: &Words) -> Option<Self> {
        let mut words = Self { joined: String::new(), ranges: SmallVec::new(), telling: SmallVec::new() };
        let kept =
            (0..all.len()).map(|at| all.word(at)).filter(|word| LEGAL_FORMS.binary_search(word).is_err());
        for word in kept.take(MAX_WORDS) {
            let start = words.joined.len();
            words.joined.push_str(word);
            let range = start..words.joined.len();
            words.telling.extend(is_telling(word).then(|| range.clone()));
            words.ranges.push(range);
        }
        (!words.ranges.is_empty()).then_some(words)
    }

    fn len(&self) -> usize {
        self.ranges.len()
    }

    fn words(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.ranges.iter().map(|range| &self.joined[range.clone()])
    }

    /// The first letters of some of the words.
    fn initials(&self, is_kept: impl Fn(usize, &str) -> bool) -> String {
        let words = self.words().enumerate().filter(|(at, word)| is_kept(*at, word));
        words.filter_map(|(_, word)| word.chars().next()).collect()
    }

    /// The name written as one word: as a whole, or by its initials.
    fn single(&self) -> Vec<String> {
        let is_small = |word: &str| SMALL.binary_search(&word).is_ok();
        // Words that say what kind of body it is may be left out: NASAR of the Northern Arizona Search and Rescue Association.
        let is_kind =
            |word: &&str| COMMON.binary_search(word).is_ok() || CATEGORIES.binary_search(word).is_ok();
        let kept = self.len() - self.words().rev().take_while(is_kind).count();
        let mut single = Vec::new();
        for length in kept..=self.len() {
            single.push(self.initials(|at, _| at < length));
            single.push(self.initials(|at, word| at < length && word != "and"));
            single.push(self.initials(|at, word| at < length && !is_small(word)));
        }
        // People shorten a name to its first words and the initials of the rest: Marshall County EMA.
        single.extend((1..self.len().max(2) - 1).map(|first| self.initials(|at, _| at >= first)));
        single.retain(|it| it.len() >= 3);
        if self.len() > 1 {
            single.push(self.joined.clone());
        }
        single
    }

    fn telling(&self) -> impl Iterator<Item = &str> {
        self.telling.iter().map(|range| &self.joined[range.clone()])
    }

    /// Whether a text has one of the distinctive words, in the singular or the plural.
    fn tells(&self, words: &Words) -> bool {
        let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
        self.telling().any(|word| {
            let is_it = |other: &str| other == word || is_plural(other, word) || is_plural(word, other);
            (0..words.len()).any(|at| is_it(words.word(at)))
        })
    }
}

/// Whether a word of a name is distinctive: at least two letters, not common, and not a kind of business.
fn is_telling(word: &str) -> bool {
    word.len() >= 2 && COMMON.binary_search(&word).is_err() && CATEGORIES.binary_search(&word).is_err()
}

impl BusinessName {
    /// Collects the names from the words of the names that the business declares, second names in some texts, and the host
    /// of the business's website.
    pub(crate) fn of(declared: &[&Words], texts: [&str; 2], site: Option<&str>) -> Self {
        let mut brand = Self::default();
        let second = texts.into_iter().filter(|it| !it.is_empty()).flat_map(second_names).map(Words::of);
        brand.names.extend(declared.iter().filter_map(|words| NameWords::of(words)));
        brand.names.extend(second.filter_map(|words| NameWords::of(&words)));
        brand.site = site.and_then(host::site_label).map(|label| one_word(label).into_owned());
        brand
    }

    /// The names written as one word.
    fn single(&self) -> &[String] {
        self.single.get_or_init(|| self.names.iter().flat_map(NameWords::single).collect())
    }

    /// Whether no name is known.
    pub(crate) fn is_unknown(&self) -> bool {
        self.names.is_empty() && self.site.is_none()
    }

    /// Whether a scanned text contains one of the names, or a distinctive part of one.
    pub(crate) fn is_in(&self, text: &str, scan: &Scan) -> bool {
        self.is_in_words(scan) || self.is_in_link(text, scan)
    }

    /// Whether a scanned text contains a link to a domain that matches one of the names.
    pub(crate) fn is_in_link(&self, text: &str, scan: &Scan) -> bool {
        let names = || self.single().iter().chain(&self.site);
        let links = scan.addresses(text).iter().filter_map(|(_, address)| address.site_label());
        links.map(one_word).any(|label| names().any(|name| *name == label))
    }

    /// Whether the words of a text contain one of the names; links are not considered.
    pub(crate) fn is_in_words(&self, scan: &Scan) -> bool {
        // The most likely first.
        self.names.iter().any(|name| name.tells(scan.words()))
            || self.single().iter().chain(&self.site).any(|name| has_word(name, scan.words()))
            || self.single().iter().chain(&self.site).any(|name| is_row(name, scan.words()))
            || self.names.iter().any(|name| shares(name, scan.words()))
    }

    /// Whether one of the declared names has a distinctive word.
    pub(crate) fn is_distinctive(&self) -> bool {
        self.names.iter().any(|name| !name.telling.is_empty())
    }

    /// The words of which one names the business: the distinctive ones of its declared names, in the singular, and the names as
    /// one word. Empty if no name has a distinctive word.
    pub(crate) fn naming_words(&self) -> BTreeSet<String> {
        if !self.is_distinctive() {
            return BTreeSet::new();
        }
        let telling = self.names.iter().flat_map(NameWords::telling);
        let singular =
            telling.map(|word| word.strip_suffix('s').filter(|one| one.len() >= 3).unwrap_or(word));
        let words = singular.map(str::to_owned).chain(self.single().iter().cloned());
        words.take(MAX_NAMING).collect()
    }

    /// Whether a text has a distinctive word of a declared name, or one as a single word; the website is not considered.
    pub(crate) fn shares_a_word(&self, scan: &Scan) -> bool {
        let is_single = |name: &String| has_word(name, scan.words()) || is_row(name, scan.words());
        self.names.iter().any(|name| name.tells(scan.words()) || shares(name, scan.words()))
            || self.single().iter().any(is_single)
    }

    /// Whether a single word, such as a domain label or the local part of an e-mail address, matches a name of the
    /// business or its website's label.
    pub(crate) fn is_like(&self, label: &str) -> bool {
        let site = self.site.as_ref().filter(|site| site.len() >= 4);
        self.names_it(label) || site.is_some_and(|site| one_word(label).contains(site.as_str()))
    }

    /// Whether a single word matches a name of the business; the website is not considered.
    pub(crate) fn names_it(&self, label: &str) -> bool {
        let label = one_word(label);
        let holds = |part: &str| {
            part.len() >= 3 && label.contains(part) || label.len() >= 4 && part.starts_with(&*label)
        };
        // The most likely first.
        self.names.iter().any(|name| {
            name.telling().any(|word| word.len() >= 4 && label.contains(word)) || holds(&name.joined)
        }) || self.single().iter().any(|name| holds(name))
    }
}

/// Whether one of the words is this one.
fn has_word(word: &str, words: &Words) -> bool {
    (0..words.len()).any(|at| words.word(at) == word)
}

/// Whether up to four adjacent words form a name that is written as one word: Pet Smart, Pip & Fern.
fn is_row(name: &str, words: &Words) -> bool {
    (0..words.len()).any(|first| {
        let mut rest = name.as_bytes();
        for at in first..words.len().min(first + 4) {
            let word = words.bytes(at);
            match rest.strip_prefix(word) {
                Some(left) => rest = left,
                // Such a name may leave it out.
                None if at > first && matches!(word, b"&" | b"and") => {}
                None => return false,
            }
            if rest.is_empty() {
                return at > first;
            }
        }
        false
    })
}

/// Whether adjacent words form a distinctive word of a name or, if it has none, whether all its words are there in a
/// row.
fn shares(name: &NameWords, words: &Words) -> bool {
    if !name.telling.is_empty() {
        return name.telling().any(|word| is_row(word, words));
    }
    // The kind of business may be omitted after initials: D & J Enterprises signs as D & J.
    let is_category = |category: &&str| CATEGORIES.binary_search(category).is_ok();
    let rest = name.len() - name.words().rev().take_while(is_category).count();
    let is_enough = rest >= 2 && !name.words().take(rest).all(|word| COMMON.binary_search(&word).is_ok());
    let length = if is_enough { rest } else { name.len() };
    let stands_at = |at: usize| name.words().take(length).zip(at..).all(|(word, at)| words.word(at) == word);
    (0..words.len()).any(stands_at)
}

/// The name after each `dba`, up to the next punctuation mark.
fn second_names(text: &str) -> impl Iterator<Item = &str> {
    let starts = firsts_of(text.as_bytes());
    ALSO_KNOWN.iter().zip(starts).filter_map(move |(start, at)| {
        let rest = text.get(at? + start.len()..)?;
        let end = rest.find(['.', ',', ';', '\n', '(', ')']).unwrap_or(rest.len());
        Some(&rest[..end])
    })
}

/// A bit for the two bytes before the space at the end of each of [`ALSO_KNOWN`], so that most spaces need no comparison.
static ENDINGS: [u64; 4] = {
    let mut filter = [0; 4];
    let mut at = 0;
    while at < ALSO_KNOWN.len() {
        let bytes = ALSO_KNOWN[at].as_bytes();
        let bit = ending_bit(bytes[bytes.len() - 3], bytes[bytes.len() - 2]);
        filter[bit / 64] |= 1 << (bit % 64);
        at += 1;
    }
    filter
};

/// The bit of two bytes in [`ENDINGS`].
const fn ending_bit(first: u8, second: u8) -> usize {
    first.to_ascii_lowercase().wrapping_mul(7).wrapping_add(second.to_ascii_lowercase()) as usize
}

/// Finds the first place of each of [`ALSO_KNOWN`] in a text, ignoring the case of ASCII letters. Each has at least three
/// bytes, and the last one is a space.
fn firsts_of(text: &[u8]) -> SmallVec<[Option<usize>; 16]> {
    let mut found: SmallVec<[Option<usize>; 16]> = SmallVec::from_elem(None, ALSO_KNOWN.len());
    for space in memchr::memchr_iter(b' ', text) {
        let Some(before) = space.checked_sub(2) else { continue };
        let bit = ending_bit(text[before], text[before + 1]);
        if ENDINGS[bit / 64] >> (bit % 64) & 1 == 1 {
            for (first, wanted) in found.iter_mut().zip(ALSO_KNOWN) {
                let start = (space + 1).checked_sub(wanted.len()).filter(|_| first.is_none());
                *first =
                    start.filter(|at| text[*at..=space].eq_ignore_ascii_case(wanted.as_bytes())).or(*first);
            }
        }
    }
    found
}

/// Lists of hosts whose domain label is the name of another business.
pub(crate) const SHARED_HOSTS: [&str; 4] =
    ["social-hosts", "preview-hosts", "publishing-hosts", "site-builder-hosts"];

/// Whether a name ends in a legal form, such as LLC.
pub(crate) fn has_legal_form(name: &str) -> bool {
    folded(name).last().is_some_and(|last| LEGAL_FORMS.binary_search(&last.as_str()).is_ok())
}

fn folded(text: &str) -> Vec<String> {
    let words = Words::of(text);
    (0..words.len()).map(|index| words.word(index).to_owned()).collect()
}

/// The folded words of a label of a host, joined.
fn one_word(label: &str) -> Cow<'_, str> {
    // Fast path: such a label is one word, which is folded already. A word with "not" may be changed.
    let is_plain = label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is_plain && label != "cannot" { label.into() } else { folded(label).concat().into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_words_that_name_a_business_are_distinctive() {
        let words = |name: &str| BusinessName::of(&[&Words::of(name)], ["", ""], None).naming_words();
        let of = |expected: &[&str]| expected.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(
            words("Quillback Kayak Tours LLC"),
            of(&["kayak", "qkt", "quillback", "quillbackkayaktours"])
        );
        assert_eq!(words("The Company LLC"), of(&[]));
    }

    #[test]
    fn beginnings_of_second_names_end_in_a_space() {
        assert!(ALSO_KNOWN.iter().all(|phrase| phrase.len() >= 3 && phrase.ends_with(' ')));
        let names = |text: &'static str| second_names(text).map(str::trim).collect::<Vec<_>>();
        assert_eq!(names("Acme LLC DBA Tideboard, a shop"), ["Tideboard"]);
        assert_eq!(names("DOING BUSINESS AS Tide. dba Board (dba Other)"), ["Board", "Tide"]);
        assert_eq!(names("o/a Tide"), Vec::<&str>::new());
        assert_eq!(names("Acme o/a Tide"), ["Tide"]);
    }

    proptest! {
        #[test]
        fn a_label_is_folded_as_a_text(label in "(not|can|cannot|do|[a-z0-9-]{0,6}|[A-Zé_]{0,2}){0,3}") {
            prop_assert_eq!(one_word(&label), folded(&label).concat());
        }
    }
}
