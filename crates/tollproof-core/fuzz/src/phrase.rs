//! Phrases and names of groups, mostly valid ones.

use arbitrary::Arbitrary;

use crate::groups::builtin_groups;
use crate::text::word;

/// A phrase as its elements.
#[derive(Arbitrary, Debug)]
pub(crate) struct PhraseRecipe(Vec<ElementRecipe>);

#[derive(Arbitrary, Debug)]
enum ElementRecipe {
    Word(WordRecipe),
    Optional(WordRecipe),
    Either(Vec<WordRecipe>),
    Prefix(WordRecipe),
    Ending(WordRecipe),
    Gap,
    Number,
    Address,
    Group(GroupName),
    Written(String),
}

/// A word that the texts of the fuzzer have often: a short one, or one of the examples.
#[derive(Arbitrary, Debug)]
enum WordRecipe {
    Short(u8),
    OfExample(u16),
}

/// The name of a group: one of a few that the fuzzer defines, or a built-in one.
#[derive(Arbitrary, Debug)]
pub(crate) enum GroupName {
    Own(u8),
    BuiltIn(u16),
}

impl PhraseRecipe {
    fn phrase(&self) -> String {
        self.0.iter().map(ElementRecipe::element).collect::<Vec<_>>().join(" ")
    }
}

impl ElementRecipe {
    fn element(&self) -> String {
        match self {
            Self::Word(word) => word.word().to_owned(),
            Self::Optional(word) => format!("{}?", word.word()),
            Self::Either(words) => words.iter().map(WordRecipe::word).collect::<Vec<_>>().join("|"),
            Self::Prefix(word) => format!("{}*", word.word()),
            Self::Ending(word) => format!("*{}", word.word()),
            Self::Gap => "...".to_owned(),
            Self::Number => "#".to_owned(),
            Self::Address => "<url>".to_owned(),
            Self::Group(name) => format!("<{}>", name.name()),
            Self::Written(text) => text.clone(),
        }
    }
}

impl WordRecipe {
    fn word(&self) -> &str {
        match self {
            Self::Short(at) => ["a", "b", "not", "to", "aaa"][usize::from(at % 5)],
            Self::OfExample(at) => word(*at),
        }
    }
}

impl GroupName {
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Own(at) => format!("own-{}", at % 8),
            Self::BuiltIn(at) => builtin_groups()[usize::from(*at) % builtin_groups().len()].clone(),
        }
    }
}

/// The length of a list of phrases in bytes, about: enough for more phrases than rules may have together.
const MAX_LENGTH: usize = 3 << 20;

/// The phrases, and up to `times` more of them that end with a number, so that each is different.
pub(crate) fn repeated(phrases: &[PhraseRecipe], times: usize) -> Vec<String> {
    let mut all: Vec<String> = phrases.iter().map(PhraseRecipe::phrase).collect();
    let count = all.len();
    if count > 0 {
        let mut length = 0;
        let more = (0..times).map(|at| format!("{} {at}?", phrases[at % count].phrase()));
        all.extend(more.take_while(|phrase| {
            length += phrase.len();
            length < MAX_LENGTH
        }));
    }
    all
}
