//! `--changed`: which files git says have changed.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files::{File, reason};
use crate::output::look::one_line;
use crate::report::Failure;

/// What a commit is compared with unless another is named.
const HEAD: &str = "HEAD";

/// Asks for the names of files that are there and differ from a commit, whatever the user's settings say.
const DIFFERENT: [&str; 7] = [
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--diff-filter=d",
    "--no-ext-diff",
    "--ignore-submodules=all",
];

/// The files of a repository that differ from a commit, and those that git does not know yet.
#[derive(Debug)]
pub(crate) struct Changed(HashSet<PathBuf>);

impl Changed {
    /// Asks git what changed since `reference` and the current commit parted, committed or not.
    pub(crate) fn since(reference: &str) -> Result<Self, Failure> {
        Self::ask(reference)
            .map_err(|why| Failure::new(format_args!("cannot tell what changed: {}", one_line(&why))))
    }

    fn ask(reference: &str) -> Result<Self, String> {
        // Such a word would be an option to git.
        if reference.starts_with('-') {
            return Err(format!("`{reference}` is no commit"));
        }
        let top = path(line(&git(Path::new("."), &["rev-parse", "--show-toplevel"])?));
        let top = top.canonicalize().unwrap_or(top);
        let known = match commit(&top, reference) {
            Ok(commit) => {
                let base = git(&top, &["merge-base", &commit, HEAD]).map_err(|_| {
                    format!("`{reference}` and the current commit have no common past here; a shallow clone needs more of it")
                })?;
                let base = String::from_utf8_lossy(line(&base)).into_owned();
                git(&top, &[&DIFFERENT[..], &[&base, "--"]].concat())?
            }
            // Before the first commit all is new.
            Err(_) if reference == HEAD => git(&top, &["ls-files", "-z", "--cached"])?,
            Err(why) => return Err(why),
        };
        let unknown = git(&top, &["ls-files", "-z", "--others", "--exclude-standard"])?;
        let names = [known, unknown].concat();
        let names = names.split(|&byte| byte == 0).filter(|name| !name.is_empty());
        Ok(Self(names.map(|name| top.join(path(name))).collect()))
    }

    /// Takes out and hands back the files that did not change. What is not there stays: that is a mistake to be told.
    pub(crate) fn take_the_others(&self, files: &mut Vec<File>) -> Vec<File> {
        let is_changed = |file: &File| match &file.path {
            Some(path) => match path.canonicalize() {
                Ok(whole) => self.0.contains(&whole) || self.has_link(path),
                Err(_) => true,
            },
            None => true,
        };
        let (changed, others) = std::mem::take(files).into_iter().partition(is_changed);
        *files = changed;
        others
    }

    /// Whether the path is a link that changed itself.
    fn has_link(&self, path: &Path) -> bool {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match (folder.canonicalize(), path.file_name()) {
            (Ok(folder), Some(name)) => self.0.contains(&folder.join(name)),
            _ => false,
        }
    }
}

/// Says that there was nothing to do.
pub(crate) fn say_nothing_did(reference: &str) {
    // Where standard error is closed, the exit code still tells.
    let _ = writeln!(io::stderr().lock(), "nothing to check: no draft changed since `{reference}`");
}

/// The commit that a name means.
fn commit(top: &Path, reference: &str) -> Result<String, String> {
    let found = git(top, &["rev-parse", "--verify", "--quiet", &format!("{reference}^{{commit}}")]);
    let found = found.map_err(|_| format!("git knows no commit `{reference}`"))?;
    Ok(String::from_utf8_lossy(line(&found)).into_owned())
}

/// An answer of one line: a path may end in blanks.
fn line(answer: &[u8]) -> &[u8] {
    answer.strip_suffix(b"\n").unwrap_or(answer)
}

/// What git answers, or why it does not.
fn git(folder: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let mut command = Command::new("git");
    // Looking must not get in the way of a git that works meanwhile, and its words are to be English like ours.
    command.arg("-C").arg(folder).args(args).env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "there is no `git` to ask".to_owned(),
        _ => format!("`git` does not start: {}", reason(&error)),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let line = words.lines().next().unwrap_or("git failed");
    Err(line.strip_prefix("fatal: ").unwrap_or(line).to_owned())
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
