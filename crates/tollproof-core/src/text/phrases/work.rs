//! The limit of work for the phrases of a text.

use std::cell::Cell;

/// The steps allowed for any text, whatever its length.
const FREE_STEPS: usize = 1 << 20;

/// The steps allowed for each byte of a text. The built-in rules need less than a tenth of it.
const STEPS_A_BYTE: usize = 500;

/// Counts the steps of finding the phrases and terms of one text. Users' files can have thousands of phrases that all
/// match at the same word, so that not even the size of the files and of the text limits time and memory.
pub(crate) struct PhraseWork {
    left: Cell<usize>,
}

impl PhraseWork {
    /// The steps in which a hit is found and later compared by each rule.
    pub(crate) const HIT: usize = 32;

    /// The work allowed for a text of this many bytes.
    pub(crate) fn of(bytes: usize) -> Self {
        Self { left: Cell::new(FREE_STEPS.saturating_add(bytes.saturating_mul(STEPS_A_BYTE))) }
    }

    /// Takes steps; returns false once none are left.
    pub(crate) fn take(&self, steps: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(steps));
        !self.is_spent()
    }

    /// Whether no steps are left, so that phrases of the text may be missing.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}
