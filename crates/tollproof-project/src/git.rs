//! Asks git which files have changed.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use tollproof_core::quoted;
use tollproof_history::reason;

use crate::discover::InputFile;

/// The default commit to compare with.
const HEAD: &str = "HEAD";

/// Prevents git from running programs that the settings of the repository name.
const RUN_NOTHING: [&str; 4] = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/// Lists existing files that differ from a commit. The options override the user's settings.
const DIFFERENT: [&str; 8] = [
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--diff-filter=d",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
];

/// Reason git cannot find the changes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The program is not installed.
    #[error("`git` is not installed")]
    NotInstalled,
    /// The program cannot be started.
    #[error("`git` does not start: {}", reason(.0))]
    NotStarted(#[source] io::Error),
    /// The name of the commit starts with `-`, so git would read it as an option.
    #[error("`{0}` is not a commit")]
    NotACommit(String),
    /// No commit has this name.
    #[error("git has no commit `{0}`")]
    UnknownCommit(String),
    /// The named and the current commit have no common ancestor in this clone.
    #[error(
        "`{0}` and the current commit have no common history here; fetch more of it (in CI: `fetch-depth: 0`)"
    )]
    NoCommonHistory(String),
    /// A filter in git's settings cannot be turned off, and git would run it.
    #[error("`{}` in the settings of git cannot be turned off", quoted(.0))]
    Filter(String),
    /// The error message of git.
    #[error("{0}")]
    Failed(String),
}

/// The files of a repository that are unchanged since a commit. All files that git does not list as unchanged count as
/// changed.
pub(crate) struct GitChanges {
    same: HashSet<PathBuf>,
}

impl GitChanges {
    /// Asks git which files changed since `reference` and the current commit diverged, committed or not.
    ///
    /// # Errors
    ///
    /// An unknown commit, a folder outside of a repository, or a git that is missing or fails.
    pub(crate) fn since(reference: &str) -> Result<Self, GitError> {
        // Git would read it as an option.
        if reference.starts_with('-') {
            return Err(GitError::NotACommit(reference.to_owned()));
        }
        let top = path(line(&git(Path::new("."), &["rev-parse", "--show-toplevel"])?));
        let top = top.canonicalize().unwrap_or(top);
        let base = match commit(&top, reference) {
            Ok(commit) => git(&top, &["merge-base", &commit, HEAD])
                .map_err(|_| GitError::NoCommonHistory(reference.to_owned()))?,
            // Before the first commit, all files are new.
            Err(_) if reference == HEAD => return Ok(Self { same: HashSet::new() }),
            Err(why) => return Err(why),
        };
        let base = String::from_utf8_lossy(line(&base)).into_owned();
        let filters = without_filters(&top)?;
        let filters: Vec<&str> = filters.iter().map(String::as_str).collect();
        let different = git(&top, &[&filters[..], &DIFFERENT, &[&base, "--"]].concat())?;
        let different: HashSet<&[u8]> = names(&different).collect();
        let tracked = git(&top, &["ls-files", "-z", "--cached"])?;
        let same = names(&tracked).filter(|name| !different.contains(name));
        Ok(Self { same: same.map(|name| top.join(path(name))).collect() })
    }

    /// Removes and returns the unchanged files. A file that does not exist stays in `files`, so that it is reported.
    pub(crate) fn take_unchanged(&self, files: &mut Vec<InputFile>) -> Vec<InputFile> {
        let is_same = |file: &InputFile| file.path.as_deref().is_some_and(|path| self.is_same(path));
        let (others, changed) = std::mem::take(files).into_iter().partition(is_same);
        *files = changed;
        others
    }

    /// Whether a file and, if the path is a link, the link itself are unchanged.
    fn is_same(&self, path: &Path) -> bool {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match (path.canonicalize(), folder.canonicalize(), path.file_name()) {
            (Ok(whole), Ok(folder), Some(name)) => {
                self.same.contains(&whole) && self.same.contains(&folder.join(name))
            }
            _ => false,
        }
    }
}

/// Options that turn off all filters in git's settings, because git runs the program of a filter to compare a file
/// with a commit. A file that is only equal after a filter counts as changed.
fn without_filters(top: &Path) -> Result<Vec<String>, GitError> {
    // If no setting matches, git fails without a message.
    let all = git(top, &["config", "--null", "--name-only", "--get-regexp", "^filter\\."]);
    let mut options = Vec::new();
    for name in names(&all.unwrap_or_default()) {
        let name = String::from_utf8_lossy(name);
        let Some((filter, _)) = name.rsplit_once('.') else { continue };
        // An option cannot contain such a name.
        if filter.contains('=') || filter.contains('\u{fffd}') {
            return Err(GitError::Filter(filter.to_owned()));
        }
        for (key, value) in [("clean", ""), ("process", ""), ("required", "false")] {
            options.extend(["-c".to_owned(), format!("{filter}.{key}={value}")]);
        }
    }
    Ok(options)
}

/// The hash of the commit that a name refers to.
fn commit(top: &Path, reference: &str) -> Result<String, GitError> {
    let found = git(top, &["rev-parse", "--verify", "--quiet", &format!("{reference}^{{commit}}")]);
    let found = found.map_err(|_| GitError::UnknownCommit(reference.to_owned()))?;
    Ok(String::from_utf8_lossy(line(&found)).into_owned())
}

/// The NUL-separated names in git's output.
fn names(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split(|&byte| byte == 0).filter(|name| !name.is_empty())
}

/// Git's output without its final line break. Spaces stay, because a path may end in one.
fn line(answer: &[u8]) -> &[u8] {
    answer.strip_suffix(b"\n").unwrap_or(answer)
}

/// The git of the first folder in `PATH` that has one. Relative and empty entries do not count: they would run a program
/// that came with the drafts.
pub fn git_program() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let mut programs = std::env::split_paths(&folders).filter(|it| it.is_absolute()).map(|it| it.join(&name));
    programs.find(|it| it.is_file())
}

/// Runs git and returns its output.
fn git(folder: &Path, args: &[&str]) -> Result<Vec<u8>, GitError> {
    let mut command = Command::new(git_program().ok_or(GitError::NotInstalled)?);
    // Take no locks that could block another git process, and get messages in English.
    command
        .args(RUN_NOTHING)
        .arg("-C")
        .arg(folder)
        .args(args)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C");
    // Do not fetch missing objects: the repository's settings could name a program for that.
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => GitError::NotInstalled,
        _ => GitError::NotStarted(error),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let line = words.lines().next().unwrap_or("git failed");
    Err(GitError::Failed(line.strip_prefix("fatal: ").unwrap_or(line).to_owned()))
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}
