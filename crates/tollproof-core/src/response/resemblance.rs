//! Resemblance of a sentence to those of `known-sentences.yaml`, whose meaning is known.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use super::codes::content_words;

/// A text that is longer is not compared, in bytes.
const LONGEST: usize = 600;

/// As many of the most similar sentences vote for their meanings.
const VOTERS: usize = 20;

/// The vote for the meaning that a text has by its code, or by each set of a row of the table after the first; that of a sentence
/// is the square of its similarity, 1 at most.
const HINT: f32 = 0.1;

/// A text of fewer words that say something is short.
const SHORT: usize = 9;

/// As many words for each set of a row are short too.
const WORDS_OF_SET: usize = 4;

/// The least votes of a meaning, and of [`NOTHING`], which leaves a sentence out; and their least lead over those of the next one.
const VOTES: f32 = 0.1;
const VOTES_FOR_NOTHING: f32 = 0.2;
const LEAD: f32 = 0.03;

/// The least votes of a meaning that a row of the table gives.
const VOTES_FOR_ROW: f32 = 0.03;

/// A text of fewer words that say something needs two of a known sentence: one rare word makes none alike.
const ENOUGH_WORDS: usize = 6;

/// The fewest words that say something in a text that is compared.
const FEWEST_WORDS: usize = 4;

/// Words that say little in French and Spanish, which are compared but do not count.
const LITTLE: &str = "le la les l un une des du de d en et ou au aux est sont que qui ne pas dans sur pour par ce cette votre vos \
    notre nos vous nous il elle y o e el los las del al una unos es son su sus se lo por para con como este esta ese esa";

/// Sentences of reviewers by their meanings: codes of `schemas/codes.yaml`, ids of the first rule of rows of `reasons.yaml` that have no
/// code, or [`NOTHING`].
static KNOWN: LazyLock<KnownSentences> = LazyLock::new(|| {
    let table = serde_yaml::from_str(include_str!(concat!(env!("OUT_DIR"), "/known-sentences.yaml")))
        .expect("a test reads the table");
    KnownSentences::new(&table)
});

/// The meaning of sentences that name no reason.
pub(super) const NOTHING: &str = "nothing";

/// The meanings of the known sentences.
pub(super) fn meanings() -> impl Iterator<Item = &'static str> {
    KNOWN.meanings.iter().map(String::as_str)
}

fn telling_words(words: &[String]) -> impl Iterator<Item = &String> {
    words.iter().filter(|word| !LITTLE.split_whitespace().any(|little| little == word.as_str()))
}

/// Whether a text has so few words that a row of the table with some sets that matches is about most of them.
pub(super) fn is_short(text: &str, sets: usize) -> bool {
    text.len() <= LONGEST && telling_words(&content_words(text)).count() < SHORT.max(sets * WORDS_OF_SET + 1)
}

/// The meaning of the sentences that a text resembles. `hint` is the meaning that it has for another reason, and
/// how often that counts.
pub(super) fn meaning_of(text: &str, hint: Option<(&str, u8)>) -> Option<&'static str> {
    let leads = text.trim_end().ends_with([':', ',']);
    let mut votes = votes(text).filter(|_| !leads)?;
    if let Some((hint, times)) = hint
        && let Some(at) = meanings().position(|meaning| hint == meaning)
    {
        *votes.entry(at).or_default() += HINT * f32::from(times.max(1));
    }
    let mut votes: Vec<(f32, &str)> =
        votes.into_iter().map(|(at, vote)| (vote, KNOWN.meanings[at].as_str())).collect();
    votes.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    let first = votes.first()?;
    let second = votes.get(1).map_or(0.0, |(vote, _)| *vote);
    let least = if first.1 == NOTHING { VOTES_FOR_NOTHING } else { VOTES };
    let is_clear = first.0 >= least && first.0 - second >= LEAD;
    let is_alike =
        || first.1 == NOTHING || hint.is_some() || KNOWN.shares_words(first.1, &content_words(text));
    (is_clear && is_alike()).then_some(first.1)
}

/// Whether no sentence with a meaning is like a text, so that a row of the table is about a few of its words by chance.
pub(super) fn is_unlike(text: &str, meaning: &str) -> bool {
    let at = meanings().position(|known| known == meaning);
    let votes = at.and_then(|at| votes(text)?.get(&at).copied().or(Some(0.0)));
    votes.is_some_and(|votes| votes < VOTES_FOR_ROW)
}

/// The votes for each meaning. `None` if a text is too long or too short to be compared.
fn votes(text: &str) -> Option<HashMap<usize, f32>> {
    let words = if text.len() > LONGEST { Vec::new() } else { content_words(text) };
    if telling_words(&words).count() < FEWEST_WORDS {
        return None;
    }
    let mut votes: HashMap<usize, f32> = HashMap::new();
    for (sentence, similarity) in KNOWN.most_similar(&words) {
        *votes.entry(KNOWN.meaning_of[sentence]).or_default() += similarity * similarity;
    }
    Some(votes)
}

/// The known sentences, by their words.
struct KnownSentences {
    meanings: Vec<String>,
    /// The index of the meaning of each sentence.
    meaning_of: Vec<usize>,
    /// For each word the sentences that have it, with its part of their direction.
    sentences_with: HashMap<String, Vec<(usize, f32)>>,
}

impl KnownSentences {
    fn new(table: &BTreeMap<String, Vec<String>>) -> Self {
        let sentences: Vec<(usize, Vec<String>)> = table
            .values()
            .enumerate()
            .flat_map(|(at, texts)| texts.iter().map(move |text| (at, content_words(text))))
            .collect();
        let mut sentences_with: HashMap<String, Vec<(usize, f32)>> = HashMap::new();
        for (at, (_, words)) in sentences.iter().enumerate() {
            for word in words {
                sentences_with.entry(word.clone()).or_default().push((at, 0.0));
            }
        }
        let mut known = Self {
            meanings: table.keys().cloned().collect(),
            meaning_of: sentences.iter().map(|(meaning, _)| *meaning).collect(),
            sentences_with,
        };
        let lengths: Vec<f32> = sentences.iter().map(|(_, words)| known.length(words)).collect();
        let count = sentences.len();
        for places in known.sentences_with.values_mut() {
            let rarity = rarity(count, places.len());
            places.iter_mut().for_each(|(at, part)| *part = rarity / lengths[*at]);
        }
        known
    }

    /// The weight of a word: that of a word that no sentence has is the greatest.
    fn weight(&self, word: &str) -> f32 {
        rarity(self.meaning_of.len(), self.sentences_with.get(word).map_or(0, Vec::len))
    }

    fn length(&self, words: &[String]) -> f32 {
        words.iter().map(|word| self.weight(word).powi(2)).sum::<f32>().sqrt()
    }

    /// Whether a sentence with a meaning has enough of some words.
    fn shares_words(&self, meaning: &str, words: &[String]) -> bool {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        let all = telling_words(words).filter_map(|word| self.sentences_with.get(word)).flatten();
        all.filter(|(at, _)| self.meanings[self.meaning_of[*at]] == meaning)
            .for_each(|(at, _)| *shared.entry(*at).or_default() += 1);
        telling_words(words).count() >= ENOUGH_WORDS || shared.into_values().any(|count| count > 1)
    }

    /// The [`VOTERS`] sentences that share the most with some words, with the cosine of the angle between both.
    fn most_similar(&self, words: &[String]) -> Vec<(usize, f32)> {
        let length = self.length(words);
        let mut shared: HashMap<usize, f32> = HashMap::new();
        for word in words {
            let part = self.weight(word) / length;
            for (sentence, other) in self.sentences_with.get(word).into_iter().flatten() {
                *shared.entry(*sentence).or_default() += part * other;
            }
        }
        let mut found: Vec<(usize, f32)> = shared.into_iter().collect();
        found.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        found.truncate(VOTERS);
        found
    }
}

/// The weight of a word that `with` of `count` sentences have.
fn rarity(count: usize, with: usize) -> f32 {
    let [count, with] = [count, with].map(|number| u16::try_from(number).map_or(f32::MAX, f32::from));
    (count / with.max(0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_build_script_leaves_out_is_not_compared() {
        let read = |table| -> BTreeMap<String, Vec<String>> {
            serde_yaml::from_str(table).expect("the tables are lists by meaning")
        };
        let whole = read(include_str!("known-sentences.yaml"));
        let short = read(include_str!(concat!(env!("OUT_DIR"), "/known-sentences.yaml")));
        let words = |table: &BTreeMap<String, Vec<String>>| -> Vec<Vec<String>> {
            table.values().flatten().map(|text| content_words(text)).collect()
        };
        assert_eq!(words(&whole), words(&short));
    }
}
