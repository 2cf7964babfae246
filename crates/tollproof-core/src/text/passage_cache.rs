//! What was read before: the texts of many drafts repeat the same sentences.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use super::known_sentence::KnownSentence;
use super::one_word::OneWordTexts;
use super::passage::KnownPassage;
use super::places::HashPlaces;
use super::search_buffers::SearchBuffers;
use super::text_terms::TextTerms;

/// What one thread has read.
#[derive(Debug, Default)]
pub(crate) struct PassageCache {
    /// Whether texts are remembered. Those of the first document are not: one document has little to repeat.
    pub(super) remembers: bool,
    /// The words of passages, by their texts.
    pub(super) passages: HashPlaces<KnownPassage>,
    /// What was found in sentences, by what phrases know of their words.
    pub(super) sentences: HashPlaces<KnownSentence>,
    /// What was found in texts of one word.
    pub(crate) words: OneWordTexts,
    /// For the next text of the thread.
    pub(super) buffers: SearchBuffers,
    /// Texts whose checks are done: their memory is used again.
    #[expect(clippy::vec_box, reason = "moving a box costs less than moving what is in it")]
    pub(super) spare: Vec<Box<TextTerms>>,
}

/// How many texts whose checks are done are kept for their memory.
const SPARE: usize = 32;

/// A text with more words is not kept.
const MOST_WORDS: usize = 512;

impl PassageCache {
    /// Takes back a text, for its memory.
    pub(super) fn recycle(&mut self, text: Box<TextTerms>) {
        if self.spare.len() < SPARE && text.split.words.len() <= MOST_WORDS {
            self.spare.push(text);
        }
    }
}

/// The caches of a set of rules, one for each thread that checks at the same time.
#[derive(Debug, Default)]
pub(crate) struct PassageCaches(Mutex<Vec<(ThreadId, Box<PassageCache>)>>);

impl PassageCaches {
    /// A cache that no other thread uses, if possible the last one of this thread, which its processor has at hand.
    pub(crate) fn take(&self) -> Box<PassageCache> {
        let mut caches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = thread::current().id();
        let at = caches.iter().position(|(thread, _)| *thread == own).unwrap_or(0);
        if caches.is_empty() { Box::default() } else { caches.swap_remove(at).1 }
    }

    /// Returns a cache that was taken.
    pub(crate) fn give(&self, mut cache: Box<PassageCache>) {
        cache.remembers = true;
        let mut caches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        caches.push((thread::current().id(), cache));
    }
}
