//! The process of a browser and its profile. Both are gone when it is dropped.

use std::fs::{self, File};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, io, thread};

use command_fds::{CommandFdExt as _, FdMapping};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, Uid};
use tempfile::TempDir;

use super::memory::MemoryGuard;

/// Environment variables that a browser needs. It gets no others: keys may be there.
const ENVIRONMENT: [&str; 6] = ["PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE"];

/// The time limit for removing the files.
const REMOVE_TIMEOUT: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(10);

/// A running browser.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Ends first: the group of a process that has ended may be that of another.
    memory: Option<MemoryGuard>,
    profile: Option<TempDir>,
}

/// Whether this user is root, for whom Chromium has no sandbox.
pub(super) fn is_root() -> bool {
    Uid::effective().is_root()
}

impl Process {
    /// Starts a browser with an empty profile. Returns it with our end of its pipe.
    pub(super) fn start(
        path: &Path,
        flags: impl FnOnce(&Path) -> Vec<std::ffi::OsString>,
    ) -> io::Result<(Self, UnixStream)> {
        let profile = tempfile::Builder::new().prefix("tollproof-browser-").tempdir()?;
        let (ours, theirs) = UnixStream::pair()?;
        let theirs = OwnedFd::from(theirs);
        let both = [
            FdMapping { parent_fd: theirs.try_clone()?, child_fd: 3 },
            FdMapping { parent_fd: theirs, child_fd: 4 },
        ];
        let mut command = Command::new(path);
        command.args(flags(profile.path())).env_clear().current_dir(profile.path());
        command.envs(ENVIRONMENT.iter().filter_map(|name| Some((name, env::var_os(name)?))));
        // What it writes beside its profile goes there too.
        for name in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(name, profile.path());
        }
        command.env("DBUS_SESSION_BUS_ADDRESS", "disabled:").env("DBUS_SYSTEM_BUS_ADDRESS", "disabled:");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(errors(profile.path()))?);
        // Its own group: Ctrl-C is for us, and all its processes can be ended at once.
        command.process_group(0);
        command.fd_mappings(both.into()).map_err(io::Error::other)?;
        let child = command.spawn()?;
        let memory = group(&child).map(MemoryGuard::watch);
        Ok((Self { child, memory, profile: Some(profile) }, ours))
    }

    /// The process, for tests and messages.
    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The folder of the profile.
    #[cfg(test)]
    pub(super) fn folder(&self) -> Option<&Path> {
        self.profile.as_ref().map(TempDir::path)
    }

    /// Whether it has said that this system gives it no sandbox.
    pub(super) fn lacks_sandbox(&self) -> bool {
        let said = self
            .profile
            .as_ref()
            .and_then(|profile| fs::read(errors(profile.path())).ok())
            .unwrap_or_default();
        let said = String::from_utf8_lossy(&said).to_lowercase();
        said.contains("no usable sandbox") || said.contains("--no-sandbox is not supported")
    }
}

/// The group of a browser's processes.
fn group(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().map(Pid::from_raw)
}

/// The path of the browser's error log.
fn errors(profile: &Path) -> std::path::PathBuf {
    profile.join("tollproof-errors")
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.memory.take());
        // Errors: it has ended already.
        let _ = group(&self.child).map(|it| killpg(it, Signal::SIGKILL));
        let _ = self.child.kill();
        let _ = self.child.wait();
        let Some(profile) = self.profile.take() else { return };
        let folder = profile.keep();
        // A process that is about to end may still write a file.
        let until = Instant::now() + REMOVE_TIMEOUT;
        while fs::remove_dir_all(&folder).is_err() && folder.exists() && Instant::now() < until {
            thread::sleep(PAUSE);
        }
    }
}
