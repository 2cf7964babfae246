//! A memory with one place for each of many hashes, so that it never grows beyond a limit.

/// How many values have a place.
const PLACES: usize = 1024;

/// How many hashes are remembered that occurred once.
const SEEN: usize = 4096;

/// How many bytes the values may take.
const MAX_SIZE: usize = 1 << 20;

/// A value that can be kept.
pub(super) trait Placed {
    /// The hash by which it is found. Whoever finds it compares the rest.
    fn hash(&self) -> u64;

    /// About how many bytes it takes.
    fn size(&self) -> usize;
}

/// Values by their hashes. A value is kept when its hash occurs for the second time.
#[derive(Debug)]
pub(super) struct Places<T> {
    /// A value has one place by its hash, and replaces what is there.
    known: Vec<Option<Box<T>>>,
    /// The upper half of the hash that occurred last of those with the same place.
    seen: Vec<u32>,
    size: usize,
    /// Where values are removed next if all of them take too much.
    next: usize,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self { known: Vec::new(), seen: Vec::new(), size: 0, next: 0 }
    }
}

impl<T: Placed> Places<T> {
    /// The value that may have a hash.
    pub(super) fn get(&self, hash: u64) -> Option<&T> {
        let known = self.known.get(hash as usize % PLACES)?.as_deref()?;
        (known.hash() == hash).then_some(known)
    }

    /// Whether a hash occurred before, so that its value is to be kept; it is remembered.
    pub(super) fn is_repeated(&mut self, hash: u64) -> bool {
        if self.seen.is_empty() {
            self.seen.resize(SEEN, 0);
        }
        let upper = (hash >> 32) as u32;
        std::mem::replace(&mut self.seen[hash as usize % SEEN], upper) == upper
    }

    /// Keeps a value.
    pub(super) fn insert(&mut self, value: T) {
        if self.known.is_empty() {
            self.known.resize_with(PLACES, || None);
        }
        let (place, size) = (value.hash() as usize % PLACES, value.size());
        self.remove(place);
        // Users' vocabularies can find thousands of terms in one sentence.
        if size > MAX_SIZE / 32 {
            return;
        }
        while self.size + size > MAX_SIZE {
            self.remove(self.next);
            self.next = (self.next + 1) % PLACES;
        }
        self.size += size;
        self.known[place] = Some(Box::new(value));
    }

    /// How many bytes the values take.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    fn remove(&mut self, place: usize) {
        if let Some(removed) = self.known[place].take() {
            self.size -= removed.size();
        }
    }
}

/// Adds bits to a hash, fast rather than safe.
#[inline]
pub(super) fn hash_with(hash: u64, bits: u64) -> u64 {
    let mixed = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}
