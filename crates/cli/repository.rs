//! The repository that a run starts in, and what paths are called in it.

use std::path::{Component, Path, PathBuf};

use tollproof_history::name_of;

/// The current folder and the top of the repository around it.
#[derive(Debug, Default)]
pub(crate) struct Repository {
    here: PathBuf,
    top: Option<PathBuf>,
}

impl Repository {
    /// Looks upwards from the current folder for one that git keeps.
    pub(crate) fn around() -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        let top = here.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_owned);
        Self { here, top }
    }

    /// What a path is called from the top of the repository, with `/` between folders; none for what lies outside.
    pub(crate) fn name_of(&self, path: &Path) -> Option<String> {
        let path = without_dots(&self.here.join(path));
        Some(name_of(path.strip_prefix(self.top.as_deref()?).ok()?))
    }

    /// The folder at the top, if there is a repository.
    pub(crate) fn top(&self) -> Option<&Path> {
        self.top.as_deref()
    }

    /// Where the file of such a name lies, or would lie; what lies outside of the repository is called by its path.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        let outside = self.whole(Path::new(name));
        match &self.top {
            Some(top) if top.join(name).exists() || !outside.exists() => top.join(name),
            _ => outside,
        }
    }

    /// The whole path of one that starts from the current folder.
    pub(crate) fn whole(&self, path: &Path) -> PathBuf {
        without_dots(&self.here.join(path))
    }
}

/// Takes `.` and `..` out of a path without asking the file system.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
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
