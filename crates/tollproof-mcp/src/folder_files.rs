//! The files of one folder: a path that leads out of it is an error, also by a link.

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use tollproof_project::{Disk, FileKind, Files, without_dots};

/// The files below a folder.
#[derive(Debug)]
pub(crate) struct FolderFiles {
    /// The folder, without links.
    real: PathBuf,
    /// The same as the process calls it, which is another spelling on Windows.
    here: PathBuf,
    /// The same as it was named.
    named: PathBuf,
}

impl FolderFiles {
    /// The files below the current folder; `named` is another path of it, for clients that use it.
    ///
    /// # Errors
    ///
    /// The current folder cannot be opened.
    pub(crate) fn here(named: PathBuf) -> io::Result<Self> {
        Self::new(std::env::current_dir()?, named)
    }

    fn new(here: PathBuf, named: PathBuf) -> io::Result<Self> {
        Ok(Self { real: here.canonicalize()?, here, named: without_dots(&named) })
    }

    /// A path relative to the folder, whether there is such a file or not. Links are not followed.
    ///
    /// # Errors
    ///
    /// A path that is not below the folder.
    pub(crate) fn relative(&self, path: &Path) -> io::Result<PathBuf> {
        let whole = without_dots(&self.here.join(path));
        let mut below = [&self.here, &self.real, &self.named]
            .into_iter()
            .filter_map(|folder| whole.strip_prefix(folder).ok());
        below.next().map(Path::to_owned).ok_or_else(outside)
    }

    /// Whether a file may be written: it is below the folder when all links are followed, or would be.
    pub(crate) fn takes(&self, path: &Path) -> bool {
        let Ok(path) = self.relative(path) else { return false };
        let path = self.real.join(path);
        // A link without a target leads somewhere else.
        let existing = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
        existing.is_some_and(|ancestor| self.inside(ancestor).is_ok())
    }

    /// The absolute path without links.
    fn inside(&self, path: &Path) -> io::Result<PathBuf> {
        let whole = self.real.join(self.relative(path)?).canonicalize()?;
        if whole.starts_with(&self.real) { Ok(whole) } else { Err(outside()) }
    }

    /// The absolute path of a regular file: a pipe may never end.
    fn file(&self, path: &Path) -> io::Result<PathBuf> {
        let whole = self.inside(path)?;
        match Disk.kind(&whole) {
            Some(FileKind::File) => Ok(whole),
            Some(FileKind::Folder) => Err(ErrorKind::IsADirectory.into()),
            _ => Err(io::Error::new(ErrorKind::Unsupported, "it is not a regular file")),
        }
    }
}

fn outside() -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, "it is outside of the folder of this server")
}

impl Files for FolderFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Disk.read(&self.file(path)?)
    }

    fn stream(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        Disk.stream(&self.file(path)?)
    }

    fn read_range(&self, path: &Path, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        Disk.read_range(&self.file(path)?, offset, length)
    }

    fn size(&self, path: &Path) -> Option<u64> {
        Disk.size(&self.file(path).ok()?)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.inside(folder)?;
        Disk.list(folder)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        Disk.kind(&self.inside(path).ok()?)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.relative(path).is_ok_and(|path| Disk.is_link(&self.real.join(path)))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.inside(path)
    }

    fn top(&self) -> Option<&Path> {
        Some(&self.here)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_leads_out_of_the_folder() {
        let base = tempfile::tempdir().expect("it can be made");
        let (top, other) = (base.path().join("drafts"), base.path().join("other"));
        for folder in [&top, &other, &top.join("below")] {
            fs::create_dir_all(folder).expect("writable");
            fs::write(folder.join("a.json"), "{}").expect("writable");
        }
        symlink(&other, top.join("link")).expect("writable");
        symlink(other.join("a.json"), top.join("file.json")).expect("writable");
        symlink(other.join("new.json"), top.join("broken.json")).expect("writable");
        symlink(top.join("below/a.json"), top.join("inner.json")).expect("writable");
        symlink(&top, base.path().join("alias")).expect("writable");
        let here = top.canonicalize().expect("it is there");
        let files = FolderFiles::new(here, base.path().join("alias")).expect("there is one");
        let absolute = |path: &Path| path.display().to_string();
        for path in ["a.json", "below/a.json", "below/../a.json", "inner.json", "./a.json"] {
            assert!(files.read(Path::new(path)).is_ok() && files.takes(Path::new(path)), "{path}");
        }
        for path in [absolute(&top.join("a.json")), absolute(&base.path().join("alias/a.json"))] {
            assert!(files.read(Path::new(&path)).is_ok(), "{path}");
        }
        for path in ["new.json", "new/folder/a.json"] {
            assert!(files.takes(Path::new(path)), "{path}");
        }
        let absolute = absolute(&other.join("a.json"));
        for path in ["../other/a.json", "link/a.json", "file.json", "link/../../other/a.json", &absolute] {
            let path = Path::new(path);
            assert!(files.read(path).is_err() && files.stream(path).is_err(), "{path:?}");
            assert!(files.read_range(path, 0, 1).is_err() && files.canonical(path).is_err(), "{path:?}");
            assert!(files.kind(path).is_none() && files.size(path).is_none(), "{path:?}");
            assert!(!files.takes(path), "{path:?}");
        }
        for path in ["link", "..", "/"] {
            assert!(files.list(Path::new(path)).is_err(), "{path}");
        }
        for path in ["broken.json", "link/new.json", "../new.json"] {
            assert!(!files.takes(Path::new(path)), "{path}");
        }
    }
}
