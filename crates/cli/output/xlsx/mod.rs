//! The report for people who work in sheets: the sheet that came in, with marked cells and a column of advice.

#[cfg(feature = "workbooks")]
mod book;
#[cfg(feature = "workbooks")]
mod cells;
#[cfg(feature = "workbooks")]
mod columns;
#[cfg(feature = "workbooks")]
mod marks;
#[cfg(feature = "workbooks")]
mod sheet_names;
#[cfg(feature = "workbooks")]
mod summary;

use std::io::{self, Write};

use tollproof_core::UserRule;

#[cfg(feature = "workbooks")]
use self::marks::MarkedRows;
use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::Look;

/// Prints the workbook at the end.
pub(super) struct Xlsx {
    #[cfg(feature = "workbooks")]
    rows: MarkedRows,
}

impl Xlsx {
    #[cfg(feature = "workbooks")]
    pub(super) fn boxed(look: Look, shown: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self { rows: MarkedRows::new(look, shown) })
    }

    #[cfg(not(feature = "workbooks"))]
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self {})
    }
}

#[cfg(feature = "workbooks")]
impl Printer for Xlsx {
    fn file(&mut self, _: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        self.rows.add(checked)
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, own: &[UserRule]) -> io::Result<()> {
        self.rows.end(out, report, own)
    }

    fn notice(&self) -> Option<String> {
        self.rows.notice()
    }
}

#[cfg(not(feature = "workbooks"))]
impl Printer for Xlsx {
    fn file(&mut self, _: &mut dyn Write, _: &FileFindings<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, _: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this build of tollproof writes no workbooks"))
    }
}
