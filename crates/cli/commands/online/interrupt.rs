//! Ctrl-C while requests are sent: the one on its way is finished first where it counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::counts::Exit;
use crate::errors::{Result, failure};
use crate::output::stderr::say;

/// Whether the user has pressed Ctrl-C.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on, the first Ctrl-C is noted, and the second ends the process. The request on its way is waited for.
    pub(crate) fn on_ctrl_c() -> Result<Self> {
        Self::saying("Stopping after the request on its way. Press Ctrl-C again to stop at once.")
    }

    /// The same for requests that need no wait.
    pub(crate) fn without_waiting() -> Result<Self> {
        Self::saying("Stopping. Press Ctrl-C again to stop at once.")
    }

    fn saying(notice: &'static str) -> Result<Self> {
        let interrupt = Self::default();
        let flag = Arc::clone(&interrupt.0);
        let handler = move || {
            if flag.swap(true, Ordering::Relaxed) {
                // A request that does not end must not keep its user.
                std::process::exit(Exit::Interrupted.status().into());
            }
            say!("{notice}");
        };
        ctrlc::set_handler(handler).map_err(|error| failure!("cannot wait for Ctrl-C: {error}"))?;
        Ok(interrupt)
    }

    /// The flag that Ctrl-C sets, for a run that follows.
    pub(crate) fn flag(self) -> Arc<AtomicBool> {
        self.0
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
