//! Places of a table's cells in a workbook.

/// The cells of a sheet that a table was made from.
#[derive(Debug)]
pub(super) struct SheetCells {
    /// The name of the sheet.
    pub(super) sheet: String,
    /// The 0-based row in the sheet of each row of the table.
    pub(super) rows: Vec<u32>,
    /// The number of rows of the table up to the field names.
    pub(super) head: usize,
    /// The index of the first draft in the file.
    pub(super) documents: usize,
    /// Whether the workbook has no other sheet with rows.
    pub(super) is_only: bool,
}

impl SheetCells {
    /// The row in the sheet of a row in a part of the table. The part repeats the rows up to the field names, and `first` is
    /// the index of its first draft in the table.
    pub(super) fn row(&self, row: usize, first: usize) -> Option<u32> {
        let row = if row < self.head { row } else { row + first };
        self.rows.get(row).copied()
    }
}
