//! Findings in workbooks: each is shown in its cell, under the name of the file, the sheet and the cell.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tollproof_core::{Batch, Finding, Mention, Related, Report, Source, Span};

use super::Session;
use super::drafts::{CellPlace, TextDrafts};
use super::sheet_cells::SheetCells;
use super::text::{CheckedText, FileReport};
use crate::fix::FixOutcome;

/// The cells of a table in which every cell with text is in quotes.
struct CellIndex<'t> {
    name: &'t str,
    text: &'t str,
    cells: &'t SheetCells,
    /// The offsets of the cells, with row and column in the table.
    starts: Vec<(usize, usize, u32)>,
    /// The index of the first draft in the table.
    first: usize,
}

/// A cell with a place in its text.
struct LocatedCell {
    name: String,
    text: String,
    span: Span,
    place: CellPlace,
}

impl<'t> CellIndex<'t> {
    /// `name` is the name of the file.
    fn new(name: &'t str, source: &'t Source<'_>, cells: &'t SheetCells) -> Self {
        let text = source.text();
        let (mut starts, mut is_quoted, mut row, mut column) = (vec![(0, 0, 0)], false, 0, 0);
        let mut bytes = text.bytes().enumerate().peekable();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'"' if is_quoted && bytes.peek().is_some_and(|(_, next)| *next == b'"') => {
                    bytes.next();
                }
                b'"' => is_quoted = !is_quoted,
                b',' | b'\n' if !is_quoted => {
                    (row, column) = if byte == b',' { (row, column + 1) } else { (row + 1, 0) };
                    starts.push((at + 1, row, column));
                }
                _ => {}
            }
        }
        let first = source.start().documents - cells.documents;
        Self { name, text, cells, starts, first }
    }

    /// The cell that contains a place: its name, its text, and the place in it.
    fn locate(&self, span: Span) -> Option<LocatedCell> {
        let place = span.range();
        let at = self.starts.partition_point(|(start, ..)| *start <= place.start).checked_sub(1)?;
        let (start, row, column) = self.starts[at];
        let end = self.starts.get(at + 1).map_or(self.text.len(), |(next, ..)| *next);
        let written = self.text[start..end].trim_end_matches([',', '\n']);
        let inner = written.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or_default();
        let offset = |place: usize| {
            let within = place.saturating_sub(start + 1).min(inner.len());
            let before = inner.get(..within).unwrap_or(inner);
            before.replace("\"\"", "\"").len()
        };
        let row = self.cells.row(row, self.first)?;
        let place_in_sheet = CellPlace { row, column };
        let address = format!("{}{}", letters(column), row + 1);
        let span = Span::new(offset(place.start), offset(place.end.min(end)));
        let name = format!("{}: {}!{address}", self.name, self.cells.sheet);
        Some(LocatedCell { name, text: inner.replace("\"\"", "\""), span, place: place_in_sheet })
    }
}

/// The name of a 0-based column: `A`, ..., `Z`, `AA`, ...
fn letters(column: u32) -> String {
    let mut name = String::new();
    let mut left = column + 1;
    while left > 0 {
        left -= 1;
        let letter = u8::try_from(left % 26).map_or('?', |it| char::from(b'A' + it));
        name.insert(0, letter);
        left /= 26;
    }
    name
}

/// The numbers of a part of a sheet, with the names of their cells.
pub(super) fn numbers(file: &str, source: &Source<'_>, cells: &SheetCells, numbers: &Batch) -> Batch {
    let index = CellIndex::new(file, source, cells);
    let mut named = Batch::default();
    for (number, mention) in numbers.mentions() {
        if let Some(LocatedCell { name, span, .. }) = index.locate(mention.span) {
            named.add(number, Mention { file: name, span, place: None });
        }
    }
    named
}

/// Divides the findings of a part of a sheet among their cells. The first text has the counts and no finding.
pub(super) fn divide(mut text: CheckedText, cells: &SheetCells, session: &Session) -> Vec<CheckedText> {
    let mut findings = std::mem::take(&mut text.report.report.findings);
    if let Some(redaction) = text.redaction.take() {
        findings = findings.iter().map(|it| redaction.finding(&text.source, it)).collect();
        text.source = redaction.source(&text.source);
    }
    let index = CellIndex::new(&text.file.name, &text.source, cells);
    let identity = Some(text.source.identity().to_owned());
    let mut parts: Vec<CheckedText> = Vec::new();
    let mut related: HashMap<String, String> = HashMap::new();
    for mut finding in findings {
        let located = finding.span.and_then(|span| index.locate(span));
        let (span, cell) = (located.as_ref().map(|it| it.span), located.as_ref().map(|it| it.place));
        let whole = || (text.source.name().to_owned(), String::new());
        let (name, content) = located.map_or_else(whole, |it| (it.name, it.text));
        relate(&mut finding, text.source.name(), &index, &mut related);
        // A workbook is not written.
        let finding = Finding { span, fix: None, ..finding };
        match parts.last_mut().filter(|it| it.source.name() == name) {
            Some(part) => part.report.report.findings.push(finding),
            None => {
                let report = FileReport {
                    report: Report { findings: vec![finding], ..Report::default() },
                    before: Vec::new(),
                    fix: FixOutcome::Unchanged,
                    config: text.report.config.clone(),
                    related: text.report.related.clone(),
                };
                parts.push(CheckedText {
                    file: text.file.clone(),
                    source: Source::new(name, content).known_as(identity.clone()),
                    report,
                    redaction: None,
                    use_cases: BTreeMap::clone(&text.use_cases),
                    drafts: Arc::default(),
                    cell,
                    is_config: false,
                    is_last: false,
                });
            }
        }
    }
    if !related.is_empty() {
        let texts = session.related(related);
        parts.iter_mut().for_each(|it| it.report.related = texts.clone());
    }
    if text.is_last
        && let Some(last) = parts.last_mut()
    {
        (text.is_last, last.is_last) = (false, true);
    }
    (text.source, _) = text.source.without_text();
    place(Arc::make_mut(&mut text.drafts), cells);
    let mut all = vec![text];
    all.extend(parts);
    all
}

/// Gives drafts their places in the sheet.
fn place(drafts: &mut TextDrafts, cells: &SheetCells) {
    for draft in &mut drafts.drafts {
        draft.row = cells.rows.get(cells.head + draft.document - cells.documents).copied();
    }
    if let (Some(table), Some(row)) = (&mut drafts.table, cells.rows.get(cells.head.saturating_sub(1))) {
        (table.sheet, table.row) = (Some(cells.sheet.clone()), *row);
    }
}

/// Names the cells that a finding refers to, and keeps their texts.
fn relate(finding: &mut Finding, source: &str, index: &CellIndex<'_>, texts: &mut HashMap<String, String>) {
    let is_here = |related: &&mut Related| related.file.as_deref().is_none_or(|file| file == source);
    for related in finding.related.iter_mut().filter(is_here) {
        let Some(LocatedCell { name, text, span, .. }) = related.span.and_then(|span| index.locate(span))
        else {
            continue;
        };
        related.file = Some(name.clone());
        related.span = Some(span);
        texts.insert(name, text);
    }
}
