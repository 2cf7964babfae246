//! A text split into words and sentences, and what each of them is by itself, before phrases are searched for.

use std::ops::Range;

use tollproof_data::text::terms::vocabulary::{Vocabulary, computed};
use tollproof_data::text::words::hit::GroupId;
use tollproof_data::text::words::language::{Language, Languages};
use tollproof_data::text::words::polarity::WordRoles;
use tollproof_data::text::words::tokenize::{BOX, TICKED_BOX, URL};
use tollproof_data::text::words::word::{Break, Word, Words};

/// The words and sentences of a text.
#[derive(Debug, Default)]
pub(crate) struct SplitText {
    pub(crate) words: Words,
    pub(crate) roles: WordRoles,
    /// The words that are terms by themselves, in order, with their groups.
    pub(crate) tokens: Vec<(usize, GroupId)>,
    /// The sentences, as ranges of words.
    pub(crate) sentences: Vec<Range<usize>>,
    /// For each sentence, how many of its words are frequent in each language.
    frequent: Vec<FrequentWords>,
}

/// The number of frequent words of each language.
type FrequentWords = [u32; Language::COUNT];

/// The minimum number of frequent words of a language that tell the language of a sentence or text.
const TELLING: u32 = 2;

impl SplitText {
    /// Splits a text; the vocabulary knows the frequent words that users added.
    pub(crate) fn of(text: &str, vocabulary: &Vocabulary<'_>) -> Self {
        let words = Words::of(text);
        let roles = WordRoles::of(&words);
        let (mut tokens, mut sentences, mut frequent) = (Vec::new(), Vec::new(), Vec::new());
        for (at, (word, role)) in words.all().iter().zip(roles.all()).enumerate() {
            let counts = counts_at((at, word), &mut sentences, &mut frequent);
            for language in (role.frequent | vocabulary.added_frequent(&words, at)).iter() {
                counts[language.index()] += 1;
            }
            if let Some(group) = token_group(text, word, words.folded(word)) {
                tokens.push((at, group));
            }
        }
        Self { words, roles, tokens, sentences, frequent }
    }

    /// The languages of each sentence, and at the end those of the text.
    pub(crate) fn languages(&self) -> Vec<Languages> {
        let with = |counts: &FrequentWords, count: u32, languages: Languages| {
            let found = Language::all().filter(|language| counts[language.index()] >= count);
            found.fold(languages, Languages::or)
        };
        let most_frequent = |counts: &FrequentWords| {
            let most = counts.iter().copied().max().unwrap_or(0);
            if most < TELLING { Languages::default() } else { with(counts, most, Languages::default()) }
        };
        let mut all = FrequentWords::default();
        for counts in &self.frequent {
            all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
        }
        let of_text = most_frequent(&all);
        let of_sentence = |counts: &FrequentWords| {
            let languages = most_frequent(counts);
            if languages.are_known() || !of_text.are_known() {
                return languages;
            }
            // Of a short sentence that does not tell, every language with a telling word may be right.
            with(counts, 1, of_text)
        };
        self.frequent.iter().map(of_sentence).chain([of_text]).collect()
    }
}

/// The one language of whose frequent words a text has most, if it has at least so many.
pub(crate) fn language_of(text: &str, least: u32) -> Option<Language> {
    let mut counts = FrequentWords::default();
    for role in WordRoles::of(&Words::of(text)).all() {
        role.frequent.iter().for_each(|language| counts[language.index()] += 1);
    }
    let most = counts.iter().copied().max().filter(|most| *most >= least)?;
    let mut best = Language::all().filter(|language| counts[language.index()] == most);
    best.next().filter(|_| best.next().is_none())
}

/// The counts of the sentence that has a word after all sentences so far: the last one, or a new one.
fn counts_at<'f>(
    (at, word): (usize, &Word),
    sentences: &mut Vec<Range<usize>>,
    frequent: &'f mut Vec<FrequentWords>,
) -> &'f mut FrequentWords {
    match sentences.last_mut().filter(|_| word.before < Break::Sentence) {
        Some(sentence) => sentence.end = at + 1,
        None => {
            sentences.push(at..at + 1);
            frequent.push(FrequentWords::default());
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
