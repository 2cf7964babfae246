//! Drafts in tables: drafts written as rows of CSV, and the sheets of a workbook read as CSV.
//!
//! Reading CSV itself is a part of the engine. This crate needs nothing of a system, so it builds for WebAssembly.

#[cfg(feature = "rows")]
mod rows;
#[cfg(feature = "workbooks")]
mod workbook;

#[cfg(feature = "rows")]
pub use rows::{CellNote, CellProblem, NestedField, WrittenTable, csv};
#[cfg(feature = "workbooks")]
pub use workbook::{MAX_WORKBOOK, SheetTable, Workbook};
