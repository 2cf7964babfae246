//! Tables and paragraphs in reports on measured rules.

use std::io::{self, Write};

use crate::terminal::wrap;

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
