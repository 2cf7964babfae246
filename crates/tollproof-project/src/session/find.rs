//! Which files a run checks, and which it reads besides.

use std::path::{Path, PathBuf};

use tollproof_core::{Facts, KindHint, Parsed, Source};

use super::{Session, kind_source};
use crate::discover::{FoundFiles, InputFile, UNNAMED, WalkOptions, find_files, is_same, keep_each_once};
use crate::error::ProjectError;
use crate::files::FileKind;
use crate::git::GitChanges;
use crate::linter_cache::ConfigChoice;
use crate::output_guard::{InputRole, OutputConflict};

/// What a run is to check.
#[derive(Clone, Debug, Default)]
pub struct FindOptions {
    /// Files, folders, or [`STDIN`](crate::STDIN).
    pub paths: Vec<PathBuf>,
    /// Files and folders with drafts that are read for the numbers they name.
    pub also_read: Vec<PathBuf>,
    /// A commit: what did not change since is read for its numbers alone.
    pub changed: Option<String>,
    /// What standard input is called.
    pub stdin_name: Option<String>,
    /// Whether named files are skipped for the same reasons as those of a folder.
    pub force_exclude: bool,
    /// Whether files with other endings are listed among those that are skipped.
    pub lists_endings: bool,
    /// Files that this run writes its reports to.
    pub reports: Vec<PathBuf>,
    /// The baseline, if one is named.
    pub baseline: Option<PathBuf>,
}

/// The files of a run.
#[derive(Debug, Default)]
pub struct ProjectFiles {
    /// Files to be checked.
    pub checked: FoundFiles,
    /// Drafts that are read for the numbers they name.
    pub also_read: FoundFiles,
    /// The files and folders that were named.
    pub paths: Vec<PathBuf>,
    /// Whether some files below them are left out since they did not change.
    pub is_partial: bool,
}

impl Session {
    /// Finds the files of a run.
    ///
    /// A report of an earlier run may lie in a folder that is checked. It is left out, since it will be replaced; but a
    /// report that would replace a draft is refused.
    ///
    /// # Errors
    ///
    /// Settings that cannot be used, a report in the place of a draft, and git where it cannot say what changed.
    pub fn find(&self, options: FindOptions) -> Result<ProjectFiles, ProjectError> {
        // Settings that cannot be used are an error even where no file needs them.
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

    /// Takes out of what a walk met the files that a run writes.
    fn leave_out(
        &self,
        found: &mut FoundFiles,
        outputs: &[PathBuf],
        are_reports: bool,
    ) -> Result<(), ProjectError> {
        for output in outputs.iter().filter_map(|it| self.files.canonical(it).ok()) {
            // A walk follows no links, so that the name is that of the file itself.
            let is_output =
                |path: &Path| path.file_name() == output.file_name() && is_same(&*self.files, path, &output);
            found.skipped.retain(|it| !is_output(Path::new(&it.name)));
            let is_walked =
                |it: &InputFile| it.met == KindHint::Discovered && it.path.as_deref().is_some_and(&is_output);
            let Some(at) = found.files.iter().position(is_walked) else { continue };
            if are_reports && self.is_draft(&found.files[at])? {
                let path = found.files[at].place().to_owned();
                return Err(OutputConflict { path, role: InputRole::Draft }.into());
            }
            found.files.remove(at);
        }
        Ok(())
    }

    /// Whether a file that a walk met has something to check.
    fn is_draft(&self, file: &InputFile) -> Result<bool, ProjectError> {
        let Ok(bytes) = self.files.read(file.place()) else { return Ok(false) };
        let config = self.config_of(file)?;
        // A report may have any name, so that its notation is what it looks like.
        let source = Source::from_bytes(UNNAMED, bytes);
        let hint = kind_source(self.options.kind, &config, file);
        let linter = self.linter_of(&config, file)?;
        Ok(linter.check(&Parsed::of(&source, None), hint, &Facts::default()).documents > 0)
    }
}
