//! The repository that a run starts in, and the names of paths in it.

use std::path::{Component, Path, PathBuf};

use tollproof_history::name_of;

/// The current folder, and the top of the repository that contains it.
#[derive(Clone, Debug, Default)]
pub struct Repository {
    here: PathBuf,
    top: Option<PathBuf>,
}

impl Repository {
    /// Searches upwards from the current folder for a git repository.
    #[must_use]
    pub fn around() -> Self {
        Self::within(None)
    }

    /// Searches upwards from the current folder, and no further than a folder if one is given.
    #[must_use]
    pub fn within(last: Option<&Path>) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let folders =
            here.ancestors().take_while(|ancestor| last.is_none_or(|last| ancestor.starts_with(last)));
        let mut folders = folders.filter(|folder| folder.join(".git").exists());
        let top = folders.next().map(Path::to_owned);
        Self { here, top }
    }

    /// The path from the top of the repository, with `/` between folders; `None` for a path outside of the repository.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        let top = self.top.as_deref()?;
        let path = without_dots(&self.here.join(path));
        Some(name_of(path.strip_prefix(top).ok()?))
    }

    /// The top folder, if there is a repository.
    pub fn top(&self) -> Option<&Path> {
        self.top.as_deref()
    }

    /// The path of the file with such a name, whether it exists or not. For files outside of the repository, the name
    /// is the path.
    pub fn path_of(&self, name: &str) -> PathBuf {
        let outside = self.whole(Path::new(name));
        match &self.top {
            Some(top) if top.join(name).exists() || !outside.exists() => top.join(name),
            _ => outside,
        }
    }

    /// The absolute path of one that is relative to the current folder.
    pub fn whole(&self, path: &Path) -> PathBuf {
        without_dots(&self.here.join(path))
    }
}

/// Resolves `.` and `..` in a path without asking the file system.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            component => plain.push(component),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_called_alike_from_every_folder() {
        let repository = |here: &str| Repository { here: here.into(), top: Some("/srv/filings".into()) };
        assert_eq!(repository("/srv/filings").name_of(Path::new("a/b.json")).as_deref(), Some("a/b.json"));
        assert_eq!(repository("/srv/filings/a").name_of(Path::new("./b.json")).as_deref(), Some("a/b.json"));
        assert_eq!(
            repository("/srv/filings/c").name_of(Path::new("../a/b.json")).as_deref(),
            Some("a/b.json")
        );
        assert_eq!(repository("/srv").name_of(Path::new("/srv/other/b.json")), None);
    }
}
