//! Limits on simultaneous work: requests to one host, and pages that are read.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, PoisonError};

/// Lets a bounded number of threads do something with the same key at once. The others wait for their turn.
#[derive(Debug)]
pub(super) struct Turns {
    most: usize,
    taken: Mutex<HashMap<String, usize>>,
    freed: Condvar,
}

/// A turn, until it is dropped.
pub(super) struct Permit<'t> {
    turns: &'t Turns,
    key: String,
}

impl Turns {
    pub(super) fn new(most: usize) -> Self {
        Self { most: most.max(1), taken: Mutex::default(), freed: Condvar::new() }
    }

    /// Waits for a turn. Whoever has one must not wait for another of the same kind.
    pub(super) fn take(&self, key: &str) -> Permit<'_> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while taken.get(key).is_some_and(|it| *it >= self.most) {
            taken = self.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken.entry(key.to_owned()).or_default() += 1;
        Permit { turns: self, key: key.to_owned() }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut taken = self.turns.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.key);
            }
        }
        self.turns.freed.notify_all();
    }
}
