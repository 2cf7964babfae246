//! The pauses that servers ask for: a host gets no request before its pause is over.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Until when hosts are left alone.
#[derive(Debug, Default)]
pub(super) struct Pauses(Mutex<HashMap<String, Instant>>);

impl Pauses {
    /// The time left of a host's pause.
    pub(super) fn left(&self, host: &str) -> Duration {
        let until = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(host).copied();
        until.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Leaves a host alone for a time.
    pub(super) fn add(&self, host: &str, pause: Duration) {
        let Some(until) = Instant::now().checked_add(pause) else { return };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(host.to_owned()).or_insert(until);
        *known = until.max(*known);
    }
}
