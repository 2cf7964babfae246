//! `tollproof history import`: imports records from files into a store.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tollproof_history::{Access, Imported};

use super::past;
use crate::args::ImportArgs;
use crate::counts::Exit;
use crate::errors::Result;
use crate::output::stderr;
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line};

/// Imports the files and prints how many records are new.
pub(super) fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<Exit> {
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
    let Imported { records, new, notes, skipped } = &imported;
    let summary = json!({ "records": records, "new": new, "notes": notes, "skipped": skipped });
    print_value(args.print.output_format, Look::PLAIN, out, &summary, |out| full(&imported, out))?;
    if imported.records == 0 && imported.notes == 0 {
        stderr::say!("The files contain no verification record.");
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
