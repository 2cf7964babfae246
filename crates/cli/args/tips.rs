//! Commands and options of other tools, and their names in tollproof.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use tollproof_core::nearest;

use crate::terminal::typed;

/// Commands of other tools, and what to write here.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["lint", "validate", "verify", "test", "scan"], "to check a draft: tollproof check FILE"),
    (&["fix", "format", "fmt"], "to apply safe fixes: tollproof check --fix FILE"),
    (&["diff"], "to see what fixes would change: tollproof check --diff FILE"),
    #[cfg(feature = "online")]
    (&["send", "create", "apply"], "to submit a draft: tollproof submit FILE"),
    #[cfg(not(feature = "online"))]
    (
        &["submit", "send", "create", "apply"],
        "this build sends nothing; `tollproof gate` checks a draft and prints the request body",
    ),
    (&["version"], "to print the version: tollproof --version"),
    (&["list", "ls"], "`tollproof rule` lists rules, `tollproof history list` earlier submissions"),
    (&["report"], "to write a report: tollproof check --output-format html=report.html"),
    (&["watch"], "to check again after each change: tollproof check --watch"),
];

/// Options of other tools, and what to write here. What is written is also an option of the command that was typed.
const OPTIONS: [(&[&str], &str); 12] = [
    (&["--since", "--diff-base", "--from-ref"], "`--changed=REF` checks what changed since a commit"),
    (&["--json"], "`--output-format json` prints JSON"),
    (&["--html"], "`--output-format html=report.html` writes a page"),
    (&["-f", "--reporter"], "`--output-format FORMAT` chooses the format of the report"),
    (
        &["-o", "--output", "--output-file", "--out"],
        "`--output-format full=FILE` writes the report to a file",
    ),
    (&["--exclude", "--skip-files"], "list files below `exclude:` in tollproof.yaml"),
    (&["--disable", "--skip", "--deny"], "`--ignore RULE` turns a rule off"),
    (&["--enable", "--only", "--rule"], "`--select RULE` runs only this rule"),
    (&["--dry-run", "--check"], "`--diff` shows what `--fix` would change"),
    (&["--write", "--autofix", "--apply"], "`--fix` applies safe fixes"),
    (&["--strict", "--max-warnings", "--level"], "`--fail-on warning` fails on warnings too"),
    (&["-r", "--recursive"], "name a folder: what is below it is checked too"),
];

/// Replaces clap's suggestions, which compare letters alone, where another word is meant.
pub(super) fn add_tip(error: &mut clap::Error, command: &Command, words: &[OsString]) {
    let Some(tip) = tip(error, command, words) else { return };
    error.remove(ContextKind::SuggestedSubcommand);
    if error.remove(ContextKind::SuggestedArg).is_some() {
        // It shows the suggested option.
        error.remove(ContextKind::Usage);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
}

fn tip(error: &clap::Error, command: &Command, words: &[OsString]) -> Option<String> {
    let asked =
        words.iter().skip(1).fold(command, |asked, word| asked.find_subcommand(word).unwrap_or(asked));
    match (error.kind(), error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word)), _) => {
            let near = nearest(word, asked.get_subcommands().map(Command::get_name));
            let meant = near.map(|it| format!("did you mean `{it}`?"));
            let path = Path::new(word);
            let is_file = path.exists() || path.extension().is_some();
            match is_top(asked, command) {
                false => meant,
                true if is_file => Some(format!("to check it: tollproof check {}", typed(word))),
                true => of_table(COMMANDS, word).map(str::to_owned).or(meant),
            }
        }
        (ErrorKind::UnknownArgument, _, Some(ContextValue::String(word))) => {
            let tip = of_table(&OPTIONS, word)?;
            let option = tip.split(['`', ' ', '=']).find_map(|it| it.strip_prefix("--"));
            let has = |name: &str| asked.get_arguments().any(|argument| argument.get_long() == Some(name));
            option.is_none_or(has).then(|| tip.to_owned())
        }
        _ => None,
    }
}

fn is_top(asked: &Command, command: &Command) -> bool {
    asked.get_name() == command.get_name()
}

fn of_table(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(words, _)| words.contains(&word)).map(|(_, tip)| *tip)
}
