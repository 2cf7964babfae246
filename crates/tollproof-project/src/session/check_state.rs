//! What is kept between two checks of a file that is being edited.

use std::sync::Arc;

use tollproof_core::{CheckMemory, Linter};

/// What is kept between two checks of one file.
#[derive(Debug, Default)]
pub struct CheckState {
    /// The linter of the last check; another one finds other things.
    linter: Option<Arc<Linter>>,
    memory: CheckMemory,
}

impl CheckState {
    /// The memory of the checks by a linter.
    pub(super) fn memory_of(&mut self, linter: &Arc<Linter>) -> &mut CheckMemory {
        if !self.linter.as_ref().is_some_and(|it| Arc::ptr_eq(it, linter)) {
            *self = Self { linter: Some(Arc::clone(linter)), memory: CheckMemory::default() };
        }
        &mut self.memory
    }
}
