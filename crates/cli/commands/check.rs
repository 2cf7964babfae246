//! `tollproof check`: reads drafts, judges them, reports.

use std::io::Write;
use std::sync::Arc;

use tollproof_project::{ConfigFile, FailOn, OutputConflict, OutputGuard, is_same, may_be_read};

use super::baseline::Baselines;
use super::locations;
use super::sweep::Sweep;
use crate::args::{CheckArgs, Color, Target};
use crate::errors::Failure;
use crate::mending::{self, Streams};
use crate::output::{Outputs, Shown, stderr};
use crate::report::{Exit, Fixing, Report};

/// What files are to a run.
const A_DRAFT: &str = "a draft that this run reads";
const A_RECORD: &str = "the record that this run reads";

/// Checks all files and reports on them.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let reports = args.output_format.iter().filter_map(|it| it.path.as_ref());
    let mut sweep = Sweep::new(&args.sweep, reports.chain(&args.baseline).cloned().collect())?;
    let mut baselines = Baselines::new(args.baseline.as_deref(), &args.sweep);
    guard_inputs(args, &sweep)?;
    let fixing = mending::fixing(&args.fixes);
    let Streams { mut reports, look, mut mending } = mending::streams(args, color, &sweep.found, out)?;
    let quiet = args.quiet || matches!(fixing, Fixing::Show(_));
    let (min, redact) = (args.min_severity, args.redact);
    let shown = Shown { min, statistics: args.statistics, quiet, limits: true, redact };
    let mut outputs = Outputs::open(&args.output_format, &mut reports, look, shown)?;
    let mut report = Report::default();
    report.fixing = fixing;
    sweep.run(&mut report, mending.as_mut(), &mut |report, mut judged| {
        baselines.mark(&mut judged)?;
        let fail_on = args.fail_on().or(judged.config.settings.fail_on).unwrap_or(FailOn::Error);
        report.add(&judged.checked, fail_on);
        match judged.is_settings {
            true => outputs.settings(judged.parsed.source(), &judged.checked),
            false => outputs.file(judged.parsed, &judged.checked, judged.others),
        }
    })?;
    report.stale = baselines.stale();
    outputs.end(&report, &sweep.linters.own_rules())?;
    sweep.tell_skipped();
    if report.is_empty() && report.unopened == 0 {
        match &args.sweep.changed {
            Some(reference) => {
                stderr::say(&format!("nothing to check: no draft changed since `{reference}`"));
            }
            None if args.sweep.force_exclude => {}
            None => return Err(sweep.nothing(&report)),
        }
    }
    sweep.linters.forget();
    outputs.keep()?;
    baselines.keep(args.quiet)?;
    if let Some(mending) = mending.as_mut().filter(|_| !args.quiet) {
        mending.sum_up(&report, args.min_severity)?;
    }
    Ok(report.exit())
}

/// A report must not destroy what the run reads.
fn guard_inputs(args: &CheckArgs, sweep: &Sweep<'_>) -> Result<(), Failure> {
    if args.output_format.iter().all(|it| it.path.is_none()) {
        return Ok(());
    }
    let mut guard = OutputGuard::default();
    let mut configs: Vec<Arc<ConfigFile>> = Vec::new();
    for file in sweep.found.files.iter().chain(&sweep.beside.files) {
        if let Some(path) = &file.path {
            guard.file(path, A_DRAFT);
        }
        let config = sweep.linters.configs().of(file.place())?;
        if configs.last().is_none_or(|last| last.path != config.path) {
            configs.push(config);
        }
    }
    for config in &configs {
        guard.settings(config, sweep.linters.rule_dirs(config));
        guard.histories(locations(&args.sweep.history, config)?);
    }
    for (path, what) in [(&args.baseline, "the baseline of this run"), (&args.sweep.record, A_RECORD)] {
        path.iter().for_each(|path| guard.file(path, what));
    }
    guard.check(args.output_format.iter().filter_map(|it| it.path.as_deref()))?;
    // The walk passed over these, which may be the reports of an earlier run.
    for path in sweep.found.outputs.iter().chain(&sweep.beside.outputs) {
        let is_report = |it: &Target| it.path.as_deref().is_some_and(|it| is_same(it, path));
        let kind = args.sweep.kind.or(sweep.linters.configs().of(path)?.kind_of(path));
        if args.output_format.iter().any(is_report) && may_be_read(path, kind) {
            return Err(OutputConflict { path: path.clone(), what: A_DRAFT }.into());
        }
    }
    Ok(())
}
