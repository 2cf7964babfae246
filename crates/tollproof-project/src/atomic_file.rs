//! Atomic writing: a file is replaced completely or not at all, and no temporary file is left.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// A file that stays as it was until what replaces it is committed.
#[derive(Debug)]
pub struct AtomicFile {
    /// A file without a name, which goes with the process; or a device or a pipe, which is no file to replace.
    writer: BufWriter<File>,
    /// Where it is to go, and what is there; none for a device or a pipe.
    target: Option<(PathBuf, Option<Metadata>)>,
}

/// A file beside the one that it is to replace. No signal ends the process while there is one.
#[derive(Debug)]
pub struct PreparedFile {
    /// None for a device or a pipe, which has everything already.
    moves: Option<(NamedTempFile, PathBuf)>,
    /// Dropped last.
    _signals: BlockedSignals,
}

impl AtomicFile {
    /// Opens a file for what is to be written.
    ///
    /// # Errors
    ///
    /// What the system says, also where the folder cannot be written to.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Behind a link, what it points to is replaced and not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = OpenOptions::new().write(true).truncate(true).open(&target)?;
            return Ok(Self { writer: BufWriter::new(file), target: None });
        }
        let _signals = BlockedSignals::begin();
        // In the same folder, so that a folder that cannot be written to is known at once.
        let file = tempfile::tempfile_in(folder_of(&target))?;
        Ok(Self { writer: BufWriter::new(file), target: Some((target, old)) })
    }

    /// Puts all that was written beside the file that it replaces, with the rights of that one; `durable` waits until it
    /// is on the disk, so that no crash can leave an empty file in its place.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn prepare(self, durable: bool) -> io::Result<PreparedFile> {
        let mut written = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        let _signals = BlockedSignals::begin();
        let Some((target, old)) = self.target else { return Ok(PreparedFile { moves: None, _signals }) };
        // A name of its own, which nobody can guess: that of the target may be as long as a name can be.
        let mut builder = Builder::new();
        builder.prefix(".tollproof-").suffix(".tmp").rand_bytes(12);
        #[cfg(unix)]
        if old.is_none() {
            // As any new file, less what the umask takes away.
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

    /// Puts it in its place.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn commit(self) -> io::Result<()> {
        self.prepare(false)?.commit()
    }
}

impl PreparedFile {
    /// Puts it in its place.
    ///
    /// # Errors
    ///
    /// What the system says.
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

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Gives a file the owner, group and mode of another, as far as the system lets us. Where the group cannot be kept, the
/// new one gets no more rights than everyone has: it would see what it was not meant to see.
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

/// Held while a file has its temporary name.
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file has a temporary name, and lets none get one while the guard is held.
pub fn wait_for_writing() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A time in which signals wait: Ctrl-C and SIGTERM end the process when it is over.
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
        // What was put off comes now.
        if let Ok(before) = &self.before {
            let _ = before.thread_set_mask();
        }
    }
}
