//! The workbook: its sheets, formats and notes. Rows go to temporary files, so that memory does not grow with them.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Seek as _, Write};

use rust_xlsxwriter::{DocProperties, ExcelDateTime, IgnoreError, Note, Workbook, Worksheet, XlsxError};
use tollproof_core::Severity;
use tollproof_project::DraftView;

use super::cells::{Formats, cell_text};
use super::columns::{SheetColumns, SheetKey};
use super::sheet_names::SheetNames;
use super::summary::Summary;
use crate::output::tally::{FieldTitles, shortened};
use crate::terminal::Look;

/// The maximum number of sheets, each of which has a temporary file.
const MAX_SHEETS: usize = 100;

/// The maximum number of notes. They are kept in memory, and many make a workbook slow.
const MAX_NOTES: usize = 20_000;

/// The maximum length of a note, in characters.
const MAX_NOTE: usize = 1_500;

/// The number of rows in a sheet, and of columns.
const MAX_ROWS: u32 = 1 << 20;
const MAX_COLUMNS: u32 = 1 << 14;

/// The workbook as far as it is written.
pub(super) struct Book {
    look: Look,
    workbook: Workbook,
    sheets: Vec<Sheet>,
    by_key: HashMap<SheetKey, usize>,
    names: SheetNames,
    formats: Formats,
    notes: usize,
    notes_left_out: usize,
    rows_left_out: usize,
}

struct Sheet {
    worksheet: Worksheet,
    head_row: u32,
    /// The last column.
    end: u16,
    next_row: u32,
}

/// The columns before those of the draft, with their widths in characters. They stay in view.
const ADDED: [(&str, u16); 2] = [("Result", 10), ("Advice", 60)];

/// The width of a printed page, in characters.
const PAGE_WIDTH: u16 = 220;

/// A row with its findings.
pub(super) struct MarkedRow<'d> {
    pub(super) draft: &'d DraftView,
    pub(super) cells: Vec<(u32, String)>,
    pub(super) marks: BTreeMap<u32, CellMark>,
    pub(super) worst: Option<Severity>,
    pub(super) result: &'static str,
    pub(super) advice: Vec<String>,
}

/// The findings of a cell.
#[derive(Debug)]
pub(super) struct CellMark {
    pub(super) severity: Severity,
    pub(super) note: String,
}

impl CellMark {
    pub(super) fn new(severity: Severity) -> Self {
        Self { severity, note: String::new() }
    }
}

impl Book {
    pub(super) fn new(look: Look) -> Self {
        Self {
            look,
            workbook: Workbook::default(),
            sheets: Vec::new(),
            by_key: HashMap::new(),
            names: SheetNames::default(),
            formats: Formats::default(),
            notes: 0,
            notes_left_out: 0,
            rows_left_out: 0,
        }
    }

    /// Writes the row of a draft.
    pub(super) fn write(
        &mut self,
        columns: &SheetColumns<'_>,
        row: MarkedRow<'_>,
        titles: &mut FieldTitles,
    ) -> io::Result<()> {
        let Some(at) = self.sheet(columns, titles).map_err(failed)? else {
            self.rows_left_out += 1;
            return Ok(());
        };
        let sheet = &mut self.sheets[at];
        let number = row.draft.row.unwrap_or(sheet.next_row);
        // Rows are written in order and once.
        if number >= MAX_ROWS || number < sheet.next_row {
            self.rows_left_out += 1;
            return Ok(());
        }
        sheet.next_row = number + 1;
        let MarkedRow { cells, mut marks, worst, result, advice, .. } = row;
        let worksheet = &mut sheet.worksheet;
        let mut written: BTreeMap<u32, String> = cells.into_iter().collect();
        for column in marks.keys() {
            written.entry(*column).or_default();
        }
        for (column, text) in written {
            let Some(place) = placed(column) else { continue };
            let mark = marks.remove(&column);
            let format =
                mark.as_ref().map_or(&self.formats.wrapped, |mark| self.formats.of(Some(mark.severity)));
            worksheet.write_string_with_format(number, place, cell_text(&text), format).map_err(failed)?;
            let Some(mark) = mark else { continue };
            if self.notes >= MAX_NOTES {
                self.notes_left_out += 1;
                continue;
            }
            self.notes += 1;
            worksheet.insert_note(number, place, &note(&mark.note)).map_err(failed)?;
        }
        let result = self.look.say(result);
        let format = self.formats.of(worst);
        worksheet.write_string_with_format(number, 0, result, format).map_err(failed)?;
        let advice = cell_text(&advice.join("\n"));
        worksheet.write_string_with_format(number, 1, advice, &self.formats.wrapped).map_err(failed)?;
        Ok(())
    }

    /// The sheet of a draft, which begins with its head; `None` if the workbook has no room for it.
    fn sheet(
        &mut self,
        columns: &SheetColumns<'_>,
        titles: &mut FieldTitles,
    ) -> Result<Option<usize>, XlsxError> {
        let key = columns.key();
        if let Some(&at) = self.by_key.get(&key) {
            return Ok(Some(at));
        }
        let (head, end) = (columns.head(self.look, titles), columns.end());
        let Some(end) = placed(end) else { return Ok(None) };
        if self.sheets.len() >= MAX_SHEETS || columns.head_row() >= MAX_ROWS - 1 {
            return Ok(None);
        }
        let mut worksheet = self.workbook.new_worksheet_with_constant_memory()?;
        worksheet.set_name(self.names.unique(&columns.sheet_name(self.look)))?;
        let (head_row, mut all) = (columns.head_row(), 0_u16);
        for (column, text) in head {
            let column = placed(column).unwrap_or(end);
            worksheet.write_string_with_format(head_row, column, cell_text(&text), &self.formats.head)?;
            let length = u16::try_from(text.chars().count()).unwrap_or(u16::MAX);
            let width = length.saturating_add(4).clamp(14, 30);
            worksheet.set_column_width(column, width)?;
            all = all.saturating_add(width);
        }
        for (column, (title, width)) in (0..).zip(ADDED) {
            worksheet.write_string_with_format(head_row, column, self.look.say(title), &self.formats.head)?;
            worksheet.set_column_width(column, width)?;
            all = all.saturating_add(width);
        }
        worksheet.set_freeze_panes(head_row + 1, 2)?;
        worksheet.set_landscape().set_margins(0.4, 0.4, 0.5, 0.5, 0.3, 0.3);
        worksheet.set_print_fit_to_pages(all.div_ceil(PAGE_WIDTH), 0);
        worksheet.set_repeat_rows(head_row, head_row)?;
        worksheet.set_header("&L&A&R&P / &N");
        self.sheets.push(Sheet { worksheet, head_row, end, next_row: head_row + 1 });
        self.by_key.insert(key, self.sheets.len() - 1);
        Ok(Some(self.sheets.len() - 1))
    }

    /// Lists what is not in the workbook.
    pub(super) fn left_out(&self) -> Vec<String> {
        let mut left_out = Vec::new();
        if self.rows_left_out > 0 {
            left_out.push(self.look.counted(
                self.rows_left_out,
                "the row of 1 draft (a workbook takes no more)",
                "the rows of {count} drafts (a workbook takes no more)",
            ));
        }
        if self.notes_left_out > 0 {
            left_out.push(self.look.counted(
                self.notes_left_out,
                "{count} note more than a workbook takes; the cells are colored, and the advice is complete",
                "{count} notes more than a workbook takes; the cells are colored, and the advice is complete",
            ));
        }
        left_out
    }

    /// Writes the workbook, with the summary as its second sheet.
    pub(super) fn save(&mut self, out: &mut dyn Write, summary: &Summary<'_>) -> io::Result<()> {
        let sheet = summary.sheet(&self.formats).map_err(failed)?;
        let mut sheets: Vec<Worksheet> = Vec::new();
        for mut it in std::mem::take(&mut self.sheets) {
            let last = it.next_row.saturating_sub(1).max(it.head_row);
            it.worksheet.autofilter(it.head_row, 0, last, it.end).map_err(failed)?;
            it.worksheet
                .ignore_error_range(it.head_row, 0, last, it.end, IgnoreError::NumberStoredAsText)
                .map_err(failed)?;
            sheets.push(it.worksheet);
        }
        sheets.insert(sheets.len().min(1), sheet);
        for sheet in sheets {
            self.workbook.push_worksheet(sheet);
        }
        let mut properties =
            DocProperties::new().set_title(self.look.say("Toll-free verification drafts with findings"));
        // The time of the run, so that the same run gives the same bytes.
        let seconds = summary.now.map(|it| it.as_second()).unwrap_or_default();
        properties =
            properties.set_creation_datetime(&ExcelDateTime::from_timestamp(seconds).map_err(failed)?);
        self.workbook.set_properties(&properties);
        let mut file = tempfile::tempfile()?;
        self.workbook.save_to_writer(&file).map_err(failed)?;
        file.rewind()?;
        io::copy(&mut file, out).map(|_| ())
    }
}

/// The column of the workbook for a column of drafts; `None` if there is no room for it.
fn placed(column: u32) -> Option<u16> {
    let added = u32::try_from(ADDED.len()).unwrap_or(u32::MAX);
    u16::try_from(column + added).ok().filter(|place| u32::from(*place) < MAX_COLUMNS)
}

fn note(text: &str) -> Note {
    let text = shortened(text, MAX_NOTE);
    let lines: usize = text.lines().map(|line| line.chars().count() / 48 + 1).sum();
    let height = u32::try_from(lines).unwrap_or(20).clamp(3, 20) * 17 + 12;
    Note::new(cell_text(&text))
        .set_author("tollproof")
        .add_author_prefix(false)
        .set_width(320)
        .set_height(height)
}

fn failed(error: XlsxError) -> io::Error {
    match error {
        XlsxError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
