//! A text split into words and sentences, and what each of them is by itself, before phrases are searched for.

use std::ops::Range;

use super::polarity::WordRoles;
use super::vocabulary::{Language, Languages, Vocabulary};
use super::words::{Break, Words, WordsExtent};

/// The words and sentences of a text.
#[derive(Debug, Default)]
pub(crate) struct SplitText {
    pub(crate) words: Words,
    pub(crate) roles: WordRoles,
    /// The sentences, as ranges of words.
    pub(crate) sentences: Vec<Range<usize>>,
    /// For each sentence, how many of its words are frequent in each language.
    frequent: Vec<[u32; 4]>,
}

/// How far a text was split.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SplitExtent {
    words: WordsExtent,
    sentences: usize,
}

/// The minimum number of frequent words of a language that tell the language of a sentence or text.
const TELLING: u32 = 2;

/// The languages that frequent words tell.
const TOLD: [Language; 3] = [Language::English, Language::French, Language::Spanish];

impl SplitText {
    /// Nothing yet, with room for a text.
    pub(super) fn with_room_for(text: &str) -> Self {
        let sentences = text.len() / 64 + 2;
        Self {
            words: Words::with_room_for(text),
            roles: WordRoles::with_room_for(text),
            sentences: Vec::with_capacity(sentences),
            frequent: Vec::with_capacity(sentences),
        }
    }

    /// Adds the sentences in a range of a text, as [`Words::read`] does.
    pub(super) fn read(&mut self, text: &str, range: Range<usize>, vocabulary: &Vocabulary<'_>) -> bool {
        let first = self.words.len();
        let ends_sentence = self.words.read(text, range);
        self.roles.read(&self.words);
        let (mut begun, mut counts) = (first, [0; 4]);
        for (at, word) in self.words.slice(first..self.words.len()).iter().enumerate() {
            if word.before == Break::Sentence && at > 0 {
                self.sentences.push(begun..first + at);
                self.frequent.push(counts);
                (begun, counts) = (first + at, [0; 4]);
            }
            if let Some(frequent) = vocabulary.frequent_in(word.hash) {
                for language in TOLD.into_iter().filter(|it| frequent.may_be(*it)) {
                    counts[language as usize] += 1;
                }
            }
        }
        if begun < self.words.len() {
            self.sentences.push(begun..self.words.len());
            self.frequent.push(counts);
        }
        ends_sentence
    }

    /// Adds the sentences of another text, which begins at an offset of this one.
    pub(super) fn append(&mut self, other: &Self, offset: usize) {
        let first = self.words.len();
        self.words.append(&other.words, offset);
        self.roles.append(&other.roles);
        let sentences = other.sentences.iter();
        self.sentences.extend(sentences.map(|sentence| sentence.start + first..sentence.end + first));
        self.frequent.extend_from_slice(&other.frequent);
    }

    /// How far it was read.
    pub(super) fn extent(&self) -> SplitExtent {
        SplitExtent { words: self.words.extent(), sentences: self.sentences.len() }
    }

    /// A copy of what was read between two moments, as of a text that begins at an offset of this one.
    pub(super) fn part(&self, start: SplitExtent, end: SplitExtent, offset: usize) -> Self {
        let (first, sentences) = (start.words.words, start.sentences..end.sentences);
        let moved = |sentence: &Range<usize>| sentence.start - first..sentence.end - first;
        Self {
            words: self.words.part(start.words, end.words, offset),
            roles: self.roles.part(first..end.words.words),
            sentences: self.sentences[sentences.clone()].iter().map(moved).collect(),
            frequent: self.frequent[sentences].to_vec(),
        }
    }

    /// The languages of each sentence, and at the end those of the text.
    pub(super) fn languages(&self) -> Vec<Languages> {
        let told = |counts: &[u32; 4]| {
            let most = TOLD.into_iter().map(|it| counts[it as usize]).max().unwrap_or(0);
            if most < TELLING {
                return Languages::default();
            }
            let best = TOLD.into_iter().filter(|it| counts[*it as usize] == most);
            best.fold(Languages::default(), Languages::or)
        };
        let mut all = [0; 4];
        for counts in &self.frequent {
            for language in TOLD {
                all[language as usize] += counts[language as usize];
            }
        }
        let of_text = told(&all);
        let of_sentence = |counts: &[u32; 4]| {
            let told = told(counts);
            // Of a short sentence that does not tell, every language with a telling word may be right.
            let hinted =
                || TOLD.into_iter().filter(|it| counts[*it as usize] > 0).fold(of_text, Languages::or);
            if told.are_known() || !of_text.are_known() { told } else { hinted() }
        };
        let mut languages = Vec::with_capacity(self.frequent.len() + 1);
        languages.extend(self.frequent.iter().map(of_sentence));
        languages.push(of_text);
        languages
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        self.words.size() + self.words.len() + self.sentences.len() * size_of::<(Range<usize>, [u32; 4])>()
    }
}

impl SplitExtent {
    /// The words between two moments.
    pub(super) fn words_to(self, end: Self) -> Range<usize> {
        self.words.words..end.words.words
    }

    /// The sentences between two moments.
    pub(super) fn sentences_to(self, end: Self) -> Range<usize> {
        self.sentences..end.sentences
    }
}
