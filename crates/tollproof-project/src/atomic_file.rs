//! Atomic writing: a file is replaced completely or not at all, and no temporary file is left.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// A file whose old content stays until the new content is committed.
#[derive(Debug)]
pub struct AtomicFile {
    /// The temporary file, which has no name and disappears with the process; or the target itself if it is a device
    /// or a pipe, which cannot be replaced.
    writer: BufWriter<File>,
    /// The target path and the metadata of the file there; `None` for a device or a pipe.
    target: Option<(PathBuf, Option<Metadata>)>,
}

/// A temporary file next to the file that it will replace. Signals that end the process are blocked while it exists.
#[derive(Debug)]
pub struct PreparedFile {
    /// `None` for a device or a pipe, to which everything is already written.
    moves: Option<(NamedTempFile, PathBuf)>,
    /// The last field, so that it is dropped last.
    _signals: BlockedSignals,
}

impl AtomicFile {
    /// Opens a temporary file for the new content.
    ///
    /// # Errors
    ///
    /// The error of the operating system, also if the folder is not writable.
    pub fn create(path: &Path) -> io::Result<Self> {
        // If the path is a link, its target is replaced or created and not the link.
        let target = path.canonicalize().unwrap_or_else(|_| end_of_links(path));
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = OpenOptions::new().write(true).truncate(true).open(&target)?;
            return Ok(Self { writer: BufWriter::new(file), target: None });
        }
        let _signals = BlockedSignals::begin();
        // In the same folder, so that a folder that is not writable is detected before any work is done.
        let file = tempfile::tempfile_in(folder_of(&target))?;
        Ok(Self { writer: BufWriter::new(file), target: Some((target, old)) })
    }

    /// Writes the content to a file next to its target, with the target's owner and permissions. `durable` waits until
    /// the content is on the disk, so that a crash cannot leave an empty file at the target's path.
    ///
    /// # Errors
    ///
    /// The error of the operating system.
    pub fn prepare(self, durable: bool) -> io::Result<PreparedFile> {
        let mut written = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        let _signals = BlockedSignals::begin();
        let Some((target, old)) = self.target else { return Ok(PreparedFile { moves: None, _signals }) };
        // A random name: it cannot be guessed, and the target's own name may already have the maximum length.
        let mut builder = Builder::new();
        builder.prefix(".tollproof-").suffix(".tmp").rand_bytes(12);
        #[cfg(unix)]
        if old.is_none() {
            // The mode of any new file; the umask still applies.
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let mut beside = builder.tempfile_in(folder_of(&target))?;
        written.rewind()?;
        io::copy(&mut written, beside.as_file_mut())?;
        if let Some(old) = old {
            take_after(beside.as_file(), &old)?;
        }
        if durable {
            beside.as_file().sync_all()?;
        }
        Ok(PreparedFile { moves: Some((beside, target)), _signals })
    }

    /// Replaces the target.
    ///
    /// # Errors
    ///
    /// The error of the operating system.
    pub fn commit(self) -> io::Result<()> {
        self.prepare(false)?.commit()
    }
}

impl PreparedFile {
    /// Replaces the target.
    ///
    /// # Errors
    ///
    /// The error of the operating system.
    pub fn commit(mut self) -> io::Result<()> {
        let Some((beside, target)) = self.moves.take() else { return Ok(()) };
        beside.persist(target).map(drop).map_err(|error| error.error)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The most links that are followed from one path, as Linux does.
const MAX_LINKS: usize = 40;

/// The end of the links at a path, also if nothing is there.
fn end_of_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = folder_of(&target).join(next);
    }
    target
}

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Copies owner, group and mode of the old file, as far as the operating system allows. If the group cannot be copied,
/// the new group gets only the permissions of others, because it may not have been allowed to read the old file.
#[cfg(unix)]
fn take_after(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let new = file.metadata()?;
    let keeps_owner = new.uid() == old.uid() || fchown(file, Some(old.uid()), None).is_ok();
    let keeps_group = new.gid() == old.gid() || fchown(file, None, Some(old.gid())).is_ok();
    let mut mode = old.mode() & 0o7777;
    if !keeps_owner || !keeps_group {
        mode &= 0o777;
    }
    if !keeps_group {
        mode = mode & !0o070 | (mode & 0o007) << 3;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_after(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Locked while a file has its temporary name.
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file has a temporary name, and prevents new ones while the guard exists.
pub fn wait_for_writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Blocks signals while it exists: Ctrl-C and SIGTERM end the process after it is dropped.
#[derive(Debug)]
struct BlockedSignals {
    #[cfg(unix)]
    before: nix::Result<nix::sys::signal::SigSet>,
    _writing: MutexGuard<'static, ()>,
}

impl BlockedSignals {
    #[cfg(unix)]
    fn begin() -> Self {
        use nix::sys::signal::{SigSet, SigmaskHow, Signal};
        let ends = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
        let before = ends.into_iter().collect::<SigSet>().thread_swap_mask(SigmaskHow::SIG_BLOCK);
        Self { before, _writing: wait_for_writing() }
    }

    #[cfg(not(unix))]
    fn begin() -> Self {
        Self { _writing: wait_for_writing() }
    }
}

#[cfg(unix)]
impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // Pending signals are delivered here.
        if let Ok(before) = &self.before {
            let _ = before.thread_set_mask();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_links_is_created() {
        let folder = tempfile::tempdir().expect("a folder");
        let link =
            |from: &str, to: &str| std::os::unix::fs::symlink(to, folder.path().join(from)).expect("a link");
        link("first", "second");
        link("second", "report.json");
        let mut file = AtomicFile::create(&folder.path().join("first")).expect("it can be created");
        file.write_all(b"{}").expect("it can be written");
        file.commit().expect("it can be moved");
        assert_eq!(fs::read_to_string(folder.path().join("report.json")).expect("it is there"), "{}");
        assert!(folder.path().join("first").is_symlink() && folder.path().join("second").is_symlink());
    }
}
