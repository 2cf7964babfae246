//! A memory with places for values by their hashes, so that it never grows beyond a limit.

/// How many values have a place.
const PLACES: usize = 4096;

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
pub(super) struct HashPlaces<T> {
    /// A value is in one of two places by its hash, so that two that are often needed seldom replace each other.
    known: Vec<Option<Box<T>>>,
    /// The upper half of the hash that occurred last of those with the same place.
    seen: Vec<u32>,
    size: usize,
    /// Where values are removed next if all of them take too much.
    next: usize,
}

impl<T> Default for HashPlaces<T> {
    fn default() -> Self {
        Self { known: Vec::new(), seen: Vec::new(), size: 0, next: 0 }
    }
}

/// The places of a hash.
fn places(hash: u64) -> [usize; 2] {
    let first = hash as usize % PLACES;
    [first, first ^ 1]
}

impl<T: Placed> HashPlaces<T> {
    /// The value that may have a hash.
    pub(super) fn get(&self, hash: u64) -> Option<&T> {
        let at =
            |place: usize| self.known.get(place).and_then(Option::as_deref).filter(|it| it.hash() == hash);
        let [first, second] = places(hash);
        at(first).or_else(|| at(second))
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
        let (hash, size) = (value.hash(), value.size());
        // Users' vocabularies can find thousands of terms in one sentence.
        if size > MAX_SIZE / 32 {
            return;
        }
        let is_free = |place: &usize| self.known[*place].as_ref().is_none_or(|it| it.hash() == hash);
        let [first, second] = places(hash);
        let place = [first, second].into_iter().find(is_free).unwrap_or(first);
        self.remove(place);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Value {
        hash: u64,
        size: usize,
    }

    impl Placed for Value {
        fn hash(&self) -> u64 {
            self.hash
        }

        fn size(&self) -> usize {
            self.size
        }
    }

    #[test]
    fn values_are_kept_within_the_limit() {
        let mut places = HashPlaces::default();
        assert!(!places.is_repeated(7 << 32) && places.is_repeated(7 << 32));
        let same = |upper: u64| upper << 32;
        (1..=3).for_each(|upper| places.insert(Value { hash: same(upper), size: 10 }));
        let kept = |places: &HashPlaces<Value>| [1, 2, 3].map(|upper| places.get(same(upper)).is_some());
        assert_eq!(kept(&places), [false, true, true], "two values have the same place");
        places.insert(Value { hash: same(3), size: 20 });
        assert_eq!((kept(&places), places.size()), ([false, true, true], 30), "a value replaces itself");
        (0..100).for_each(|hash| places.insert(Value { hash: 100 + hash, size: MAX_SIZE / 40 }));
        assert!(places.size() <= MAX_SIZE && places.get(199).is_some());
        places.insert(Value { hash: 1000, size: MAX_SIZE });
        assert!(places.get(1000).is_none(), "one value must not replace all others");
    }
}
