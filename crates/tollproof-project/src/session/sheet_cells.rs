//! Where the cells of a table are in a workbook.

/// The cells of a sheet that a table was made from.
#[derive(Debug)]
pub(super) struct SheetCells {
    /// The name of the sheet.
    pub(super) sheet: String,
    /// The 0-based row of the field names.
    pub(super) header: u32,
    /// The 0-based row of each draft.
    pub(super) rows: Vec<u32>,
    /// The 0-based first column.
    pub(super) column: u32,
    /// The index of the first draft in the file.
    pub(super) documents: usize,
}
