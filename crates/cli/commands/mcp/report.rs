//! Findings of drafts as `check --output-format json` prints them.

use std::io;
use std::sync::Arc;

use serde_json::Value;
use tollproof_core::{Report, Severity};
use tollproof_project::{FailOn, ProjectFiles, RunEvent, RunItem, RunOptions, Session};

use super::tool_draft::OpenDraft;
use crate::args::ReportTarget;
use crate::counts::RunCounts;
use crate::errors::{Failure, event};
use crate::output::{OpenText, Outputs, ReportFormat, ReportOptions};
use crate::terminal::Look;

/// A report, and notes about what could not be read.
pub(super) type ReportWithNotes = (Value, Vec<String>);

/// The report of the files that were found.
pub(super) fn of_files(session: &Arc<Session>, found: ProjectFiles) -> Result<ReportWithNotes, Failure> {
    let mut notes = Vec::new();
    let report = json(session, |counts, outputs| {
        let mut run = session.run(Arc::new(found), RunOptions::default(), io::empty());
        for item in run.by_ref() {
            match item? {
                RunItem::Event(it) => notes.push(event(&it)),
                RunItem::Text(text) => {
                    counts.add(&text.report.report, FailOn::Error);
                    outputs.text(&text)?;
                }
            }
        }
        counts.without_history = run.lacks_history();
        Ok(())
    })?;
    Ok((report, notes))
}

/// The report of a text.
pub(super) fn of_draft(draft: &OpenDraft) -> Result<ReportWithNotes, Failure> {
    let (_, skipped) = draft.session.stored_of(&draft.config)?;
    let notes = skipped.into_iter().map(|it| event(&RunEvent::SkippedLines(it))).collect();
    let parsed = draft.parsed();
    let checked = draft.session.check(&draft.file, &parsed)?;
    let name = parsed.source().name();
    let open_text: OpenText<'_> = &|related| checked.related.open_place(name, related);
    let report = json(&draft.session, |counts, outputs| {
        counts.add(&checked.report, FailOn::Error);
        counts.without_history = !checked.report.numbers.is_empty();
        outputs.file(&parsed, &checked.report, open_text)
    })?;
    Ok((report, notes))
}

/// The report of findings in a text that are not those of its own check.
pub(super) fn of_findings(
    draft: &OpenDraft,
    report: &Report,
    open_text: OpenText<'_>,
) -> Result<Value, Failure> {
    json(&draft.session, |counts, outputs| {
        counts.add(report, FailOn::Error);
        outputs.file(&draft.parsed(), report, open_text)
    })
}

fn json(
    session: &Session,
    fill: impl FnOnce(&mut RunCounts, &mut Outputs<'_>) -> Result<(), Failure>,
) -> Result<Value, Failure> {
    let format = ReportFormat::named("json").expect("`check` has it");
    let targets = [ReportTarget { format, path: None }];
    let now = session.options().now;
    let shown = ReportOptions {
        min: Severity::Info,
        statistics: Default::default(),
        quiet: false,
        limits: true,
        redact: false,
        now,
    };
    let mut bytes = Vec::new();
    let mut counts = RunCounts::of_run(false, now);
    let mut outputs = Outputs::open(&targets, &mut bytes, Look::PLAIN, shown)?;
    fill(&mut counts, &mut outputs)?;
    outputs.end(&counts, &session.own_rules())?;
    outputs.keep()?;
    serde_json::from_slice(&bytes).map_err(Failure::new)
}
