//! What was read before: the texts of many drafts repeat the same sentences.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use smallvec::{SmallVec, smallvec};

use super::known_sentence::KnownSentence;
use super::passage::{KnownPassage, can_be_kept, hash_of_passage, passages};
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
    /// For the next text of the thread.
    pub(super) buffers: SearchBuffers,
    /// Texts whose checks are done: their memory is used again.
    pub(super) spare: Vec<TextTerms>,
}

/// How many texts whose checks are done are kept for their memory.
const SPARE: usize = 32;

/// A text with more words is not kept.
const MOST_WORDS: usize = 512;

/// A part of a text, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextSection {
    pub(super) bytes: Range<usize>,
    pub(super) source: PartSource,
}

/// How a part of a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartSource {
    /// It is read, and not kept.
    New,
    /// It is read and kept, by this hash.
    Repeated(u64),
    /// It was read before, and has this hash.
    Known(u64),
}

impl TextSection {
    /// A text that is read as a whole.
    pub(super) fn whole(text: &str) -> TextSections {
        smallvec![Self { bytes: 0..text.len(), source: PartSource::New }]
    }

    /// The parts of a text: passages that were read before or are to be kept, and what is between them.
    pub(super) fn parts(text: &str, known: &mut HashPlaces<KnownPassage>) -> TextSections {
        let mut parts = TextSections::new();
        for bytes in passages(text) {
            let source = PartSource::of(text, &bytes, known);
            match parts.last_mut() {
                Some(last) if last.source == PartSource::New && source == PartSource::New => {
                    last.bytes.end = bytes.end;
                }
                _ => parts.push(Self { bytes, source }),
            }
        }
        parts
    }
}

impl PartSource {
    fn of(text: &str, bytes: &Range<usize>, known: &mut HashPlaces<KnownPassage>) -> Self {
        if !can_be_kept(bytes) {
            return Self::New;
        }
        let text = &text[bytes.clone()];
        let hash = hash_of_passage(text.as_bytes());
        if known.get(hash).is_some_and(|it| *it.text == *text) {
            return Self::Known(hash);
        }
        if known.is_repeated(hash) { Self::Repeated(hash) } else { Self::New }
    }
}

/// The parts of a text, in order.
pub(super) type TextSections = SmallVec<[TextSection; 8]>;

impl PassageCache {
    /// Takes back a text, for its memory.
    pub(super) fn recycle(&mut self, text: TextTerms) {
        if self.spare.len() < SPARE && text.split.words.len() <= MOST_WORDS {
            self.spare.push(text);
        }
    }
}

/// The caches of a set of rules, one for each thread that checks at the same time.
#[derive(Debug, Default)]
pub(crate) struct PassageCaches(Mutex<Vec<(ThreadId, PassageCache)>>);

impl PassageCaches {
    /// A cache that no other thread uses, if possible the last one of this thread, which its processor has at hand.
    pub(crate) fn take(&self) -> PassageCache {
        let mut caches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = thread::current().id();
        let at = caches.iter().position(|(thread, _)| *thread == own).unwrap_or(0);
        if caches.is_empty() { PassageCache::default() } else { caches.swap_remove(at).1 }
    }

    /// Returns a cache that was taken.
    pub(crate) fn give(&self, cache: PassageCache) {
        let mut caches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        caches.push((thread::current().id(), PassageCache { remembers: true, ..cache }));
    }
}
