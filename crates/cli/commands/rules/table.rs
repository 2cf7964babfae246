//! Shares of a total, tables and paragraphs in reports on measured rules.

use std::io::{self, Write};
use std::ops::AddAssign;

use serde::{Serialize, Serializer};

use crate::terminal::wrap;

/// A part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) count: usize,
    pub(super) of: usize,
}

impl Share {
    pub(super) fn add(&mut self, holds: bool) {
        self.of += 1;
        self.count += usize::from(holds);
    }

    /// In percent, rounded down so that 100 means all; `None` if the total is 0.
    fn percent(self) -> Option<usize> {
        (self.count * 100).checked_div(self.of)
    }

    /// `3/4  75 %`, or a dash if there is nothing to count.
    pub(super) fn text(self) -> String {
        match self.percent() {
            Some(percent) => format!("{}/{} {percent:3} %", self.count, self.of),
            None => "-".to_owned(),
        }
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.of += other.of;
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fraction {
            count: usize,
            of: usize,
            percent: Option<usize>,
        }
        Fraction { count: self.count, of: self.of, percent: self.percent() }.serialize(serializer)
    }
}

/// Prints rows below their heads: the first column is aligned left, the others are aligned right.
pub(super) fn table<const COLUMNS: usize>(
    indent: usize,
    head: [&str; COLUMNS],
    rows: &[[String; COLUMNS]],
    out: &mut dyn Write,
) -> io::Result<()> {
    let head = head.map(str::to_owned);
    let mut widths = [0; COLUMNS];
    for row in rows.iter().chain([&head]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for row in [&head].into_iter().chain(rows) {
        for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
            match at {
                0 => write!(out, "{:indent$}{cell:width$}", "")?,
                _ => write!(out, "  {cell:>width$}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Prints a paragraph with a margin.
pub(super) fn paragraph(text: &str, margin: usize, width: usize, out: &mut dyn Write) -> io::Result<()> {
    for line in wrap(text, width.saturating_sub(margin)).lines() {
        writeln!(out, "{:margin$}{line}", "")?;
    }
    Ok(())
}
