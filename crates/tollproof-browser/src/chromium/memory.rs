//! Bounds the memory of a browser: pages can take what no switch of it limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, thread};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The memory limit for all processes of a browser, in kB; what they share counts for each. Two large pages take half.
const MAX_KB: u64 = 3 << 20;

/// The interval of the checks.
const INTERVAL: Duration = Duration::from_millis(200);

/// Ends the processes of a group that take too much memory, until it is dropped. It can look only on Linux.
#[derive(Debug)]
pub(super) struct MemoryGuard(Arc<AtomicBool>);

impl MemoryGuard {
    pub(super) fn watch(group: Pid) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let watch = move || {
            while !over.load(Ordering::Relaxed) {
                if resident(group) > MAX_KB {
                    // Errors: it has ended already.
                    let _ = killpg(group, Signal::SIGKILL);
                    return;
                }
                thread::sleep(INTERVAL);
            }
        };
        // Without a thread, the pages have their other bounds.
        let _ = thread::Builder::new().name("browser-memory".to_owned()).spawn(watch);
        Self(is_over)
    }
}

impl Drop for MemoryGuard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns the resident memory of a process group, in kB.
fn resident(group: Pid) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten().map(|it| it.path());
    let is_in_group = |stat: &str| {
        // The name of the program is in brackets and may have any characters; state, parent and group follow.
        let fields = stat.rsplit_once(") ").map(|(_, fields)| fields.split(' '));
        fields.and_then(|mut fields| fields.nth(2)?.parse().ok()) == Some(group.as_raw())
    };
    let of_group = processes
        .filter(|process| fs::read_to_string(process.join("stat")).is_ok_and(|stat| is_in_group(&stat)));
    of_group.filter_map(|process| resident_of(&fs::read_to_string(process.join("status")).ok()?)).sum()
}

fn resident_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
