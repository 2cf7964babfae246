//! Collects the findings of each draft until its row is complete, and writes the rows in order.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use jiff::Timestamp;
use tollproof_core::{Finding, LineIndex, Message, Severity, UserRule};

use super::book::{Book, CellMark, MarkedRow};
use super::columns::SheetColumns;
use super::summary::{LooseFinding, Summary};
use crate::counts::RunCounts;
use crate::output::tally::{DraftTally, FieldTitles, help, sentence, shortened};
use crate::output::{FileFindings, ReportOptions, other_drafts};
use crate::terminal::{Look, one_line};
use tollproof_project::merge_missing;

/// The maximum number of sentences in one cell of advice, and of findings that belong to no draft.
const MAX_SENTENCES: usize = 40;
const MAX_LOOSE: usize = 1_000;

/// The rows of the drafts that findings are about now, and the workbook with all earlier ones.
pub(super) struct MarkedRows {
    look: Look,
    min: Severity,
    now: Option<Timestamp>,
    tally: DraftTally,
    book: Book,
    marks: Vec<RowMarks>,
    is_read: bool,
    loose: Vec<LooseFinding>,
    loose_left_out: usize,
    titles: FieldTitles,
}

/// The findings of one draft.
#[derive(Debug, Default)]
struct RowMarks {
    cells: BTreeMap<u32, CellMark>,
    advice: Vec<(Severity, String)>,
    more: usize,
    worst: Option<Severity>,
}

impl MarkedRows {
    pub(super) fn new(look: Look, shown: ReportOptions) -> Self {
        Self {
            look,
            min: shown.min,
            now: shown.now,
            tally: DraftTally::default(),
            book: Book::new(look),
            marks: Vec::new(),
            is_read: true,
            loose: Vec::new(),
            loose_left_out: 0,
            titles: FieldTitles::default(),
        }
    }

    /// Takes drafts and findings.
    pub(super) fn add(&mut self, checked: &FileFindings<'_>) -> io::Result<()> {
        if !checked.text.drafts.is_empty() {
            self.write()?;
            self.tally.begin(checked, self.look);
            self.is_read = checked.text.is_read;
            self.marks.resize_with(checked.text.drafts.drafts.len(), RowMarks::default);
        }
        let all: Vec<&Finding> = checked.findings.iter().map(AsRef::as_ref).collect();
        for finding in &all {
            self.mark(checked, finding);
        }
        for finding in merge_missing(&all) {
            self.advise(checked, &finding);
        }
        Ok(())
    }

    /// Marks the cell of a finding.
    fn mark(&mut self, checked: &FileFindings<'_>, finding: &Finding) {
        let Some(at) = self.tally.draft_of(checked, finding) else { return };
        let drafts = self.tally.current();
        let columns = SheetColumns::of(drafts, &drafts.drafts[at], checked.text.file);
        let Some(column) = columns.column_of(&drafts.drafts[at], finding, checked.text.cell) else { return };
        let mark = self.marks[at].cells.entry(column).or_insert_with(|| CellMark::new(finding.severity));
        mark.severity = mark.severity.max(finding.severity);
        if !mark.note.is_empty() {
            mark.note.push_str("\n\n");
        }
        mark.note.push_str(&format!(
            "{}: {}",
            self.look.say(title(finding.severity)),
            words(finding, checked)
        ));
    }

    /// Adds a finding to the advice of its draft, and counts it.
    fn advise(&mut self, checked: &FileFindings<'_>, finding: &Finding) {
        let groups = self.tally.add(checked, finding, self.look);
        let Some(at) = groups.draft else {
            if self.loose.len() >= MAX_LOOSE {
                self.loose_left_out += 1;
                return;
            }
            self.loose.push(LooseFinding {
                file: shortened(&one_line(checked.source.name()), 200),
                severity: finding.severity,
                text: words(finding, checked),
                rule: one_line(&finding.rule),
            });
            return;
        };
        let row = &mut self.marks[at];
        row.worst = row.worst.max(Some(finding.severity));
        if row.advice.len() >= MAX_SENTENCES {
            row.more += 1;
            return;
        }
        let field = self.titles.name(finding, self.tally.current(), self.look);
        let severity = self.look.say(title(finding.severity));
        let place = if field.is_empty() {
            severity.to_owned()
        } else {
            self.look.with(
                "{severity} in {field}",
                &[("severity", Message::own(severity)), ("field", field.into())],
            )
        };
        row.advice.push((finding.severity, format!("{place}: {}", words(finding, checked))));
    }

    /// Writes the rows of the current drafts, to which no finding is added any more.
    fn write(&mut self) -> io::Result<()> {
        let marks = std::mem::take(&mut self.marks);
        let (drafts, file) = (self.tally.current(), self.tally.file());
        for (draft, marks) in drafts.drafts.iter().zip(marks) {
            let columns = SheetColumns::of(drafts, draft, file);
            let RowMarks { cells, mut advice, more, worst } = marks;
            advice.sort_by_key(|(severity, _)| Reverse(*severity));
            let mut advice: Vec<String> = advice.into_iter().map(|(_, sentence)| sentence).collect();
            if more > 0 {
                advice.push(self.look.counted(more, "and 1 more", "and {count} more"));
            }
            let result = match worst {
                Some(severity) => severity.name(),
                None if self.is_read => "nothing found",
                None => "nothing found by words",
            };
            let cells_of = columns.texts(draft, file);
            let row = MarkedRow { draft, cells: cells_of, marks: cells, worst, result, advice };
            self.book.write(&columns, row, &mut self.titles)?;
        }
        self.tally.finish(self.look);
        Ok(())
    }

    /// Writes the workbook.
    pub(super) fn end(
        &mut self,
        out: &mut dyn Write,
        report: &RunCounts,
        own: &[UserRule],
    ) -> io::Result<()> {
        self.write()?;
        let summary = Summary {
            look: self.look,
            tally: &self.tally,
            report,
            own,
            min: self.min,
            now: self.now,
            loose: &self.loose,
            left_out: self.left_out(),
        };
        self.book.save(out, &summary)
    }

    fn left_out(&self) -> Vec<String> {
        let mut left_out = self.book.left_out();
        if self.loose_left_out > 0 {
            left_out.push(self.look.counted(
                self.loose_left_out,
                "{count} finding that belongs to no draft",
                "{count} findings that belong to no draft",
            ));
        }
        left_out
    }

    pub(super) fn notice(&self) -> Option<String> {
        let left_out = self.left_out();
        (!left_out.is_empty()).then(|| format!("left out of the workbook: {}", left_out.join("; ")))
    }
}

/// The severity at the start of a sentence.
fn title(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
        Severity::Info => "Info",
    }
}

/// Describes the problem and its solution.
fn words(finding: &Finding, checked: &FileFindings<'_>) -> String {
    let message = other_drafts::message(finding, checked, &mut LineIndex::new(checked.source));
    let message = sentence(&message);
    match help(finding) {
        Some(help) => format!("{message} {}", sentence(help)),
        None => message,
    }
}
