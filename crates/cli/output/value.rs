//! Prints a value of a command: as JSON for programs, or as text for people.

use std::io::{self, Write};

use serde::Serialize;

use super::PrintFormat;
use crate::errors::{Failure, Result};
use crate::terminal::Look;
use crate::terminal::filter::{Filter, Medium};

/// Prints a value for programs, or as `full` writes it for people.
pub(crate) fn print_value(
    format: PrintFormat,
    look: Look,
    out: &mut dyn Write,
    value: &(impl Serialize + ?Sized),
    full: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let printed = match format {
        PrintFormat::Full => full(&mut Filter::new(out, Medium::Screen { escapes: look.colour })),
        PrintFormat::Json => print_json(value, out),
    };
    printed.map_err(Failure::stdout)
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &(impl Serialize + ?Sized), out: &mut dyn Write) -> io::Result<()> {
    let mut out = Filter::new(out, Medium::Json);
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}
