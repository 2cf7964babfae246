//! What is found in a text of one word, such as a first name or a city: kept, because it is the same in every document.

use super::passage::hash_of_passage;
use super::places::{HashPlaces, Placed};

/// The size from which a word is too long to occur often.
const TOO_LONG: usize = 32;

/// Texts of one word that occurred twice.
#[derive(Debug, Default)]
pub(crate) struct OneWordTexts(HashPlaces<OneWordText>);

/// A text of one word.
#[derive(Debug)]
struct OneWordText {
    text: Box<str>,
    hash: u64,
    /// A bit set of what checks need that is in the text.
    patterns: Box<[u64]>,
}

impl Placed for OneWordText {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.text.len() + size_of_val(&*self.patterns)
    }
}

/// Whether a text is certainly one word. The name of a business has two or more, so that none is in it.
fn is_word(text: &str) -> bool {
    (1..TOO_LONG).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

impl OneWordTexts {
    /// A bit set of what checks need that is in a text of one word which was read before.
    pub(crate) fn patterns(&self, text: &str) -> Option<&[u64]> {
        if !is_word(text) {
            return None;
        }
        let known = self.0.get(hash_of_passage(text.as_bytes())).filter(|it| *it.text == *text);
        known.map(|it| &*it.patterns)
    }

    /// Keeps the bit set of what checks need that is in a text, if it is one word that occurs for the second time.
    pub(super) fn keep(&mut self, text: &str, patterns: &[u64]) {
        if !is_word(text) {
            return;
        }
        let hash = hash_of_passage(text.as_bytes());
        if self.0.is_repeated(hash) {
            self.0.insert(OneWordText { text: text.into(), hash, patterns: patterns.into() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_the_second_time() {
        let mut texts = OneWordTexts::default();
        for (text, patterns) in [("test", [1, 2]), ("Columbus", [3, 4]), ("two words", [5, 6])] {
            for _ in 0..2 {
                assert_eq!(texts.patterns(text), None, "{text}");
                texts.keep(text, &patterns);
            }
            assert_eq!(texts.patterns(text), is_word(text).then_some(&patterns[..]), "{text}");
        }
        assert!(!["", "two words", "D&J", "O'Neil", "5", "é"].into_iter().any(is_word));
    }
}
