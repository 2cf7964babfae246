//! Reads workbooks (.xlsx): each sheet becomes a table in CSV, which knows the cells that its rows come from.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read as _};

use calamine::{DataRef, Reader as _, Xlsx, XlsxError};
use zip::ZipArchive;

/// The maximum size of a workbook in bytes. It is read completely.
pub const MAX_WORKBOOK: u64 = 64 << 20;

/// The maximum size of what a workbook decompresses to, in bytes.
const MAX_CONTENT: u64 = 512 << 20;

/// The maximum number of columns of a sheet. A draft has 24 fields.
const MAX_COLUMNS: u32 = 256;

/// A workbook, whose sheets are read one after another.
pub struct Workbook {
    workbook: Xlsx<Cursor<Vec<u8>>>,
    /// The names of the sheets that are not read yet.
    names: VecDeque<String>,
}

/// A sheet as a table: a row of field names, and one draft in each row after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetTable {
    /// The name of the sheet.
    pub sheet: String,
    /// The 0-based row of the field names.
    pub header: u32,
    /// The 0-based row of each draft.
    pub rows: Vec<u32>,
    /// The 0-based first column.
    pub column: u32,
    /// The table as CSV, with every cell in quotes.
    pub csv: Vec<u8>,
}

impl Workbook {
    /// Opens a workbook.
    ///
    /// # Errors
    ///
    /// Bytes that are not a workbook, or one that exceeds a limit.
    pub fn open(bytes: Vec<u8>) -> io::Result<Self> {
        if bytes.len() as u64 > MAX_WORKBOOK {
            let why = format!("the workbook is larger than {} MiB; save it as CSV", MAX_WORKBOOK >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        measure(&bytes, MAX_CONTENT)?;
        let workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        let names = workbook.sheet_names().into();
        Ok(Self { workbook, names })
    }

    /// Whether a sheet was not read yet.
    #[must_use]
    pub fn has_more(&self) -> bool {
        !self.names.is_empty()
    }

    /// The table of the next sheet that has one; `None` after the last.
    ///
    /// # Errors
    ///
    /// A workbook that is damaged.
    pub fn next_table(&mut self) -> io::Result<Option<SheetTable>> {
        while let Some(sheet) = self.names.pop_front() {
            if let Some(table) = self.table(sheet)? {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// The table of a sheet, with every cell in quotes; `None` if no row follows the field names.
    fn table(&mut self, sheet: String) -> io::Result<Option<SheetTable>> {
        let mut reader = match self.workbook.worksheet_cells_reader(&sheet) {
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
        let mut csv = Vec::new();
        for (_, cells) in &rows {
            for column in first..=last {
                let text = cells.iter().find(|(it, _)| *it == column).map_or("", |(_, text)| text.as_str());
                if column != first {
                    csv.push(b',');
                }
                csv.push(b'"');
                csv.extend_from_slice(text.replace('"', "\"\"").as_bytes());
                csv.push(b'"');
            }
            csv.push(b'\n');
        }
        let (header, rows) = (*header, rows[1..].iter().map(|(row, _)| *row).collect());
        Ok(Some(SheetTable { sheet, header, rows, column: first, csv }))
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
