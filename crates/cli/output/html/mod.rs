//! The report to send to others: one HTML page without requests, which can be filtered, printed and read without
//! scripts.

mod annotated;
mod page;

use std::io::{self, Write};

use askama::Template as _;
use jiff::Timestamp;
use tollproof_core::{Edit, Finding, LineIndex, Message, Prevents, Provider, Severity, UserRule};

use self::annotated::AnnotatedText;
use self::page::{FindingTemplate, GroupParts, RelatedRow, SentenceTemplate, page};
use super::tally::{DraftTally, FieldTitles, client_name, help, sentence, shortened};
use super::{FileFindings, Printer, ReportOptions, ShownFinding};
use crate::counts::RunCounts;
use crate::terminal::{Look, count, one_line};

/// The maximum number of findings on the page, and of bytes of them.
const MAX_FINDINGS: usize = 5_000;
const MAX_BYTES: usize = 6 << 20;

/// The maximum number of drafts without errors that are listed.
const MAX_READY: usize = 1_000;

/// A suggested text that is longer is not shown.
const MAX_REPLACEMENT: usize = 300;

/// More places that explain a finding than this are left out.
const MAX_RELATED: usize = 5;

/// Keeps the findings until the end, because the summary comes first; errors before the others if not all fit.
pub(super) struct Html {
    look: Look,
    min: Severity,
    now: Option<Timestamp>,
    tally: DraftTally,
    kept: [KeptFindings; 3],
    ready: Vec<ReadyDraft>,
    shown: usize,
    titles: FieldTitles,
}

/// The findings of one severity that the page may show.
#[derive(Debug, Default)]
struct KeptFindings {
    /// Each with its client.
    findings: Vec<(usize, String)>,
    bytes: usize,
    /// The total number.
    all: usize,
}

/// A draft without errors.
struct ReadyDraft {
    name: String,
    place: String,
}

impl Html {
    pub(super) fn boxed(look: Look, shown: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self {
            look,
            min: shown.min,
            now: shown.now,
            tally: DraftTally::default(),
            kept: Default::default(),
            ready: Vec::new(),
            shown: 0,
            titles: FieldTitles::default(),
        })
    }

    /// Renders a finding if there may be room for it.
    fn keep(&mut self, finding: &Finding, places: &mut LineIndex<'_>, checked: &FileFindings<'_>) {
        let look = self.look;
        let groups = self.tally.add(checked, finding, look);
        let kept = &mut self.kept[rank(finding.severity)];
        kept.all += 1;
        if kept.findings.len() >= MAX_FINDINGS || kept.bytes >= MAX_BYTES {
            return;
        }
        let drafts = groups.draft.map(|at| (self.tally.current(), at));
        let text = match (checked.text.cell, finding.span) {
            (Some(_), Some(span)) => AnnotatedText::of_cell(checked.source, span),
            _ => AnnotatedText::of(checked.source, finding, drafts),
        };
        let related = finding.related.iter().take(MAX_RELATED).map(|related| {
            let file = related.file.as_deref().unwrap_or(checked.source.name());
            let here = || Some(places.at(related.span?.start)).filter(|_| file == checked.source.name());
            let place = related.place.map(|it| it.position).or_else(here);
            let place = place.map(|at| format!("{file}:{}", at.line)).unwrap_or_else(|| file.to_owned());
            RelatedRow {
                message: SentenceTemplate::new(&sentence(&related.message)),
                place: shortened(&one_line(&place), 200),
            }
        });
        let related = related.collect();
        let row =
            drafts.and_then(|(drafts, at)| drafts.drafts[at].row).filter(|_| checked.text.cell.is_none());
        let place = match (row, finding.span) {
            (Some(row), _) => in_row(checked.text.file, row, look),
            (None, Some(span)) if checked.text.cell.is_none() => {
                format!("{}:{}", checked.source.name(), places.at(span.start).line)
            }
            (None, _) => checked.source.name().to_owned(),
        };
        let html = FindingTemplate {
            look,
            severity: finding.severity.name(),
            client: groups.client,
            file: groups.file,
            rule: one_line(&finding.rule),
            message: SentenceTemplate::new(&sentence(&finding.message)),
            help: help(finding).map(|text| {
                SentenceTemplate::new(&text.lines().map(one_line).collect::<Vec<_>>().join("\n"))
            }),
            replacement: replacement(finding),
            label: finding.label.as_deref().map(one_line).filter(|it| *it != one_line(&finding.message)),
            text,
            field: self.titles.name(finding, self.tally.current(), look),
            place: shortened(&one_line(&place), 300),
            related,
            codes: finding.prevents.iter().map(|it| code(it, look)).collect(),
        };
        let html = html.render().unwrap_or_default();
        kept.bytes += html.len();
        kept.findings.push((groups.client, html));
    }

    /// Lists the drafts without errors before others take their place.
    fn finish(&mut self, file: &str) {
        let look = self.look;
        let (drafts, room) = (self.tally.ready_drafts(), MAX_READY - self.ready.len().min(MAX_READY));
        self.ready.extend(drafts.take(room).map(|draft| {
            let file = shortened(&one_line(file), 200);
            let place = draft.row.map(|row| in_row(&file, row, look));
            ReadyDraft { name: client_name(draft, &file, look), place: place.unwrap_or(file) }
        }));
        self.tally.finish(look);
    }
}

impl Printer for Html {
    fn begin(&mut self, checked: &FileFindings<'_>) {
        if !checked.text.drafts.is_empty() {
            let file = self.tally.file().to_owned();
            self.finish(&file);
            self.tally.begin(checked, self.look);
        }
    }

    fn finding(&mut self, _: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        self.keep(finding, places, checked);
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, own: &[UserRule]) -> io::Result<()> {
        let file = self.tally.file().to_owned();
        self.finish(&file);
        let mut parts: Vec<GroupParts> = Vec::new();
        parts.resize_with(self.tally.clients.groups().len(), GroupParts::default);
        let mut bytes = 0;
        for kept in &mut self.kept {
            for (client, html) in std::mem::take(&mut kept.findings) {
                if self.shown >= MAX_FINDINGS || bytes >= MAX_BYTES {
                    break;
                }
                self.shown += 1;
                bytes += html.len();
                parts[client].add(&html);
            }
        }
        page(out, self, parts, report, own)
    }

    fn notice(&self) -> Option<String> {
        let left_out = self.kept.iter().map(|it| it.all).sum::<usize>() - self.shown;
        (left_out > 0).then(|| {
            format!(
                "{} left out of the HTML report, which shows at most {MAX_FINDINGS}",
                count(left_out, "finding")
            )
        })
    }
}

/// A rejection that the finding prevents, as its provider names it.
fn code(prevents: &Prevents, look: Look) -> String {
    let provider = Provider::named(&prevents.by)
        .map_or_else(|_| prevents.by.to_string(), |provider| provider.title().to_owned());
    let parts = [("provider", provider.into()), ("code", prevents.code.clone().into_owned().into())];
    one_line(&look.with("{provider} rejects this with code {code}", &parts))
}

/// A row of a file, from 0.
fn in_row(file: &str, row: u32, look: Look) -> String {
    let parts: [(&str, Message); 2] =
        [("file", file.to_owned().into()), ("row", (u64::from(row) + 1).to_string().into())];
    look.with("{file}, row {row}", &parts)
}

/// Errors come first.
fn rank(severity: Severity) -> usize {
    match severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Info => 2,
    }
}

/// The text that a fix would write, if it is one short text that the help does not quote.
fn replacement(finding: &Finding) -> Option<String> {
    let [Edit { text, .. }] = finding.fix.as_ref()?.edits.as_slice() else { return None };
    let text = if text.starts_with('"') { serde_json::from_str::<String>(text).ok()? } else { text.clone() };
    let is_short = !text.trim().is_empty() && text.len() <= MAX_REPLACEMENT && !text.contains('\n');
    let is_quoted = finding.help.as_deref().is_some_and(|help| help.contains(text.trim()));
    (is_short && !is_quoted).then(|| one_line(&text))
}
