//! The source of files: the file system, optionally with the open buffers of an editor over it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::repository::without_dots;

/// The kind of file that a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A device, a pipe or a socket.
    Other,
}

/// Reads files and lists folders. Settings, rules, baselines and drafts are read through this trait.
///
/// Relative paths start from the current folder.
pub trait Files: Debug + Send + Sync {
    /// Reads a file, up to the limit of [`tollproof_history::set_max_file_size`].
    ///
    /// # Errors
    ///
    /// The error of the operating system, or a file larger than the limit.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Opens a file that is read in parts, without a limit of its size.
    ///
    /// # Errors
    ///
    /// The error of the operating system.
    fn stream(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Cursor::new(self.read(path)?)))
    }

    /// Reads at most `length` bytes of a file from an offset on.
    ///
    /// # Errors
    ///
    /// The error of the operating system, or a file in which no offset can be found again, such as a pipe.
    fn read_range(&self, path: &Path, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let bytes = self.read(path)?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[start..].iter().take(length).copied().collect())
    }

    /// The size of a file in bytes, if it is known before the file is read.
    fn size(&self, _path: &Path) -> Option<u64> {
        None
    }

    /// The paths of a folder's entries, in any order.
    ///
    /// # Errors
    ///
    /// The error of the operating system.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;

    /// The kind of file that a path leads to. Links are followed. `None` if it does not exist.
    fn kind(&self, path: &Path) -> Option<FileKind>;

    /// Whether a path is a link, even a broken one.
    fn is_link(&self, path: &Path) -> bool;

    /// The absolute path without links and dots.
    ///
    /// # Errors
    ///
    /// A path that does not exist.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;

    /// The folder above which nothing is read: no settings, no ignore files of git. `None` without such a limit.
    fn top(&self) -> Option<&Path> {
        None
    }

    /// The files below a folder that are in memory. A walk of the disk does not find them.
    fn in_memory(&self, _folder: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Reads a UTF-8 file.
    ///
    /// # Errors
    ///
    /// Those of [`Files::read`], and bytes that are not UTF-8.
    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
        String::from_utf8(self.read(path)?).map_err(not_text)
    }
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        tollproof_history::read(path)
    }

    fn stream(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(tollproof_history::open_stream(path)?))
    }

    fn read_range(&self, path: &Path, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        if self.kind(path) != Some(FileKind::File) {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        file.take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn size(&self, path: &Path) -> Option<u64> {
        fs::metadata(path).ok().filter(|it| it.is_file()).map(|it| it.len())
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let kind = fs::metadata(path).ok()?.file_type();
        Some(match () {
            () if kind.is_file() => FileKind::File,
            () if kind.is_dir() => FileKind::Folder,
            () => FileKind::Other,
        })
    }

    fn is_link(&self, path: &Path) -> bool {
        path.is_symlink()
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }
}

/// Files in memory that replace those of the disk: the open buffers of an editor, or the files of a test.
#[derive(Debug)]
pub struct Overlay {
    below: Arc<dyn Files>,
    here: PathBuf,
    /// By absolute path without dots.
    buffers: RwLock<BTreeMap<PathBuf, Vec<u8>>>,
}

impl Overlay {
    /// An overlay without buffers.
    #[must_use]
    pub fn new(below: Arc<dyn Files>) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        Self { below, here, buffers: RwLock::default() }
    }

    /// Sets the content of a file, whether it exists or not.
    pub fn open(&self, path: &Path, text: impl Into<Vec<u8>>) {
        let mut buffers = self.buffers.write().unwrap_or_else(PoisonError::into_inner);
        buffers.insert(self.whole(path), text.into());
    }

    /// Removes the content from memory, so that the underlying file is read again.
    pub fn close(&self, path: &Path) {
        let mut buffers = self.buffers.write().unwrap_or_else(PoisonError::into_inner);
        buffers.remove(&self.whole(path));
    }

    fn whole(&self, path: &Path) -> PathBuf {
        without_dots(&self.here.join(path))
    }

    fn buffers<T>(&self, look: impl FnOnce(&BTreeMap<PathBuf, Vec<u8>>) -> T) -> T {
        look(&self.buffers.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Files for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let buffer = self.buffers(|all| all.get(&self.whole(path)).cloned());
        buffer.map_or_else(|| self.below.read(path), Ok)
    }

    fn stream(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        match self.buffers(|all| all.get(&self.whole(path)).cloned()) {
            Some(buffer) => Ok(Box::new(Cursor::new(buffer))),
            None => self.below.stream(path),
        }
    }

    fn size(&self, path: &Path) -> Option<u64> {
        let size = self.buffers(|all| all.get(&self.whole(path)).map(|it| it.len() as u64));
        size.or_else(|| self.below.size(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let whole = self.whole(folder);
        let name =
            |path: &PathBuf| path.strip_prefix(&whole).ok()?.components().next().map(|it| folder.join(it));
        let open: BTreeSet<PathBuf> = self.buffers(|all| all.keys().filter_map(name).collect());
        match self.below.list(folder) {
            Ok(listed) => Ok(open.into_iter().chain(listed).collect::<BTreeSet<_>>().into_iter().collect()),
            Err(_) if !open.is_empty() => Ok(open.into_iter().collect()),
            Err(error) => Err(error),
        }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let whole = self.whole(path);
        let of_buffers = |all: &BTreeMap<PathBuf, Vec<u8>>| {
            if all.contains_key(&whole) {
                Some(FileKind::File)
            } else {
                all.keys().any(|path| path.starts_with(&whole)).then_some(FileKind::Folder)
            }
        };
        self.buffers(of_buffers).or_else(|| self.below.kind(path))
    }

    fn is_link(&self, path: &Path) -> bool {
        let is_open = self.buffers(|all| all.contains_key(&self.whole(path)));
        !is_open && self.below.is_link(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let canonical = self.below.canonical(path);
        // A folder that exists only in memory has no links.
        if canonical.is_err() && self.kind(path).is_some() { Ok(self.whole(path)) } else { canonical }
    }

    fn top(&self) -> Option<&Path> {
        self.below.top()
    }

    fn in_memory(&self, folder: &Path) -> Vec<PathBuf> {
        let whole = self.whole(folder);
        let below = |path: &PathBuf| path.strip_prefix(&whole).ok().map(|it| folder.join(it));
        self.buffers(|all| all.keys().filter_map(below).collect())
    }
}
