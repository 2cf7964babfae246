//! Reads the user's rule files and vocabulary files from folders.

use std::io;
use std::path::{Path, PathBuf};

use tollproof_core::UserRule;
use tollproof_history::{name_of, reason};

use crate::boundary::Boundary;
use crate::config::ConfigFile;
use crate::files::{FileKind, Files};

/// A read error of the rule files below a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UserRulesError {
    /// A file or folder cannot be read.
    #[error("cannot read the rules in `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The path is that of a file.
    #[error("`{}` is a file; name the folder that contains the folders of your groups", name_of(.0))]
    NotAFolder(PathBuf),
    /// The folder contains no rule files. This is an error so that a wrong path does not go unnoticed.
    #[error("there is no rule file (*.yaml) in `{}`", name_of(.0))]
    Empty(PathBuf),
    /// The folder contains more than rules, or links to itself.
    #[error("`{}` contains more than {MOST} files and folders; name a folder of rules alone", name_of(.0))]
    TooMany(PathBuf),
}

/// The most files and folders that are looked at below a folder.
const MOST: usize = 10_000;

/// Reads the rule files and vocabulary files (`*.yaml`) below folders. The id of a rule is derived from its path.
///
/// # Errors
///
/// The first folder that cannot be read or contains no rule file.
pub fn read_user_rules(files: &dyn Files, folders: &[PathBuf]) -> Result<Vec<UserRule>, UserRulesError> {
    let mut rules = Vec::new();
    for folder in folders {
        rules.extend(of_folder(files, folder, None)?);
    }
    Ok(rules)
}

/// Reads the rules of named folders and of those that settings name. A repository can name any folder in its settings, so
/// what it names outside of itself is marked as foreign.
///
/// # Errors
///
/// Those of [`read_user_rules`].
pub fn read_project_rules(
    files: &dyn Files,
    named: &[PathBuf],
    config: &ConfigFile,
) -> Result<Vec<UserRule>, UserRulesError> {
    let mut rules = read_user_rules(files, named)?;
    let boundary = config.boundary(files);
    for folder in config.rule_dirs().filter(|folder| !named.iter().any(|named| is_same(files, named, folder)))
    {
        rules.extend(of_folder(files, &folder, Some(&boundary))?.into_iter().map(|rule| {
            let is_foreign = !boundary.may_quote(files, Path::new(&rule.file));
            UserRule { is_foreign, ..rule }
        }));
    }
    Ok(rules)
}

/// Whether two paths lead to the same folder.
fn is_same(files: &dyn Files, one: &Path, other: &Path) -> bool {
    matches!((files.canonical(one), files.canonical(other)), (Ok(one), Ok(other)) if one == other)
}

/// The rules of one folder, sorted by id; none of them by a link that leads beyond the boundary.
fn of_folder(
    files: &dyn Files,
    folder: &Path,
    boundary: Option<&Boundary>,
) -> Result<Vec<UserRule>, UserRulesError> {
    let unreadable =
        |path: &Path, error: io::Error| UserRulesError::Unreadable { path: path.to_owned(), error };
    if files.kind(folder) == Some(FileKind::File) {
        return Err(UserRulesError::NotAFolder(folder.to_owned()));
    }
    let check = |path: &Path| match boundary {
        Some(boundary) => boundary.check(files, path).map_err(|error| unreadable(path, error)),
        None => Ok(()),
    };
    let (mut rules, mut looked_at) = (Vec::new(), 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for path in files.list(&inner).map_err(|error| unreadable(&inner, error))? {
            looked_at += 1;
            if looked_at > MOST {
                return Err(UserRulesError::TooMany(folder.to_owned()));
            }
            if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
                continue;
            }
            if files.kind(&path) == Some(FileKind::Folder) {
                check(&path)?;
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                check(&path)?;
                let text = files.read_to_string(&path).map_err(|error| unreadable(&path, error))?;
                let below = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
                let (id, file) = (name_of(&below), name_of(&path));
                rules.push(UserRule { id, file, text, is_foreign: false });
            }
        }
    }
    if rules.is_empty() {
        return Err(UserRulesError::Empty(folder.to_owned()));
    }
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(rules)
}
