//! Sentences about something, and texts that are put together within a bound.

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::words::{TermPattern, folded};

/// The sentences of a text that have one of the terms, or begin with one of the words.
pub(super) fn about(terms: &TermPattern, first: &[&str], text: &str) -> Vec<String> {
    let sentences = text.unicode_sentences().map(str::trim);
    let is_about = |sentence: &&str| {
        let sentence = folded(sentence);
        terms.are_in(&sentence) || first.iter().any(|word| sentence.starts_with(word))
    };
    sentences.filter(is_about).map(str::to_owned).collect()
}

/// Texts line by line, each once, with at most so many characters.
pub(super) fn bounded(texts: impl Iterator<Item = String>, most: usize) -> String {
    let mut all: Vec<String> = Vec::new();
    let mut left = most;
    for text in texts {
        if left == 0 {
            break;
        }
        if text.is_empty() || all.contains(&text) {
            continue;
        }
        let cut: String = text.chars().take(left).collect();
        left = left.saturating_sub(cut.chars().count() + 1);
        all.push(cut);
    }
    all.join("\n")
}
