//! The settings of the current folder, for commands that check no files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_project::{ConfigFile, Configs, Disk};

use crate::errors::Failure;
use crate::output::stderr;

/// The configuration of the current folder.
pub(super) fn config_here() -> Result<Arc<ConfigFile>, Failure> {
    Ok(Configs::nearest(Arc::new(Disk)).of_folder(Path::new(""))?)
}

/// The folders of users' rules: those of the command line, and those of the settings, which may be broken here.
pub(super) fn rule_dirs_here(named: &[PathBuf]) -> Vec<PathBuf> {
    let of_settings: Vec<PathBuf> = match config_here() {
        Ok(config) => config.rule_dirs().collect(),
        Err(failure) => {
            let text = failure.plain().text;
            let why = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            stderr::say(&format!("note: the rules of the settings are left out: {why}"));
            Vec::new()
        }
    };
    let mut folders = named.to_vec();
    for folder in of_settings {
        let is_same = |named: &PathBuf| fs::canonicalize(named).ok() == fs::canonicalize(&folder).ok();
        if !folders.iter().any(is_same) {
            folders.push(folder);
        }
    }
    folders
}
