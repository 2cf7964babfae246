//! Work that is left as it is once the run is stopped.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The interval of checks whether the run was stopped.
const NOTICE: Duration = Duration::from_millis(100);

/// Does work that waits for others in a thread of its own, which ends by its own limits. `None` if the run was stopped first.
pub(super) fn unless_stopped<T: Send + 'static>(
    stopped: &(dyn Fn() -> bool + Sync),
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    loop {
        match receiver.recv_timeout(NOTICE) {
            Ok(done) => return Some(done),
            Err(RecvTimeoutError::Timeout) if !stopped() => {}
            Err(_) => return None,
        }
    }
}
