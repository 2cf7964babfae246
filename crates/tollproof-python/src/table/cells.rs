//! Rows without nested columns as CSV, in which every cell is in quotes.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array as _, ArrayRef};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType};

/// Writes the row of field names.
pub(super) fn write_head(names: &[&str], text: &mut Vec<u8>) {
    for (at, name) in names.iter().enumerate() {
        write_cell(at, name, text);
    }
    text.push(b'\n');
}

/// The rows as lines. A null is an empty cell.
pub(super) fn rows(columns: &[&ArrayRef], count: usize) -> Result<Vec<Vec<u8>>, ArrowError> {
    let options = FormatOptions::new();
    let cells: Vec<Cells<'_>> = columns.iter().map(|it| Cells::of(it, &options)).collect::<Result<_, _>>()?;
    let mut cell = String::new();
    let mut rows = Vec::with_capacity(count);
    for row in 0..count {
        let mut text = Vec::new();
        for (at, column) in cells.iter().enumerate() {
            cell.clear();
            column.write(row, &mut cell)?;
            write_cell(at, &cell, &mut text);
        }
        text.push(b'\n');
        rows.push(text);
    }
    Ok(rows)
}

/// The cells of a column.
enum Cells<'a> {
    Texts(&'a ArrayRef),
    Numbers(&'a ArrayRef),
    Others(&'a ArrayRef, ArrayFormatter<'a>),
}

impl<'a> Cells<'a> {
    fn of(column: &'a ArrayRef, options: &FormatOptions<'a>) -> Result<Self, ArrowError> {
        Ok(match column.data_type() {
            DataType::Utf8 => Self::Texts(column),
            DataType::Float32 | DataType::Float64 => Self::Numbers(column),
            _ => Self::Others(column, ArrayFormatter::try_new(column, options)?),
        })
    }

    fn write(&self, row: usize, cell: &mut String) -> Result<(), ArrowError> {
        let (Self::Texts(column) | Self::Numbers(column) | Self::Others(column, _)) = self;
        if column.is_null(row) {
            return Ok(());
        }
        match self {
            Self::Texts(column) => cell.push_str(column.as_string::<i32>().value(row)),
            Self::Numbers(column) => {
                let value = match column.data_type() {
                    DataType::Float32 => f64::from(column.as_primitive::<Float32Type>().value(row)),
                    _ => column.as_primitive::<Float64Type>().value(row),
                };
                // Display writes whole numbers without a point: a column of integers with a gap is often one of floats.
                if value.is_finite() {
                    cell.push_str(&value.to_string());
                }
            }
            Self::Others(_, formatter) => {
                formatter.value(row).write(cell)?;
            }
        }
        Ok(())
    }
}

fn write_cell(at: usize, cell: &str, text: &mut Vec<u8>) {
    if at > 0 {
        text.push(b',');
    }
    text.push(b'"');
    if cell.contains('"') {
        text.extend_from_slice(cell.replace('"', "\"\"").as_bytes())
    } else {
        text.extend_from_slice(cell.as_bytes())
    }
    text.push(b'"');
}
