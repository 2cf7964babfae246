//! Limits on a page's traffic through the proxy, in bytes and time.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// The user name of all passes.
const USER: &str = "tollproof";

/// Limits shared by a page's connections.
pub(super) struct Allowance {
    left: AtomicU64,
    until: Instant,
    is_over: AtomicBool,
}

impl Allowance {
    /// Takes a number of bytes. Returns whether so many are left.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let less = |left: u64| left.checked_sub(bytes as u64);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed) || Instant::now() >= self.until
    }
}

/// The passes of a proxy, by what `Proxy-Authorization` says.
#[derive(Default)]
pub(super) struct Passes(Mutex<HashMap<String, Arc<Allowance>>>);

impl Passes {
    /// The allowance of whoever shows a pass.
    pub(super) fn of(&self, authorization: &str) -> Option<Arc<Allowance>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(authorization).cloned()
    }
}

/// Without the passes, which are secret.
impl fmt::Debug for Passes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passes")
    }
}

/// Lets one page use the proxy, until it is dropped: all its connections end then.
pub(in super::super) struct Pass {
    passes: Arc<Passes>,
    key: String,
    secret: String,
}

impl Pass {
    /// A pass with a random secret. `None` if this system has no random numbers.
    pub(super) fn new(passes: &Arc<Passes>, bytes: u64, until: Instant) -> Option<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).ok()?;
        let secret = random.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let key = format!("Basic {}", BASE64_STANDARD.encode(format!("{USER}:{secret}")));
        let allowance = Allowance { left: AtomicU64::new(bytes), until, is_over: AtomicBool::new(false) };
        let mut all = passes.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(key.clone(), Arc::new(allowance));
        Some(Self { passes: Arc::clone(passes), key, secret })
    }

    pub(in super::super) fn user(&self) -> &'static str {
        USER
    }

    pub(in super::super) fn secret(&self) -> &str {
        &self.secret
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut all = self.passes.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(allowance) = all.remove(&self.key) {
            allowance.is_over.store(true, Ordering::Relaxed);
        }
    }
}
