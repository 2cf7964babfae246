//! Finds the files that a run checks, and those that it only reads for their numbers.

use std::path::{Path, PathBuf};

use tollproof_core::{Facts, KindHint, Parsed, Source};

use super::{Session, kind_hint_of};
use crate::discover::{FoundFiles, InputFile, UNNAMED, WalkOptions, find_files, is_same, keep_each_once};
use crate::error::Result;
use crate::files::FileKind;
use crate::git::GitChanges;
use crate::linter_cache::ConfigChoice;
use crate::output_guard::{InputRole, OutputConflict};

/// Files that a run checks.
#[derive(Clone, Debug, Default)]
pub struct FindOptions {
    /// Files, folders, or [`STDIN`](crate::STDIN).
    pub paths: Vec<PathBuf>,
    /// Files and folders with drafts that are only read for their numbers.
    pub also_read: Vec<PathBuf>,
    /// A commit: files that did not change since are only read for their numbers.
    pub changed: Option<String>,
    /// The name of standard input.
    pub stdin_name: Option<String>,
    /// Whether folder rules also apply to named files.
    pub force_exclude: bool,
    /// Whether files with other extensions are listed as skipped.
    pub lists_endings: bool,
    /// Files to which this run writes its reports.
    pub reports: Vec<PathBuf>,
    /// The baseline, if one is named.
    pub baseline: Option<PathBuf>,
}

/// The files of a run.
#[derive(Debug, Default)]
pub struct ProjectFiles {
    /// Files to check.
    pub checked: FoundFiles,
    /// Drafts that are only read for their numbers.
    pub also_read: FoundFiles,
    /// The files and folders that were named.
    pub paths: Vec<PathBuf>,
    /// Whether unchanged files below them are left out.
    pub is_partial: bool,
}

impl Session {
    /// Finds the files of a run.
    ///
    /// A report of an earlier run in a checked folder is left out, because this run replaces it. But a report whose
    /// path is that of a draft is an error.
    ///
    /// # Errors
    ///
    /// Settings that cannot be used, a report that would overwrite a draft, or git failing to determine what changed.
    pub fn find(&self, options: FindOptions) -> Result<ProjectFiles> {
        // Settings that cannot be used are an error even if no file needs them.
        for folder in options.paths.iter().filter(|path| self.files.kind(path) == Some(FileKind::Folder)) {
            self.configs().of_folder(folder)?;
        }
        let linter = &self.options.linter;
        let config = match &linter.config {
            ConfigChoice::File(path) => Some(path.clone()),
            ConfigChoice::Nearest | ConfigChoice::None => None,
        };
        let mut walk = WalkOptions {
            stdin_name: options.stdin_name,
            config,
            rule_dirs: linter.rule_dirs.clone(),
            named: options.force_exclude,
            lists_endings: options.lists_endings,
        };
        let mut checked = find_files(&*self.files, &options.paths, &walk, self.configs())?;
        walk.stdin_name = None;
        let mut also_read = find_files(&*self.files, &options.also_read, &walk, self.configs())?;
        for found in [&mut checked, &mut also_read] {
            self.leave_out(found, &options.reports, true)?;
            self.leave_out(found, self.options.facts.as_slice(), true)?;
            self.leave_out(found, self.options.readings.as_slice(), true)?;
            self.leave_out(found, options.baseline.as_slice(), false)?;
        }
        if let Some(reference) = &options.changed {
            also_read.files.extend(GitChanges::since(reference)?.take_unchanged(&mut checked.files));
        }
        if !also_read.files.is_empty() {
            keep_each_once(&*self.files, &mut also_read.files, &checked.files);
        }
        Ok(ProjectFiles { checked, also_read, paths: options.paths, is_partial: options.changed.is_some() })
    }

    /// Removes files that this run writes from those found in folders.
    fn leave_out(&self, found: &mut FoundFiles, outputs: &[PathBuf], are_reports: bool) -> Result<()> {
        for output in outputs.iter().filter_map(|output| self.files.canonical(output).ok()) {
            // A folder walk does not follow links, so the name is that of the file itself.
            let is_output =
                |path: &Path| path.file_name() == output.file_name() && is_same(&*self.files, path, &output);
            found.skipped.retain(|file| !is_output(Path::new(&file.name)));
            let is_walked = |file: &InputFile| {
                file.met == KindHint::Discovered && file.path.as_deref().is_some_and(&is_output)
            };
            let Some(at) = found.files.iter().position(is_walked) else { continue };
            if are_reports && self.is_draft(&found.files[at])? {
                let path = found.files[at].place().to_owned();
                return Err(OutputConflict { path, role: InputRole::Draft }.into());
            }
            found.files.remove(at);
        }
        Ok(())
    }

    /// Whether a file found in a folder contains something to check.
    fn is_draft(&self, file: &InputFile) -> Result<bool> {
        let Ok(bytes) = self.files.read(file.place()) else { return Ok(false) };
        let config = self.config_of(file)?;
        // A report may have any name, so its format is detected from its content.
        let source = Source::from_bytes(UNNAMED, bytes);
        let hint = kind_hint_of(self.options.kind, &config, file);
        let linter = self.linter_of(&config, file)?;
        Ok(linter.check(&Parsed::of(&source, None), hint, &Facts::default()).documents > 0)
    }
}
