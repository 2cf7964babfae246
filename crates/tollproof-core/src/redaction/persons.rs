//! The names, addresses and numbers of the persons in a text, and where they stand in another.

use std::collections::HashMap;
use std::ops::Range;

use crate::schema::format::is_uuid;

/// Digits of a phone number, or of another number that names one person, that stand together.
const DIGITS: usize = 7;

/// A word alone of up to this length is a name only where it is written like the name.
const SHORT: usize = 3;

/// What is known of the persons of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Persons {
    /// Phrases by their first word in lower case.
    phrases: HashMap<String, Vec<Vec<Word>>>,
    /// Names that are seen also as a part of a word, in lower case.
    long: Vec<String>,
}

/// A name of so many letters is seen also where it is a part of a word: `Obradovics`, `obradovicbakery`.
const LONG: usize = 5;

/// A word as it is written, and in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    written: String,
    lower: String,
}

impl Word {
    fn of(text: &str) -> Self {
        Self { written: text.to_owned(), lower: text.to_lowercase() }
    }

    fn is(&self, other: &str, exact: bool) -> bool {
        if exact { self.written == other } else { self.lower == other.to_lowercase() }
    }
}

impl Persons {
    /// Takes in a value that tells of a person: as a whole, and, of a few words, each of them.
    pub(super) fn know(&mut self, value: &str) {
        let all: Vec<Word> = words(value).map(|(_, word)| Word::of(word)).collect();
        if all.len() <= 3 {
            // Of an address with a street the number alone is nobody's.
            let alone =
                |word: &&Word| word.written.chars().any(char::is_alphabetic) || word.written.len() > SHORT;
            let alone: Vec<Word> = all.iter().filter(alone).cloned().collect();
            alone.into_iter().for_each(|word| self.add(vec![word]));
        }
        // A street may be named without the box or the floor.
        for part in value.split(',') {
            let part: Vec<Word> = words(part).map(|(_, word)| Word::of(word)).collect();
            if part.len() > 1 {
                self.add(part);
            }
        }
        if let Some((local, _)) = value.split_once('@') {
            self.add(words(local).map(|(_, word)| Word::of(word)).collect());
        }
        self.add(all);
    }

    /// Takes each word of a text for a name that has changed in a copy of the same length.
    pub(super) fn in_difference(text: &str, copy: &str) -> Self {
        let mut persons = Self::default();
        for (at, word) in words(text) {
            if copy.get(at..at + word.len()) != Some(word) {
                persons.add(vec![Word::of(word)]);
            }
        }
        persons
    }

    fn add(&mut self, phrase: Vec<Word>) {
        let letters: usize = phrase.iter().map(|word| word.written.chars().count()).sum();
        let Some(first) = phrase.first().filter(|_| letters > 1) else { return };
        if let [word] = phrase.as_slice()
            && letters >= LONG
            && word.written.chars().all(char::is_alphabetic)
            && !self.long.contains(&word.lower)
        {
            self.long.push(word.lower.clone());
        }
        let known = self.phrases.entry(first.lower.clone()).or_default();
        if !known.contains(&phrase) {
            known.push(phrase);
        }
    }

    /// Where a text names persons, in any spelling; the ranges are in order and do not touch.
    pub(super) fn in_text(&self, text: &str) -> Vec<Range<usize>> {
        self.find(text, false)
    }

    /// The same of names that are written exactly as they are known.
    pub(super) fn as_written(&self, text: &str) -> Vec<Range<usize>> {
        self.find(text, true)
    }

    fn find(&self, text: &str, exact: bool) -> Vec<Range<usize>> {
        let words: Vec<(usize, &str)> = words(text).collect();
        let mut found = mails(text);
        found.extend(numbers(text));
        for at in 0..words.len() {
            let (start, word) = words[at];
            let lower = word.to_lowercase();
            if !exact && self.long.iter().any(|name| lower.contains(name.as_str())) {
                found.push(start..start + word.len());
            }
            let phrases = self.phrases.get(&lower);
            for phrase in phrases.into_iter().flatten() {
                let Some(here) = words.get(at..at + phrase.len()) else { continue };
                let exact = exact || phrase.len() == 1 && phrase[0].written.chars().count() <= SHORT;
                if phrase.iter().zip(here).all(|(word, (_, other))| word.is(other, exact)) {
                    let (last, word) = here[here.len() - 1];
                    found.push(start..last + word.len());
                }
            }
        }
        joined(found)
    }
}

/// The words of a text, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(char::is_alphanumeric)?;
        let word = text[start..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        at = start + word.len();
        Some((start, word))
    })
}

/// E-mail addresses, or what looks like one.
fn mails(text: &str) -> Vec<Range<usize>> {
    let is_of_name = |c: char| c.is_alphanumeric() || "._%+-'".contains(c);
    let is_of_host = |c: char| c.is_alphanumeric() || ".-".contains(c);
    let mail = |(at, _): (usize, &str)| {
        let start = text[..at].trim_end_matches(is_of_name).len();
        let rest = &text[at + 1..];
        let host = &rest[..rest.len() - rest.trim_start_matches(is_of_host).len()];
        let end = at + 1 + host.trim_end_matches(['.', '-']).len();
        (start < at && end > at + 1).then_some(start..end)
    };
    text.match_indices('@').filter_map(mail).collect()
}

/// Rows of digits that are long enough to name somebody, however they are grouped.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + next;
        let (mut end, mut digits, mut between) = (start, 0, 0);
        for (offset, c) in text[start..].char_indices() {
            if c.is_ascii_digit() {
                (end, digits, between) = (start + offset + 1, digits + 1, 0);
            } else if between < 2 && " -.()/\u{a0}\u{2010}\u{2011}\u{2013}".contains(c) {
                between += 1;
            } else {
                break;
            }
        }
        if digits >= DIGITS && !is_in_uuid(text, start) {
            found.push(start..end);
        }
        at = end;
    }
    found
}

/// Whether an identifier of the service stands at a place; it is digits and names no person.
fn is_in_uuid(text: &str, at: usize) -> bool {
    let is_of_uuid = |c: char| c.is_ascii_hexdigit() || c == '-';
    let start = text[..at].trim_end_matches(is_of_uuid).len();
    is_uuid(text[start..].split(|c| !is_of_uuid(c)).next().unwrap_or_default())
}

/// Ranges in order, those that overlap made one.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(values: &[&str], text: &'t str) -> Vec<&'t str> {
        let mut persons = Persons::default();
        values.iter().for_each(|value| persons.know(value));
        persons.in_text(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn persons_are_found_in_texts() {
        assert_eq!(found(&["Vega"], "ask Ms. VEGA; Vegan food, vega."), ["VEGA", "vega"]);
        assert_eq!(found(&["Obradovic"], "obradovicbakery.com, Obradov"), ["obradovicbakery"]);
        assert_eq!(found(&["Li"], "Li likes li"), ["Li"]);
        assert_eq!(found(&["18 West 4th St"], "at 18 west 4th st., 18 doors, West St"), ["18 west 4th st"]);
        assert_eq!(found(&["New York"], "in new york"), ["new york"]);
        assert_eq!(found(&["ana.v@x.com"], "ana.v@x.com, ana v and Ana"), ["ana.v@x.com", "ana v"]);
        assert_eq!(
            found(&[], "mail me@b.co. or +1 (512) 472-1820, 5124721820."),
            ["me@b.co", "1 (512) 472-1820", "5124721820"]
        );
        assert_eq!(found(&[], "June 4, 10:30 AM; 1,000 a month; 12345678-a"), ["12345678"]);
        assert_eq!(found(&[], "tel5124721820x of 9a1b2c3d-4e5f-4061-8273-945566778899"), ["5124721820"]);
        assert_eq!(found(&["78704"], "ZIP 78704, not 787041"), ["78704"]);
    }
}
