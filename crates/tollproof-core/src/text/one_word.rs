//! What is found in a text of one word, such as a first name or a city: kept, because it is the same in every document.

use super::passage::hash_of_passage;
use super::passage_cache::PassageCache;
use super::places::Placed;
use super::scan::Scan;

/// The size from which a word is too long to occur often.
const TOO_LONG: usize = 32;

/// A text of one word.
#[derive(Debug)]
pub(super) struct OneWordText {
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

impl PassageCache {
    /// A bit set of what checks need that is in a text of one word which was read before.
    pub(crate) fn patterns_of_word(&self, text: &str) -> Option<&[u64]> {
        if !is_word(text) {
            return None;
        }
        let known = self.words.get(hash_of_passage(text.as_bytes())).filter(|it| *it.text == *text);
        known.map(|it| &*it.patterns)
    }

    /// Keeps what was found in a text, if it is one word that occurs for the second time.
    pub(crate) fn keep_word(&mut self, text: &str, scan: &Scan) {
        if !self.remembers || !is_word(text) || !scan.is_complete() {
            return;
        }
        let hash = hash_of_passage(text.as_bytes());
        if self.words.is_repeated(hash) {
            self.words.insert(OneWordText { text: text.into(), hash, patterns: scan.patterns().into() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::builtin;
    use crate::text::text_rules::TextRules;

    #[test]
    fn words_are_kept_the_second_time() {
        let builtin = builtin::load();
        let (lexicons, prefilter) = (std::slice::from_ref(&builtin.lexicon), builtin.prefilter.table());
        let rules = TextRules { lexicons, vocabulary: &builtin.vocabulary, prefilter };
        let mut cache = PassageCache { remembers: true, ..PassageCache::default() };
        for text in ["test", "Columbus"] {
            let scan = Scan::of(text, rules, &[], None);
            for times in 1..=2 {
                assert_eq!(cache.patterns_of_word(text), None, "{text}");
                cache.keep_word(text, &scan);
                assert_eq!(cache.patterns_of_word(text).is_some(), times == 2, "{text}");
            }
            assert_eq!(cache.patterns_of_word(text), Some(scan.patterns()), "{text}");
        }
        assert!(!["", "two words", "D&J", "O'Neil", "5", "é"].into_iter().any(is_word));
    }
}
