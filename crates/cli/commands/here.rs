//! The settings of the current folder, for commands that check no files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_core::UserRule;
use tollproof_project::{ConfigFile, Configs, Disk, read_project_rules};

use crate::errors::Result;
use crate::output::stderr;

/// The configuration of the current folder.
pub(super) fn config_here() -> Result<Arc<ConfigFile>> {
    Ok(Configs::nearest(Arc::new(Disk)).of_folder(Path::new(""))?)
}

/// Users' rules: those of the command line, and those of the settings, which may be broken here.
pub(super) fn own_rules_here(named: &[PathBuf]) -> Result<Vec<UserRule>> {
    let config = config_here().unwrap_or_else(|failure| {
        let text = failure.plain().text;
        let why = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        stderr::say!("note: the rules of the settings are left out: {why}");
        Arc::default()
    });
    Ok(read_project_rules(&Disk, named, &config)?)
}
