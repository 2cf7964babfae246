//! The name of the business in its other texts: it is read by itself, so that its words mean nothing together with those
//! around it.

use std::ops::Range;

use smallvec::SmallVec;
use tollproof_data::tables::business_names::LEGAL_FORMS;
use tollproof_data::text::words::hit::Hit;
use tollproof_data::text::words::word::{Word, Words};

/// A name of the business, as it is written where it is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnName<'n> {
    text: &'n str,
    words: &'n Words,
    /// The matches in it.
    hits: &'n [Hit],
    /// The number of words left of it without legal forms at its end.
    length: usize,
}

/// A place where a text names the business.
#[derive(Clone, Debug)]
pub(crate) struct NamePlace<'n> {
    pub(crate) words: Range<usize>,
    /// The matches in the name.
    hits: &'n [Hit],
}

/// The maximum number of words of a name; a longer one is none.
const MAX_WORDS: usize = 16;

/// The places of names in a text, in order and apart from each other.
pub(crate) type NamePlaces<'n> = SmallVec<[NamePlace<'n>; 2]>;

impl NamePlace<'_> {
    /// The hits in the name that begin in some words of the text.
    pub(crate) fn hits_in(&self, words: &Range<usize>) -> impl Iterator<Item = Hit> {
        let moved = |hit: &Hit| Hit {
            first: hit.first + self.words.start,
            last: hit.last + self.words.start,
            ..*hit
        };
        let is_there = |hit: &Hit| words.contains(&hit.first) && hit.last < self.words.end;
        self.hits.iter().map(moved).filter(is_there)
    }
}

/// The number of words left of a name without legal forms at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameLength(usize);

impl NameLength {
    /// That of a name with its words. `None` if it could also be the beginning of a sentence: a name of a single word, or
    /// without a capital letter.
    pub(crate) fn of(text: &str, words: &Words) -> Option<Self> {
        if words.len() > MAX_WORDS {
            return None;
        }
        let is_form = |at: &usize| LEGAL_FORMS.binary_search(&words.word(at - 1)).is_ok();
        let forms = (1..=words.len()).rev().take_while(is_form).count();
        let length = if words.len() - forms < 2 { words.len() } else { words.len() - forms };
        (length >= 2 && is_capital(text, words.get(0)?)).then_some(Self(length))
    }
}

impl<'n> OwnName<'n> {
    /// A name with its words, what was found in it, and its length.
    pub(crate) fn of(
        text: &'n str,
        (words, hits): (&'n Words, &'n [Hit]),
        NameLength(length): NameLength,
    ) -> Self {
        Self { text, words, hits, length }
    }

    /// Whether the words of a text that begin at an index are the name, each with a capital letter where the name has one.
    fn is_at(&self, text: &str, words: &Words, at: usize) -> bool {
        (0..self.length).all(|index| {
            let (Some(own), Some(word)) = (self.words.get(index), words.get(at + index)) else {
                return false;
            };
            self.words.folded(&own) == words.folded(&word)
                && (!is_capital(self.text, own) || is_capital(text, word))
        })
    }

    /// The end of the name with the legal forms that are also in the text, if its other words begin at an index.
    fn end(&self, text: &str, words: &Words, at: usize) -> Option<usize> {
        if !self.is_at(text, words, at) {
            return None;
        }
        let is_form = |index: &usize| self.words.word(*index) == words.word(at + index);
        Some(at + self.length + (self.length..self.words.len()).take_while(is_form).count())
    }
}

/// Finds where a text names the business. A text that is nothing but the name is not such a place.
pub(crate) fn places<'n>(names: &[OwnName<'n>], text: &str, words: &Words) -> NamePlaces<'n> {
    let mut found = NamePlaces::new();
    for name in names {
        let first = name.words.bytes(0);
        for (at, _) in words.all().iter().enumerate().filter(|(_, word)| words.folded(word) == first) {
            if let Some(end) = name.end(text, words, at) {
                found.push(NamePlace { words: at..end, hits: name.hits });
            }
        }
    }
    // Of names that overlap, the first counts.
    found.sort_by_key(|place| place.words.start);
    let mut end = 0;
    found.retain(|place| {
        let is_apart = place.words.start >= end && place.words.len() < words.len();
        end = if is_apart { place.words.end } else { end };
        is_apart
    });
    found
}

/// Those of some places that share words with a range of words.
pub(crate) fn places_in<'p, 'n>(places: &'p [NamePlace<'n>], words: &Range<usize>) -> &'p [NamePlace<'n>] {
    if places.is_empty() {
        return places;
    }
    let begin = places.partition_point(|place| place.words.end <= words.start);
    let end = places.partition_point(|place| place.words.start < words.end);
    &places[begin..end.max(begin)]
}

/// Whether a word does not begin with a small letter.
fn is_capital(text: &str, word: Word) -> bool {
    text.get(word.start as usize..)
        .and_then(|rest| rest.chars().next())
        .is_some_and(|first| !first.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str], text: &str) -> Vec<String> {
        let names: Vec<(&str, Words)> = names.iter().map(|name| (*name, Words::of(name))).collect();
        let names: Vec<OwnName<'_>> = names
            .iter()
            .filter_map(|(name, words)| Some(OwnName::of(name, (words, &[]), NameLength::of(name, words)?)))
            .collect();
        let words = Words::of(text);
        let shown = |name: NamePlace<'_>| text[words.range(name.words.start, name.words.end - 1)].to_owned();
        places(&names, text, &words).into_iter().map(shown).collect()
    }

    #[test]
    fn a_name_is_found_as_it_is_written() {
        let name = ["Cedar Credit Union LLC"];
        assert_eq!(
            found(&name, "Cedar Credit Union LLC: hi. Cedar Credit Union, CEDAR CREDIT UNION Inc."),
            ["Cedar Credit Union LLC", "Cedar Credit Union", "CEDAR CREDIT UNION"]
        );
        assert_eq!(found(&name, "Cedar credit union, Cedar Credit"), Vec::<String>::new());
        assert_eq!(found(&name, "Cedar Credit Union LLC"), Vec::<String>::new(), "the whole text");
        assert_eq!(
            found(&["Notify Me", "Bank of Ohio"], "Bank of Ohio, Notify Me"),
            ["Bank of Ohio", "Notify Me"]
        );
    }

    #[test]
    fn what_may_be_an_ordinary_word_is_not_a_name() {
        assert_eq!(found(&["Reminders"], "Reminders are sent."), Vec::<String>::new());
        assert_eq!(found(&["order updates"], "order updates are sent"), Vec::<String>::new());
        assert_eq!(found(&["Order Updates"], "Order updates are sent"), Vec::<String>::new());
        assert_eq!(found(&["Acme LLC"], "Acme and Acme LLC"), ["Acme LLC"]);
        assert_eq!(found(&["", "LLC", "Co. LLC"], "Co. LLC is a company"), ["Co. LLC"]);
        assert_eq!(
            found(&[&"Ab ".repeat(17)], &"Ab ".repeat(40)),
            Vec::<String>::new(),
            "no name is so long"
        );
    }

    #[test]
    fn places_are_found_by_their_words() {
        let place = |words: Range<usize>| NamePlace { words, hits: &[] };
        let places = [place(1..3), place(3..5), place(8..10)];
        let count = |words: Range<usize>| places_in(&places, &words).len();
        assert_eq!([count(0..1), count(0..2), count(2..4), count(5..8), count(0..20)], [0, 1, 2, 0, 3]);
    }
}
