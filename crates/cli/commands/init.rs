//! `tollproof init`: writes a first configuration, and a hook that checks the drafts of each commit.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tollproof_history::{name_of, reason};
use tollproof_project::{CONFIG_NAME, Repository};

use super::here::config_here;
use crate::args::InitArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::output::stderr::{self, say};

const SETTINGS: &str = include_str!("init.yaml");
const HOOKS: &str = include_str!("init-hook.yaml");
const SKILL: &str = include_str!("../../../docs/skill/SKILL.md");

/// The folders in which assistants look for skills of a project: that of Claude Code, and the one that several assistants share.
const SKILL_FILES: [&str; 2] = [".claude/skills/tollproof/SKILL.md", ".agents/skills/tollproof/SKILL.md"];

/// The configuration of pre-commit, which reads it only at the top of a repository.
pub(super) const HOOK_FILE: &str = ".pre-commit-config.yaml";

/// Writes the files that do not exist yet, and reports those that do.
pub(super) fn run(args: &InitArgs, out: &mut dyn Write) -> Result<Exit> {
    if args.skill {
        let mut written = false;
        for path in SKILL_FILES {
            written |= write(Path::new(path), SKILL)?;
        }
        return Ok(if written { Exit::Clean } else { Exit::Unable });
    }
    let wants_hook = wants_hook(args)?;
    let above = config_here().ok().and_then(|config| config.path.clone());
    let mut written = write(Path::new(CONFIG_NAME), SETTINGS)?;
    if let Some(above) = above.filter(|_| written) {
        let above = name_of(&above);
        say!("This folder now has its own settings: `{above}` does not apply here.");
    }
    match wants_hook {
        Some(true) => {
            let path = Repository::around().top().map_or_else(PathBuf::new, Path::to_owned).join(HOOK_FILE);
            let path = path.strip_prefix(std::env::current_dir().unwrap_or_default()).unwrap_or(&path);
            let is_new = write(path, HOOKS)?;
            written |= is_new;
            if is_new {
                say!("Next: pre-commit install");
            } else {
                say!("If it does not have them yet, add these lines below its `repos:`");
                let (_, lines) = HOOKS.split_once("repos:\n").expect("the hooks are in a list");
                out.write_all(lines.as_bytes()).map_err(Failure::stdout)?;
            }
        }
        Some(false) => {}
        None => say!(
            "No hook was written. `tollproof init --hook` adds one that checks the drafts of each commit."
        ),
    }
    Ok(if written { Exit::Clean } else { Exit::Unable })
}

/// The answer of the options, or of the user at the terminal; `None` without a terminal.
fn wants_hook(args: &InitArgs) -> Result<Option<bool>> {
    if args.hook || args.no_hook {
        return Ok(Some(args.hook));
    }
    let question = "Write a pre-commit hook too, which checks the drafts of each commit?";
    stderr::asks_yes(question).map_err(|error| failure!("cannot ask: {}", reason(&error)))
}

/// Writes a file unless it exists. Returns whether it was written.
fn write(path: &Path, text: &str) -> Result<bool> {
    let name = name_of(path);
    let unwritten = |error: &io::Error| failure!("cannot write `{name}`: {}", reason(error));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), fs::create_dir_all).map_err(|error| unwritten(&error))?;
    match File::create_new(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map_err(|error| {
            // An incomplete file would block the next attempt.
            let _ = fs::remove_file(path);
            unwritten(&error)
        })?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            say!("`{name}` exists already and is not changed.");
            return Ok(false);
        }
        Err(error) => return Err(unwritten(&error)),
    }
    say!("Wrote `{name}`.");
    Ok(true)
}
