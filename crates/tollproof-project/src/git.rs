//! Which files git says have changed.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use tollproof_core::quoted;
use tollproof_history::reason;

use crate::discover::InputFile;

/// What a commit is compared with unless another is named.
const HEAD: &str = "HEAD";

/// Keeps the settings of a repository from running programs while it is only looked at.
const RUN_NOTHING: [&str; 4] = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/// Asks for the names of files that are there and differ from a commit, whatever the user's settings say.
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

/// Why git cannot tell what changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The program is not installed.
    #[error("`git` is not installed")]
    NotInstalled,
    /// The program does not start.
    #[error("`git` does not start: {}", reason(.0))]
    NotStarted(#[source] io::Error),
    /// The words that should name a commit would be an option.
    #[error("`{0}` is not a commit")]
    NotACommit(String),
    /// No commit has this name.
    #[error("git has no commit `{0}`")]
    UnknownCommit(String),
    /// The commit and the current one share no commit that is here.
    #[error(
        "`{0}` and the current commit have no common history here; fetch more of it (in CI: `fetch-depth: 0`)"
    )]
    NoCommonHistory(String),
    /// A filter of the settings, which git would run, cannot be turned off.
    #[error("`{}` in the settings of git cannot be turned off", quoted(.0))]
    Filter(String),
    /// What git itself says.
    #[error("{0}")]
    Failed(String),
}

/// The files of a repository that are the same as in a commit. A file that git cannot tell this of has changed.
#[derive(Debug)]
pub(crate) struct GitChanges {
    same: HashSet<PathBuf>,
}

impl GitChanges {
    /// Asks git what changed since `reference` and the current commit parted, committed or not.
    ///
    /// # Errors
    ///
    /// An unknown commit, a folder outside of any repository, and a git that is missing or fails.
    pub(crate) fn since(reference: &str) -> Result<Self, GitError> {
        // Such a word would be an option to git.
        if reference.starts_with('-') {
            return Err(GitError::NotACommit(reference.to_owned()));
        }
        let top = path(line(&git(Path::new("."), &["rev-parse", "--show-toplevel"])?));
        let top = top.canonicalize().unwrap_or(top);
        let base = match commit(&top, reference) {
            Ok(commit) => git(&top, &["merge-base", &commit, HEAD])
                .map_err(|_| GitError::NoCommonHistory(reference.to_owned()))?,
            // Before the first commit all is new.
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

    /// Removes and returns the files that did not change. A file that does not exist stays: that is a mistake to report.
    pub(crate) fn take_unchanged(&self, files: &mut Vec<InputFile>) -> Vec<InputFile> {
        let is_same = |file: &InputFile| file.path.as_deref().is_some_and(|path| self.is_same(path));
        let (others, changed) = std::mem::take(files).into_iter().partition(is_same);
        *files = changed;
        others
    }

    /// Whether a file is as it was, and the link to it if the path is one.
    fn is_same(&self, path: &Path) -> bool {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match (path.canonicalize(), folder.canonicalize(), path.file_name()) {
            (Ok(whole), Ok(folder), Some(name)) => {
                self.same.contains(&whole) && self.same.contains(&folder.join(name))
            }
            _ => false,
        }
    }
}

/// Options that turn off all filters of the settings: to compare a file with a commit, git runs the program that a filter
/// names. What only a filter could tell to be the same counts as changed.
fn without_filters(top: &Path) -> Result<Vec<String>, GitError> {
    // Where no setting matches, git fails without a word.
    let all = git(top, &["config", "--null", "--name-only", "--get-regexp", "^filter\\."]);
    let mut options = Vec::new();
    for name in names(&all.unwrap_or_default()) {
        let name = String::from_utf8_lossy(name);
        let Some((filter, _)) = name.rsplit_once('.') else { continue };
        // Such a name cannot be written as an option.
        if filter.contains('=') || filter.contains('\u{fffd}') {
            return Err(GitError::Filter(filter.to_owned()));
        }
        for (key, value) in [("clean", ""), ("process", ""), ("required", "false")] {
            options.extend(["-c".to_owned(), format!("{filter}.{key}={value}")]);
        }
    }
    Ok(options)
}

/// The commit that a name means.
fn commit(top: &Path, reference: &str) -> Result<String, GitError> {
    let found = git(top, &["rev-parse", "--verify", "--quiet", &format!("{reference}^{{commit}}")]);
    let found = found.map_err(|_| GitError::UnknownCommit(reference.to_owned()))?;
    Ok(String::from_utf8_lossy(line(&found)).into_owned())
}

/// The names in an answer.
fn names(answer: &[u8]) -> impl Iterator<Item = &[u8]> {
    answer.split(|&byte| byte == 0).filter(|name| !name.is_empty())
}

/// An answer of one line: a path may end in blanks.
fn line(answer: &[u8]) -> &[u8] {
    answer.strip_suffix(b"\n").unwrap_or(answer)
}

/// What git answers, or why it does not.
fn git(folder: &Path, args: &[&str]) -> Result<Vec<u8>, GitError> {
    let mut command = Command::new("git");
    // Looking must not get in the way of a git that works meanwhile, and its words are to be English like ours.
    command
        .args(RUN_NOTHING)
        .arg("-C")
        .arg(folder)
        .args(args)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C");
    // What is not here is not fetched: the settings say by which program.
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
