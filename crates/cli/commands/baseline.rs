//! `tollproof baseline`: writes known findings to a file, and removes those that are fixed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use tollproof_core::names_rule;
use tollproof_history::name_of;
use tollproof_project::{
    BASELINE_NAME, Baseline, BaselineChange, BaselineError, BaselineFindings, CONFIG_NAME, CheckedText,
    ConfigFile, Disk, FailOn, Files, RunOptions, merged_away, without_dots,
};

use super::session::{self, check_files};
use crate::args::{BaselineArgs, BaselineCommand, SessionArgs};
use crate::counts::{Exit, RunCounts};
use crate::errors::{Failure, Result};
use crate::output::stderr;
use crate::terminal::{count, one_line, typed};

/// A function that reads a baseline for a run over some paths.
type Open = fn(&dyn Files, &Path, &[PathBuf]) -> Result<Baseline, BaselineError>;

/// The baselines of a run: the one named on the command line, or those of the configurations.
pub(super) struct Baselines<'a> {
    named: Option<&'a Path>,
    /// Whether to use the default path if no baseline is named.
    is_wanted: bool,
    open: Open,
    args: &'a SessionArgs,
    /// By their paths.
    all: BTreeMap<PathBuf, Baseline>,
    /// Whether the run has a history.
    past: bool,
}

impl<'a> Baselines<'a> {
    /// The baselines of `tollproof check`.
    pub(super) fn new(named: Option<&'a Path>, args: &'a SessionArgs) -> Self {
        let past = !args.history.history.is_empty();
        Self { named, is_wanted: false, open: Baseline::read, args, all: BTreeMap::new(), past }
    }

    /// Marks the known findings of a file as suppressed.
    pub(super) fn mark(&mut self, text: &mut CheckedText) -> Result<()> {
        let (source, file) = (&text.source, &mut text.report);
        if let Some(path) = self.open(&file.config)? {
            let baseline = self.all.get_mut(&path).expect("it was just opened");
            let locked = &file.config.settings.locked_rules;
            let is_locked = |rule: &str| names_rule(locked, rule);
            let name = source.identity();
            baseline.follow(name, &file.before, &file.report.findings, is_locked);
            baseline.mark(name, &mut file.report.findings, is_locked);
        }
        Ok(())
    }

    /// Counts known findings that did not occur; `None` without a baseline.
    pub(super) fn stale(&self) -> Option<usize> {
        let all = self.all.values().map(|baseline| baseline.stale(|rule| self.is_asked(rule)));
        (!self.all.is_empty()).then(|| all.sum())
    }

    /// Writes the baselines that changed with fixes, and reports each unless `quiet` is set.
    pub(super) fn keep(&self, quiet: bool) -> Result<()> {
        for (path, baseline) in &self.all {
            let followed = baseline.keep(path)?;
            if followed > 0 && !quiet {
                let (name, findings) = (name_of(path), count(followed, "finding"));
                stderr::say!("note: `{name}` now contains {findings} about the fixed values");
            }
        }
        Ok(())
    }

    /// Opens the baseline of a configuration, if it is not open yet.
    fn open(&mut self, config: &ConfigFile) -> Result<Option<PathBuf>> {
        let own = config.baseline().filter(|_| self.is_wanted || !self.args.rules.no_ignores);
        let default = || self.is_wanted.then(|| config.located(Path::new(BASELINE_NAME)));
        let Some(path) = self.named.map(Path::to_owned).or(own).or_else(default) else { return Ok(None) };
        self.past |= config.has_history();
        if !self.all.contains_key(&path) {
            let baseline = (self.open)(&Disk, &path, &self.args.paths)?;
            self.all.insert(path.clone(), baseline);
        }
        Ok(Some(path))
    }

    /// Whether the run includes a rule.
    fn is_asked(&self, rule: &str) -> bool {
        let rules = &self.args.rules;
        let is_selected = rules.select.is_empty() || names_rule(&rules.select, rule);
        is_selected && !names_rule(&rules.ignore, rule) && (self.past || !rule.starts_with("history/"))
    }
}

/// Checks the files, and writes the baseline instead of a report.
pub(super) fn run(command: &BaselineCommand, out: &mut dyn Write) -> Result<Exit> {
    let (args, open): (&BaselineArgs, Open) = match command {
        BaselineCommand::Write(args) => (args, Baseline::read_or_begin),
        BaselineCommand::Prune(args) => (args, Baseline::read),
    };
    let is_prune = matches!(command, BaselineCommand::Prune(_));
    let mut baselines =
        Baselines { is_wanted: true, open, ..Baselines::new(args.baseline.as_deref(), &args.session) };
    let session = Arc::new(session::open(&args.session)?);
    let files = session::find(&session, &args.session, Vec::new(), args.baseline.clone())?;
    // A folder may have no drafts any more, but its baseline still has entries to remove.
    for folder in args.session.paths.iter().filter(|_| is_prune) {
        let config = session.configs().of(&folder.join(BASELINE_NAME))?;
        baselines.open(&config)?;
    }
    let mut report = RunCounts::default();
    let mut found: BTreeMap<PathBuf, BaselineFindings> = BTreeMap::new();
    let mut merged: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut unaware: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let files = Arc::new(files);
    let options = RunOptions { jobs: args.session.jobs(), ..RunOptions::default() };
    let run = session.run(Arc::clone(&files), options, io::stdin());
    let skipped = check_files(&args.session, &files, run, &mut report, &mut |report, text| {
        if text.is_config && text.report.report.findings.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        report.add(&text.report.report, FailOn::Never);
        if is_prune {
            return baselines.mark(text).map(ControlFlow::Continue);
        }
        let config = &text.report.config;
        let path = baselines.open(config)?.expect("one is wanted");
        if config.baseline().is_none_or(|configured| whole(&configured) != whole(&path)) {
            unaware.entry(path.clone()).or_default().insert(line(config, &path));
        }
        let locked = &config.settings.locked_rules;
        let (name, findings) = (text.source.identity(), &text.report.report.findings);
        *merged.entry(path.clone()).or_default() += merged_away(findings).into_values().sum::<usize>();
        found.entry(path.clone()).or_default().add(name, findings, |rule| names_rule(locked, rule));
        baselines.all.get_mut(&path).expect("it was just opened").judge(name, findings);
        Ok(ControlFlow::Continue(()))
    })?;
    skipped.print(&args.session, &files);
    if report.unopened > 0 {
        return Err(Failure::new("no baseline was changed, because a file could not be read"));
    }
    if report.is_empty() && !is_prune {
        return Err(session::nothing_to_check(&args.session, &files, &report));
    }
    let all = std::mem::take(&mut baselines.all);
    for (path, baseline) in all {
        let is_asked = |rule: &str| baselines.is_asked(rule);
        let is_new = !path.exists();
        let printed = if is_prune {
            pruned(out, &path, baseline.prune(&path, is_asked)?)
        } else {
            let found = found.remove(&path).unwrap_or_default();
            let left_out = found.left_out;
            let merged = merged.remove(&path).unwrap_or_default();
            written(out, &path, is_new, baseline.replace(&path, found, is_asked)?, left_out).and_then(|()| {
                let one =
                    "A baseline counts each missing field. Reports show those of a draft as one finding";
                if merged > 0 { writeln!(out, "{one}: {} fewer.", merged) } else { Ok(()) }
            })
        };
        printed.map_err(Failure::stdout)?;
        if let Some(lines) = unaware.remove(&path).filter(|_| is_new) {
            out.flush().map_err(Failure::stdout)?;
            next(&path, lines);
        }
    }
    Ok(Exit::Clean)
}

fn written(
    out: &mut dyn Write,
    path: &Path,
    is_new: bool,
    change: BaselineChange,
    left_out: usize,
) -> io::Result<()> {
    let BaselineChange { known, new, gone } = change;
    let name = one_line(&name_of(path));
    write!(out, "{} written to `{name}`", count(known, "finding"))?;
    match (is_new, new, gone) {
        (true, ..) => writeln!(out, ".")?,
        (_, 0, 0) => writeln!(out, ", the same as before.")?,
        (_, new, gone) => writeln!(out, ": {new} new, {gone} gone.")?,
    }
    if left_out > 0 {
        writeln!(
            out,
            "{} left out: a baseline never hides files that cannot be read, findings about settings, or locked rules.",
            count(left_out, "finding")
        )?;
    }
    Ok(())
}

fn pruned(out: &mut dyn Write, path: &Path, change: BaselineChange) -> io::Result<()> {
    let BaselineChange { known, gone, .. } = change;
    let name = one_line(&name_of(path));
    match gone {
        0 => writeln!(out, "`{name}` is not changed: it has {}, and none is gone.", count(known, "finding")),
        _ => writeln!(out, "{} removed from `{name}`, {known} left.", count(gone, "finding")),
    }
}

fn whole(path: &Path) -> PathBuf {
    without_dots(&std::env::current_dir().unwrap_or_default().join(path))
}

/// The line to add to the settings, so that checks use the baseline.
fn line(config: &ConfigFile, path: &Path) -> String {
    let here = whole(Path::new(""));
    let (folder, file) = match &config.path {
        Some(_) => (config.folder(), config.name()),
        None => (here.as_path(), format!("a new {}", CONFIG_NAME)),
    };
    let path = whole(path);
    let shared = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(path.components().skip(shared)).collect();
    format!("`baseline: {}` in {file}", name_of(&path))
}

/// Prints how to use the baseline in checks.
fn next(path: &Path, lines: BTreeSet<String>) {
    let name = one_line(&name_of(path));
    let lines: Vec<String> = lines.iter().map(|line| one_line(line)).collect();
    // Errors are ignored: if standard error is closed, the baseline is written all the same.
    stderr::say!("Next: add {}, or run: tollproof check --baseline {}", lines.join(" and "), typed(&name));
}
