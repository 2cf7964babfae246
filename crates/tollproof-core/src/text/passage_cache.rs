//! Passages that were read before: the texts of many drafts repeat the same sentences.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::passage::{KnownPassage, PassageTerms, can_be_kept, hash_of_passage, passages};
use super::search_buffers::SearchBuffers;

/// How many passages have a place.
const PLACES: usize = 1024;

/// How many hashes of passages are remembered that occurred once.
const SEEN: usize = 4096;

/// How many bytes the passages of a cache may take.
const MAX_SIZE: usize = 2 << 20;

/// The passages that one thread has read, by their hashes. A passage is kept when it occurs for the second time.
#[derive(Debug, Default)]
pub(crate) struct PassageCache {
    /// A passage has one place by its hash, and replaces what is there.
    known: Vec<Option<Box<KnownPassage>>>,
    /// The upper half of the hash that occurred last of those with the same place.
    seen: Vec<u32>,
    size: usize,
    /// Where passages are removed next if all of them take too much.
    next: usize,
    /// For the next text of the thread.
    pub(super) buffers: SearchBuffers,
}

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
    /// It was read before, and is at this place.
    Known(usize),
}

impl PassageCache {
    /// The parts of a text: passages that were read before or are to be kept, and what is between them.
    pub(super) fn parts(&mut self, text: &str) -> SmallVec<[TextSection; 8]> {
        let mut parts: SmallVec<[TextSection; 8]> = SmallVec::new();
        for bytes in passages(text) {
            let source = self.source_of(text, &bytes);
            match parts.last_mut() {
                Some(last) if last.source == PartSource::New && source == PartSource::New => {
                    last.bytes.end = bytes.end;
                }
                _ => parts.push(TextSection { bytes, source }),
            }
        }
        parts
    }

    fn source_of(&mut self, text: &str, bytes: &Range<usize>) -> PartSource {
        if !can_be_kept(bytes) {
            return PartSource::New;
        }
        if self.known.is_empty() {
            self.known.resize_with(PLACES, || None);
            self.seen.resize(SEEN, 0);
        }
        let text = &text[bytes.clone()];
        let hash = hash_of_passage(text.as_bytes());
        let place = hash as usize % PLACES;
        if self.get(place).is_some_and(|it| it.hash == hash && *it.text == *text) {
            return PartSource::Known(place);
        }
        let (seen, upper) = (&mut self.seen[hash as usize % SEEN], (hash >> 32) as u32);
        match std::mem::replace(seen, upper) == upper {
            true => PartSource::Repeated(hash),
            false => PartSource::New,
        }
    }

    /// The passage at a place.
    pub(super) fn get(&self, place: usize) -> Option<&KnownPassage> {
        self.known.get(place)?.as_deref()
    }

    /// Keeps what was found in a passage in another context.
    pub(super) fn add_terms(&mut self, place: usize, terms: PassageTerms) {
        if let Some(mut known) = self.take(place) {
            known.add(terms);
            self.put(place, known);
        }
    }

    /// Keeps a passage.
    pub(super) fn insert(&mut self, passage: KnownPassage) {
        self.put(passage.hash as usize % PLACES, Box::new(passage));
    }

    fn put(&mut self, place: usize, passage: Box<KnownPassage>) {
        self.take(place);
        let size = passage.size();
        // Users' vocabularies can find thousands of terms in one sentence.
        if size > MAX_SIZE / 64 {
            return;
        }
        while self.size + size > MAX_SIZE {
            self.take(self.next);
            self.next = (self.next + 1) % PLACES;
        }
        self.size += size;
        self.known[place] = Some(passage);
    }

    fn take(&mut self, place: usize) -> Option<Box<KnownPassage>> {
        let taken = self.known.get_mut(place)?.take()?;
        self.size -= taken.size();
        Some(taken)
    }
}

/// The caches of a set of rules, one for each thread that checks at the same time.
#[derive(Debug, Default)]
pub(crate) struct PassageCaches(Mutex<Vec<PassageCache>>);

impl PassageCaches {
    /// A cache that no other thread uses. `None` for the first document: one document has little to repeat.
    pub(crate) fn take(&self) -> Option<PassageCache> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Returns a cache that was taken, or a new one.
    pub(crate) fn give(&self, cache: Option<PassageCache>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(cache.unwrap_or_default());
    }
}
