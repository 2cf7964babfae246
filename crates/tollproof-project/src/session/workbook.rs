//! Reads workbooks (.xlsx): each sheet becomes a CSV table, which knows the cells that its rows come from.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::sync::Arc;

use calamine::{DataRef, Reader as _, Xlsx, XlsxError};
use tollproof_core::{Format, PartStart, Source};
use zip::ZipArchive;

use super::parts::{FilePart, PartReader};
use super::sheet_cells::SheetCells;

/// The maximum size of a workbook in bytes. It is read completely.
const MAX_WORKBOOK: u64 = 64 << 20;

/// The maximum size of what a workbook decompresses to, in bytes.
const MAX_CONTENT: u64 = 512 << 20;

/// The maximum number of columns of a sheet. A draft has 24 fields.
const MAX_COLUMNS: u32 = 256;

/// The sheets of a workbook, read one after another.
pub(super) struct SheetReader {
    workbook: Xlsx<Cursor<Vec<u8>>>,
    /// The names of the sheets that are not read yet.
    names: VecDeque<String>,
    current: Option<(Arc<SheetCells>, PartReader)>,
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
    pub(super) fn open(reader: Box<dyn Read + Send>) -> io::Result<Self> {
        let mut bytes = Vec::new();
        reader.take(MAX_WORKBOOK + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_WORKBOOK {
            let why = format!("the workbook is larger than {} MiB; save it as CSV", MAX_WORKBOOK >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        measure(&bytes, MAX_CONTENT)?;
        let workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        let names = workbook.sheet_names().into();
        Ok(Self { workbook, names, current: None, documents: 0, total: 0, is_first: true })
    }

    /// The next part of a sheet; `None` at the end.
    pub(super) fn next(&mut self, file: &str, spare: Vec<u8>) -> io::Result<Option<FilePart>> {
        loop {
            let Some((cells, reader)) = &mut self.current else {
                let Some(sheet) = self.names.pop_front() else { return Ok(None) };
                self.documents = self.total;
                let Some((cells, table)) = self.table(&sheet)? else { continue };
                self.total += cells.rows.len();
                let mut reader = PartReader::new(Box::new(Cursor::new(table)));
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
            let is_main = std::mem::take(&mut self.is_first) || cells.documents == 0;
            let is_last = part.is_last && self.names.is_empty();
            return Ok(Some(FilePart { source, is_last, cells: Some(cells), is_main }));
        }
    }

    /// The table of a sheet, with every cell in quotes; `None` if no row follows the field names.
    fn table(&mut self, sheet: &str) -> io::Result<Option<(SheetCells, Vec<u8>)>> {
        let mut reader = match self.workbook.worksheet_cells_reader(sheet) {
            Ok(reader) => reader,
            // A sheet of a chart or of macros has no cells.
            Err(XlsxError::NotAWorksheet(_)) => return Ok(None),
            Err(error) => return Err(damaged(&error)),
        };
        let mut rows: Vec<(u32, Vec<(u32, String)>)> = Vec::new();
        while let Some(cell) = reader.next_cell().map_err(|error| damaged(&error))? {
            let ((row, column), text) = (cell.get_position(), text(cell.get_value()));
            if column >= MAX_COLUMNS || text.trim().is_empty() {
                continue;
            }
            match rows.last_mut().filter(|(last, _)| *last == row) {
                Some((_, cells)) => cells.push((column, text)),
                None => rows.push((row, vec![(column, text)])),
            }
        }
        rows.sort_by_key(|(row, _)| *row);
        let Some((header, names)) = rows.first().filter(|_| rows.len() > 1) else { return Ok(None) };
        let first = names.iter().map(|(column, _)| *column).min().unwrap_or_default();
        let last = names.iter().map(|(column, _)| *column).max().unwrap_or_default();
        let mut table = Vec::new();
        for (_, cells) in &rows {
            for column in first..=last {
                let text = cells.iter().find(|(it, _)| *it == column).map_or("", |(_, text)| text.as_str());
                table.push(if column == first { b' ' } else { b',' });
                if column == first {
                    table.pop();
                }
                table.push(b'"');
                table.extend_from_slice(text.replace('"', "\"\"").as_bytes());
                table.push(b'"');
            }
            table.push(b'\n');
        }
        let cells = SheetCells {
            sheet: sheet.to_owned(),
            header: *header,
            rows: rows[1..].iter().map(|(row, _)| *row).collect(),
            column: first,
            documents: self.documents,
        };
        Ok(Some((cells, table)))
    }
}

/// The text of a cell as a draft would have it: whole numbers without a point, times in ISO 8601.
fn text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(time) => time.as_f64().to_string(),
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    }
}

/// Decompresses all files of a workbook once, without keeping them: what their names promise may be wrong.
fn measure(bytes: &[u8], max: u64) -> io::Result<()> {
    let not_one = || io::Error::new(io::ErrorKind::InvalidData, "it is not a workbook, or it is damaged");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| not_one())?;
    let mut left = max;
    for at in 0..archive.len() {
        let file = archive.by_index(at).map_err(|_| not_one())?;
        left -= io::copy(&mut file.take(left), &mut io::sink()).map_err(|_| not_one())?;
        if left == 0 {
            let why = format!("the workbook decompresses to more than {} MiB; save it as CSV", max >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
    }
    Ok(())
}

/// The error for a workbook that cannot be read. Errors of calamine may quote the text of cells.
fn damaged(error: &XlsxError) -> io::Error {
    let why = match error {
        XlsxError::Password => "the workbook is protected with a password",
        _ => "the workbook is damaged",
    };
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn a_workbook_that_decompresses_to_too_much_is_refused() {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a", "b"] {
            archive.start_file(name, SimpleFileOptions::default()).expect("in memory");
            archive.write_all(&vec![0; 1 << 20]).expect("in memory");
        }
        let bytes = archive.finish().expect("in memory").into_inner();
        assert!(measure(&bytes, (2 << 20) + 1).is_ok());
        let refused = measure(&bytes, 1 << 20).expect_err("it is twice as large");
        assert_eq!(refused.to_string(), "the workbook decompresses to more than 1 MiB; save it as CSV");
        assert!(measure(&bytes[..bytes.len() / 2], 1 << 30).is_err(), "it is cut");
    }
}
