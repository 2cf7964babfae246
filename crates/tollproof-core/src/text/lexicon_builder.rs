//! Builds a [`Lexicon`].

use std::collections::BTreeMap;

use super::entry::{Beginning, ENTRY, LANGUAGE_SHIFT, NAMES_GROUPS, NEGATIVE, PhraseEntry};
use super::hit::SetId;
use super::lexicon::{BUCKETS, FILTER, GROUP_SLOT, Lexicon, SLOT, bucket};
use super::matcher;
use super::phrase;
use super::polarity;
use super::tokenize::{CONTRACTIONS, hash_of};
use super::vocabulary::{Language, Vocabulary};

/// Limits of the record format: the longest phrase and the longest first word in bytes.
const MAX_PHRASE: usize = u16::MAX as usize;
const MAX_WORD: usize = u8::MAX as usize;

/// The maximum number of records, so that the phrases of rules have a bounded size.
const MAX_ENTRIES: usize = 1 << 18;

/// Builds a [`Lexicon`].
#[derive(Debug, Default)]
pub(crate) struct Builder {
    phrases: Vec<(String, SetId, Language)>,
    /// The number of records needed for the phrases.
    entries: usize,
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
        self.add_in(Language::Any, phrases, vocabulary)
    }

    /// Adds a set of phrases in a language.
    ///
    /// # Errors
    ///
    /// As [`Self::add`].
    pub(crate) fn add_in<'p>(
        &mut self,
        language: Language,
        phrases: impl IntoIterator<Item = &'p str>,
        vocabulary: &Vocabulary<'_>,
    ) -> Result<SetId, String> {
        let set = self.sets;
        for phrase in phrases {
            let phrase = phrase::normalize(phrase, vocabulary)?;
            if phrase.len() > MAX_PHRASE || phrase::first_words(&phrase).any(|word| word.len() > MAX_WORD) {
                let start: String = phrase.chars().take(40).collect();
                return Err(format!("the phrase `{start}...` is too long"));
            }
            self.entries += starts(&phrase).len();
            if self.entries > MAX_ENTRIES {
                return Err(format!("these rules have more than {MAX_ENTRIES} phrases"));
            }
            self.phrases.push((phrase, set, language));
        }
        self.sets = set.checked_add(1).ok_or("these rules have too many lists of phrases")?;
        Ok(set)
    }

    /// The table of all phrases that were added.
    pub(crate) fn build(self) -> Lexicon<'static> {
        // `add` rejects phrases whose numbers do not fit into a record.
        let mut text = Pool::default();
        let mut by_hash: BTreeMap<(PhraseTable, u32), Vec<u8>> = BTreeMap::new();
        let mut filter = vec![0_u8; FILTER / 8];
        let mut needs = Needs::default();
        for (phrase, set, language) in &merged(self.phrases) {
            let behind = phrase.split_once(' ').map_or("", |(_, behind)| behind);
            let is_negative = polarity::asks_for_negation(behind.as_bytes());
            let negative = if is_negative { NEGATIVE } else { 0 };
            for Start { beginning, second, rest } in starts(phrase) {
                let names_groups = if phrase::names_groups(rest) { NAMES_GROUPS } else { 0 };
                let encoded = matcher::encode(rest);
                let first = match beginning {
                    Beginning::Word(word) | Beginning::Prefix(word) => text.add(word),
                    Beginning::Group(group) => (u32::from(group), 0),
                };
                let (_, wanted) = second.unwrap_or_default();
                let (second_word, rest_text) = (text.add(wanted.as_bytes()), text.add(&encoded));
                let entry = PhraseEntry {
                    first: first.0,
                    first_length: first.1 as u8,
                    second: second_word.0,
                    second_length: second_word.1 as u8,
                    rest: rest_text.0,
                    rest_length: rest_text.1,
                    needs: needs.list(rest),
                    set: *set,
                    flags: names_groups | negative | beginning.flag() | (*language as u8) << LANGUAGE_SHIFT,
                };
                let hash = beginning.hash();
                let key = match (second, beginning) {
                    (Some((word, _)), _) => {
                        (PhraseTable::Pairs, beginning.pair_hash(hash, hash_of(word.as_bytes())))
                    }
                    (None, Beginning::Word(_)) => (PhraseTable::Words, hash),
                    (None, Beginning::Prefix(_)) => (PhraseTable::Prefixes, hash),
                    (None, Beginning::Group(_)) => (PhraseTable::Groups, hash),
                };
                if let Beginning::Prefix(_) = beginning {
                    let bit = hash as usize % FILTER;
                    filter[bit / 8] |= 1 << (bit % 8);
                }
                by_hash.entry(key).or_default().extend(entry.encode());
            }
        }
        let mut entries = Vec::new();
        let (mut words, mut pairs, mut prefixes, mut groups) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::<u8>::new());
        for ((kind, hash), records) in by_hash {
            let (first, count) = (entries.len() / ENTRY, records.len() / ENTRY);
            entries.extend(records);
            match kind {
                PhraseTable::Words => words.push((hash, first, count)),
                PhraseTable::Pairs => pairs.push((hash, first, count)),
                PhraseTable::Prefixes => prefixes.push((hash, first, count)),
                PhraseTable::Groups => {
                    groups.resize(hash as usize * GROUP_SLOT, 0);
                    groups.extend([first, count].map(|it| (it as u32).to_le_bytes()).concat());
                }
            }
        }
        let needs: Vec<u8> = needs.lists.iter().flat_map(|it| it.to_le_bytes()).collect();
        Lexicon {
            words: table(&words).into(),
            pairs: table(&pairs).into(),
            prefixes: table(&prefixes).into(),
            filter: filter.into(),
            groups: groups.into(),
            entries: entries.into(),
            needs: needs.into(),
            text: text.bytes.into(),
        }
    }
}

/// The phrases, with those of a set that differ only in their second and last element made one, if that element is a
/// beginning of words: "text reminder*" and "text notice*". Words can be looked up in pairs, beginnings cannot.
fn merged(phrases: Vec<(String, SetId, Language)>) -> Vec<(String, SetId, Language)> {
    let mut merged = Vec::new();
    let mut by_first: BTreeMap<(String, SetId, Language), String> = BTreeMap::new();
    for (phrase, set, language) in phrases {
        let ending = phrase.split_once(' ').filter(|(first, last)| {
            last.split('|').any(|it| it.ends_with('*')) && !last.contains(' ') && !first.starts_with('<')
        });
        let Some((first, last)) = ending else {
            merged.push((phrase, set, language));
            continue;
        };
        let known = by_first.entry((first.to_owned(), set, language)).or_default();
        if known.len() + phrase.len() > MAX_PHRASE / 2 {
            merged.push((phrase, set, language));
        } else {
            known.push_str(if known.is_empty() { "" } else { "|" });
            known.push_str(last);
        }
    }
    merged.extend(
        by_first.into_iter().map(|((first, set, language), last)| (format!("{first} {last}"), set, language)),
    );
    merged
}

/// The tables in which phrases are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PhraseTable {
    Words,
    Pairs,
    Prefixes,
    Groups,
}

/// The maximum number of pairs of words by which a phrase is looked up; one with more is looked up by its first words.
const MAX_PAIRS: usize = 256;

/// A way in which a phrase can begin.
#[derive(Clone, Copy, Debug)]
struct Start<'p> {
    beginning: Beginning<'p>,
    /// The second word, if it is one of few, as a text has it and as the phrase has it.
    second: Option<(&'p str, &'p str)>,
    /// The rest of the phrase.
    rest: &'p str,
}

/// Each way in which a phrase in normal form can begin.
fn starts(phrase: &str) -> Vec<Start<'_>> {
    let (first, behind) = phrase.split_once(' ').unwrap_or((phrase, ""));
    let firsts: Vec<Beginning<'_>> = match phrase::group_numbers(first.as_bytes()) {
        Some(groups) => groups.map(Beginning::Group).collect(),
        None => {
            let words = first.split('|').map(|word| (word, word.strip_suffix('*')));
            words
                .map(|(word, stem)| {
                    stem.map_or(Beginning::Word(word.as_bytes()), |it| Beginning::Prefix(it.as_bytes()))
                })
                .collect()
        }
    };
    let alone = || firsts.iter().map(|&beginning| Start { beginning, second: None, rest: behind }).collect();
    let mut found = Vec::new();
    let mut left = behind;
    // Words that can be left out may or may not be the second. If all can, the longest match counts.
    while !left.is_empty() {
        let (element, rest) = left.split_once(' ').unwrap_or((left, ""));
        let (bare, optional) = element.strip_suffix('?').map_or((element, false), |it| (it, true));
        let Some(seconds) = second_words(bare) else { return alone() };
        for &beginning in &firsts {
            found.extend(seconds.iter().map(|&second| Start { beginning, second: Some(second), rest }));
        }
        if found.len() > MAX_PAIRS {
            return alone();
        }
        if !optional {
            return found;
        }
        left = rest;
    }
    alone()
}

/// The words that match an element, each with the alternative that they match; `None` if they cannot be listed.
fn second_words(element: &str) -> Option<Vec<(&str, &str)>> {
    let is_group = phrase::group_numbers(element.as_bytes()).is_some();
    let is_word = |word: &str| !["#", "..."].contains(&word) && !word.contains('*') && word.len() <= MAX_WORD;
    if is_group || !element.split('|').all(is_word) {
        return None;
    }
    let words = element.split('|').flat_map(|word| {
        // "not" matches all contractions.
        let others = CONTRACTIONS.iter().filter(move |_| word == "not").map(|(_, contracted)| *contracted);
        others.chain([word]).map(move |spelled| (spelled, word))
    });
    Some(words.collect())
}

/// Texts without duplicates.
#[derive(Debug, Default)]
struct Pool {
    bytes: Vec<u8>,
    known: BTreeMap<Vec<u8>, u32>,
}

impl Pool {
    /// Where a text begins, and its length.
    fn add(&mut self, text: &[u8]) -> (u32, u16) {
        if text.is_empty() {
            return (0, 0);
        }
        let start = self.known.get(text).copied().unwrap_or_else(|| {
            let start = self.bytes.len() as u32;
            self.bytes.extend(text);
            self.known.insert(text.to_vec(), start);
            start
        });
        (start, text.len() as u16)
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
    /// Returns the index of the list for the rest of a phrase: of its required words, those with the fewest
    /// alternatives. Words in a row are compared faster than looked for.
    fn list(&mut self, rest: &str) -> u32 {
        let elements = || rest.split(' ').filter(|it| !it.is_empty());
        let is_far = |it: &str| it == "..." || phrase::group_numbers(it.as_bytes()).is_some();
        if !elements().any(is_far) {
            return 0;
        }
        let is_needed = |it: &&str| {
            let is_telling = |word: &str| word != "#" && word != "not" && !word.starts_with('*');
            *it != "..." && !it.ends_with('?') && it.split('|').all(is_telling)
        };
        let mut needed: Vec<&str> = elements().filter(is_needed).collect();
        needed.sort_by_key(|it| it.split('|').count());
        needed.truncate(NEEDED);
        let mut list = vec![needed.len() as u16];
        for element in needed {
            let mut buckets: Vec<u16> = match phrase::group_numbers(element.as_bytes()) {
                Some(groups) => groups.map(|group| BUCKETS as u16 + group).collect(),
                None => element
                    .split('|')
                    .map(|word| bucket(word.trim_end_matches('*').as_bytes()) as u16)
                    .collect(),
            };
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
    use super::{Builder, Vocabulary};
    use crate::text::scan::Scan;

    fn found(phrase: &str, text: &str) -> Vec<String> {
        // The sets before are those of computed groups.
        let mut builder = Builder::starting_at(100);
        let set = builder.add([phrase], &Vocabulary::default()).expect("a phrase");
        let lexicon = builder.build();
        let scan = Scan::of(text, std::slice::from_ref(&lexicon), &Vocabulary::default());
        let words = &scan.words;
        let phrases = scan.hits.iter().filter(|hit| hit.set == set);
        phrases.map(|hit| text[words.range(hit.first, hit.last)].to_owned()).collect()
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
