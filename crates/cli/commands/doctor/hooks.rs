//! Whether commits are checked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_yaml::Value;
use tollproof_project::{Repository, git_program};

use super::Checkup;
use crate::commands::init::HOOK_FILE;

/// The longest file that is searched: hooks are short.
const MAX_BYTES: u64 = 1 << 20;

/// A word in the name of a hook or its command.
const PROGRAM: &str = "tollproof";

pub(super) fn look() -> Checkup {
    let repository = Repository::around();
    let Some(top) = repository.top() else {
        return Checkup::unused("hook", "this folder is not in a git repository");
    };
    let installed = hook(top);
    let listed = match short(&top.join(HOOK_FILE)) {
        None => false,
        Some(text) => match serde_yaml::from_str::<Value>(&text) {
            Ok(hooks) => lists_tollproof(&hooks),
            Err(_) => {
                return Checkup::problem("hook", format!("`{HOOK_FILE}` is not valid YAML"))
                    .advice("correct it; `pre-commit validate-config` shows where");
            }
        },
    };
    match installed {
        Some(text) if text.contains(PROGRAM) => Checkup::ok("hook", "git runs tollproof before each commit"),
        Some(text) if listed && text.contains("pre-commit") => {
            Checkup::ok("hook", format!("pre-commit runs the hook of `{HOOK_FILE}`"))
        }
        Some(_) if listed => {
            Checkup::problem("hook", format!("`{HOOK_FILE}` has the hook, but git runs another one"))
                .advice("run `pre-commit install`")
        }
        None if listed => {
            Checkup::problem("hook", format!("`{HOOK_FILE}` has the hook, but git does not run it"))
                .advice("run `pre-commit install`")
        }
        _ => Checkup::unused("hook", "no hook checks the drafts of a commit")
            .advice("`tollproof init --hook` adds one for pre-commit"),
    }
}

/// The text of git's hook, if it is a file.
fn hook(top: &Path) -> Option<String> {
    let path = folder(top).join("pre-commit");
    // Wrappers of other programs run the file of the same name beside their folder.
    let beside = || top.join(".husky/pre-commit");
    let text = short(&path)?;
    if text.contains("husky") {
        return short(&beside()).or(Some(text));
    }
    Some(text)
}

/// The folder of git's hooks, which its settings may change.
fn folder(top: &Path) -> PathBuf {
    let Some(program) = git_program() else { return top.join(".git/hooks") };
    let asked = Command::new(program)
        .args(["-c", "core.fsmonitor=false", "rev-parse", "--git-path", "hooks"])
        .current_dir(top)
        .stdin(Stdio::null())
        .output();
    let answer = asked
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok());
    let path = answer.as_deref().map(str::trim_end).filter(|it| !it.is_empty()).unwrap_or(".git/hooks");
    top.join(path)
}

/// A file that is not long, as text.
fn short(path: &Path) -> Option<String> {
    let is_short = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_BYTES);
    let bytes = is_short.then(|| fs::read(path).ok()).flatten()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether the settings of pre-commit have a hook that runs tollproof.
fn lists_tollproof(hooks: &Value) -> bool {
    let repos = hooks["repos"].as_sequence().into_iter().flatten();
    let mut hooks = repos.flat_map(|repo| repo["hooks"].as_sequence().into_iter().flatten());
    hooks.any(|hook| {
        ["id", "entry"].iter().any(|key| hook[*key].as_str().is_some_and(|it| it.contains(PROGRAM)))
    })
}
