//! Sessions of the command line: their options, and the loop over files that `check` and `baseline` share.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use tollproof_core::Report;
use tollproof_history::name_of;
use tollproof_project::{
    CheckedText, ConfigFile, Disk, FindOptions, ProjectFiles, Run, RunEvent, RunItem, Session,
    SessionOptions, SkipReason, SkippedFile, StoredFacts, extensions,
};

use super::progress::Progress;
use crate::args::{FactsArgs, HistoryArgs, RulesArgs, SessionArgs, TimeArgs};
use crate::counts::RunCounts;
use crate::errors::{Failure, Result, failure};
use crate::input::await_drafts;
use crate::output::stderr;
use crate::terminal::count;

/// Opens a session with the options of the command line.
pub(super) fn open(args: &SessionArgs) -> Result<Session> {
    let mut shared = options(&args.rules, &args.history, &args.time)?;
    shared.linter.judged_by = args.judged_by;
    let FactsArgs { facts, readings } = args.seen.clone();
    let record = args.record.clone();
    let kind = args.choice();
    open_with(SessionOptions { kind, record, facts, readings, readings_lower_errors: true, ..shared })
}

/// Opens a session with these options, over the files of the disk.
pub(super) fn open_with(options: SessionOptions) -> Result<Session> {
    Ok(Session::new(Arc::new(Disk), options)?)
}

/// The session options that all commands share.
pub(super) fn options(rules: &RulesArgs, history: &HistoryArgs, time: &TimeArgs) -> Result<SessionOptions> {
    let is_day = |it: &Timestamp| it.as_second() % 86_400 == 0;
    if let Some(start) = time.notified_at.filter(is_day) {
        stderr::say!("note: the notification counts as received at {start}");
    }
    Ok(SessionOptions {
        linter: rules.options(),
        history: history.history.clone(),
        host: history.host(),
        notified_at: time.notified_at,
        now: Some(time.now().map_err(Failure::new)?),
        ..SessionOptions::default()
    })
}

/// The facts and readings for a configuration; lines of another shape are named.
pub(super) fn read_stored(session: &Session, config: &ConfigFile) -> Result<StoredFacts> {
    let (stored, skipped) = session.stored_of(config)?;
    for lines in skipped {
        stderr::say!("{}", RunEvent::SkippedLines(lines).line());
    }
    Ok(stored)
}

/// Finds the files that the command line names. `reports` and `baseline` are files that this run writes.
pub(super) fn find(
    session: &Session,
    args: &SessionArgs,
    reports: Vec<PathBuf>,
    baseline: Option<PathBuf>,
) -> Result<ProjectFiles> {
    await_drafts(&args.paths)?;
    let options = FindOptions {
        paths: args.paths.clone(),
        also_read: args.also_read.clone(),
        changed: args.changed.clone(),
        stdin_name: args.stdin_filename.clone(),
        force_exclude: args.force_exclude,
        lists_endings: args.verbose,
        reports,
        baseline,
    };
    Ok(session.find(options)?)
}

/// Documents that were skipped: the file and the reason.
#[derive(Debug, Default)]
pub(super) struct SkippedDocuments(Vec<(String, String)>);

/// Takes each checked text, and decides whether the run goes on.
type See<'s> = &'s mut dyn FnMut(&mut RunCounts, &mut CheckedText) -> Result<ControlFlow<()>>;

/// Checks all files in order and passes each to `see`. Counts what was read; `see` counts the findings.
pub(super) fn check_files(
    args: &SessionArgs,
    found: &ProjectFiles,
    mut run: Run,
    report: &mut RunCounts,
    see: See<'_>,
) -> Result<SkippedDocuments> {
    let mut skipped = SkippedDocuments::default();
    report.may_be_empty = args.force_exclude || found.is_partial;
    let out_of_sight = found.checked.skipped.iter().filter(|file| file.reason == SkipReason::OutOfSight);
    report.not_drafts = out_of_sight.map(|file| file.name.clone()).collect();
    report.skipped = report.not_drafts.len();
    report.excluded = found.checked.count(&[SkipReason::Excluded]);
    let mut progress = Progress::new(found);
    while let Some(item) = run.next() {
        progress.advance(&run)?;
        match item? {
            RunItem::Event(it) => {
                report.unopened += usize::from(it.is_failure());
                let hint = hint(args, &it);
                progress.suspended(|| stderr::say!("{}", it.line() + &hint));
            }
            RunItem::Text(mut text) => {
                let checked = &text.report.report;
                if args.verbose && checked.skipped > 0 {
                    skipped.0.push((text.file.name.clone(), why_skipped(args, checked)));
                }
                if progress.suspended(|| see(report, &mut text))?.is_break() {
                    run.stop();
                }
            }
        }
    }
    progress.end();
    if run.forgets_numbers() {
        stderr::say!(
            "note: not all numbers could be remembered; drafts with the same number may not be found"
        );
    }
    report.is_interrupted = run.is_interrupted();
    report.totals.without_history = run.lacks_history();
    Ok(skipped)
}

/// Suggests a replacement for a path that does not exist.
fn hint(args: &SessionArgs, event: &RunEvent) -> String {
    match event {
        RunEvent::Unreadable { name, error } if error.kind() == io::ErrorKind::NotFound => {
            if name.contains(['*', '?']) {
                "; name the folder instead: tollproof searches it".to_owned()
            } else if args.changed.is_some() {
                format!("; if it is a commit, write `--changed={name}`")
            } else {
                String::new()
            }
        }
        _ => String::new(),
    }
}

impl SkippedDocuments {
    /// With `--verbose`, prints the skipped files and the reasons.
    pub(super) fn print(&self, args: &SessionArgs, found: &ProjectFiles) {
        if !args.verbose {
            return;
        }
        let files = found.checked.skipped.iter().map(|file| (file.name.as_str(), words(file.reason)));
        let documents = self.0.iter().map(|(name, why)| (name.as_str(), why.clone()));
        let mut all: Vec<_> = files.chain(documents).collect();
        all.sort_unstable();
        for (name, why) in all {
            stderr::say!("skipped {name}: {why}");
        }
    }
}

/// The error if nothing was checked: a wrong path must not look like a clean report.
pub(super) fn nothing_to_check(args: &SessionArgs, found: &ProjectFiles, report: &RunCounts) -> Failure {
    let found = &found.checked;
    let names: Vec<_> = args.paths.iter().map(|path| format!("`{}`", name_of(path))).collect();
    let names = names.join(", ");
    let unsure = found.count(&[SkipReason::Unsure]);
    let is_read = |file: &&SkippedFile| !matches!(file.reason, SkipReason::Ending | SkipReason::Unsure);
    let files = found.skipped.iter().filter(is_read).count();
    if found.files.is_empty() && files + unsure == 0 {
        return failure!("nothing to check: {names} contains no drafts");
    }
    let by_keys = report.skipped - found.count(&[SkipReason::OutOfSight]);
    if by_keys + files + unsure == 0 {
        return failure!("nothing to check: there is no document in {names}");
    }
    let mut why = Vec::new();
    if by_keys > 0 {
        let documents = count(by_keys, "document");
        why.push(match (args.kind, args.provider) {
            (Some(kind), _) => format!("{documents} skipped because `--kind` asks for {}", kind.noun()),
            (None, Some(provider)) => format!("{documents} skipped because `--provider` asks for {provider}"),
            (None, None) => format!("{documents} skipped because their field names do not show a kind"),
        });
    }
    if files > 0 {
        let files = count(files, "file");
        why.push(format!("{files} skipped: settings, rules, a baseline, or excluded by tollproof.yaml"));
    }
    if unsure > 0 {
        let files = count(unsure, "file");
        why.push(format!(
            "{files} of notes or programs skipped, with too few fields or texts to be sure of a draft"
        ));
    }
    failure!(
        "nothing to check: there is no draft in {names}; {} (`--verbose` lists them; files that you name are always \
         checked)",
        why.join("; "),
    )
}

/// Explains why documents of a file are skipped.
fn why_skipped(args: &SessionArgs, checked: &Report) -> String {
    let why = match (args.kind, args.provider) {
        (Some(kind), _) => format!("not {}, as `--kind` asks", kind.noun()),
        (None, Some(provider)) => format!("not for {provider}, as `--provider` asks"),
        (None, None) => "the field names do not show a kind of document".to_owned(),
    };
    match checked.documents {
        0 => why,
        read => format!("{} of {}: {why}", checked.skipped, count(read + checked.skipped, "document")),
    }
}

/// The reason to skip a file, as text.
fn words(reason: SkipReason) -> String {
    let words = match reason {
        SkipReason::Settings => "settings",
        SkipReason::Rule => "a rule file",
        SkipReason::Baseline => "the baseline",
        SkipReason::Schema => "a schema that tollproof.yaml names",
        SkipReason::Facts => "facts about pages",
        SkipReason::Readings => "readings",
        SkipReason::Excluded => "excluded by `include:` or `exclude:` in tollproof.yaml",
        SkipReason::OutOfSight => return format!("hidden, or its name does not end in {}", extensions()),
        SkipReason::Ending => {
            return format!(
                "a test, or no notes or program with a draft, and its name does not end in {}",
                extensions()
            );
        }
        SkipReason::Unsure => {
            "notes or a program with too few fields or texts to be sure of a draft; name it to check it"
        }
    };
    words.to_owned()
}
