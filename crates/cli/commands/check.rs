//! `tollproof check`: reads drafts, judges them, reports.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tollproof_core::StrictError;

use super::baseline::Baselines;
use super::sweep::{Sweep, path_of};
use crate::args::{CheckArgs, Color, FailOn};
use crate::changed;
use crate::config::Config;
use crate::files;
use crate::mending::{self, Streams};
use crate::output::{Outputs, Shown};
use crate::report::{Exit, Failure, Fixing, Report};

/// Checks all files and reports on them.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let strict = |errors: &[StrictError]| super::strict(&args.output_format, color, errors);
    let reports: Vec<PathBuf> = args.output_format.iter().filter_map(|it| it.path.clone()).collect();
    let mut sweep =
        Sweep::new(&args.sweep, reports.iter().chain(&args.baseline).cloned().collect(), &strict)?;
    let mut baselines = Baselines::new(args.baseline.as_deref(), &args.sweep);
    for report in &reports {
        spare(report, args, &sweep)?;
    }
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
        let fail_on = args.fail_on.or(judged.config.settings.fail_on).unwrap_or(FailOn::Error);
        report.add(&judged.checked, fail_on);
        outputs.file(judged.source, &judged.checked, judged.others)
    })?;
    report.stale = baselines.stale();
    outputs.end(&report, &sweep.linters.own_rules())?;
    if report.is_empty() && report.unopened == 0 {
        match &args.sweep.changed {
            Some(reference) => changed::say_nothing_did(reference),
            None if args.sweep.as_walked => {}
            None => return Err(sweep.nothing(&report)),
        }
    }
    sweep.linters.forget();
    outputs.keep()?;
    if let Some(mending) = mending.as_mut().filter(|_| !args.quiet) {
        mending.sum_up(&report, args.min_severity)?;
    }
    Ok(report.exit())
}

/// A report must not destroy what the run reads.
fn spare(report: &Path, args: &CheckArgs, sweep: &Sweep<'_>) -> Result<(), Failure> {
    let is_report = |path: &Path| files::is_same(path, report);
    let files = || sweep.found.files.iter().chain(&sweep.beside.files);
    let mut configs: Vec<Rc<Config>> = Vec::new();
    for file in files() {
        let config = sweep.linters.config_of(path_of(file))?;
        if configs.last().is_none_or(|last| last.path != config.path) {
            configs.push(config);
        }
    }
    let is_rule = |folder: &PathBuf| {
        files::is_below(report, folder) && report.extension().is_some_and(|it| it == "yaml")
    };
    let what = if files().any(|file| file.path.as_deref().is_some_and(is_report)) {
        "a draft that this run reads"
    } else if configs.iter().any(|config| config.path.as_deref().is_some_and(is_report)) {
        "the configuration of this run"
    } else if args.baseline.as_deref().is_some_and(is_report)
        || configs.iter().filter_map(|config| config.baseline()).any(|path| is_report(&path))
    {
        "the baseline of this run"
    } else if configs.iter().any(|config| sweep.linters.rule_dirs(config).iter().any(is_rule)) {
        "a rule of this run"
    } else {
        return Ok(());
    };
    let name = files::name_of(report);
    Err(Failure::new(format_args!("the report cannot go to `{name}`: that is {what}; give it another name")))
}
