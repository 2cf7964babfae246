//! All phrases of a set of rules in one table, so that one pass over a text finds those of every rule.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::fold::Words;
use super::phrase::{self, Matcher};

/// Names a set of phrases that belong together: those written in one place of a rule, or one list.
pub(crate) type SetId = u16;

/// A phrase found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The set the phrase belongs to.
    pub(crate) set: SetId,
    /// Index of its first word.
    pub(crate) first: usize,
    /// Index of its last word.
    pub(crate) last: usize,
}

/// Some of the hits of a text, in order of their first words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    hits: Vec<Hit>,
    /// The longest, in words.
    longest: usize,
}

impl Hits {
    /// The hits of the sets that count, out of all hits in order.
    pub(crate) fn of(all: &[Hit], counts: impl Fn(SetId) -> bool) -> Self {
        let hits: Vec<Hit> = all.iter().filter(|hit| counts(hit.set)).copied().collect();
        let longest = hits.iter().map(|hit| hit.last - hit.first + 1).max().unwrap_or(0);
        Self { hits, longest }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// Whether one of them shares a word with another phrase.
    pub(crate) fn overlap(&self, other: &Hit) -> bool {
        let from = (other.first + 1).saturating_sub(self.longest);
        self.begin_in(from..other.last + 1).iter().any(|hit| other.first <= hit.last)
    }

    /// Those whose first word is in a range of words.
    pub(crate) fn begin_in(&self, words: Range<usize>) -> &[Hit] {
        let before = |word: usize| self.hits.partition_point(|hit| hit.first < word);
        &self.hits[before(words.start)..before(words.end)]
    }
}

/// The table: phrases by the beginning of their first word. Prepared when tollproof is built, read as it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lexicon<'a> {
    /// Start of each bucket in `entries`, as little-endian `u16`, one more than there are buckets.
    #[serde(borrow)]
    buckets: Cow<'a, [u8]>,
    /// Records of [`ENTRY`] bytes: offset (4), length (2) of the phrase, its set (2), length of its first word (1),
    /// whether that is a beginning (1), where in the phrase the word starts (2).
    #[serde(borrow)]
    entries: Cow<'a, [u8]>,
    /// All phrases in normal form; bytes, since that they are UTF-8 need not be checked at each start.
    #[serde(borrow)]
    text: Cow<'a, [u8]>,
}

const BUCKETS: usize = 2048;
const ENTRY: usize = 12;

impl Lexicon<'_> {
    /// Every phrase that stands in the words, in order of its first word.
    pub(crate) fn scan(&self, words: &Words, hits: &mut Vec<Hit>) {
        if self.entries.is_empty() {
            return;
        }
        let mut matcher = Matcher::of(words);
        for at in 0..words.len() {
            let word = words.word(at);
            let bucket = bucket(word.as_bytes());
            for entry in self.bucket_start(bucket)..self.bucket_start(bucket + 1) {
                let record = &self.entries[entry * ENTRY..(entry + 1) * ENTRY];
                let wide = |at: usize| usize::from(u16::from_le_bytes([record[at], record[at + 1]]));
                let offset = u32::from_le_bytes([record[0], record[1], record[2], record[3]]) as usize;
                // Most phrases of a bucket are told apart by the length of their first word.
                let (length, begins) = (usize::from(record[8]), record[9] != 0);
                if word.len() < length || word.len() > length && !begins {
                    continue;
                }
                let phrase = &self.text[offset + wide(10)..offset + wide(4)];
                let (first, behind) = phrase.split_at(length);
                if first != &word.as_bytes()[..length] {
                    continue;
                }
                if let Some(last) = matcher.match_behind(behind, at) {
                    let set = u16::from_le_bytes([record[6], record[7]]);
                    hits.push(Hit { set, first: at, last });
                }
            }
        }
    }

    fn bucket_start(&self, bucket: usize) -> usize {
        let at = bucket * 2;
        usize::from(u16::from_le_bytes([self.buckets[at], self.buckets[at + 1]]))
    }
}

/// The bucket of a word: by its first three bytes, which is as much as any `*` has before it.
fn bucket(word: &[u8]) -> usize {
    let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or(0));
    (byte(0).wrapping_mul(961) ^ byte(1).wrapping_mul(31) ^ byte(2).wrapping_mul(7)) % BUCKETS
}

/// The longest phrase and the longest first word, in bytes, and the most records: as much as a record can say.
const MAX_PHRASE: usize = u16::MAX as usize;
const MAX_WORD: usize = u8::MAX as usize;
const MAX_ENTRIES: usize = u16::MAX as usize;

/// Makes a [`Lexicon`].
#[derive(Debug, Default)]
pub(crate) struct Builder {
    phrases: Vec<(String, SetId)>,
    /// How many records the phrases make.
    entries: usize,
    sets: SetId,
}

impl Builder {
    /// A builder whose sets are numbered from `first`, so that two lexicons do not share numbers.
    pub(crate) fn starting_at(first: SetId) -> Self {
        Self { phrases: Vec::new(), entries: 0, sets: first }
    }

    /// The number that the next set will get.
    pub(crate) fn next_set(&self) -> SetId {
        self.sets
    }

    /// Adds a set of phrases.
    ///
    /// # Errors
    ///
    /// What is wrong with the first phrase that is no phrase, or with there being too many.
    pub(crate) fn add<'p>(&mut self, phrases: impl IntoIterator<Item = &'p str>) -> Result<SetId, String> {
        let set = self.sets;
        for phrase in phrases {
            let phrase = phrase::normalize(phrase)?;
            if phrase.len() > MAX_PHRASE || phrase::first_words(&phrase).any(|word| word.len() > MAX_WORD) {
                let start: String = phrase.chars().take(40).collect();
                return Err(format!("the phrase `{start}...` is too long"));
            }
            self.entries += phrase::first_words(&phrase).count();
            if self.entries > MAX_ENTRIES {
                return Err(format!("these rules have more than {MAX_ENTRIES} phrases"));
            }
            self.phrases.push((phrase, set));
        }
        self.sets = set.checked_add(1).ok_or("these rules have too many lists of phrases")?;
        Ok(set)
    }

    /// The table of all phrases added.
    pub(crate) fn build(self) -> Lexicon<'static> {
        // `add` lets no number in that a record cannot hold.
        let mut text = String::new();
        let mut by_bucket: BTreeMap<usize, Vec<[u8; ENTRY]>> = BTreeMap::new();
        for (phrase, set) in &self.phrases {
            let offset = text.len();
            text.push_str(phrase);
            let mut at = 0;
            for word in phrase::first_words(phrase) {
                let stem = word.trim_end_matches('*');
                let mut record = [0; ENTRY];
                record[..4].copy_from_slice(&(offset as u32).to_le_bytes());
                record[4..6].copy_from_slice(&(phrase.len() as u16).to_le_bytes());
                record[6..8].copy_from_slice(&set.to_le_bytes());
                record[8] = stem.len() as u8;
                record[9] = u8::from(stem.len() != word.len());
                record[10..].copy_from_slice(&(at as u16).to_le_bytes());
                by_bucket.entry(bucket(stem.as_bytes())).or_default().push(record);
                at += word.len() + 1;
            }
        }
        let mut buckets = Vec::with_capacity((BUCKETS + 1) * 2);
        let mut entries: Vec<u8> = Vec::new();
        for bucket in 0..=BUCKETS {
            buckets.extend_from_slice(&((entries.len() / ENTRY) as u16).to_le_bytes());
            entries.extend(by_bucket.remove(&bucket).unwrap_or_default().concat());
        }
        Lexicon { buckets: buckets.into(), entries: entries.into(), text: text.into_bytes().into() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Builder, Words};

    fn found(phrase: &str, text: &str) -> Vec<String> {
        let mut builder = Builder::default();
        builder.add([phrase]).expect("a phrase");
        let words = Words::of(text);
        let mut hits = Vec::new();
        builder.build().scan(&words, &mut hits);
        hits.iter().map(|hit| text[words.range(hit.first, hit.last)].to_owned()).collect()
    }

    #[test]
    fn phrases_are_found_as_people_write_them() {
        assert_eq!(found("opt out", "Reply STOP to Opt-Out now"), ["Opt-Out"]);
        assert_eq!(found("enrol*", "They enrolled; enrolment"), ["enrolled", "enrolment"]);
        assert_eq!(
            found("sell|share your? data", "We share data, sell your data"),
            ["share data", "sell your data"]
        );
        assert_eq!(
            found("by ... agree", "By giving us your number you agree to it."),
            ["By giving us your number you agree"]
        );
        assert_eq!(found("by ... agree", "By phone. You agree."), Vec::<String>::new());
    }

    #[test]
    fn a_phrase_does_not_cross_a_sentence() {
        assert_eq!(found("opt out", "You may opt. Out there"), Vec::<String>::new());
    }

    #[test]
    fn what_a_record_cannot_hold_is_refused() {
        let mut builder = Builder::default();
        assert!(builder.add([&*"x".repeat(256)]).is_err());
        assert!(builder.add([&*format!("x {}", "y".repeat(65_534))]).is_err());
        let phrases: Vec<String> = (0..65_536).map(|number| format!("w{number}")).collect();
        assert!(builder.add(phrases.iter().map(String::as_str)).is_err());
        let mut builder = Builder::starting_at(u16::MAX);
        assert!(builder.add(["x"]).is_err());
    }
}
