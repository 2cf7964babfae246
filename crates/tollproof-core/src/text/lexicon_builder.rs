//! Builds a [`Lexicon`].

use std::collections::BTreeMap;

use super::hit::{GroupId, SetId};
use super::lexicon::{
    BUCKETS, ENTRY, FILTER, Followers, GROUP_SLOT, LANGUAGE_SHIFT, Lexicon, NAMES_GROUPS, NEGATIVE, SLOT,
    bucket,
};
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
            self.entries += phrase::first_words(&phrase).count();
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
        let mut text = String::new();
        let mut by_word: BTreeMap<FirstElement<'_>, Vec<([u8; ENTRY], Followers)>> = BTreeMap::new();
        let mut needs = Needs::default();
        for (phrase, set, language) in &self.phrases {
            let offset = text.len();
            text.push_str(phrase);
            let mut record = [0; ENTRY];
            record[..4].copy_from_slice(&(offset as u32).to_le_bytes());
            record[4..6].copy_from_slice(&(phrase.len() as u16).to_le_bytes());
            record[6..8].copy_from_slice(&set.to_le_bytes());
            record[8..12].copy_from_slice(&needs.list(phrase).to_le_bytes());
            let behind = phrase.split_once(' ').map_or("", |(_, behind)| behind);
            let negative = polarity::asks_for_negation(behind.as_bytes());
            record[15] = if phrase::names_groups(phrase) { NAMES_GROUPS } else { 0 };
            record[15] |= if negative { NEGATIVE } else { 0 };
            record[15] |= (*language as u8) << LANGUAGE_SHIFT;
            let entry = |at: usize, length: usize| {
                let mut record = record;
                record[12..14].copy_from_slice(&(at as u16).to_le_bytes());
                record[14] = length as u8;
                (record, followers(phrase))
            };
            let first = phrase.split(' ').next().unwrap_or_default();
            if let Some(groups) = phrase::group_numbers(first.as_bytes()) {
                for group in groups {
                    by_word.entry(FirstElement::Group(group)).or_default().push(entry(0, first.len()));
                }
                continue;
            }
            let mut at = 0;
            for word in phrase::first_words(phrase) {
                let first = match word.strip_suffix('*') {
                    Some(stem) => FirstElement::Prefix(stem),
                    None => FirstElement::Word(word),
                };
                by_word.entry(first).or_default().push(entry(at, word.trim_end_matches('*').len()));
                at += word.len() + 1;
            }
        }
        let (mut entries, mut all_followers) = (Vec::new(), Vec::new());
        let mut filter = vec![0_u8; FILTER / 8];
        let (mut words, mut prefixes, mut groups) = (Vec::new(), Vec::new(), Vec::<u8>::new());
        for (first, records) in by_word {
            let slot = |hash: u32| (hash, entries.len() / ENTRY, records.len());
            match first {
                FirstElement::Word(word) => words.push(slot(hash_of(word.as_bytes()))),
                FirstElement::Prefix(stem) => {
                    let hash = hash_of(stem.as_bytes());
                    prefixes.push(slot(hash));
                    let bit = hash as usize % FILTER;
                    filter[bit / 8] |= 1 << (bit % 8);
                }
                FirstElement::Group(group) => {
                    let slot = [entries.len() / ENTRY, records.len()].map(|it| (it as u32).to_le_bytes());
                    groups.resize(usize::from(group) * GROUP_SLOT, 0);
                    groups.extend(slot.concat());
                }
            }
            for (record, followers) in records {
                entries.extend(record);
                all_followers.extend(followers.0.to_le_bytes());
                all_followers.extend(followers.1.to_le_bytes());
            }
        }
        let needs: Vec<u8> = needs.lists.iter().flat_map(|it| it.to_le_bytes()).collect();
        Lexicon {
            words: table(&words).into(),
            prefixes: table(&prefixes).into(),
            filter: filter.into(),
            groups: groups.into(),
            entries: entries.into(),
            followers: all_followers.into(),
            needs: needs.into(),
            text: text.into_bytes().into(),
        }
    }
}

/// What a phrase begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FirstElement<'p> {
    Word(&'p str),
    Prefix(&'p str),
    Group(GroupId),
}

/// The words that can follow the first element of a phrase in normal form.
fn followers(phrase: &str) -> Followers {
    let mut all = Followers::default();
    for element in phrase.split(' ').skip(1) {
        let is_group = phrase::group_numbers(element.as_bytes()).is_some();
        let (words, optional) = element.strip_suffix('?').map_or((element, false), |it| (it, true));
        for word in words.split('|') {
            if is_group || word == "..." || word == "#" || word.contains('*') {
                return Followers::ANY;
            }
            all = all.and(Followers::of(hash_of(word.as_bytes())));
            if word == "not" {
                let contractions = CONTRACTIONS.iter().map(|(_, it)| Followers::of(hash_of(it.as_bytes())));
                all = contractions.fold(all, Followers::and);
            }
        }
        if !optional {
            return all;
        }
    }
    // The phrase can end with its first element.
    Followers::ANY
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
            let is_telling = |word: &str| word != "#" && word != "not" && !word.starts_with('*');
            *it != "..." && !it.ends_with('?') && it.split('|').all(is_telling)
        };
        let mut needed: Vec<&str> = phrase.split(' ').skip(1).filter(is_needed).collect();
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
