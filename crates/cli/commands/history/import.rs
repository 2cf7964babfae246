//! `tollproof history import`: imports records from files into a store.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use tollproof_history::{Access, Imported};

use super::super::json;
use super::past;
use crate::args::{ImportArgs, PrintFormat};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr;
use crate::terminal::count;
use crate::terminal::filter::Filter;
use crate::terminal::one_line;

/// The result of an import, as JSON.
#[derive(Debug, Serialize)]
struct ImportSummary<'i> {
    records: usize,
    new: usize,
    notes: usize,
    skipped: &'i [String],
}

/// Imports the files and prints how many records are new.
pub(super) fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    // A wrong file name must not create a new store.
    tollproof_history::find(&args.files)?;
    let mut past = past(&args.source, Access::Create)?;
    let store = past.store()?;
    // indicatif only draws it on a terminal.
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} records read ({elapsed})") {
        bar.set_style(style);
    }
    let imported = store.import(&args.files, |records| bar.set_position(records as u64));
    bar.finish_and_clear();
    let imported = imported?;
    let printed = match args.output_format {
        PrintFormat::Full => full(&imported, &mut Filter::screen(out)),
        PrintFormat::Json => {
            let Imported { records, new, notes, ref skipped } = imported;
            json(&ImportSummary { records, new, notes, skipped }, out)
        }
    };
    printed.map_err(Failure::stdout)?;
    if imported.records == 0 && imported.notes == 0 {
        stderr::say("The files contain no verification record.");
        return Ok(Exit::Findings);
    }
    Ok(Exit::Clean)
}

fn full(imported: &Imported, out: &mut dyn Write) -> io::Result<()> {
    for skipped in &imported.skipped {
        writeln!(out, "skipped {}", one_line(skipped))?;
    }
    write!(out, "{} read, {} new", count(imported.records, "record"), imported.new)?;
    if imported.notes > 0 {
        write!(out, ", and {}", count(imported.notes, "note"))?;
    }
    writeln!(out, ".")
}
