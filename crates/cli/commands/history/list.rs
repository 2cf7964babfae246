//! `tollproof history list`: lists submissions by number, with business, status and age.

use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;
use tollproof_history::{HistoryError, SubmissionSummary};

use super::{stores, written};
use crate::args::{ListArgs, PrintFormat};
use crate::errors::{Failure, Result};
use crate::output::stderr;
use crate::terminal::filter::{Filter, Medium};
use crate::terminal::{count, one_line};

/// A submission, as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedNumber<'l> {
    number: Option<&'l str>,
    id: &'l str,
    name: Option<&'l str>,
    status: &'l str,
    open: bool,
    updated_at: Option<String>,
    notified_at: Option<String>,
}

/// Prints each submission as it is read, so that memory does not grow with the history.
pub(super) fn run(args: &ListArgs, out: &mut dyn Write) -> Result<()> {
    let json = args.print.output_format == PrintFormat::Json;
    let now = args.now.unwrap_or_else(Timestamp::now);
    let mut listed = 0_usize;
    let mut lost = None;
    for mut store in stores(&args.source)? {
        let list = |submission: &SubmissionSummary| -> Result<(), HistoryError> {
            if args.open && !submission.is_open {
                return Ok(());
            }
            listed += 1;
            let printed = if json {
                object(submission, listed == 1, &mut Filter::new(&mut *out, Medium::Json))
            } else {
                if listed == 1 {
                    // The heading goes to standard error, so that programs that read standard output get only
                    // rows.
                    stderr::say!("{}", row(["NUMBER", "SUBMISSION", "STATUS", "AGE", "BUSINESS"]));
                }
                line(submission, now, &mut Filter::screen(&mut *out))
            };
            written(printed, &mut lost)
        };
        store.list(list).map_err(|error| lost.take().unwrap_or_else(|| error.into()))?;
    }
    let ended = match (json, listed) {
        (true, 0) => writeln!(out, "[]"),
        (true, _) => writeln!(out, "\n]"),
        (false, 0) if args.open => writeln!(out, "The history contains no open submission."),
        (false, 0) => writeln!(out, "The history contains no submission."),
        (false, _) => Ok(()),
    };
    ended.map_err(Failure::stdout)
}

/// A row whose columns are as wide as UUIDs and the longest statuses.
fn row([number, id, status, age, name]: [&str; 5]) -> String {
    format!("{number:36}  {id:36}  {status:20}  {age:8}  {name}")
}

fn line(submission: &SubmissionSummary, now: Timestamp, out: &mut dyn Write) -> io::Result<()> {
    let SubmissionSummary { number, id, status, updated_at, notified_at, name, .. } = submission;
    let number = if number.is_empty() { "-" } else { number };
    let age = updated_at.map_or("-".to_owned(), |it| age(it, now));
    let noted = notified_at.map(|it| format!(" (notified {it})")).unwrap_or_default();
    let name = one_line(name.as_deref().unwrap_or("-"));
    writeln!(out, "{}", row([&one_line(number), &one_line(id), &one_line(status), &age, &(name + &noted)]))
}

/// The age in the largest unit that is at least 1.
fn age(then: Timestamp, now: Timestamp) -> String {
    let hours = usize::try_from(now.duration_since(then).as_hours()).unwrap_or(0);
    match hours {
        0 => "< 1 hour".to_owned(),
        1..48 => count(hours, "hour"),
        _ => count(hours / 24, "day"),
    }
}

fn object(submission: &SubmissionSummary, is_first: bool, out: &mut dyn Write) -> io::Result<()> {
    let SubmissionSummary { number, id, status, updated_at, notified_at, name, .. } = submission;
    let number = (!number.is_empty()).then_some(number.as_str());
    let time = |moment: &Option<Timestamp>| moment.map(|moment| moment.to_string());
    let (updated_at, notified_at) = (time(updated_at), time(notified_at));
    let (name, open) = (name.as_deref(), submission.is_open);
    out.write_all(if is_first { b"[\n  " } else { b",\n  " })?;
    serde_json::to_writer(out, &ListedNumber { number, id, name, status, open, updated_at, notified_at })?;
    Ok(())
}
