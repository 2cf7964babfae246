//! A file in place of another: written beside it, and moved there when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file that stays as it was until what replaces it is kept.
#[derive(Debug)]
pub(crate) struct Replacement {
    writer: BufWriter<File>,
    /// Where it is written and where it is to go; none for a device or a pipe, which is no file to replace.
    moves: Option<(PathBuf, PathBuf)>,
}

/// Tells the files of one run apart.
static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Replacement {
    /// Opens a file beside the one to be replaced, with the rights of that one.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        // Behind a link, what it points to is replaced and not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Ok(Self { writer: BufWriter::new(File::create(&target)?), moves: None });
        }
        // A name of its own: that of the target may be as long as a name can be.
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = target.with_file_name(format!(".tollproof.{}.{count}.tmp", std::process::id()));
        let file = File::create(&beside)?;
        let replacement = Self { writer: BufWriter::new(file), moves: Some((beside, target)) };
        if let (Some(old), Some((beside, _))) = (old, &replacement.moves) {
            fs::set_permissions(beside, old.permissions())?;
        }
        Ok(replacement)
    }

    /// Waits until what was written is on the disk, so that no crash can leave an empty file in its place.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.writer.get_ref().sync_all()
    }

    /// Puts it in its place.
    pub(crate) fn keep(mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.moves.take() {
            Some((beside, target)) => {
                fs::rename(&beside, target).inspect_err(|_| drop(fs::remove_file(&beside)))
            }
            None => Ok(()),
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Replacement {
    /// Of a run that failed nothing is left behind.
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.moves {
            let _ = fs::remove_file(beside);
        }
    }
}
