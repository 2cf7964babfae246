//! The elements of a phrase in normal form, and the ways in which it can begin.

use crate::text::phrases::phrase;
use crate::text::words::hit::GroupId;
use crate::text::words::language::contractions;

/// An element of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhrasePart<'p> {
    pub kind: PhrasePartKind<'p>,
    pub is_optional: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhrasePartKind<'p> {
    /// Up to some words.
    Gap,
    /// A term of one of these groups.
    Groups(Vec<GroupId>),
    /// One of these words.
    AnyOf(Vec<WordClass<'p>>),
}

/// A word in a phrase, or what many words have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WordClass<'p> {
    Number,
    Word(&'p str),
    /// Words that begin so.
    Stem(&'p str),
    /// Longer words that end so.
    Ending(&'p str),
}

impl<'p> PhrasePart<'p> {
    /// Its alternatives, if they are words.
    pub fn words(&self) -> impl Iterator<Item = &WordClass<'p>> {
        let PhrasePartKind::AnyOf(words) = &self.kind else { return [].iter() };
        words.iter()
    }
}

impl<'p> WordClass<'p> {
    pub fn letters(self) -> &'p str {
        match self {
            Self::Number => "",
            Self::Word(letters) | Self::Stem(letters) | Self::Ending(letters) => letters,
        }
    }
}

/// The elements of a phrase in normal form.
pub fn parts(normal: &str) -> Vec<PhrasePart<'_>> {
    normal.split(' ').filter(|it| !it.is_empty()).map(part).collect()
}

fn part(element: &str) -> PhrasePart<'_> {
    if element == "..." {
        return PhrasePart { kind: PhrasePartKind::Gap, is_optional: false };
    }
    if let Some(groups) = phrase::group_numbers(element.as_bytes()) {
        return PhrasePart { kind: PhrasePartKind::Groups(groups.collect()), is_optional: false };
    }
    let (bare, is_optional) = element.strip_suffix('?').map_or((element, false), |it| (it, true));
    let words = bare.split('|').flat_map(|word| {
        // "not" matches all contractions.
        let is_not = move |_: &&str| word == "not";
        let contractions = contractions().filter(is_not).map(|contracted: &str| WordClass::Word(contracted));
        let class = match (word.strip_prefix('*'), word.strip_suffix('*')) {
            (Some(ending), _) => WordClass::Ending(ending),
            (_, Some(stem)) => WordClass::Stem(stem),
            _ if word == "#" => WordClass::Number,
            _ => WordClass::Word(word),
        };
        contractions.chain([class])
    });
    PhrasePart { kind: PhrasePartKind::AnyOf(words.collect()), is_optional }
}

/// The maximum number of pairs of words by which a phrase is looked up; one with more is looked up by its first words.
const MAX_PAIRS: usize = 256;

/// A way in which a phrase can begin.
#[derive(Clone, Copy, Debug)]
pub struct PhraseStart<'a, 'p> {
    /// The first word, or the group whose terms are first.
    pub first: Result<WordClass<'p>, GroupId>,
    /// The second word, if it is one of few.
    pub second: Option<WordClass<'p>>,
    /// The rest of the phrase.
    pub rest: &'a [PhrasePart<'p>],
}

/// Each way in which a phrase can begin.
pub fn starts<'a, 'p>(parts: &'a [PhrasePart<'p>]) -> Vec<PhraseStart<'a, 'p>> {
    let Some((first, after)) = parts.split_first() else { return Vec::new() };
    let firsts: Vec<Result<WordClass<'p>, GroupId>> = match &first.kind {
        PhrasePartKind::Gap => Vec::new(),
        PhrasePartKind::Groups(groups) => groups.iter().copied().map(Err).collect(),
        PhrasePartKind::AnyOf(words) => words.iter().copied().map(Ok).collect(),
    };
    let alone = || firsts.iter().map(|&first| PhraseStart { first, second: None, rest: after }).collect();
    let mut found = Vec::new();
    let mut left = after;
    // Words that can be left out may or may not be the second. If all can, the longest match counts.
    while let Some((element, rest)) = left.split_first() {
        let PhrasePartKind::AnyOf(seconds) = &element.kind else { return alone() };
        for &first in &firsts {
            found.extend(seconds.iter().map(|&second| PhraseStart { first, second: Some(second), rest }));
        }
        if found.len() > MAX_PAIRS {
            return alone();
        }
        if !element.is_optional {
            return found;
        }
        left = rest;
    }
    alone()
}
