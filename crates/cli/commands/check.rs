//! `tollproof check`: reads drafts, judges them, reports.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tollproof_core::{
    Config as Settings, Format, KindSource, Linter, Reading, Source, StrictError, UserRule,
};

use crate::args::{CheckArgs, Color, Target};
use crate::config::{Config, ConfigError};
use crate::files::{self, File, Found, PassOver};
use crate::output::look::Look;
use crate::output::summary::count;
use crate::output::{self, Outputs, Shown};
use crate::report::{Exit, Failure, Report};

/// Checks all files, one after the other, so that no more than one is held in memory.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let config = config(args, color)?;
    let rules = super::user_rules(&args.rules)?;
    let linter = linter(args, &config, &rules, color)?;
    let reports = args.output_format.iter().filter_map(|it| it.path.clone()).collect();
    let pass_over = PassOver { reports, config: config.path.clone(), rules: args.rules.clone() };
    let found = files::find(&args.paths, args.stdin_filename.as_deref(), &pass_over);
    for report in &pass_over.reports {
        spare(report, &config, &rules, &found)?;
    }
    let shown = Shown { min: args.min_severity, statistics: args.statistics, quiet: args.quiet };
    let look = Look::of(&io::stdout(), color);
    let mut outputs = Outputs::open(&args.output_format, out, look, shown)?;
    let mut report = Report::default();
    report.skipped = found.skipped;
    for problem in &found.problems {
        complain(&mut report, problem);
    }
    for file in &found.files {
        let source = match files::read(file) {
            Ok(source) => source,
            Err(error) => {
                let why = files::reason(&error);
                complain(&mut report, &format!("cannot open `{}`: {why}", file.name));
                continue;
            }
        };
        let checked = linter.check_source(&source, reading(args, &config, file, &source));
        report.add(&checked);
        outputs.file(&source, &checked, &reopen)?;
    }
    outputs.end(&report)?;
    // The process ends soon; taking the rules apart one by one would be of no use to anyone.
    std::mem::forget(linter);
    if report.is_empty() && report.unopened == 0 {
        return Err(nothing(args, &found, &report));
    }
    outputs.keep()?;
    Ok(report.exit(args.fail_on))
}

fn config(args: &CheckArgs, color: Color) -> Result<Config, Failure> {
    let config = match &args.config {
        _ if args.no_config => Ok(Config::default()),
        Some(path) => Config::of_file(path),
        None => Config::nearest(),
    };
    config.map_err(|error| match error {
        ConfigError::Unreadable(message) => Failure::new(message),
        ConfigError::Invalid(error) => strict(&args.output_format, color, &[*error]),
    })
}

/// A report must not destroy what the run reads.
fn spare(report: &Path, config: &Config, rules: &[UserRule], found: &Found) -> Result<(), Failure> {
    let is_report = |path: &Path| files::is_same(path, report);
    let what = if found.files.iter().any(|file| file.path.as_deref().is_some_and(is_report)) {
        "a file to be checked"
    } else if config.path.as_deref().is_some_and(is_report) {
        "the configuration of this run"
    } else if rules.iter().any(|rule| is_report(Path::new(&rule.file))) {
        "a rule of this run"
    } else {
        return Ok(());
    };
    let name = files::name_of(report);
    Err(Failure::new(format_args!("the report cannot go to `{name}`: that is {what}; give it another name")))
}

fn linter(args: &CheckArgs, config: &Config, rules: &[UserRule], color: Color) -> Result<Linter, Failure> {
    let strict = |errors: &[StrictError]| strict(&args.output_format, color, errors);
    let linter = super::linter(rules, strict)?;
    let settings =
        Settings { vendor: config.vendor.clone(), select: args.select.clone(), ignore: args.ignore.clone() };
    linter.with_config(settings).map_err(|unknown| {
        let all = if unknown.nearest.is_none() { "; `tollproof rule` lists all of them" } else { "" };
        Failure::new(format_args!("{unknown}{all}"))
    })
}

fn reading(args: &CheckArgs, config: &Config, file: &File, source: &Source<'_>) -> Reading {
    let path = Path::new(&file.name);
    let format = Format::of_path(path).unwrap_or_else(|| Format::of_text(source.text()));
    let expected = config.kind_of(file.path.as_deref().unwrap_or(path));
    let kind = match (args.kind, expected) {
        (Some(kind), _) if file.met == KindSource::Walked => KindSource::Sought(kind),
        (Some(kind), _) => KindSource::Forced(kind),
        (None, Some(kind)) => KindSource::Expected(kind),
        (None, None) => file.met,
    };
    Reading { format, kind }
}

/// Reads another file that a finding points into.
fn reopen(name: &str) -> Option<Source<'static>> {
    let bytes = fs::read(name).ok()?;
    Some(Source::from_bytes(name, bytes))
}

/// Names a file that could not be read, and goes on with the others.
fn complain(report: &mut Report, message: &str) {
    report.unopened += 1;
    // Where standard error is closed, the exit code still tells.
    let _ = writeln!(io::stderr().lock(), "error: {message}");
}

fn strict(targets: &[Target], color: Color, errors: &[StrictError]) -> Failure {
    let format = targets.first().map_or(&output::FORMATS[0], |target| target.format);
    output::strict(format, Look::of(&io::stderr(), color), errors)
}

/// Says why a run had nothing to do: a wrong path must not look like a clean report.
fn nothing(args: &CheckArgs, found: &Found, report: &Report) -> Failure {
    let names: Vec<_> = args.paths.iter().map(|path| format!("`{}`", files::name_of(path))).collect();
    let names = names.join(", ");
    if found.files.is_empty() && report.skipped == 0 {
        return Failure::new(format_args!("nothing to check: no JSON or YAML file in {names}"));
    }
    if report.skipped == 0 {
        return Failure::new(format_args!("nothing to check: no document in {names}"));
    }
    Failure::new(format_args!(
        "nothing to check: no draft in {names}; {} skipped because the keys tell no kind \
         (a file that you name is checked in any case)",
        count(report.skipped, "document"),
    ))
}
