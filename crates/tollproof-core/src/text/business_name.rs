//! The names by which readers recognize the business.

use smallvec::SmallVec;

use crate::text::scan::Scan;
use crate::text::words::{Words, hash_of};
use crate::validators::host;
use crate::validators::word_lists::business_names::{ALSO_KNOWN, CATEGORIES, COMMON, LEGAL_FORMS, SMALL};

/// The maximum number of words read of a name.
const MAX_WORDS: usize = 16;

/// The names that a business uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BusinessName {
    /// Each name as folded words, without legal forms and leading articles.
    names: Vec<Vec<String>>,
    /// Names written as one word: the domain label of the website, initials.
    single: Vec<String>,
    /// The domain label of the website, such as `acme` of `www.acme.com`.
    site: Option<String>,
}

impl BusinessName {
    /// Collects the names from the business name, the name it does business as, a second name in the notes, and the host
    /// of the business's website.
    pub(crate) fn of([legal, other, notes]: [&str; 3], site: Option<&str>) -> Self {
        let mut brand = Self::default();
        for name in [legal, other].into_iter().chain(second_names(notes)).chain(second_names(legal)) {
            brand.add(name);
        }
        brand.site = site.and_then(host::site_label).map(|label| folded(label).concat());
        brand
    }

    fn add(&mut self, name: &str) {
        let is_telling = |word: &String| !LEGAL_FORMS.contains(&word.as_str());
        let words: Vec<String> = folded(name).into_iter().filter(is_telling).take(MAX_WORDS).collect();
        if words.is_empty() {
            return;
        }
        let initials = |kept: &dyn Fn(&str) -> bool| -> String {
            words.iter().filter(|it| kept(it)).filter_map(|it| it.chars().next()).collect()
        };
        let pair = [initials(&|it| it != "and"), initials(&|it| !SMALL.contains(&it))];
        self.single.extend(pair.into_iter().filter(|it| it.len() >= 3));
        if words.len() > 1 {
            self.single.push(words.concat());
            // People shorten a name to its first words and the initials of the rest: Marshall County EMA.
            self.single.extend(
                (1..words.len().saturating_sub(1))
                    .map(|at| words[at..].iter().filter_map(|it| it.chars().next()).collect::<String>())
                    .filter(|it| it.len() >= 3),
            );
        }
        self.names.push(words);
    }

    /// Whether no name is known.
    pub(crate) fn is_unknown(&self) -> bool {
        self.names.is_empty() && self.single.is_empty() && self.site.is_none()
    }

    /// Whether a scanned text contains one of the names, or a distinctive part of one.
    pub(crate) fn is_in(&self, text: &str, scan: &Scan) -> bool {
        self.is_in_link(text, scan) || self.is_in_words(scan)
    }

    /// Whether a scanned text contains a link to a domain that matches one of the names.
    pub(crate) fn is_in_link(&self, text: &str, scan: &Scan) -> bool {
        let one_word = || self.single.iter().chain(&self.site);
        let links = scan.addresses(text).iter().filter_map(|(_, address)| address.site_label());
        links.map(|label| folded(label).concat()).any(|label| one_word().any(|name| *name == label))
    }

    /// Whether the words of a text contain one of the names; links are not considered.
    pub(crate) fn is_in_words(&self, scan: &Scan) -> bool {
        let one_word = || self.single.iter().chain(&self.site);
        one_word().any(|name| has_word(name, &scan.words) || is_pair(name, &scan.words))
            || self.names.iter().any(|name| shares(name, &scan.words))
    }

    /// Whether a single word, such as a domain label or the local part of an e-mail address, matches a name of the
    /// business or its website's label.
    pub(crate) fn is_like(&self, label: &str) -> bool {
        let site = self.site.as_ref().filter(|site| site.len() >= 4);
        self.names_it(label) || site.is_some_and(|site| folded(label).concat().contains(site.as_str()))
    }

    /// Whether a single word matches a name of the business; the website is not considered.
    pub(crate) fn names_it(&self, label: &str) -> bool {
        let label = folded(label).concat();
        let holds = |part: &str| {
            part.len() >= 3 && label.contains(part) || label.len() >= 4 && part.starts_with(&label)
        };
        self.single.iter().any(|name| holds(name))
            || self.names.iter().any(|name| {
                telling(name).any(|word| word.len() >= 4 && label.contains(word)) || holds(&name.concat())
            })
    }
}

/// Whether one of the words is this one.
fn has_word(word: &str, words: &Words) -> bool {
    let hash = hash_of(word.as_bytes());
    (0..words.len()).any(|at| words.hash(at) == hash && words.word(at) == word)
}

/// Whether two adjacent words form a name that is written as one word: Pet Smart.
fn is_pair(name: &str, words: &Words) -> bool {
    let name = name.as_bytes();
    let is_first = |word: &[u8]| word.len() < name.len() && word.first() == name.first();
    let second = |word: &[u8]| if is_first(word) { name.strip_prefix(word) } else { None };
    (1..words.len()).any(|at| second(words.bytes(at - 1)).is_some_and(|rest| rest == words.bytes(at)))
}

/// Whether the words contain a distinctive word of a name or, if the name has none, all its words in a row.
fn shares(name: &[String], words: &Words) -> bool {
    let mut telling = telling(name).peekable();
    if telling.peek().is_none() {
        // The kind of business may be omitted after initials: D & J Enterprises signs as D & J.
        let rest = name.len() - name.iter().rev().take_while(|it| CATEGORIES.contains(&it.as_str())).count();
        let is_shared = |it: &String| COMMON.contains(&it.as_str());
        let name = if rest >= 2 && !name[..rest].iter().all(is_shared) { &name[..rest] } else { name };
        let stands_at =
            |at: usize| name.iter().enumerate().all(|(index, word)| words.word(at + index) == word);
        return (0..words.len()).any(stands_at);
    }
    let same = |one: &str, other: &str| one == other || one.strip_suffix('s') == Some(other);
    telling.any(|word| {
        is_pair(word, words)
            || (0..words.len()).map(|index| words.word(index)).any(|it| same(it, word) || same(word, it))
    })
}

/// The distinctive words of a name: at least two letters, not common, and not a kind of business.
fn telling(name: &[String]) -> impl Iterator<Item = &str> {
    let shared = |it: &&str| COMMON.contains(it) || CATEGORIES.contains(it);
    name.iter().map(String::as_str).filter(move |it| it.len() >= 2 && !shared(it))
}

/// The name after each `dba`, up to the next punctuation mark.
fn second_names(text: &str) -> impl Iterator<Item = &str> {
    let starts = firsts_of(text.to_ascii_lowercase().as_bytes(), ALSO_KNOWN);
    ALSO_KNOWN.iter().zip(starts).filter_map(move |(start, at)| {
        let rest = text.get(at? + start.len()..)?;
        let end = rest.find(['.', ',', ';', '\n', '(', ')']).unwrap_or(rest.len());
        Some(&rest[..end])
    })
}

/// Where each of some strings of at least three bytes occurs first in a text, in one pass.
fn firsts_of(text: &[u8], wanted: &[&str]) -> SmallVec<[Option<usize>; 16]> {
    // A bit for the first three bytes of each string, so that most places need no comparison.
    let mut filter = [0_u64; 16];
    let bit = |bytes: &[u8]| {
        let bytes = u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2]);
        (bytes.wrapping_mul(0x9e37_79b1) >> 22) as usize
    };
    for bit in wanted.iter().filter_map(|it| it.as_bytes().get(..3)).map(bit) {
        filter[bit / 64] |= 1 << (bit % 64);
    }
    let mut found: SmallVec<[Option<usize>; 16]> = SmallVec::from_elem(None, wanted.len());
    for (at, bit) in text.windows(3).map(bit).enumerate() {
        if filter[bit / 64] >> (bit % 64) & 1 == 1 {
            for (first, wanted) in found.iter_mut().zip(wanted) {
                if first.is_none() && text[at..].starts_with(wanted.as_bytes()) {
                    *first = Some(at);
                }
            }
        }
    }
    found
}

/// Lists of hosts whose domain label is the name of another business.
pub(crate) fn shared_hosts() -> [String; 3] {
    ["social-hosts", "preview-hosts", "site-builder-hosts"].map(str::to_owned)
}

/// Whether a name ends in a legal form, such as LLC.
pub(crate) fn has_legal_form(name: &str) -> bool {
    folded(name).last().is_some_and(|last| LEGAL_FORMS.contains(&last.as_str()))
}

fn folded(text: &str) -> Vec<String> {
    let words = Words::of(text);
    (0..words.len()).map(|index| words.word(index).to_owned()).collect()
}
