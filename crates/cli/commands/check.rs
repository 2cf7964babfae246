//! `tollproof check`: checks drafts and reports findings.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use tollproof_core::{Report, Severity};
use tollproof_project::{FailOn, InputRole, ProjectFiles, RunOptions, Session};

use super::baseline::Baselines;
#[cfg(feature = "online")]
use super::online::Interrupt;
use super::progress;
use super::session::{self, check_files};
use crate::args::{CheckArgs, Color};
use crate::counts::{Exit, FixMode, RunCounts};
use crate::errors::Result;
use crate::fix::{self, Streams};
use crate::output::{Outputs, ReportOptions, stderr};
use crate::statistics::StatisticsBy;

/// Checks all files and prints the reports.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    fix::refuse_without_mode(&args.fixes)?;
    let session = Arc::new(session::open(&args.session)?);
    let found = session::find(&session, &args.session, reports(args), args.baseline.clone())?;
    let mut baselines = Baselines::new(args.baseline.as_deref(), &args.session);
    refuse_outputs_over_inputs(args, &session, &found)?;
    // A watch waits for Ctrl-C itself, and a run that writes drafts ends between two of them.
    let stop = (!args.watch && !args.fixes.fix).then(Arc::default);
    #[cfg(feature = "online")]
    let stop = if args.read {
        let interrupt = if args.watch { Interrupt::default() } else { Interrupt::without_waiting()? };
        super::read::ask_open(&session, &found.checked.files, &interrupt)?;
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        stop.map(|_| interrupt.flag())
    } else {
        stop
    };
    let found = Arc::new(found);
    let mode = fix::mode(&args.fixes);
    let Streams { mut reports, look, mut fixes } = fix::streams(args, color, &found, out)?;
    let quiet = args.quiet || matches!(mode, FixMode::Show(_));
    let (min, redact) = (args.min_severity, args.redact);
    let statistics = StatisticsBy::ALL.map(|by| args.statistics.contains(&by));
    let shown = ReportOptions { min, statistics, quiet, limits: true, redact, now: session.options().now };
    let mut outputs = Outputs::open(&args.output_format, &mut reports, look, shown)?;
    let mut report = RunCounts::of_run(redact, session.options().now);
    report.fix_mode = mode;
    let mut left = args.max_findings.map_or(usize::MAX, |it| it as usize);
    let use_cases = args.statistics.contains(&StatisticsBy::UseCase);
    let jobs = args.session.jobs();
    let drafts = args.output_format.iter().any(|it| it.format.takes_drafts());
    let options = RunOptions { fix: fix::options(args), redact, use_cases, drafts, jobs, stop };
    let run = session.run(Arc::clone(&found), options, io::stdin());
    let is_shared = progress::is_shared();
    let skipped = check_files(&args.session, &found, run, &mut report, &mut |report, text| {
        if let Some(fixes) = &mut fixes {
            fixes.print(text, report)?;
        }
        if text.is_config && text.report.report.findings.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        baselines.mark(text)?;
        keep_first(&mut text.report.report, &mut left, min);
        let fail_on = args.fail_on().or(text.report.config.settings.fail_on).unwrap_or(FailOn::Error);
        report.add(&text.report.report, fail_on);
        report.add_groups(text, statistics);
        outputs.text(text)?;
        if is_shared {
            outputs.flush()?;
        }
        Ok(if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    // What was not checked has no known findings that are gone.
    report.stale = baselines.stale().filter(|_| left > 0 && !report.is_interrupted);
    outputs.end(&report, &session.own_rules())?;
    skipped.print(&args.session, &found);
    if let Some(max) = args.max_findings.filter(|_| left == 0) {
        stderr::say!("note: stopped after {max} findings, as `--max-findings` asks");
    }
    if report.is_interrupted {
        stderr::say!("note: interrupted; the report contains what was found until then");
    } else if report.is_empty() && report.unopened == 0 {
        match &args.session.changed {
            Some(reference) => {
                stderr::say!("nothing to check: no draft changed since `{reference}`");
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

/// Removes the findings that count after the first `left`, and counts the others down.
fn keep_first(report: &mut Report, left: &mut usize, min: Severity) {
    let before = report.findings.len();
    report.findings.retain(|finding| {
        let counts = finding.suppressed.is_none() && finding.severity >= min;
        let stays = !counts || *left > 0;
        *left -= usize::from(counts && stays);
        stays
    });
    report.is_cut |= report.findings.len() < before;
}

/// The files to which a run writes its reports.
pub(super) fn reports(args: &CheckArgs) -> Vec<PathBuf> {
    args.output_format.iter().filter_map(|it| it.path.clone()).collect()
}

/// Rejects a report that would overwrite a file that the run reads.
fn refuse_outputs_over_inputs(args: &CheckArgs, session: &Session, found: &ProjectFiles) -> Result<()> {
    if args.output_format.iter().all(|it| it.path.is_none()) {
        return Ok(());
    }
    let mut guard = session.output_guard(found.checked.files.iter().chain(&found.also_read.files))?;
    if let Some(path) = &args.baseline {
        guard.add(path, InputRole::Baseline);
    }
    Ok(guard.check(args.output_format.iter().filter_map(|it| it.path.as_deref()))?)
}
