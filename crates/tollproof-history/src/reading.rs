//! Reads files up to a size limit, because a device may be endless and a pipe may have no writer; and names of paths.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU64, Ordering};

/// The default of [`set_max_file_size`]: 1 GiB, in bytes.
pub const DEFAULT_MAX_FILE_SIZE: u64 = 1 << 30;

/// One limit for the whole process, like `ulimit`, because memory is shared by all files.
static MAX_FILE_SIZE: AtomicU64 = AtomicU64::new(DEFAULT_MAX_FILE_SIZE);

/// Sets the maximum size of a file, in bytes.
pub fn set_max_file_size(bytes: u64) {
    MAX_FILE_SIZE.store(bytes, Ordering::Relaxed);
}

/// The maximum size of a file, in bytes.
pub fn max_file_size() -> u64 {
    MAX_FILE_SIZE.load(Ordering::Relaxed)
}

/// Reads a file completely.
///
/// # Errors
///
/// An I/O error, a file that exceeds the limit, or a pipe without a writer.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    let size = if metadata.is_file() { metadata.len() } else { 0 };
    if size > max_file_size() {
        return Err(file_too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    if metadata.is_file() {
        read_within(file, &mut bytes)?;
    } else {
        read_within(waiting::Stream::new(file, path), &mut bytes)?;
    }
    Ok(bytes)
}

/// Reads a file as UTF-8.
///
/// # Errors
///
/// The errors of [`read`], or bytes that are not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not valid UTF-8");
    String::from_utf8(read(path)?).map_err(not_text)
}

/// Opens a file to read it in parts. [`read_line`] applies the limit to each line.
///
/// # Errors
///
/// An I/O error. If the file is a pipe without a writer, opening succeeds and reading fails.
pub fn open_stream(path: &Path) -> io::Result<impl Read + Send + use<>> {
    Ok(waiting::Stream::new(open(path)?, path))
}

/// Appends all bytes of a reader. The limit applies to them and the bytes before them.
///
/// # Errors
///
/// An I/O error, or more bytes than the limit.
pub fn read_within(reader: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let max = max_file_size();
    reader.take(max.saturating_add(1).saturating_sub(bytes.len() as u64)).read_to_end(bytes)?;
    if bytes.len() as u64 > max { Err(file_too_large()) } else { Ok(()) }
}

/// Appends one line, line break included. Returns the number of bytes read, 0 at the end of the file.
///
/// # Errors
///
/// An I/O error, or a line that exceeds the limit.
pub fn read_line(reader: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let max = max_file_size();
    let read = reader.by_ref().take(max.saturating_add(1)).read_until(b'\n', bytes)?;
    if read as u64 > max { Err(file_too_large()) } else { Ok(read) }
}

fn file_too_large() -> io::Error {
    too_large("it is larger than")
}

/// The error for a file that exceeds the limit; `what` comes before the limit in the message.
pub fn too_large(what: &str) -> io::Error {
    let max = max_file_size();
    let size = match [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .iter()
        .find(|(bits, _)| max > 0 && max.is_multiple_of(1 << bits))
    {
        Some((bits, unit)) => format!("{} {unit}", max >> bits),
        None => format!("{max} bytes"),
    };
    let message = format!("{what} {size}; raise the limit with `--max-file-size`");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    // Without this flag, opening a pipe blocks until a writer opens it.
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

    /// The time to wait for the first writer of a named pipe.
    const OPEN_TIMEOUT: Duration = Duration::from_secs(5);

    /// A file that was opened non-blocking and is read blocking.
    pub(super) struct Stream {
        file: File,
        /// The end of the wait for the first writer of a named pipe. `None` once there was one, and for other
        /// files.
        deadline: Option<Instant>,
    }

    impl Stream {
        pub(super) fn new(file: File, path: &Path) -> Self {
            // A process substitution of the shell, `<(...)`, is not in the file system. Its writer already exists or
            // has ended.
            let is_named = || path.canonicalize().is_ok();
            let is_fifo = file.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo()) && is_named();
            Self { file, deadline: is_fifo.then(|| Instant::now() + OPEN_TIMEOUT) }
        }

        /// Waits for data or the end of the file. Returns false if `until` came first.
        fn wait(&self, until: Option<Instant>) -> io::Result<bool> {
            let left = until.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let timeout = left.map_or(PollTimeout::NONE, |left| left.try_into().unwrap_or(PollTimeout::MAX));
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
                    // A named pipe also reports the end of the file before its first writer opens it.
                    (Ok(0), Some(deadline)) if !buffer.is_empty() => {
                        if Instant::now() >= deadline {
                            let message = "no process writes to this pipe";
                            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                        }
                        if self.wait(Some(deadline))? {
                            self.deadline = None;
                        }
                    }
                    // There is a writer, but no data yet.
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

    /// A file whose reads block.
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

/// A path as a user would type it: without leading `./`, and with `/` between folders on every system.
pub fn name_of(path: &Path) -> String {
    let mut name = String::new();
    for component in path.components() {
        match component {
            Component::CurDir => continue,
            // Windows has `C:` and then `\`.
            Component::RootDir => {
                name.push('/');
                continue;
            }
            _ if !name.is_empty() && !name.ends_with('/') => name.push('/'),
            _ => {}
        }
        name.push_str(&component.as_os_str().to_string_lossy());
    }
    if name.is_empty() { ".".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_named_with_slashes() {
        let names =
            [("./drafts/./acme.json", "drafts/acme.json"), ("/srv/a.json", "/srv/a.json"), (".", ".")];
        for (path, name) in names {
            assert_eq!(name_of(Path::new(path)), name);
        }
        if cfg!(windows) {
            assert_eq!(name_of(Path::new(r"C:\drafts\acme.json")), "C:/drafts/acme.json");
            assert_eq!(name_of(Path::new(r"drafts\acme.json")), "drafts/acme.json");
        }
    }
}
