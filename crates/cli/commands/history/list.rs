//! `tollproof history list`: all submissions, by number.

use std::io::{self, Write};

use serde::Serialize;
use tollproof_history::{HistoryError, Listed};

use super::{failure, stores, written};
use crate::args::{ListArgs, PrintFormat};
use crate::output::filter::{Filter, Medium};
use crate::output::look::one_line;
use crate::report::Failure;

/// A submission, for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'l> {
    number: &'l str,
    id: &'l str,
    status: &'l str,
    updated_at: Option<String>,
    notified_at: Option<String>,
}

/// Prints submissions as they come, however many there are.
pub(super) fn run(args: &ListArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let json = args.output_format == PrintFormat::Json;
    let mut listed = 0_usize;
    let mut lost = None;
    for mut store in stores(&args.source)? {
        let list = |submission: &Listed| -> Result<(), HistoryError> {
            listed += 1;
            let printed = match json {
                true => object(submission, listed == 1, &mut Filter::new(&mut *out, Medium::Json)),
                false => line(submission, &mut Filter::screen(&mut *out)),
            };
            written(printed, &mut lost)
        };
        store.list(list).map_err(|error| lost.take().unwrap_or_else(|| failure(error)))?;
    }
    let ended = match (json, listed) {
        (true, 0) => writeln!(out, "[]"),
        (true, _) => writeln!(out, "\n]"),
        (false, 0) => writeln!(out, "The history holds no submission."),
        (false, _) => Ok(()),
    };
    ended.map_err(Failure::stdout)
}

fn line(submission: &Listed, out: &mut dyn Write) -> io::Result<()> {
    let Listed { number, id, status, updated_at, notified_at } = submission;
    let updated = updated_at.map_or("-".to_owned(), |it| it.to_string());
    write!(out, "{}  {}  {updated}  {}", one_line(number), one_line(id), one_line(status))?;
    if let Some(noted) = notified_at {
        write!(out, " (notified {noted})")?;
    }
    writeln!(out)
}

fn object(submission: &Listed, is_first: bool, out: &mut dyn Write) -> io::Result<()> {
    let Listed { number, id, status, updated_at, notified_at } = submission;
    let time = |it: &Option<jiff::Timestamp>| it.map(|it| it.to_string());
    let (updated_at, notified_at) = (time(updated_at), time(notified_at));
    out.write_all(if is_first { b"[\n  " } else { b",\n  " })?;
    serde_json::to_writer(out, &Told { number, id, status, updated_at, notified_at })?;
    Ok(())
}
