//! `tollproof check`: reads drafts, judges them, reports.

use std::io::{self, Write};
use std::path::Path;

use tollproof_core::{
    Batch, Facts, Format, Kind, KindSource, Names, Reading, Source, StrictError, UserRule, documents, kind_of,
};
use tollproof_history::Access;

use super::past::{self, Histories};
use crate::args::{CheckArgs, Color};
use crate::changed::{self, Changed};
use crate::config::Config;
use crate::files::{self, File, Found, PassOver};
use crate::mending::{self, Streams};
use crate::output::summary::count;
use crate::output::{Outputs, Shown};
use crate::report::{Exit, Failure, Fixing, Report};
use crate::repository::Repository;

/// How many files are read before their past is looked up in one go, and how many bytes.
const BLOCK: usize = 1_000;
const BLOCK_BYTES: usize = 16 << 20;

/// Checks all files in their order; no more of them are held in memory than a look-up of their past takes.
pub(super) fn run(args: &CheckArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let strict = |errors: &[StrictError]| super::strict(&args.output_format, color, errors);
    let config = super::config(&args.rules, strict)?;
    let rules = super::user_rules(&args.rules.rules)?;
    let linter = super::settled_linter(&args.rules, &config, &rules, strict)?;
    let mut histories = Histories::open(&args.history, &config, Access::Read)?;
    let mut facts = Facts {
        record: args.record.as_deref().map(past::record).transpose()?,
        notified_at: args.time.notified_at,
        now: Some(args.time.now().map_err(Failure::new)?),
        ..Facts::default()
    };
    let reports = args.output_format.iter().filter_map(|it| it.path.clone()).collect();
    let pass_over = PassOver { reports, config: config.path.clone(), rules: args.rules.rules.clone() };
    let mut found = files::find(&args.paths, args.stdin_filename.as_deref(), &pass_over);
    let mut beside = files::find(&args.beside, None, &pass_over);
    for report in &pass_over.reports {
        spare(report, &config, &rules, found.files.iter().chain(&beside.files))?;
    }
    if let Some(reference) = &args.changed {
        beside.files.extend(Changed::since(reference)?.take_the_others(&mut found.files));
    }
    let fixing = mending::fixing(&args.fixes);
    let Streams { mut reports, look, mut mending } = mending::streams(args, color, &found, out)?;
    let quiet = args.quiet || matches!(fixing, Fixing::Show(_));
    let shown = Shown { min: args.min_severity, statistics: args.statistics, quiet, limits: true };
    let mut outputs = Outputs::open(&args.output_format, &mut reports, look, shown)?;
    let mut report = Report::default();
    report.fixing = fixing;
    report.may_be_empty = args.changed.is_some();
    report.skipped = found.skipped;
    for problem in &found.problems {
        complain(&mut report, problem);
    }
    let repository = Repository::around();
    if !found.files.is_empty() {
        files::keep_each_once(&mut beside.files, &found.files);
        facts.batch = named_beside(&beside, &config, &repository, &mut report);
    }
    let mut names_numbers = false;
    let mut files = found.files.iter();
    loop {
        let block = block(&mut files, &repository, histories.are_known(), &mut report);
        if block.is_empty() {
            break;
        }
        let mut names = Names::default();
        if histories.are_known() || facts.record.is_some() {
            for (file, source) in &block {
                names.read(source, format(file, source));
                names.records.extend(record_of(&config, file).map(str::to_owned));
            }
        }
        let is_update = |(file, source): &(&File, Source<'_>)| {
            let reading = reading(args.kind, &config, file, source);
            documents(source, reading.format)
                .all(|it| kind_of(&it, reading.kind) != Some(Kind::SubmitRequest))
        };
        if facts.record.is_some() && !block.iter().all(is_update) {
            return Err(Failure::new(
                "`--record` belongs to an update request, and this is a submit request; `--kind update-request` says \
                 that it is an update, `--history` compares it with earlier submissions",
            ));
        }
        if facts.record.is_some() && (names.documents != 1 || found.files.len() != 1) {
            return Err(Failure::new("`--record` belongs to exactly one draft; name the file of one"));
        }
        histories.tell(names, &mut facts)?;
        for (file, source) in block {
            facts.record_id = record_of(&config, file).map(str::to_owned);
            let reading = reading(args.kind, &config, file, &source);
            let mut check = |source: &Source<'_>| linter.check_source_with(source, reading, &facts);
            let checked = check(&source);
            let (source, checked) = match &mut mending {
                Some(mending) => mending.mend(file, (source, checked), &mut report, &mut check)?,
                None => (source, checked),
            };
            report.add(&checked);
            outputs.file(&source, &checked, &|name| histories.reopen(name))?;
            names_numbers |= !checked.numbers.is_empty();
            facts.batch.extend(checked.numbers);
        }
    }
    report.without_history = !histories.are_known() && names_numbers;
    outputs.end(&report, &rules)?;
    // The process ends soon; taking the rules apart one by one would be of no use to anyone.
    std::mem::forget(linter);
    if report.is_empty() && report.unopened == 0 {
        match &args.changed {
            Some(reference) => changed::say_nothing_did(reference),
            None => return Err(nothing(args, &found, &report)),
        }
    }
    outputs.keep()?;
    if let Some(mending) = mending.as_mut().filter(|_| !args.quiet) {
        mending.sum_up(&report, args.min_severity)?;
    }
    Ok(report.exit(args.fail_on))
}

/// The numbers that other drafts name than those to be checked.
fn named_beside(beside: &Found, config: &Config, repository: &Repository, report: &mut Report) -> Batch {
    let mut batch = Batch::default();
    for problem in &beside.problems {
        complain(report, problem);
    }
    for file in &beside.files {
        match files::read(file, repository) {
            Ok(source) => batch.read(&source, reading(None, config, file, &source)),
            Err(error) => complain(report, &unopened(file, &error)),
        }
    }
    batch
}

/// Reads the next files: one, or as many as are looked up together.
fn block<'f>(
    files: &mut impl Iterator<Item = &'f File>,
    repository: &Repository,
    together: bool,
    report: &mut Report,
) -> Vec<(&'f File, Source<'static>)> {
    let mut block = Vec::new();
    let mut bytes = 0;
    for file in files {
        match files::read(file, repository) {
            Ok(source) => {
                bytes += source.text().len();
                block.push((file, source));
            }
            Err(error) => complain(report, &unopened(file, &error)),
        }
        let is_full = !together || block.len() >= BLOCK || bytes >= BLOCK_BYTES;
        if is_full && !block.is_empty() {
            break;
        }
    }
    block
}

/// A report must not destroy what the run reads.
fn spare<'f>(
    report: &Path,
    config: &Config,
    rules: &[UserRule],
    mut files: impl Iterator<Item = &'f File>,
) -> Result<(), Failure> {
    let is_report = |path: &Path| files::is_same(path, report);
    let what = if files.any(|file| file.path.as_deref().is_some_and(is_report)) {
        "a draft that this run reads"
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

fn reading(kind: Option<Kind>, config: &Config, file: &File, source: &Source<'_>) -> Reading {
    let expected = config.kind_of(path_of(file));
    let kind = match (kind, expected) {
        (Some(kind), _) if file.met == KindSource::Walked => KindSource::Sought(kind),
        (Some(kind), _) => KindSource::Forced(kind),
        (None, Some(kind)) => KindSource::Expected(kind),
        (None, None) => file.met,
    };
    Reading { format: format(file, source), kind }
}

fn format(file: &File, source: &Source<'_>) -> Format {
    Format::of_path(Path::new(&file.name)).unwrap_or_else(|| Format::of_text(source.text()))
}

/// The id of the record that the settings give the update requests of a file.
fn record_of<'c>(config: &'c Config, file: &File) -> Option<&'c str> {
    config.record_of(path_of(file))
}

/// Where a file lies; standard input lies where its name says.
fn path_of(file: &File) -> &Path {
    file.path.as_deref().unwrap_or(Path::new(&file.name))
}

fn unopened(file: &File, error: &io::Error) -> String {
    format!("cannot open `{}`: {}", file.name, files::reason(error))
}

/// Names a file that could not be read, and goes on with the others.
fn complain(report: &mut Report, message: &str) {
    report.unopened += 1;
    // Where standard error is closed, the exit code still tells.
    let _ = writeln!(io::stderr().lock(), "error: {message}");
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
