//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub(crate) use super::hit::{Hit, SetId};
use super::phrase::{self, Matcher};
use super::polarity;
use super::tokenize::{Break, Words, is_contraction};
use super::vocabulary::Vocabulary;

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

/// The phrase table: one look-up for each word of a text, and one for each beginning of it that is a prefix in some
/// phrase. Built at compile time and used without decoding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lexicon<'a> {
    /// A hash table of the first words of phrases.
    #[serde(borrow)]
    words: Cow<'a, [u8]>,
    /// A hash table of the prefixes with which phrases begin.
    #[serde(borrow)]
    prefixes: Cow<'a, [u8]>,
    /// A bit for each hash of a prefix, modulo [`FILTER`], so that most look-ups of prefixes are not needed.
    #[serde(borrow)]
    filter: Cow<'a, [u8]>,
    /// Records of [`ENTRY`] bytes: offset (4) and length (2) of the phrase, its set (2), index of its list in `needs`
    /// (4), offset of its first word in the phrase (2), length of that word (1), zero (1). Those of one word are
    /// adjacent.
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
    /// The phrases that name groups. They are searched for when the terms of groups are known.
    #[serde(borrow)]
    composites: Vec<Composite<'a>>,
}

/// A phrase that names groups by their numbers: `<3|4> to <12>`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Composite<'a> {
    pub(crate) set: SetId,
    #[serde(borrow)]
    pub(crate) phrase: Cow<'a, str>,
}

/// The number of buckets in `needs`.
const BUCKETS: usize = 2048;

/// The number of bits in the filter of prefixes.
const FILTER: usize = 1 << 16;

const ENTRY: usize = 16;

/// A slot of a hash table: the hash of a word (4), its first entry (4) and the number of its entries (4); an empty slot
/// has none.
const SLOT: usize = 12;

impl Lexicon<'_> {
    /// The phrases that name groups.
    pub(crate) fn composites(&self) -> &[Composite<'_>] {
        &self.composites
    }

    /// Finds every phrase in the words, sorted by first word.
    pub(crate) fn scan<'w>(&'w self, words: &'w Words, hits: &mut Vec<Hit>) {
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
            for at in from..to {
                self.scan_at(at, &occurring, (words, &mut matcher), hits);
            }
            from = to;
        }
    }

    /// Finds the phrases that begin at a word.
    fn scan_at<'w>(
        &'w self,
        at: usize,
        occurring: &[u64],
        (words, matcher): (&Words, &mut Matcher<'w>),
        hits: &mut Vec<Hit>,
    ) {
        let word = words.word(at).as_bytes();
        let mut hash = HASH_START;
        for (index, &byte) in word.iter().enumerate() {
            hash = hash_on(hash, byte);
            let bit = hash as usize % FILTER;
            if index >= 2 && self.filter[bit / 8] >> (bit % 8) & 1 == 1 {
                let entries = self.look_up(&self.prefixes, hash, &word[..=index]);
                self.match_entries(entries, at, occurring, matcher, hits);
            }
        }
        let entries = self.look_up(&self.words, hash, word);
        self.match_entries(entries, at, occurring, matcher, hits);
        if is_contraction(words.word(at)) {
            let entries = self.look_up(&self.words, b"not".iter().fold(HASH_START, |hash, &it| hash_on(hash, it)), b"not");
            self.match_entries(entries, at, occurring, matcher, hits);
        }
    }

    /// The entries of a word in a hash table.
    fn look_up(&self, table: &[u8], hash: u32, word: &[u8]) -> Range<usize> {
        let slots = table.len() / SLOT;
        let mut slot = hash as usize % slots.max(1);
        while let Some(found) = table.get(slot * SLOT..(slot + 1) * SLOT) {
            let (first, count) = (long(found, 4), long(found, 8));
            if count == 0 {
                break;
            }
            if long(found, 0) == hash as usize && self.first_word(first) == word {
                return first..first + count;
            }
            slot = (slot + 1) % slots;
        }
        0..0
    }

    /// The first word of the phrase of an entry.
    fn first_word(&self, entry: usize) -> &[u8] {
        let record = self.record(entry);
        let start = long(record, 0) + wide(record, 12);
        &self.text[start..start + usize::from(record[14])]
    }

    fn match_entries<'w>(
        &'w self,
        entries: Range<usize>,
        at: usize,
        occurring: &[u64],
        matcher: &mut Matcher<'w>,
        hits: &mut Vec<Hit>,
    ) {
        for entry in entries {
            let record = self.record(entry);
            if !self.may_go_on(long(record, 8), occurring) {
                continue;
            }
            let (offset, length) = (long(record, 0), wide(record, 4));
            let word_end = wide(record, 12) + usize::from(record[14]);
            let behind = &self.text[offset + word_end..offset + length];
            if let Some(last) = matcher.match_behind(behind, at) {
                let negative = last > at + 1 && polarity::asks_for_negation(behind);
                let set = wide(record, 6) as SetId;
                hits.push(Hit { set, group: None, first: at, last, negative });
            }
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
}

/// Two bytes of a record as an integer.
fn wide(record: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([record[at], record[at + 1]]))
}

/// Four bytes of a record as an integer.
fn long(record: &[u8], at: usize) -> usize {
    u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]) as usize
}

/// The hash of words is FNV-1a, which gives the hashes of all prefixes on the way.
const HASH_START: u32 = 0x811c_9dc5;

fn hash_on(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// The bucket of a word, computed from its first three bytes: the minimum length of a prefix before `*`.
fn bucket(word: &[u8]) -> usize {
    let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or(0));
    (byte(0).wrapping_mul(961) ^ byte(1).wrapping_mul(31) ^ byte(2).wrapping_mul(7)) % BUCKETS
}

/// Limits of the record format: the longest phrase and the longest first word in bytes.
const MAX_PHRASE: usize = u16::MAX as usize;
const MAX_WORD: usize = u8::MAX as usize;

/// The maximum number of records, so that the phrases of rules have a bounded size.
const MAX_ENTRIES: usize = 1 << 18;

/// Builds a [`Lexicon`].
#[derive(Debug, Default)]
pub(crate) struct Builder {
    phrases: Vec<(String, SetId)>,
    /// The number of records needed for the phrases.
    entries: usize,
    composites: Vec<Composite<'static>>,
    sets: SetId,
}

impl Builder {
    /// A builder whose sets are numbered from `first`, so that two lexicons never share a number.
    pub(crate) fn starting_at(first: SetId) -> Self {
        Self { sets: first, ..Self::default() }
    }

    pub(crate) fn next_set(&self) -> SetId {
        self.sets
    }

    /// Adds a set of phrases; the vocabulary knows the groups that they name.
    ///
    /// # Errors
    ///
    /// Describes the first invalid phrase, or reports that there are too many phrases.
    pub(crate) fn add<'p>(
        &mut self,
        phrases: impl IntoIterator<Item = &'p str>,
        vocabulary: &Vocabulary<'_>,
    ) -> Result<SetId, String> {
        let set = self.sets;
        for phrase in phrases {
            let phrase = phrase::normalize(phrase, vocabulary)?;
            if phrase::names_groups(&phrase) {
                self.composites.push(Composite { set, phrase: phrase.into() });
                continue;
            }
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
        let mut by_word: BTreeMap<&str, Vec<[u8; ENTRY]>> = BTreeMap::new();
        let mut needs = Needs::default();
        for (phrase, set) in &self.phrases {
            let offset = text.len();
            text.push_str(phrase);
            let list = needs.list(phrase);
            let mut at = 0;
            for word in phrase::first_words(phrase) {
                let mut record = [0; ENTRY];
                record[..4].copy_from_slice(&(offset as u32).to_le_bytes());
                record[4..6].copy_from_slice(&(phrase.len() as u16).to_le_bytes());
                record[6..8].copy_from_slice(&set.to_le_bytes());
                record[8..12].copy_from_slice(&list.to_le_bytes());
                record[12..14].copy_from_slice(&(at as u16).to_le_bytes());
                record[14] = word.trim_end_matches('*').len() as u8;
                by_word.entry(word).or_default().push(record);
                at += word.len() + 1;
            }
        }
        let mut entries: Vec<u8> = Vec::new();
        let mut filter = vec![0_u8; FILTER / 8];
        let (mut words, mut prefixes) = (Vec::new(), Vec::new());
        for (word, records) in by_word {
            let stem = word.trim_end_matches('*');
            let hash = stem.bytes().fold(HASH_START, hash_on);
            let slot = (hash, entries.len() / ENTRY, records.len());
            if stem.len() == word.len() {
                words.push(slot);
            } else {
                prefixes.push(slot);
                let bit = hash as usize % FILTER;
                filter[bit / 8] |= 1 << (bit % 8);
            }
            entries.extend(records.concat());
        }
        let needs: Vec<u8> = needs.lists.iter().flat_map(|it| it.to_le_bytes()).collect();
        Lexicon {
            words: table(&words).into(),
            prefixes: table(&prefixes).into(),
            filter: filter.into(),
            entries: entries.into(),
            needs: needs.into(),
            text: text.into_bytes().into(),
            composites: self.composites,
        }
    }
}

/// A hash table of words, at most half full.
fn table(words: &[(u32, usize, usize)]) -> Vec<u8> {
    let slots = (words.len() * 2).next_power_of_two();
    let mut table = vec![0; slots * SLOT];
    for &(hash, first, count) in words {
        let mut slot = hash as usize % slots;
        while table[slot * SLOT + 8..(slot + 1) * SLOT] != [0; 4] {
            slot = (slot + 1) % slots;
        }
        let numbers = [hash, first as u32, count as u32].map(u32::to_le_bytes);
        table[slot * SLOT..(slot + 1) * SLOT].copy_from_slice(&numbers.concat());
    }
    table
}

/// The lists of required words, without duplicates.
#[derive(Debug)]
struct Needs {
    /// The encoded lists, in the format of `Lexicon::needs`.
    lists: Vec<u16>,
    known: BTreeMap<Vec<u16>, u32>,
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
    fn list(&mut self, phrase: &str) -> u32 {
        let is_needed = |it: &&str| {
            *it != "..." && !it.ends_with('?') && it.split('|').all(|word| word != "#" && word != "not" && !word.starts_with('*'))
        };
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
        let at = self.lists.len() as u32;
        self.lists.extend(&list);
        self.known.insert(list, at);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::{Builder, Vocabulary, Words};

    fn found(phrase: &str, text: &str) -> Vec<String> {
        let mut builder = Builder::default();
        builder.add([phrase], &Vocabulary::default()).expect("a phrase");
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
        assert!(builder.add([&*"x".repeat(256)], &Vocabulary::default()).is_err());
        assert!(builder.add([&*format!("x {}", "y".repeat(65_534))], &Vocabulary::default()).is_err());
        let phrases: Vec<String> = (0..(1 << 18) + 1).map(|number| format!("w{number}")).collect();
        assert!(builder.add(phrases.iter().map(String::as_str), &Vocabulary::default()).is_err());
        let mut builder = Builder::starting_at(u16::MAX);
        assert!(builder.add(["x"], &Vocabulary::default()).is_err());
    }
}
