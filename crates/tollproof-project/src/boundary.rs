//! The boundary of a repository: what its settings name is not read through a link that leads out of it, and errors quote
//! nothing from beyond it.

use std::io;
use std::path::{Component, Path, PathBuf, Prefix};

use crate::files::Files;
use crate::repository::without_dots;

/// The repository of a settings file, or without one, its folder. A clone can contain links to any file of the machine that
/// reads it, and the messages of a run are often public.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    top: PathBuf,
}

impl Boundary {
    /// The boundary of a settings file, which need not exist.
    pub(crate) fn of(files: &dyn Files, settings: &Path) -> Self {
        let path = without_dots(&absolute(settings));
        let is_top =
            |folder: &&Path| files.top() == Some(*folder) || files.kind(&folder.join(".git")).is_some();
        let folder = path.parent().unwrap_or(&path);
        Self { top: path.ancestors().skip(1).find(is_top).unwrap_or(folder).to_owned() }
    }

    /// Refuses a path within the repository that links lead beyond it, or into its `.git`, where credentials can be. A path
    /// that is written as one beyond the repository is left alone.
    ///
    /// # Errors
    ///
    /// Such a path.
    pub(crate) fn check(&self, files: &dyn Files, path: &Path) -> io::Result<()> {
        let path = absolute(path);
        let plain = without_dots(&path);
        if !plain.starts_with(&self.top) {
            return Ok(());
        }
        // Of a pattern, and of a file that is not there yet, the part that exists decides. `..` counts where it is written,
        // because a link may be before it.
        let real = path.ancestors().find_map(|part| files.canonical(part).ok());
        let (Ok(top), Some(real)) = (files.canonical(&self.top), real) else { return Ok(()) };
        let leads_out = match real.strip_prefix(&top) {
            Ok(below) => below.starts_with(".git") && !plain.starts_with(self.top.join(".git")),
            // The part that exists may be above the repository.
            Err(_) => !top.starts_with(&real),
        };
        if leads_out {
            Err(io::Error::other("it is a link that leads out of the repository; use a copy of the file"))
        } else {
            Ok(())
        }
    }

    /// Whether errors may quote a file: it is within the boundary, and no link leads to it.
    pub(crate) fn may_quote(&self, files: &dyn Files, path: &Path) -> bool {
        let plain = without_dots(&absolute(path));
        let Ok(below) = plain.strip_prefix(&self.top) else { return false };
        let (Ok(top), Ok(real)) = (files.canonical(&self.top), files.canonical(path)) else { return false };
        real == top.join(below) && !below.starts_with(".git")
    }
}

/// Whether Windows would ask another machine for a path, and log in there.
pub(crate) fn is_on_network(path: &Path) -> bool {
    let Some(Component::Prefix(prefix)) = path.components().next() else { return false };
    matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..) | Prefix::DeviceNS(_))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
