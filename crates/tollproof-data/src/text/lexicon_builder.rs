//! Builds a [`Lexicon`].

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::entry::{
    ENTRY, GOES_ON, LANGUAGE_SHIFT, MAX_NUMBER, NAMES_GROUPS, NEGATIVE, NUMBER, NumberChoice, PhraseElement,
    PhraseElementKind, PhraseEntry, WordId, bit_of, marked,
};
use super::hit::{GroupId, SetId};
use super::lexicon::{
    BEGINS, BEGINS_PAIR, BUCKETS, FILTER, IS_GROUP, IS_SECOND, Lexicon, PAIR_SLOT, RANGE_SLOT, WORD_SLOT,
    hash_of_pair,
};
use super::phrase;
use super::phrase_parts::{PhrasePart, PhrasePartKind, PhraseStart, WordClass, parts, starts};
use super::polarity;
use super::vocabulary::{Language, Vocabulary};
use super::words::hash_of;

/// Limits of the record format: the longest phrase and the longest word in bytes.
const MAX_PHRASE: usize = u16::MAX as usize;
const MAX_WORD: usize = u8::MAX as usize;

/// The maximum number of records, so that the phrases of rules have a bounded size.
const MAX_ENTRIES: usize = 1 << 18;

/// The maximum number of different endings, such as `*ing`: each is compared with every unknown word.
const MAX_ENDINGS: usize = 1000;

/// The maximum number of words in all phrases, so that their places fit into an [`PhraseElement`].
const MAX_WORDS: usize = MAX_NUMBER as usize / 4;

/// All phrases of a table, before it is built: a tenth of its size. WebAssembly, which is downloaded, contains the
/// built-in phrases in this form and builds their table when it starts.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct PhraseTexts(Vec<NormalPhrase>);

/// A phrase in normal form, and what it is part of.
#[derive(Debug, Serialize, Deserialize)]
struct NormalPhrase {
    text: String,
    set: SetId,
    meaning: Meaning,
}

/// What the phrases of a set are: terms of a group or not, and in which language.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Meaning {
    pub group: Option<GroupId>,
    pub language: Language,
}

/// Builds a [`Lexicon`].
#[derive(Debug, Default)]
pub struct Builder {
    phrases: PhraseTexts,
    /// The number of records needed for the phrases.
    entries: usize,
    /// The number of words in the phrases.
    words: usize,
    endings: BTreeSet<String>,
    sets: SetId,
}

impl Builder {
    /// A builder whose sets are numbered from `first`, so that two lexicons never share a number.
    pub fn starting_at(first: SetId) -> Self {
        Self { sets: first, ..Self::default() }
    }

    pub fn next_set(&self) -> SetId {
        self.sets
    }

    /// Adds a set of phrases; the vocabulary knows the groups that they name.
    ///
    /// # Errors
    ///
    /// Describes the first invalid phrase, or reports that there are too many phrases.
    pub fn add<'p>(
        &mut self,
        phrases: impl IntoIterator<Item = &'p str>,
        vocabulary: &Vocabulary<'_>,
    ) -> Result<SetId, String> {
        self.add_terms(Meaning { group: None, language: Language::Any }, phrases, vocabulary)
    }

    /// Adds a set of phrases with a meaning.
    ///
    /// # Errors
    ///
    /// As [`Self::add`].
    pub fn add_terms<'p>(
        &mut self,
        meaning: Meaning,
        phrases: impl IntoIterator<Item = &'p str>,
        vocabulary: &Vocabulary<'_>,
    ) -> Result<SetId, String> {
        let set = self.sets;
        for phrase in phrases {
            let phrase = phrase::normalize(phrase, vocabulary)?;
            let elements = parts(&phrase);
            let words = || elements.iter().flat_map(PhrasePart::words);
            let is_too_long = phrase.len() > MAX_PHRASE || words().any(|it| it.letters().len() > MAX_WORD);
            self.entries += starts(&elements).len();
            self.words += words().count();
            self.endings.extend(words().filter_map(|it| match it {
                WordClass::Ending(ending) => Some((*ending).to_owned()),
                _ => None,
            }));
            if is_too_long {
                let start: String = phrase.chars().take(40).collect();
                return Err(format!("the phrase `{start}...` is too long"));
            }
            if self.entries > MAX_ENTRIES {
                return Err(format!("these rules have more than {MAX_ENTRIES} phrases"));
            }
            if self.endings.len() > MAX_ENDINGS {
                return Err(format!(
                    "these rules have more than {MAX_ENDINGS} different endings such as `*ing`"
                ));
            }
            if self.words > MAX_WORDS {
                return Err(format!("the phrases of these rules have more than {MAX_WORDS} words"));
            }
            self.phrases.0.push(NormalPhrase { text: phrase, set, meaning });
        }
        self.sets = set.checked_add(1).ok_or("these rules have too many lists of phrases")?;
        Ok(set)
    }

    /// All phrases that were added.
    pub fn finish(self) -> PhraseTexts {
        self.phrases
    }
}

impl PhraseTexts {
    /// The table of the phrases.
    pub fn build(&self) -> Lexicon<'static> {
        // `add` rejects phrases whose numbers do not fit into a record.
        let phrases: Vec<_> = self.0.iter().map(|phrase| (phrase, parts(&phrase.text))).collect();
        let mut tables = Tables::of(phrases.iter().flat_map(|(_, parts)| parts));
        for (phrase, parts) in &phrases {
            let behind = phrase.text.split_once(' ').map_or("", |(_, behind)| behind);
            let is_negative = polarity::asks_for_negation(behind.as_bytes());
            let Meaning { group, language } = phrase.meaning;
            let flags = (language as u8) << LANGUAGE_SHIFT | if is_negative { NEGATIVE } else { 0 };
            for start in starts(parts) {
                tables.add(&start, PhraseEntry { set: phrase.set, flags, group, ..PhraseEntry::default() });
            }
        }
        tables.lexicon()
    }
}

/// The tables of a lexicon that is being built.
#[derive(Debug)]
struct Tables<'p> {
    ids: BTreeMap<WordClass<'p>, WordId>,
    /// The flags of each number.
    flags: Vec<u8>,
    /// The entries by the number of a word, or of a group with [`IS_GROUP`].
    alone: BTreeMap<u32, Vec<u8>>,
    /// The entries by two numbers.
    pairs: BTreeMap<(u32, WordId), Vec<u8>>,
    elements: Pool,
    choices: Pool,
    needs: Needs,
}

impl<'p> Tables<'p> {
    fn of<'a>(parts: impl Iterator<Item = &'a PhrasePart<'p>>) -> Self
    where
        'p: 'a,
    {
        let mut ids = BTreeMap::from([(WordClass::Number, NUMBER)]);
        for word in parts.flat_map(PhrasePart::words) {
            let next = ids.len() as WordId + 1;
            ids.entry(*word).or_insert(next);
        }
        let flags = vec![0; ids.len() + 1];
        let (alone, pairs, elements, choices, needs) = Default::default();
        Self { ids, flags, alone, pairs, elements, choices, needs }
    }

    /// Adds a phrase by one of the ways in which it can begin.
    fn add(&mut self, start: &PhraseStart<'_, 'p>, phrase: PhraseEntry) {
        let is_group = |part: &PhrasePart<'_>| matches!(part.kind, PhrasePartKind::Groups(_));
        let names_groups = if start.rest.iter().any(is_group) { NAMES_GROUPS } else { 0 };
        let goes_on = if start.second.is_some() || !start.rest.is_empty() { GOES_ON } else { 0 };
        let elements: Vec<u8> = start.rest.iter().flat_map(|part| self.element(part).encode()).collect();
        let entry = PhraseEntry {
            rest: self.elements.add(&elements) / 4,
            rest_length: start.rest.len() as u16,
            needs: self.needs.list(start.rest, &self.ids),
            next: self.next_bits(start.rest),
            flags: phrase.flags | names_groups | goes_on,
            ..phrase
        };
        let first = match start.first {
            Ok(word) => self.ids[&word],
            Err(group) => u32::from(group) | IS_GROUP,
        };
        let entries = match start.second {
            Some(second) => {
                self.flag(first, BEGINS_PAIR);
                self.flag(self.ids[&second], IS_SECOND);
                self.pairs.entry((first, self.ids[&second])).or_default()
            }
            None => {
                self.flag(first, BEGINS);
                self.alone.entry(first).or_default()
            }
        };
        entries.extend(entry.encode());
    }

    /// The bits of the words of which one must be first in the rest of a phrase.
    fn next_bits(&self, rest: &[PhrasePart<'_>]) -> u64 {
        let next = rest.first().filter(|part| !part.is_optional);
        next.into_iter().flat_map(PhrasePart::words).fold(0, |bits, word| bits | bit_of(self.ids[word]))
    }

    fn flag(&mut self, id: u32, flag: u8) {
        if let Some(flags) = self.flags.get_mut(id as usize) {
            *flags |= flag;
        }
    }

    fn element(&mut self, part: &PhrasePart<'_>) -> PhraseElement {
        let kind = match &part.kind {
            PhrasePartKind::Gap => PhraseElementKind::Gap,
            PhrasePartKind::Groups(groups) => {
                let mut groups: Vec<u32> = groups.iter().map(|it| u32::from(*it)).collect();
                groups.sort_unstable();
                groups.dedup();
                PhraseElementKind::Groups(self.choices.add(&NumberChoice::encode(&groups)) / 4)
            }
            PhrasePartKind::AnyOf(words) => {
                let mut ids: Vec<WordId> = words.iter().map(|word| self.ids[word]).collect();
                ids.sort_unstable();
                ids.dedup();
                match ids.as_slice() {
                    [id] => PhraseElementKind::Word(*id),
                    _ => PhraseElementKind::AnyOf(self.choices.add(&NumberChoice::encode(&ids)) / 4),
                }
            }
        };
        PhraseElement { kind, is_optional: part.is_optional }
    }

    fn lexicon(self) -> Lexicon<'static> {
        let mut entries = Vec::new();
        let mut ranges = |records: &[u8]| {
            let first = (entries.len() / ENTRY) as u32;
            entries.extend(records);
            [first, (records.len() / ENTRY) as u32]
        };
        let (mut beginnings, mut groups, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        let mut alone_of_groups: BTreeMap<&u32, [u32; 2]> = BTreeMap::new();
        for (first, records) in &self.alone {
            if first & IS_GROUP == 0 {
                beginnings.resize(*first as usize * RANGE_SLOT, 0);
                beginnings.extend(bytes_of(ranges(records)));
            } else {
                alone_of_groups.insert(first, ranges(records));
            }
        }
        let pairs_of = |first: u32| self.pairs.range((first, 0)..(first + 1, 0));
        let last_group = self.alone.keys().chain(self.pairs.keys().map(|(first, _)| first)).max();
        for first in IS_GROUP..=last_group.copied().unwrap_or_default() {
            groups.extend(bytes_of(alone_of_groups.get(&first).copied().unwrap_or_default()));
            groups.push(if pairs_of(first).next().is_some() { BEGINS_PAIR } else { 0 });
        }
        for ((first, second), records) in &self.pairs {
            let [start, count] = ranges(records);
            let slot = bytes_of([*first, *second, start, count]);
            pairs.push((hash_of_pair(*first, *second), slot));
        }
        let mut text = Pool::default();
        let mut filter = vec![0_u8; FILTER / 8];
        let mut all_ids: Vec<u32> = Vec::new();
        let (mut words, mut stems, mut endings) = (Vec::new(), Vec::new(), Vec::new());
        for (word, own) in &self.ids {
            let flags = self.flags[*own as usize];
            let letters = word.letters();
            match word {
                WordClass::Number | WordClass::Ending(_) => {
                    endings.extend(own.to_le_bytes());
                    endings.extend([flags, letters.len() as u8]);
                    endings.extend(letters.bytes());
                }
                WordClass::Stem(_) | WordClass::Word(_) => {
                    let classes = matches!(word, WordClass::Word(_)).then(|| self.classes_of(letters));
                    let of_word: Vec<WordId> = classes.into_iter().flatten().chain([*own]).collect();
                    let flags = of_word.iter().fold(flags, |flags, id| flags | self.flags[*id as usize]);
                    let bits = of_word.iter().fold(0, |bits, id| bits | bit_of(*id));
                    let hash = hash_of(letters.as_bytes());
                    let mut slot = bytes_of([hash, text.add(letters.as_bytes()), all_ids.len() as u32, *own]);
                    slot.extend((of_word.len() as u16).to_le_bytes());
                    slot.extend([letters.len() as u8, flags]);
                    slot.extend(bits.to_le_bytes());
                    all_ids.extend(of_word.iter().map(|id| marked(*id, self.flags[*id as usize])));
                    if let WordClass::Stem(_) = word {
                        filter[hash as usize % FILTER / 8] |= 1 << (hash % 8);
                        stems.push((hash, slot));
                    } else {
                        words.push((hash, slot));
                    }
                }
            }
        }
        Lexicon {
            words: table::<WORD_SLOT>(&words, |slot| slot[18] == 0).into(),
            stems: table::<WORD_SLOT>(&stems, |slot| slot[18] == 0).into(),
            filter: filter.into(),
            endings: endings.into(),
            ids: all_ids.iter().flat_map(|it| it.to_le_bytes()).collect(),
            beginnings: beginnings.into(),
            groups: groups.into(),
            pairs: table::<PAIR_SLOT>(&pairs, |slot| slot[12..] == [0; 4]).into(),
            entries: entries.into(),
            elements: self.elements.bytes.into(),
            choices: self.choices.bytes.into(),
            needs: self.needs.lists.iter().flat_map(|it| it.to_le_bytes()).collect(),
            text: text.bytes.into(),
        }
    }

    /// The numbers of the beginnings and endings of a word, and of digits at its beginning.
    fn classes_of(&self, word: &str) -> impl Iterator<Item = WordId> {
        let stems = (1..=word.len()).filter_map(|end| word.get(..end)).map(WordClass::Stem);
        let endings = (1..word.len()).filter_map(|start| word.get(start..)).map(WordClass::Ending);
        let number = word.starts_with(|it: char| it.is_ascii_digit()).then_some(WordClass::Number);
        stems.chain(number).chain(endings).filter_map(|class| self.ids.get(&class).copied())
    }
}

fn bytes_of<const N: usize>(numbers: [u32; N]) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// A hash table of slots, at most half full.
fn table<const SLOT: usize>(slots: &[(u32, Vec<u8>)], is_empty: fn(&[u8]) -> bool) -> Vec<u8> {
    let size = (slots.len() * 2).next_power_of_two();
    let mut table = vec![0; size * SLOT];
    for (hash, slot) in slots {
        let mut at = *hash as usize % size;
        while !is_empty(&table[at * SLOT..(at + 1) * SLOT]) {
            at = (at + 1) % size;
        }
        table[at * SLOT..(at + 1) * SLOT].copy_from_slice(slot);
    }
    table
}

/// Records without duplicates.
#[derive(Debug, Default)]
struct Pool {
    bytes: Vec<u8>,
    known: BTreeMap<Vec<u8>, u32>,
}

impl Pool {
    /// Where a record begins.
    fn add(&mut self, record: &[u8]) -> u32 {
        if record.is_empty() {
            return 0;
        }
        if let Some(start) = self.known.get(record) {
            return *start;
        }
        let start = self.bytes.len() as u32;
        self.bytes.extend(record);
        self.known.insert(record.to_vec(), start);
        start
    }
}

/// The lists of what phrases need, without duplicates.
#[derive(Debug)]
struct Needs {
    /// The encoded lists, in the format of `Lexicon::needs`.
    lists: Vec<u16>,
    known: BTreeMap<Vec<u16>, u32>,
}

/// The maximum number of required elements stored for a phrase; more would reject few further texts.
const NEEDED: usize = 3;

impl Default for Needs {
    /// The first list is for phrases that need nothing.
    fn default() -> Self {
        Self { lists: vec![0], known: BTreeMap::new() }
    }
}

impl Needs {
    /// Returns the index of the list for the rest of a phrase: of its required elements, those with the fewest
    /// alternatives. Words in a row are compared faster than looked for.
    fn list(&mut self, rest: &[PhrasePart<'_>], ids: &BTreeMap<WordClass<'_>, WordId>) -> u32 {
        if rest.iter().all(|part| matches!(part.kind, PhrasePartKind::AnyOf(_))) {
            return 0;
        }
        let bits = |part: &PhrasePart<'_>| -> Vec<u16> {
            let mut bits: Vec<u16> = match &part.kind {
                PhrasePartKind::Gap => Vec::new(),
                PhrasePartKind::Groups(groups) => groups.iter().map(|group| BUCKETS as u16 + group).collect(),
                PhrasePartKind::AnyOf(words) => {
                    words.iter().map(|it| (ids[it] as usize % BUCKETS) as u16).collect()
                }
            };
            bits.sort_unstable();
            bits.dedup();
            bits
        };
        let mut needed: Vec<Vec<u16>> = rest.iter().filter(|part| !part.is_optional).map(bits).collect();
        needed.retain(|bits| !bits.is_empty());
        needed.sort_by_key(Vec::len);
        needed.truncate(NEEDED);
        let mut list = vec![needed.len() as u16];
        for bits in needed {
            list.push(bits.len() as u16);
            list.extend(bits);
        }
        let at = *self.known.entry(list.clone()).or_insert(self.lists.len() as u32);
        if at as usize == self.lists.len() {
            self.lists.extend(list);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::{Builder, Vocabulary};

    #[test]
    fn what_a_record_cannot_hold_is_refused() {
        let mut builder = Builder::default();
        assert!(builder.add([&*"x".repeat(256)], &Vocabulary::default()).is_err());
        assert!(builder.add([&*format!("x {}", "y".repeat(65_534))], &Vocabulary::default()).is_err());
        let mut builder = Builder::default();
        let endings: Vec<String> = (0..1001).map(|number| format!("not *e{number}")).collect();
        let add = |builder: &mut Builder, phrases: &[String]| {
            builder.add(phrases.iter().map(String::as_str), &Vocabulary::default())
        };
        assert!(add(&mut builder, &endings[..1000]).is_ok() && add(&mut builder, &endings).is_err());
        let mut builder = Builder::default();
        let phrases: Vec<String> = (0..(1 << 18) + 1).map(|number| format!("w{number}")).collect();
        assert!(builder.add(phrases.iter().map(String::as_str), &Vocabulary::default()).is_err());
        let mut builder = Builder::starting_at(u16::MAX);
        assert!(builder.add(["x"], &Vocabulary::default()).is_err());
    }
}
