//! Reads workbooks (.xlsx): each sheet becomes a CSV table, which knows the cells that its rows come from.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use tollproof_core::{ColumnNames, Format, PartStart, Source};
use tollproof_sheets::{MAX_WORKBOOK, SheetTable, Workbook};

use super::parts::{FilePart, PartReader};
use super::sheet_cells::SheetCells;

/// The sheets of a workbook, read one after another.
pub(super) struct SheetReader {
    workbook: Workbook,
    columns: Arc<ColumnNames>,
    current: Option<(Arc<SheetCells>, PartReader)>,
    /// The sheet after the current one.
    following: Option<SheetTable>,
    /// The number of documents in the sheets before the current one.
    documents: usize,
    /// The number of documents up to the end of the current sheet.
    total: usize,
    is_first: bool,
}

impl SheetReader {
    /// Opens a workbook.
    ///
    /// # Errors
    ///
    /// An I/O error, a file that is not a workbook, or one that exceeds a limit.
    pub(super) fn open(reader: Box<dyn Read + Send>, columns: Arc<ColumnNames>) -> io::Result<Self> {
        let mut bytes = Vec::new();
        reader.take(MAX_WORKBOOK + 1).read_to_end(&mut bytes)?;
        let mut workbook = Workbook::open(bytes)?;
        let following = next_table(&mut workbook, &columns)?;
        Ok(Self { workbook, columns, current: None, following, documents: 0, total: 0, is_first: true })
    }

    /// The next part of a sheet; `None` at the end.
    pub(super) fn next(&mut self, file: &str, spare: Vec<u8>) -> io::Result<Option<FilePart>> {
        loop {
            let Some((cells, reader)) = &mut self.current else {
                let Some(SheetTable { sheet, rows, csv }) = self.following.take() else { return Ok(None) };
                self.following = next_table(&mut self.workbook, &self.columns)?;
                let head = head(&csv, &self.columns);
                self.documents = self.total;
                self.total += rows.len() - head;
                let is_only = std::mem::take(&mut self.is_first) && self.following.is_none();
                let cells = SheetCells { sheet, rows, head, documents: self.documents, is_only };
                let mut reader = PartReader::new(Box::new(Cursor::new(csv)), Arc::clone(&self.columns));
                reader.begin(Some(Format::Csv))?;
                self.current = Some((Arc::new(cells), reader));
                continue;
            };
            let name = format!("{file}: {}", cells.sheet);
            let Some(part) = reader.next(&name, spare.clone())? else {
                self.current = None;
                continue;
            };
            let cells = Arc::clone(cells);
            if part.is_last {
                self.current = None;
            }
            // Documents are counted over all sheets.
            let start = part.source.start();
            let (_, text) = part.source.without_text();
            let start = PartStart { documents: start.documents + self.documents, ..start };
            let source = Source::part(name, text, start);
            let is_last = part.is_last && self.following.is_none();
            return Ok(Some(FilePart { source, is_last, cells: Some(cells) }));
        }
    }
}

/// The next table that has rows below the names of its columns.
fn next_table(workbook: &mut Workbook, columns: &ColumnNames) -> io::Result<Option<SheetTable>> {
    while let Some(table) = workbook.next_table()? {
        if head(&table.csv, columns) < table.rows.len() {
            return Ok(Some(table));
        }
    }
    Ok(None)
}

/// The number of rows of a table up to the names of its columns.
fn head(csv: &[u8], columns: &ColumnNames) -> usize {
    Format::Csv.head(csv, columns).map_or(0, |end| Format::rows(&csv[..end]))
}
