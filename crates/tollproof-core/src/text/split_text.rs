//! A text split into words and sentences, and what each of them is by itself, before phrases are searched for.

use std::ops::Range;

use smallvec::SmallVec;

use super::hit::GroupId;
use super::polarity::WordRoles;
use super::text_rules::TextRules;
use super::tokenize::{BOX, TICKED_BOX, URL};
use super::vocabulary::{Language, Languages, computed};
use super::word_codes::WordCodes;
use super::words::{Break, Word, Words};

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

    /// Adds a range of a text, as [`Words::read`] does.
    pub(super) fn read(
        &mut self,
        text: &str,
        range: Range<usize>,
        pending: Break,
        TextRules { lexicons, vocabulary, .. }: TextRules<'_>,
    ) -> Option<Break> {
        let first = self.words.len();
        let pending = self.words.read(text, range, pending);
        self.roles.read(&self.words);
        self.codes.resize_with(lexicons.len(), WordCodes::default);
        for (codes, lexicon) in self.codes.iter_mut().zip(lexicons) {
            codes.read(&self.words, lexicon);
        }
        let Self { words, tokens, sentences, frequent, .. } = self;
        for (at, word) in (first..).zip(words.slice(first..words.len())) {
            let counts = counts_at((at, word), sentences, frequent);
            if let Some(languages) = vocabulary.frequent_in(word.hash) {
                for language in TOLD {
                    counts[language as usize] += u32::from(languages.may_be(language));
                }
            }
            if let Some(group) = token_group(text, word, words.folded(word)) {
                tokens.push((at, group));
            }
        }
        pending
    }

    /// Adds another text, which begins at an offset of this one; `pending` separates its first word from the one before.
    pub(super) fn append(&mut self, other: &Self, offset: usize, pending: Break) {
        let Self { words, roles, codes, tokens, sentences, frequent } = self;
        let first = words.len();
        words.append(&other.words, offset, pending);
        roles.append(&other.roles);
        codes.resize_with(other.codes.len(), WordCodes::default);
        codes.iter_mut().zip(&other.codes).for_each(|(codes, other)| codes.append(other));
        tokens.extend(other.tokens.iter().map(|(at, group)| (at + first, *group)));
        let Some(((begun, others), word)) =
            other.sentences.split_first().zip(words.slice(first..first + 1).first())
        else {
            return;
        };
        let counts = counts_at((first, word), sentences, frequent);
        counts.iter_mut().zip(other.frequent[0]).for_each(|(all, count)| *all += count);
        if let Some(sentence) = sentences.last_mut() {
            sentence.end = first + begun.end;
        }
        sentences.extend(others.iter().map(|sentence| sentence.start + first..sentence.end + first));
        frequent.extend_from_slice(&other.frequent[1..]);
    }

    /// The words that are terms by themselves, in order, with their groups.
    pub(super) fn tokens(&self) -> &[(usize, GroupId)] {
        &self.tokens
    }

    /// Sets the languages of each sentence, and at the end those of the text.
    pub(super) fn tell_languages(&self, languages: &mut Vec<Languages>) {
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
        languages.clear();
        languages.extend(self.frequent.iter().map(of_sentence));
        languages.push(of_text);
    }

    /// Returns the memory that it does not need.
    pub(super) fn shrink(&mut self) {
        let Self { words, roles, codes, tokens, sentences, frequent } = self;
        words.shrink();
        roles.shrink();
        codes.iter_mut().for_each(WordCodes::shrink);
        tokens.shrink_to_fit();
        sentences.shrink_to_fit();
        frequent.shrink_to_fit();
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

/// The counts of the sentence that has a word behind all sentences so far: the last one, or a new one.
fn counts_at<'f>(
    (at, word): (usize, &Word),
    sentences: &mut Vec<Range<usize>>,
    frequent: &'f mut Vec<[u32; 4]>,
) -> &'f mut [u32; 4] {
    match sentences.last_mut().filter(|_| word.before < Break::Sentence) {
        Some(sentence) => sentence.end = at + 1,
        None => {
            sentences.push(at..at + 1);
            frequent.push([0; 4]);
        }
    }
    let last = frequent.len() - 1;
    &mut frequent[last]
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
