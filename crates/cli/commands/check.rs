//! `tollproof check`: checks drafts and reports findings.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use tollproof_project::{FailOn, InputRole, ProjectFiles, RunOptions, Session};

use super::baseline::Baselines;
use super::session::{self, check_files};
use super::warn;
use crate::args::{CheckArgs, Color};
use crate::counts::{Exit, FixMode, RunCounts};
use crate::errors::Failure;
use crate::fix::{self, Streams};
use crate::output::{Outputs, ReportOptions, stderr};

/// Checks all files and prints the reports.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let session = Arc::new(session::open(&args.session)?);
    let found = session::find(&session, &args.session, reports(args), args.baseline.clone())?;
    let mut baselines = Baselines::new(args.baseline.as_deref(), &args.session);
    refuse_outputs_over_inputs(args, &session, &found)?;
    let found = Arc::new(found);
    let mode = fix::mode(&args.fixes);
    let Streams { mut reports, look, mut fixes } = fix::streams(args, color, &found, out)?;
    let quiet = args.quiet || matches!(mode, FixMode::Show(_));
    let (min, redact) = (args.min_severity, args.redact);
    let shown = ReportOptions { min, statistics: args.statistics, quiet, limits: true, redact };
    let mut outputs = Outputs::open(&args.output_format, &mut reports, look, shown)?;
    let mut report = RunCounts::default();
    report.fix_mode = mode;
    let options = RunOptions { fix: fix::options(args), redact, jobs: args.session.jobs(), stop: None };
    let run = session.run(Arc::clone(&found), options, io::stdin());
    let skipped = check_files(&args.session, &found, run, &mut report, &mut |report, text| {
        if let Some(fixes) = &mut fixes {
            fixes.print(text, report)?;
        }
        if text.is_config && text.report.report.findings.is_empty() {
            return Ok(());
        }
        baselines.mark(text)?;
        let fail_on = args.fail_on().or(text.report.config.settings.fail_on).unwrap_or(FailOn::Error);
        report.add(&text.report.report, fail_on);
        outputs.text(text)
    })?;
    report.stale = baselines.stale();
    outputs.end(&report, &session.own_rules())?;
    warn(&session.warnings());
    skipped.print(&args.session, &found);
    if report.is_empty() && report.unopened == 0 {
        match &args.session.changed {
            Some(reference) => {
                stderr::say(&format!("nothing to check: no draft changed since `{reference}`"));
            }
            None if args.session.force_exclude => {}
            None => return Err(session::nothing_to_check(&args.session, &found, &report)),
        }
    }
    session.forget();
    outputs.keep()?;
    baselines.keep(args.quiet)?;
    if let Some(fixes) = fixes.as_mut().filter(|_| !args.quiet) {
        fixes.sum_up(&report, args.min_severity)?;
    }
    Ok(report.exit())
}

/// The files to which a run writes its reports.
pub(super) fn reports(args: &CheckArgs) -> Vec<PathBuf> {
    args.output_format.iter().filter_map(|it| it.path.clone()).collect()
}

/// Rejects a report that would overwrite a file that the run reads.
fn refuse_outputs_over_inputs(
    args: &CheckArgs,
    session: &Session,
    found: &ProjectFiles,
) -> Result<(), Failure> {
    if args.output_format.iter().all(|it| it.path.is_none()) {
        return Ok(());
    }
    let mut guard = session.output_guard(found.checked.files.iter().chain(&found.also_read.files))?;
    if let Some(path) = &args.baseline {
        guard.add(path, InputRole::Baseline);
    }
    Ok(guard.check(args.output_format.iter().filter_map(|it| it.path.as_deref()))?)
}
