//! A text split into words and sentences, and what each of them is by itself, before phrases are searched for.

use std::ops::Range;

use smallvec::SmallVec;

use super::hit::GroupId;
use super::polarity::WordRoles;
use super::text_rules::TextRules;
use super::tokenize::{BOX, TICKED_BOX, URL};
use super::vocabulary::{Language, Languages, computed};
use super::word_codes::WordCodes;
use super::words::{Break, Word, Words, WordsExtent};

/// The words and sentences of a text.
#[derive(Debug, Default)]
pub(crate) struct SplitText {
    pub(crate) words: Words,
    pub(crate) roles: WordRoles,
    /// For each lexicon, the codes of the words.
    pub(super) codes: SmallVec<[WordCodes; 1]>,
    /// The words that are terms by themselves, in order, with their groups.
    tokens: Vec<(usize, GroupId)>,
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
    /// Forgets a text, and makes room for another one.
    pub(super) fn make_ready(&mut self, text: &str) {
        let Self { words, roles, codes, tokens, sentences, frequent } = self;
        words.make_ready(text);
        roles.make_ready(text);
        codes.iter_mut().for_each(WordCodes::clear);
        tokens.clear();
        sentences.clear();
        frequent.clear();
    }

    /// Adds the sentences in a range of a text, as [`Words::read`] does.
    pub(super) fn read(
        &mut self,
        text: &str,
        range: Range<usize>,
        TextRules { lexicons, vocabulary, .. }: TextRules<'_>,
    ) -> bool {
        let first = self.words.len();
        let ends_sentence = self.words.read(text, range);
        self.roles.read(&self.words);
        self.codes.resize_with(lexicons.len(), WordCodes::default);
        for (codes, lexicon) in self.codes.iter_mut().zip(lexicons) {
            codes.read(&self.words, lexicon);
        }
        let (mut begun, mut counts) = (first, [0; 4]);
        for (at, word) in self.words.slice(first..self.words.len()).iter().enumerate() {
            if word.before == Break::Sentence && at > 0 {
                self.sentences.push(begun..first + at);
                self.frequent.push(counts);
                (begun, counts) = (first + at, [0; 4]);
            }
            if let Some(frequent) = vocabulary.frequent_in(word.hash) {
                for language in TOLD {
                    counts[language as usize] += u32::from(frequent.may_be(language));
                }
            }
            if let Some(group) = token_group(text, word, self.words.folded(word)) {
                self.tokens.push((first + at, group));
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
        self.codes.resize_with(other.codes.len(), WordCodes::default);
        self.codes.iter_mut().zip(&other.codes).for_each(|(codes, other)| codes.append(other));
        self.tokens.extend(other.tokens.iter().map(|(at, group)| (at + first, *group)));
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
            codes: self.codes.iter().map(|codes| codes.part(first..end.words.words)).collect(),
            tokens: self
                .tokens_in(&(first..end.words.words))
                .iter()
                .map(|(at, group)| (at - first, *group))
                .collect(),
            sentences: self.sentences[sentences.clone()].iter().map(moved).collect(),
            frequent: self.frequent[sentences].to_vec(),
        }
    }

    /// The words in a range that are terms by themselves, with their groups.
    pub(super) fn tokens_in(&self, words: &Range<usize>) -> &[(usize, GroupId)] {
        let before = |word: usize| self.tokens.partition_point(|(at, _)| *at < word);
        &self.tokens[before(words.start)..before(words.end)]
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
        self.words.size()
            + self.words.len()
            + self.codes.iter().map(WordCodes::size).sum::<usize>()
            + size_of_val(self.tokens.as_slice())
            + self.sentences.len() * size_of::<(Range<usize>, [u32; 4])>()
    }
}

/// The group of a token by what it is: an address, a number, an amount, a box, a word in capitals.
fn token_group(text: &str, word: &Word, folded: &[u8]) -> Option<GroupId> {
    if word.is_amount && folded.first() != Some(&b'<') {
        return Some(computed::AMOUNT);
    }
    match folded.first()? {
        b'<' => [(URL, computed::URL), (BOX, computed::BOX), (TICKED_BOX, computed::TICKED_BOX)]
            .iter()
            .find_map(|(token, group)| (token.as_bytes() == folded).then_some(*group)),
        b'0'..=b'9' => Some(computed::NUMBER),
        _ => {
            let (start, end) = (word.start as usize, word.end as usize);
            // Most words begin with a small letter.
            if text.as_bytes().get(start).is_some_and(u8::is_ascii_lowercase) {
                return None;
            }
            text.get(start..end).is_some_and(are_capitals).then_some(computed::CAPITALS)
        }
    }
}

/// Whether a word has two letters or more, none of them small.
fn are_capitals(word: &str) -> bool {
    !word.chars().any(char::is_lowercase) && word.chars().filter(|it| it.is_uppercase()).count() >= 2
}
