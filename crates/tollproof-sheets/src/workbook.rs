//! Reads workbooks (.xlsx): each sheet becomes a table in CSV, which knows the cells that its rows come from.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use calamine::{DataRef, Reader as _, Xlsx, XlsxError};
use zip::ZipArchive;

/// The maximum size of a workbook in bytes. It is read completely.
pub const MAX_WORKBOOK: u64 = 64 << 20;

/// The maximum size of what a workbook decompresses to, in bytes.
const MAX_CONTENT: u64 = 256 << 20;

/// The maximum number of rows with text of all sheets, which is also that of one sheet in Excel.
const MAX_ROWS: usize = 1 << 20;

/// The maximum size of the tables of all sheets, in bytes.
const MAX_TEXT: usize = 64 << 20;

/// The number of columns of a sheet in Excel.
const SHEET_COLUMNS: u32 = 1 << 14;

/// A workbook, whose sheets are read one after another.
pub struct Workbook {
    workbook: Xlsx<Metered>,
    /// The number of bytes left to read: a workbook can name one sheet many times.
    unread: Arc<AtomicU64>,
    /// The names of the sheets that are not read yet.
    names: VecDeque<String>,
    /// Numbers of rows and bytes left for the sheets after this place.
    rows: usize,
    text: usize,
}

/// A sheet as a table in CSV. Its cells begin in the first column of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetTable {
    /// The name of the sheet.
    pub sheet: String,
    /// The 0-based row in the sheet of each row of the table. Rows without text are left out.
    pub rows: Vec<u32>,
    /// The table as CSV: cells with text are in quotes, others are empty.
    pub csv: Vec<u8>,
}

impl Workbook {
    /// Opens a workbook.
    ///
    /// # Errors
    ///
    /// Bytes that are not a workbook, or one that exceeds a limit.
    pub fn open(bytes: Vec<u8>) -> io::Result<Self> {
        let size = bytes.len() as u64;
        if size > MAX_WORKBOOK {
            return Err(too_large(&format!("the workbook is larger than {} MiB", MAX_WORKBOOK >> 20)));
        }
        measure(&bytes, MAX_CONTENT)?;
        let unread = Arc::new(AtomicU64::new(2 * size + (64 << 10)));
        let reader = Metered { bytes: Cursor::new(bytes), unread: Arc::clone(&unread) };
        let workbook = Xlsx::new(reader).map_err(|error| damaged(&error))?;
        let names = workbook.sheet_names().into();
        Ok(Self { workbook, unread, names, rows: MAX_ROWS, text: MAX_TEXT })
    }

    /// Whether a sheet was not read yet.
    pub fn has_more(&self) -> bool {
        !self.names.is_empty()
    }

    /// The table of the next sheet that has one; `None` after the last.
    ///
    /// # Errors
    ///
    /// A workbook that is damaged or exceeds a limit.
    pub fn next_table(&mut self) -> io::Result<Option<SheetTable>> {
        while let Some(sheet) = self.names.pop_front() {
            let table = self.table(sheet);
            if self.unread.load(Ordering::Relaxed) == 0 {
                return Err(too_large("the workbook names the same sheet many times"));
            }
            if let Some(table) = table? {
                return Ok(Some(table));
            }
        }
        Ok(None)
    }

    /// The table of a sheet; `None` if it has less than two rows.
    fn table(&mut self, sheet: String) -> io::Result<Option<SheetTable>> {
        let mut reader = match self.workbook.worksheet_cells_reader(&sheet) {
            Ok(reader) => reader,
            // A sheet of a chart or of macros has no cells.
            Err(XlsxError::NotAWorksheet(_)) => return Ok(None),
            Err(error) => return Err(damaged(&error)),
        };
        let mut rows: Vec<u32> = Vec::new();
        let mut csv = Vec::new();
        // The place after the last cell, and the number of columns.
        let (mut next, mut end, mut width) = ((0, 0), 0, 0);
        while let Some(cell) = reader.next_cell().map_err(|error| damaged(&error))? {
            let (row, column) = cell.get_position();
            if (row, column) < next || row as usize >= MAX_ROWS || column >= SHEET_COLUMNS {
                let why = format!(
                    "the workbook is damaged: in the sheet `{sheet}`, row {} has cells twice or at impossible places",
                    u64::from(row) + 1
                );
                return Err(io::Error::new(io::ErrorKind::InvalidData, why));
            }
            next = (row, column + 1);
            let text = text(cell.get_value());
            if text.trim().is_empty() {
                continue;
            }
            if rows.len() >= self.rows && rows.last() != Some(&row) || csv.len() + text.len() > self.text {
                return Err(too_large(&format!(
                    "the sheets have more than {MAX_ROWS} rows or {} MiB of text, up to row {} of `{sheet}`",
                    MAX_TEXT >> 20,
                    row + 1
                )));
            }
            if rows.last() != Some(&row) {
                end_row(&mut csv, end, width);
                rows.push(row);
                end = 0;
            }
            // A table begins with a comma before its second column, and every cell after the first one with its own.
            csv.extend(std::iter::repeat_n(b',', (column + 1 - end.max(1)) as usize));
            csv.push(b'"');
            text.split('"').enumerate().for_each(|(at, part)| {
                csv.extend_from_slice(if at > 0 { b"\"\"" } else { b"" });
                csv.extend_from_slice(part.as_bytes());
            });
            csv.push(b'"');
            (end, width) = (column + 1, width.max(column + 1));
        }
        end_row(&mut csv, end, width);
        self.rows -= rows.len();
        self.text = self.text.saturating_sub(csv.len());
        Ok((rows.len() > 1).then_some(SheetTable { sheet, rows, csv }))
    }
}

/// Ends a row, with empty cells up to the width of the rows so far.
fn end_row(csv: &mut Vec<u8>, end: u32, width: u32) {
    if end > 0 {
        csv.extend(std::iter::repeat_n(b',', (width - end) as usize));
        csv.push(b'\n');
    }
}

/// The bytes of a workbook. Reading more of them than a workbook needs is an error.
struct Metered {
    bytes: Cursor<Vec<u8>>,
    unread: Arc<AtomicU64>,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        let left = self.unread.load(Ordering::Relaxed).saturating_sub(read as u64);
        self.unread.store(left, Ordering::Relaxed);
        if left == 0 { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(read) }
    }
}

impl Seek for Metered {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

/// The text of a cell as a draft would have it: whole numbers without a point, times in ISO 8601.
fn text<'c>(value: &'c DataRef<'_>) -> Cow<'c, str> {
    let text = match value {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            return text.into();
        }
        DataRef::SharedString(text) => return (*text).into(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(time) if time.is_duration() => time.as_f64().to_string(),
        DataRef::DateTime(time) => {
            let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
            let date = format!("{year:04}-{month:02}-{day:02}");
            match (hour, minute, second) {
                (0, 0, 0) => date,
                _ => format!("{date}T{hour:02}:{minute:02}:{second:02}"),
            }
        }
        DataRef::Error(error) => error.to_string(),
        DataRef::Empty => String::new(),
    };
    text.into()
}

/// Decompresses all files of a workbook once, without keeping them: what their names promise may be wrong.
fn measure(bytes: &[u8], max: u64) -> io::Result<()> {
    let not_one = || io::Error::new(io::ErrorKind::InvalidData, "it is not a workbook, or it is damaged");
    let mut elements = ElementCounter::default();
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|_| not_one())?;
    let mut left = max;
    for at in 0..archive.len() {
        let file = archive.by_index(at).map_err(|_| not_one())?;
        left -= io::copy(&mut file.take(left), &mut elements).map_err(|_| not_one())?;
        if left == 0 {
            return Err(too_large(&format!("the workbook decompresses to more than {} MiB", max >> 20)));
        }
        if elements.others > MAX_ELEMENTS {
            return Err(too_large(&format!("the workbook has more than {MAX_ELEMENTS} texts and formats")));
        }
    }
    Ok(())
}

/// The maximum number of elements of XML that are not cells: calamine keeps all shared texts and formats in memory.
const MAX_ELEMENTS: u64 = 2 << 20;

/// The elements of a sheet that calamine does not keep.
const CELL_ELEMENTS: [&[u8]; 6] = [b"row", b"c", b"v", b"is", b"t", b"f"];

/// Counts the elements of XML that are not cells. An element at the border of two pieces may be counted twice.
#[derive(Default)]
struct ElementCounter {
    others: u64,
}

impl Write for ElementCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<') {
            let name =
                bytes[at + 1..].split(|byte| matches!(byte, b' ' | b'>' | b'/' | b'\n' | b'\r' | b'\t'));
            let name = name.take(1).flat_map(|name| name.rsplit(|byte| *byte == b':').next()).next();
            // The name of an end tag begins with a slash, so it is empty.
            let is_cell = name.is_none_or(|name| name.is_empty() || CELL_ELEMENTS.contains(&name));
            self.others += u64::from(!is_cell);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The error for a workbook that exceeds a limit.
fn too_large(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("{what}; save it as CSV"))
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
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// A workbook with one sheet, by the XML of its rows, which `names` names.
    fn workbook(rows: &str, shared: &str, names: usize) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let mut file = |name: &str, text: &str| {
            archive.start_file(name, SimpleFileOptions::default()).expect("in memory");
            archive.write_all(text.as_bytes()).expect("in memory");
        };
        let relation = |id: &str, kind: &str, target: &str| {
            let kind = format!("http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}");
            format!("<Relationship Id=\"{id}\" Type=\"{kind}\" Target=\"{target}\"/>")
        };
        file(
            "_rels/.rels",
            &format!("<Relationships>{}</Relationships>", relation("r", "officeDocument", "xl/workbook.xml")),
        );
        let (mut sheets, mut relations) =
            (String::new(), relation("s", "sharedStrings", "sharedStrings.xml"));
        for at in 0..names {
            sheets += &format!("<sheet name=\"S{at}\" sheetId=\"{at}\" r:id=\"r{at}\"/>");
            relations += &relation(&format!("r{at}"), "worksheet", "worksheets/sheet.xml");
        }
        let spaces = "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
        file("xl/workbook.xml", &format!("<workbook {spaces}><sheets>{sheets}</sheets></workbook>"));
        file("xl/_rels/workbook.xml.rels", &format!("<Relationships>{relations}</Relationships>"));
        file("xl/sharedStrings.xml", &format!("<sst>{shared}</sst>"));
        file("xl/worksheets/sheet.xml", &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"));
        archive.finish().expect("in memory").into_inner()
    }

    /// All tables of a workbook, or why it is refused.
    fn tables(bytes: Vec<u8>) -> Result<Vec<SheetTable>, String> {
        let mut workbook = Workbook::open(bytes).map_err(|error| error.to_string())?;
        std::iter::from_fn(|| workbook.next_table().transpose())
            .collect::<io::Result<_>>()
            .map_err(|it| it.to_string())
    }

    #[test]
    fn cells_are_where_they_are() {
        let rows = "<row r=\"3\"><c r=\"B3\"><v>1</v></c><c r=\"D3\" t=\"b\"><v>1</v></c></row><row r=\"7\"><c r=\"C7\" t=\"s\"><v>0</v></c></row>";
        let table = SheetTable {
            sheet: "S0".to_owned(),
            rows: vec![2, 6],
            csv: b",\"1\",,\"true\"\n,,\"a \"\"b\"\"\",\n".to_vec(),
        };
        assert_eq!(tables(workbook(rows, "<si><t>a \"b\"</t></si>", 1)), Ok(vec![table]));
    }

    #[test]
    fn a_small_workbook_of_large_tables_is_refused() {
        let cells = "<c t=\"s\"><v>0</v></c>".repeat(20);
        let shared = format!("<si><t>{}</t></si>", "A".repeat(1 << 20));
        let many = format!("<row>{cells}</row>").repeat(10);
        let refused =
            "the sheets have more than 1048576 rows or 64 MiB of text, up to row 4 of `S0`; save it as CSV";
        assert_eq!(tables(workbook(&many, &shared, 1)), Err(refused.to_owned()));
        let long = "<row><c><v>1</v></c></row>".repeat(MAX_ROWS + 1);
        assert!(tables(workbook(&long, "", 1)).is_err_and(|it| it.contains("row 1048577")));
        let blank = " ".repeat(20 << 20);
        let refused = "the workbook names the same sheet many times; save it as CSV";
        assert_eq!(tables(workbook(&blank, "", 1_000)), Err(refused.to_owned()));
        let texts = "<si><t/></si>".repeat(3 << 20);
        assert!(tables(workbook("", &texts, 1)).is_err_and(|it| it.contains("2097152 texts and formats")));
    }

    #[test]
    fn a_cell_that_occurs_twice_is_damage() {
        let cell = |place: &str| format!("<c r=\"{place}\"><v>1</v></c>");
        for (rows, row) in [
            (format!("<row r=\"1\">{}{}</row>", cell("A1"), cell("A1")), 1),
            (format!("<row r=\"2\">{}</row><row r=\"2\">{}</row>", cell("A2"), cell("A2")), 2),
            (format!("<row r=\"1\">{}</row>", cell("ZZZZ1")), 1),
        ] {
            let refused = format!(
                "the workbook is damaged: in the sheet `S0`, row {row} has cells twice or at impossible places"
            );
            assert_eq!(tables(workbook(&rows, "", 1)), Err(refused));
        }
    }

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
