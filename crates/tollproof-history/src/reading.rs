//! Files read whole, and never more of one than a limit: a device has no end, and a pipe may have no writer. Their names.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many bytes of one file are read unless [`set_max_file_size`] says otherwise: 1 GiB.
pub const DEFAULT_MAX_FILE_SIZE: u64 = 1 << 30;

/// One limit for the process, as `ulimit` has it: what memory holds is no matter of a single file.
static MAX_FILE_SIZE: AtomicU64 = AtomicU64::new(DEFAULT_MAX_FILE_SIZE);

/// Sets how many bytes of one file are read.
pub fn set_max_file_size(bytes: u64) {
    MAX_FILE_SIZE.store(bytes, Ordering::Relaxed);
}

/// How many bytes of one file are read.
fn max_file_size() -> u64 {
    MAX_FILE_SIZE.load(Ordering::Relaxed)
}

/// Reads a file.
///
/// # Errors
///
/// What the system says, a file beyond the limit, and a pipe that nothing writes to.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    let size = if metadata.is_file() { metadata.len() } else { 0 };
    if size > max_file_size() {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    if metadata.is_file() {
        read_within(file, &mut bytes)?;
    } else {
        read_within(waiting::Stream::new(file, path), &mut bytes)?;
    }
    Ok(bytes)
}

/// Reads a file of text in UTF-8.
///
/// # Errors
///
/// Those of [`read`], and bytes that are not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
    String::from_utf8(read(path)?).map_err(not_text)
}

/// Opens a file to be read in parts. [`read_line`] keeps the parts within the limit.
///
/// # Errors
///
/// What the system says. Reading fails where nothing writes to a pipe.
pub fn open_stream(path: &Path) -> io::Result<impl Read> {
    Ok(waiting::Stream::new(open(path)?, path))
}

/// Reads to the end.
///
/// # Errors
///
/// What the system says, and more bytes than the limit.
pub fn read_within(reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let max = max_file_size();
    let read = reader.take(max.saturating_add(1)).read_to_end(bytes)?;
    if read as u64 > max { Err(too_large()) } else { Ok(()) }
}

/// Reads a line with its end; gives the number of bytes, 0 at the end of the file.
///
/// # Errors
///
/// What the system says, and a line of more bytes than the limit.
pub fn read_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let max = max_file_size();
    let read = reader.by_ref().take(max.saturating_add(1)).read_until(b'\n', bytes)?;
    if read as u64 > max { Err(too_large()) } else { Ok(read) }
}

fn too_large() -> io::Error {
    let max = max_file_size();
    let size = match [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .iter()
        .find(|(bits, _)| max > 0 && max.is_multiple_of(1 << bits))
    {
        Some((bits, unit)) => format!("{} {unit}", max >> bits),
        None => format!("{max} bytes"),
    };
    let message = format!("it is larger than {size}; `--max-file-size` sets the limit");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    // Without it, opening a pipe waits until someone writes to it.
    let flags = nix::libc::O_NONBLOCK;
    std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(unix)]
mod waiting {
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::FileTypeExt as _;
    use std::path::Path;
    use std::time::{Duration, Instant};

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    /// How long a pipe may be without a writer.
    const OPEN_TIMEOUT: Duration = Duration::from_secs(5);

    /// A file that was opened without waiting, read with waiting.
    pub(super) struct Stream {
        file: File,
        /// Until when someone must write to a pipe that has a name; none where someone did.
        deadline: Option<Instant>,
    }

    impl Stream {
        pub(super) fn new(file: File, path: &Path) -> Self {
            // A pipe of a shell, `<(...)`, has no place in the file system. It has its writer, or had it.
            let is_named = || path.canonicalize().is_ok();
            let is_fifo = file.metadata().is_ok_and(|it| it.file_type().is_fifo()) && is_named();
            Self { file, deadline: is_fifo.then(|| Instant::now() + OPEN_TIMEOUT) }
        }

        /// Waits until there is something to read or all writers have gone; false where a time came first.
        fn wait(&self, until: Option<Instant>) -> io::Result<bool> {
            let left = until.map(|it| it.saturating_duration_since(Instant::now()));
            let timeout = left.map_or(PollTimeout::NONE, |it| it.try_into().unwrap_or(PollTimeout::MAX));
            match poll(&mut [PollFd::new(self.file.as_fd(), PollFlags::POLLIN)], timeout) {
                Ok(ready) => Ok(ready > 0),
                Err(nix::Error::EINTR) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }
    }

    impl Read for Stream {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                let read = self.file.read(buffer);
                match (&read, self.deadline) {
                    // A named pipe has an end also before its first writer has come.
                    (Ok(0), Some(deadline)) if !buffer.is_empty() => {
                        if Instant::now() >= deadline {
                            let message = "nothing writes to this pipe";
                            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                        }
                        if self.wait(Some(deadline))? {
                            self.deadline = None;
                        }
                    }
                    // There is a writer, which takes its time.
                    (Err(error), _) if error.kind() == io::ErrorKind::WouldBlock => {
                        self.deadline = None;
                        self.wait(None)?;
                    }
                    _ => {
                        self.deadline = None;
                        return read;
                    }
                }
            }
        }
    }
}

#[cfg(not(unix))]
mod waiting {
    use std::fs::File;
    use std::io::{self, Read};
    use std::path::Path;

    /// A file that waits by itself.
    pub(super) struct Stream(File);

    impl Stream {
        pub(super) fn new(file: File, _: &Path) -> Self {
            Self(file)
        }
    }

    impl Read for Stream {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }
}

/// A path as its user would type it: no leading `./`, and `/` between folders on every system.
#[must_use]
pub fn name_of(path: &Path) -> String {
    let mut name = String::new();
    for component in path.components() {
        if component == Component::CurDir {
            continue;
        }
        if !name.is_empty() && !name.ends_with(['/', '\\']) {
            name.push('/');
        }
        name.push_str(&component.as_os_str().to_string_lossy());
    }
    if name.is_empty() { ".".to_owned() } else { name }
}
