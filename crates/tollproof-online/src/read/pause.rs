//! The pause that a server asks for, for all who ask it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::error::{ReaderError, Result};
use crate::running::POLL;

/// Until when a server is left alone.
#[derive(Debug, Default)]
pub(super) struct SharedPause(Mutex<Option<Instant>>);

impl SharedPause {
    /// Leaves the server alone for a time.
    pub(super) fn add(&self, pause: Duration) {
        let until = Instant::now().checked_add(pause);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = until.max(*known);
    }

    /// Waits until the pause is over.
    pub(super) fn wait(&self, stop: &dyn Fn() -> bool) -> Result<()> {
        loop {
            if stop() {
                return Err(ReaderError::Stopped);
            }
            let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let left =
                until.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(POLL));
        }
    }
}
