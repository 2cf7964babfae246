//! Watches the process of the client: its pipes may stay open without it, if another process holds them.

use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;

/// Time between looks for the process.
const INTERVAL: Duration = Duration::from_secs(2);

/// Waits until a process is gone. Numbers below 1 would be groups of processes.
pub(crate) fn wait_for_end(process: i32) {
    while kill(Pid::from_raw(process), None) != Err(Errno::ESRCH) {
        std::thread::sleep(INTERVAL);
    }
}
