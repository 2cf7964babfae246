//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub(crate) use super::hit::{Hit, SetId};
use super::phrase::{self, Matcher};
use super::polarity;
use super::tokenize::{Break, Words};

/// Some of the hits in a text, sorted by their first words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits {
    hits: Vec<Hit>,
    /// The length of the longest hit, in words.
    longest: usize,
}

impl Hits {
    /// Selects the hits whose sets satisfy `counts`; `all` must be sorted.
    pub(crate) fn of(all: &[Hit], counts: impl Fn(SetId) -> bool) -> Self {
        let hits: Vec<Hit> = all.iter().filter(|hit| counts(hit.set)).copied().collect();
        let longest = hits.iter().map(|hit| hit.last - hit.first + 1).max().unwrap_or(0);
        Self { hits, longest }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// Whether one of the hits shares a word with another phrase.
    pub(crate) fn overlap(&self, other: &Hit) -> bool {
        let from = (other.first + 1).saturating_sub(self.longest);
        self.begin_in(from..other.last + 1).iter().any(|hit| other.first <= hit.last)
    }

    /// The hits whose first word is in a range of words.
    pub(crate) fn begin_in(&self, words: Range<usize>) -> &[Hit] {
        let before = |word: usize| self.hits.partition_point(|hit| hit.first < word);
        &self.hits[before(words.start)..before(words.end)]
    }
}

/// The phrase table, indexed by the first bytes of the first word. Built at compile time and used without decoding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lexicon<'a> {
    /// The start of each bucket in `entries` as little-endian `u16`, plus one entry for the end of the last bucket.
    #[serde(borrow)]
    buckets: Cow<'a, [u8]>,
    /// Records of [`ENTRY`] bytes: offset (4) and length (2) of the phrase, its set (2), length of its first word (1),
    /// whether that word is a prefix (1), offset of the word in the phrase (2), index of its list in `needs` (2),
    /// number of records from this one on with the same first word (2).
    #[serde(borrow)]
    entries: Cow<'a, [u8]>,
    /// Words that phrases require after their first word, as little-endian `u16`: the number of required words, and for
    /// each of them the number of its alternatives, then their buckets. A text cannot contain the phrase if it has no
    /// word in any bucket of some required word.
    #[serde(borrow)]
    needs: Cow<'a, [u8]>,
    /// All phrases in normal form, as bytes to avoid a UTF-8 check at each start.
    #[serde(borrow)]
    text: Cow<'a, [u8]>,
}

const BUCKETS: usize = 2048;
const ENTRY: usize = 16;

impl Lexicon<'_> {
    /// Finds every phrase in the words, sorted by first word.
    pub(crate) fn scan(&self, words: &Words, hits: &mut Vec<Hit>) {
        if self.entries.is_empty() {
            return;
        }
        let mut matcher = Matcher::of(words);
        let buckets: Vec<usize> = (0..words.len()).map(|at| bucket(words.word(at).as_bytes())).collect();
        // A phrase never crosses the end of a sentence.
        let mut from = 0;
        while from < words.len() {
            let begins = |at: &usize| words.get(*at).is_some_and(|word| word.before == Break::Sentence);
            let to = (from + 1..words.len()).find(begins).unwrap_or(words.len());
            let mut occurring = [0_u64; BUCKETS / 64];
            for bucket in &buckets[from..to] {
                occurring[bucket / 64] |= 1 << (bucket % 64);
            }
            for (at, &bucket) in buckets.iter().enumerate().take(to).skip(from) {
                self.scan_at(at, bucket, &occurring, (words, &mut matcher), hits);
            }
            from = to;
        }
    }

    /// Finds the phrases that begin at a word.
    fn scan_at(
        &self,
        at: usize,
        bucket: usize,
        occurring: &[u64],
        (words, matcher): (&Words, &mut Matcher<'_>),
        hits: &mut Vec<Hit>,
    ) {
        let word = words.word(at).as_bytes();
        let mut entries = self.bucket_start(bucket)..self.bucket_start(bucket + 1);
        while let Some(first) = entries.next() {
            let record = self.record(first);
            // Phrases with the same first word are adjacent, so they are skipped together.
            let (length, begins, run) = (usize::from(record[8]), record[9] != 0, wide(record, 14));
            let offset = long(record);
            let begins_so = || word[..length] == self.text[offset + wide(record, 10)..][..length];
            if word.len() < length || word.len() > length && !begins || !begins_so() {
                entries.start = first + run;
                continue;
            }
            for entry in first..first + run {
                let record = self.record(entry);
                if !self.may_go_on(wide(record, 12), occurring) {
                    continue;
                }
                let offset = long(record);
                let behind = &self.text[offset + wide(record, 10) + length..offset + wide(record, 4)];
                if let Some(last) = matcher.match_behind(behind, at) {
                    let negative = last > at + 1 && polarity::asks_for_negation(behind);
                    hits.push(Hit { set: wide(record, 6) as SetId, first: at, last, negative });
                }
            }
            entries.start = first + run;
        }
    }

    fn record(&self, entry: usize) -> &[u8] {
        &self.entries[entry * ENTRY..(entry + 1) * ENTRY]
    }

    /// Whether a text with words in these buckets can contain the rest of a phrase after its first word. This rejects
    /// most phrases whose first word occurs in a text.
    fn may_go_on(&self, list: usize, occurring: &[u64]) -> bool {
        let mut rest =
            self.needs[list * 2..].chunks_exact(2).map(|it| usize::from(u16::from_le_bytes([it[0], it[1]])));
        let mut next = || rest.next().unwrap_or_default();
        (0..next()).all(|_| {
            // All alternatives must be read to reach the next word.
            let count = next();
            (0..count).fold(false, |occurs, _| {
                let bucket = next();
                occurs | (occurring[bucket / 64] >> (bucket % 64) & 1 == 1)
            })
        })
    }

    fn bucket_start(&self, bucket: usize) -> usize {
        let at = bucket * 2;
        usize::from(u16::from_le_bytes([self.buckets[at], self.buckets[at + 1]]))
    }
}

/// Two bytes of a record as an integer.
fn wide(record: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([record[at], record[at + 1]]))
}

/// The first four bytes of a record as an integer.
fn long(record: &[u8]) -> usize {
    u32::from_le_bytes([record[0], record[1], record[2], record[3]]) as usize
}

/// The bucket of a word, computed from its first three bytes: the minimum length of a prefix before `*`.
fn bucket(word: &[u8]) -> usize {
    let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or(0));
    (byte(0).wrapping_mul(961) ^ byte(1).wrapping_mul(31) ^ byte(2).wrapping_mul(7)) % BUCKETS
}

/// Limits of the record format: the longest phrase and the longest first word in bytes, and the number of records.
const MAX_PHRASE: usize = u16::MAX as usize;
const MAX_WORD: usize = u8::MAX as usize;
const MAX_ENTRIES: usize = u16::MAX as usize;

/// Builds a [`Lexicon`].
#[derive(Debug, Default)]
pub(crate) struct Builder {
    phrases: Vec<(String, SetId)>,
    /// The number of records needed for the phrases.
    entries: usize,
    sets: SetId,
}

impl Builder {
    /// A builder whose sets are numbered from `first`, so that two lexicons never share a number.
    pub(crate) fn starting_at(first: SetId) -> Self {
        Self { phrases: Vec::new(), entries: 0, sets: first }
    }

    pub(crate) fn next_set(&self) -> SetId {
        self.sets
    }

    /// Adds a set of phrases.
    ///
    /// # Errors
    ///
    /// Describes the first invalid phrase, or reports that there are too many phrases.
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

    /// The table of all phrases that were added.
    pub(crate) fn build(self) -> Lexicon<'static> {
        // `add` rejects phrases whose numbers do not fit into a record.
        let mut text = String::new();
        let mut by_bucket: BTreeMap<usize, BTreeMap<&str, Vec<[u8; ENTRY]>>> = BTreeMap::new();
        let mut needs = Needs::default();
        for (phrase, set) in &self.phrases {
            let offset = text.len();
            text.push_str(phrase);
            let list = needs.list(phrase);
            let mut at = 0;
            for word in phrase::first_words(phrase) {
                let stem = word.trim_end_matches('*');
                let mut record = [0; ENTRY];
                record[..4].copy_from_slice(&(offset as u32).to_le_bytes());
                record[4..6].copy_from_slice(&(phrase.len() as u16).to_le_bytes());
                record[6..8].copy_from_slice(&set.to_le_bytes());
                record[8] = stem.len() as u8;
                record[9] = u8::from(stem.len() != word.len());
                record[10..12].copy_from_slice(&(at as u16).to_le_bytes());
                record[12..14].copy_from_slice(&list.to_le_bytes());
                let same_bucket = by_bucket.entry(bucket(stem.as_bytes())).or_default();
                same_bucket.entry(word).or_default().push(record);
                at += word.len() + 1;
            }
        }
        let mut buckets = Vec::with_capacity((BUCKETS + 1) * 2);
        let mut entries: Vec<u8> = Vec::new();
        for bucket in 0..=BUCKETS {
            buckets.extend_from_slice(&((entries.len() / ENTRY) as u16).to_le_bytes());
            for mut same_word in by_bucket.remove(&bucket).unwrap_or_default().into_values() {
                let all = same_word.len();
                for (at, record) in same_word.iter_mut().enumerate() {
                    record[14..].copy_from_slice(&((all - at) as u16).to_le_bytes());
                }
                entries.extend(same_word.concat());
            }
        }
        let needs: Vec<u8> = needs.lists.iter().flat_map(|it| it.to_le_bytes()).collect();
        let needs = needs.into();
        Lexicon { buckets: buckets.into(), entries: entries.into(), needs, text: text.into_bytes().into() }
    }
}

/// The lists of required words, without duplicates.
#[derive(Debug)]
struct Needs {
    /// The encoded lists, in the format of `Lexicon::needs`.
    lists: Vec<u16>,
    known: BTreeMap<Vec<u16>, u16>,
}

/// The maximum number of required words stored for a phrase; more would reject few further texts.
const NEEDED: usize = 3;

impl Default for Needs {
    /// The first list is for phrases without required words.
    fn default() -> Self {
        Self { lists: vec![0], known: BTreeMap::new() }
    }
}

impl Needs {
    /// Returns the index of the list for a phrase: of the required words after the first, those with the fewest
    /// alternatives.
    fn list(&mut self, phrase: &str) -> u16 {
        let is_needed =
            |it: &&str| *it != "..." && !it.ends_with('?') && it.split('|').all(|word| word != "#");
        let mut needed: Vec<&str> = phrase.split(' ').skip(1).filter(is_needed).collect();
        needed.sort_by_key(|it| it.split('|').count());
        needed.truncate(NEEDED);
        let mut list = vec![needed.len() as u16];
        for element in needed {
            let mut buckets: Vec<u16> =
                element.split('|').map(|word| bucket(word.trim_end_matches('*').as_bytes()) as u16).collect();
            buckets.sort_unstable();
            buckets.dedup();
            list.push(buckets.len() as u16);
            list.extend(buckets);
        }
        if let Some(&at) = self.known.get(&list) {
            return at;
        }
        // When the index exceeds its range, a phrase is stored without required words, which is correct but slower.
        let Ok(at) = u16::try_from(self.lists.len()) else { return 0 };
        self.lists.extend(&list);
        self.known.insert(list, at);
        at
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
