//! Builds a [`Lexicon`].

use std::collections::{BTreeMap, BTreeSet};

use zerocopy::little_endian::U32;

use crate::text::phrases::phrase;
use crate::text::phrases::phrase_parts::{PhrasePart, PhrasePartKind, PhraseStart, WordClass, parts, starts};
use crate::text::table::lexicon::{
    Lexicon, NAMES_GROUPS, NO_GROUP, NO_WORD, NUMBER, PhraseBeginning, PhraseElement, REQUIRES_NEGATION,
    StoredPhrase, WordId, bit_of,
};
use crate::text::table::stored::{BeginningTable, WordTable};
use crate::text::terms::vocabulary::Vocabulary;
use crate::text::words::hit::{GroupId, SetId};
use crate::text::words::language::Language;
use crate::text::words::polarity;

/// Limits of the record format: the longest phrase and the longest word in bytes.
const MAX_PHRASE: usize = u16::MAX as usize;
const MAX_WORD: usize = u8::MAX as usize;

/// The maximum number of records, so that the phrases of rules have a bounded size.
const MAX_ENTRIES: usize = 1 << 18;

/// The maximum number of words in all phrases.
const MAX_WORDS: usize = 1 << 22;

/// All phrases of a table, before it is built.
#[derive(Debug, Default)]
pub struct PhraseTexts(Vec<NormalPhrase>);

/// A phrase in normal form, and what it is part of.
#[derive(Debug)]
struct NormalPhrase {
    text: String,
    set: SetId,
    meaning: Meaning,
}

/// Properties of a set's phrases: terms of a group or not, and their language.
#[derive(Clone, Copy, Debug)]
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
        self.add_terms(Meaning { group: None, language: Language::ANY }, phrases, vocabulary)
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
            let is_too_long =
                phrase.len() > MAX_PHRASE || words().any(|word| word.letters().len() > MAX_WORD);
            self.entries += starts(&elements).len();
            self.words += words().count();
            if is_too_long {
                let start: String = phrase.chars().take(40).collect();
                return Err(format!("the phrase `{start}...` is too long"));
            }
            if self.entries > MAX_ENTRIES {
                return Err(format!("these rules have more than {MAX_ENTRIES} phrases"));
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
            let after = phrase.text.split_once(' ').map_or("", |(_, after)| after);
            let is_negative = polarity::asks_for_negation(after.as_bytes());
            let Meaning { group, language } = phrase.meaning;
            let phrase = StoredPhrase {
                set: phrase.set.into(),
                group: group.unwrap_or(NO_GROUP).into(),
                language,
                flags: if is_negative { REQUIRES_NEGATION } else { 0 },
                length: 0.into(),
                start: 0.into(),
            };
            for start in starts(parts) {
                tables.add(&start, phrase);
            }
        }
        tables.lexicon()
    }
}

/// The tables of a lexicon that is being built.
struct Tables<'p> {
    ids: BTreeMap<WordClass<'p>, WordId>,
    /// The beginnings of phrases: first word or group, second word, phrase.
    beginnings: Vec<(Result<WordId, GroupId>, WordId, u32)>,
    phrases: Pool<StoredPhrase>,
    elements: Pool<PhraseElement>,
    choices: Pool<U32>,
}

impl<'p> Tables<'p> {
    fn of<'a>(parts: impl Iterator<Item = &'a PhrasePart<'p>>) -> Self
    where
        'p: 'a,
    {
        let words: BTreeSet<WordClass<'p>> = parts.flat_map(PhrasePart::words).copied().collect();
        let named = words.into_iter().filter(|word| *word != WordClass::Number).zip(NUMBER + 1..);
        let ids = named.chain([(WordClass::Number, NUMBER)]).collect();
        let (beginnings, phrases, elements, choices) = Default::default();
        Self { ids, beginnings, phrases, elements, choices }
    }

    /// Adds a phrase by one of the ways in which it can begin.
    fn add(&mut self, start: &PhraseStart<'_, 'p>, phrase: StoredPhrase) {
        let is_group = |part: &PhrasePart<'_>| matches!(part.kind, PhrasePartKind::Groups(_));
        let names_groups = if start.rest.iter().any(is_group) { NAMES_GROUPS } else { 0 };
        let elements: Vec<PhraseElement> = start.rest.iter().map(|part| self.element(part)).collect();
        let phrase = StoredPhrase {
            flags: phrase.flags | names_groups,
            length: (elements.len() as u16).into(),
            start: self.elements.add(elements).into(),
            ..phrase
        };
        let first = start.first.map(|word| self.ids[&word]);
        let second = start.second.map_or(NO_WORD, |word| self.ids[&word]);
        self.beginnings.push((first, second, self.phrases.add(vec![phrase])));
    }

    fn element(&mut self, part: &PhrasePart<'_>) -> PhraseElement {
        let (kind, numbers): (u8, BTreeSet<u32>) = match &part.kind {
            PhrasePartKind::Gap => (PhraseElement::GAP, BTreeSet::new()),
            PhrasePartKind::Groups(groups) => {
                (PhraseElement::TERM, groups.iter().copied().map(u32::from).collect())
            }
            PhrasePartKind::AnyOf(words) => {
                let kind = if part.is_optional { PhraseElement::OPTIONAL_WORD } else { PhraseElement::WORD };
                (kind, words.iter().map(|word| self.ids[word]).collect())
            }
        };
        let bits = numbers.iter().fold(0, |bits, number| bits | bit_of(*number));
        let choice: Vec<U32> = numbers.into_iter().map(U32::new).collect();
        let count = (choice.len() as u16).into();
        PhraseElement { kind, count, start: self.choices.add(choice).into(), bits: bits.into() }
    }

    fn lexicon(mut self) -> Lexicon<'static> {
        let letters = |of: fn(WordClass<'p>) -> Option<&'p str>| {
            self.ids.iter().filter_map(move |(word, id)| Some((of(*word)?, *id)))
        };
        let named: Vec<_> =
            letters(|word| if let WordClass::Word(word) = word { Some(word) } else { None }).collect();
        let stems = letters(|word| if let WordClass::Stem(stem) = word { Some(stem) } else { None });
        let endings = letters(|word| if let WordClass::Ending(ending) = word { Some(ending) } else { None });
        let reversed = |(ending, id): (&str, u32)| (ending.bytes().rev().collect::<Vec<_>>(), id);
        // Words are sorted before groups, and beginnings with the same words as they were added.
        self.beginnings.sort_by_key(|(first, second, _)| (*first, *second));
        let firsts: Vec<Result<WordId, GroupId>> = self.beginnings.iter().map(|(first, ..)| *first).collect();
        let start_of =
            |first: Result<WordId, GroupId>| (firsts.partition_point(|known| *known < first) as u32).into();
        let last_word = self.ids.len() as WordId;
        let last_group = firsts.last().copied().and_then(Result::err);
        let groups = last_group.map(|last| (0..=last + 1).map(|group| start_of(Err(group))).collect());
        let beginning = |(_, second, phrase): &(_, u32, u32)| PhraseBeginning {
            second: (*second).into(),
            phrase: (*phrase).into(),
        };
        let (words, order) = WordTable::of(&named.iter().map(|(word, _)| *word).collect::<Vec<_>>());
        let mut lexicon = Lexicon {
            words,
            stems: BeginningTable::of(stems),
            endings: BeginningTable::of(endings.map(reversed).collect::<BTreeMap<_, _>>()),
            of_words: (0..=last_word + 1).map(|word| start_of(Ok(word))).collect(),
            of_groups: groups.unwrap_or_default(),
            beginnings: self.beginnings.iter().map(beginning).collect(),
            phrases: self.phrases.all.into(),
            elements: self.elements.all.into(),
            choices: self.choices.all.into(),
            ..Lexicon::default()
        };
        let (mut starts, mut numbers) = (vec![0.into()], Vec::new());
        for (word, id) in order.iter().map(|at| named[*at]) {
            numbers.extend(lexicon.classes(word.as_bytes()).chain([id]).map(U32::new));
            starts.push((numbers.len() as u32).into());
        }
        (lexicon.starts, lexicon.numbers) = (starts.into(), numbers.into());
        lexicon
    }
}

/// Rows of records without duplicates, one after the other.
struct Pool<T> {
    all: Vec<T>,
    starts: BTreeMap<Vec<T>, u32>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { all: Vec::new(), starts: BTreeMap::new() }
    }
}

impl<T: Copy + Ord> Pool<T> {
    /// Adds a row; returns its start.
    fn add(&mut self, row: Vec<T>) -> u32 {
        let end = self.all.len() as u32;
        let start = *self.starts.entry(row.clone()).or_insert(end);
        if start == end {
            self.all.extend(row);
        }
        start
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
        let phrases: Vec<String> = (0..(1 << 18) + 1).map(|number| format!("w{number}")).collect();
        assert!(builder.add(phrases.iter().map(String::as_str), &Vocabulary::default()).is_err());
        let mut builder = Builder::starting_at(u16::MAX);
        assert!(builder.add(["x"], &Vocabulary::default()).is_err());
    }
}
