//! Languages, and what their words do in a sentence. Each is a file in `data/languages/`.

use std::ops::BitOr;

use serde::{Deserialize, Serialize};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Facts about a language besides its words.
struct LanguageRow {
    /// Its code in ISO 639-1, which is also its key in vocabulary files.
    key: &'static str,
    name: &'static str,
    is_borrowed: bool,
    kind_follows_name: bool,
}

/// The language of a term or a text, by its place in the list of languages, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(transparent)]
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
pub struct Language(u8);

impl Language {
    /// Not known, or the same in all languages.
    pub const ANY: Self = Self(0);

    /// The number of languages.
    pub const COUNT: usize = LANGUAGES.len();

    /// All languages, without [`Self::ANY`].
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (1..=Self::COUNT as u8).map(Self)
    }

    /// The language with a key, or [`Self::ANY`] for `any`.
    pub fn of_key(key: &str) -> Option<Self> {
        [Self::ANY].into_iter().chain(Self::all()).find(|language| language.key() == key)
    }

    /// Its key in vocabulary files, which is also its code in ISO 639-1; `any` for [`Self::ANY`].
    pub fn key(self) -> &'static str {
        self.row().map_or("any", |row| row.key)
    }

    /// Its name in English.
    pub fn name(self) -> &'static str {
        self.row().map_or("unknown", |row| row.name)
    }

    /// The name of the group to which users add words that tell it.
    pub fn words_group(self) -> String {
        format!("{}-words", self.name().to_ascii_lowercase())
    }

    /// Whether its expressions are used in sentences of other languages.
    pub fn is_borrowed(self) -> bool {
        self.row().is_some_and(|row| row.is_borrowed)
    }

    /// Whether a name is before the word for its kind.
    pub fn kind_follows_name(self) -> bool {
        self.row().is_some_and(|row| row.kind_follows_name)
    }

    /// Its place in a list of all languages.
    pub fn index(self) -> usize {
        usize::from(self.0).saturating_sub(1)
    }

    fn row(self) -> Option<&'static LanguageRow> {
        LANGUAGES.get(usize::from(self.0).checked_sub(1)?)
    }
}

/// Some languages. As those that a sentence may be in: all of them if none could be told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Languages(u16);

impl Languages {
    /// Whether there are some.
    pub fn are_known(self) -> bool {
        self.0 != 0
    }

    /// Whether a language is one of them.
    pub fn has(self, language: Language) -> bool {
        self.0 >> language.0 & 1 == 1
    }

    /// Whether a sentence that may be in these languages may be in a language.
    pub fn may_be(self, language: Language) -> bool {
        !self.are_known() || self.has(language)
    }

    /// Whether a sentence that may be in these languages may be in one of others.
    pub fn may_be_one_of(self, others: Self) -> bool {
        others.are_known() && (!self.are_known() || self.shares(others))
    }

    /// Whether a language is one of both.
    pub fn shares(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Adds a language.
    pub fn or(self, language: Language) -> Self {
        Self(self.0 | 1 << language.0)
    }

    /// The language, if it is only one.
    pub fn sole(self) -> Language {
        let mut known = self.iter();
        match (known.next(), known.next()) {
            (Some(language), None) => language,
            _ => Language::ANY,
        }
    }

    /// The languages, in order.
    pub fn iter(self) -> impl Iterator<Item = Language> {
        Language::all().filter(move |language| self.has(*language))
    }
}

impl BitOr for Languages {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Effects of a word in a sentence, and their languages.
#[derive(Clone, Copy, Debug)]
pub struct WordRole {
    /// It is one of the most frequent words.
    pub frequent: Languages,
    /// It negates what follows it.
    pub negates: Languages,
    /// It negates what is before it.
    pub negates_before: Languages,
    /// It begins a new thought.
    pub turns: Languages,
    /// It is the subject of a new clause when a comma precedes it.
    pub is_subject: Languages,
    /// It is "none", which denies all that is before it.
    pub is_none: Languages,
    /// It is what a business says it does not do with something.
    pub is_denied: Languages,
}

const NO_ROLE: WordRole = WordRole {
    frequent: Languages(0),
    negates: Languages(0),
    negates_before: Languages(0),
    turns: Languages(0),
    is_subject: Languages(0),
    is_none: Languages(0),
    is_denied: Languages(0),
};

impl WordRole {
    /// Finds a folded word's effects.
    pub fn of(word: &[u8]) -> Self {
        let letter = word.first().and_then(|first| first.checked_sub(b'a'));
        let of_letter = letter.and_then(|letter| WORD_ROLES.get(usize::from(letter)));
        let words = of_letter.map_or(&[][..], |by_length| by_length[word.len() % by_length.len()]);
        words.iter().find(|(known, _)| known.as_bytes() == word).map_or(NO_ROLE, |(_, role)| *role)
    }
}

/// The contraction of a verb with "not".
pub fn contraction(verb: &str) -> Option<&'static str> {
    CONTRACTIONS.iter().find(|(known, _)| *known == verb).map(|(_, contracted)| *contracted)
}

/// All contractions of verbs with "not".
pub fn contractions() -> impl Iterator<Item = &'static str> {
    CONTRACTIONS.iter().map(|(_, contracted)| *contracted)
}

/// Whether a word is written together with the next one, with an apostrophe between.
pub fn is_elided(word: &str) -> bool {
    ELIDED.contains(&word)
}
