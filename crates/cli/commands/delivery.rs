//! Writes a request body to standard output. Unlike for a report, a failure to write it is an error.

use std::io::{self, Write as _};

/// Writes a body and a line break to standard output.
///
/// # Errors
///
/// The body could not be written: standard output is closed, its pipe has no reader, or the disk is full.
pub(super) fn deliver(body: &str) -> io::Result<()> {
    let line = format!("{body}\n");
    let mut out = standard_output()?;
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// A separate handle for standard output, because the standard library ignores errors of a closed one.
#[cfg(unix)]
fn standard_output() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd as _;

    let out = std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
    if replaces_closed(&out)? { Err(io::Error::other("it is closed")) } else { Ok(out) }
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<io::Stdout> {
    Ok(io::stdout())
}

/// Whether a file is Rust's replacement for a closed standard output. At start, Rust's runtime opens `/dev/null` for
/// reading and writing in place of each closed standard stream; a shell's `> /dev/null` opens it for writing only.
#[cfg(unix)]
fn replaces_closed(file: &std::fs::File) -> io::Result<bool> {
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};

    use nix::fcntl::{FcntlArg, OFlag, fcntl};

    let metadata = file.metadata()?;
    if !metadata.file_type().is_char_device() {
        return Ok(false);
    }
    let is_null = std::fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == metadata.rdev());
    let flags = OFlag::from_bits_retain(fcntl(file, FcntlArg::F_GETFL)?);
    Ok(is_null && flags & OFlag::O_ACCMODE == OFlag::O_RDWR)
}
