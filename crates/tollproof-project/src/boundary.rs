//! The boundary of a repository: settings, rules and stores are not read through a link that leads out of it, and errors
//! quote nothing from beyond it.

use std::io;
use std::path::{Path, PathBuf};

use crate::files::Files;
use crate::repository::without_dots;

/// The repository of a path, or without one, its folder. A clone can contain links to any file of the machine that reads
/// it, and the messages of a run are often public.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    top: PathBuf,
}

impl Boundary {
    /// The boundary of a file or folder, which need not exist.
    pub(crate) fn of(files: &dyn Files, path: &Path) -> Self {
        let path = whole(path);
        let is_top =
            |folder: &&Path| files.top() == Some(*folder) || files.kind(&folder.join(".git")).is_some();
        let folder = path.parent().unwrap_or(&path);
        Self { top: path.ancestors().skip(1).find(is_top).unwrap_or(folder).to_owned() }
    }

    /// Whether links lead from a path below the boundary to a file beyond it, or into the repository's `.git`, where
    /// credentials can be. A path that does not exist leads nowhere.
    fn is_left_by(&self, files: &dyn Files, path: &Path) -> bool {
        let path = whole(path);
        if !path.starts_with(&self.top) {
            return false;
        }
        let (Ok(top), Ok(real)) = (files.canonical(&self.top), files.canonical(&path)) else { return false };
        match real.strip_prefix(&top) {
            Ok(below) => below.starts_with(".git") && !path.starts_with(self.top.join(".git")),
            Err(_) => true,
        }
    }

    /// Refuses a path that links lead beyond the boundary.
    ///
    /// # Errors
    ///
    /// Such a path.
    pub(crate) fn check(&self, files: &dyn Files, path: &Path) -> io::Result<()> {
        match self.is_left_by(files, path) {
            true => {
                Err(io::Error::other("it is a link that leads out of the repository; use a copy of the file"))
            }
            false => Ok(()),
        }
    }

    /// Whether errors may quote a file: it is within the boundary, and no link leads to it.
    pub(crate) fn may_quote(&self, files: &dyn Files, path: &Path) -> bool {
        let Ok(below) = whole(path).strip_prefix(&self.top).map(Path::to_owned) else { return false };
        let (Ok(top), Ok(real)) = (files.canonical(&self.top), files.canonical(path)) else { return false };
        real == top.join(&below) && !below.starts_with(".git")
    }
}

/// Refuses a path that links lead out of its repository.
///
/// # Errors
///
/// Such a path.
pub(crate) fn refuse_outward_link(files: &dyn Files, path: &Path) -> io::Result<()> {
    Boundary::of(files, path).check(files, path)
}

fn whole(path: &Path) -> PathBuf {
    without_dots(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}
