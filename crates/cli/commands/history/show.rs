//! `tollproof history show`: prints all submissions of a number with all versions.

use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use tollproof_core::{NumberKey, Reservation};
use tollproof_history::{Timeline, Version};

use super::stores;
use crate::args::ShowArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::value::print_value;
use crate::terminal::{Look, one_line};

/// The history of a number, as JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NumberHistory<'l> {
    number: &'l str,
    submissions: Vec<ShownSubmission<'l>>,
    reserved_until: Option<String>,
}

/// A submission with all versions of its record, oldest first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownSubmission<'l> {
    id: &'l str,
    notified_at: Option<String>,
    records: Vec<&'l RawValue>,
}

/// Prints the data of all histories about the number.
pub(super) fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut life = Timeline::default();
    for mut store in stores(&args.source)? {
        let Timeline { number, versions, reserved_until } = store.timeline(&args.number)?;
        if life.number.is_empty() || !versions.is_empty() {
            life.number = number;
        }
        life.versions.extend(versions);
        life.reserved_until = life.reserved_until.max(reserved_until);
    }
    let is_known = !life.versions.is_empty() || life.reserved_until.is_some();
    if !is_known && !NumberKey::of(&args.number).is_exact() {
        // The argument may be a phone number or a name, so the message does not repeat it.
        return Err(Failure::new(
            "this is not a number of this history; `tollproof history list` shows its numbers",
        ));
    }
    let submissions = submissions(&life).map(shown_submission).collect();
    let reserved_until = life.reserved_until.map(|it| it.to_string());
    let history = NumberHistory { number: &life.number, submissions, reserved_until };
    print_value(args.print.output_format, Look::PLAIN, out, &history, |out| full(&life, out))?;
    Ok(if is_known { Exit::Clean } else { Exit::Findings })
}

/// The versions of each submission.
fn submissions(life: &Timeline) -> impl Iterator<Item = &[Version]> {
    life.versions.chunk_by(|one, other| one.id == other.id)
}

fn shown_submission(versions: &[Version]) -> ShownSubmission<'_> {
    let records = versions.iter().filter_map(|version| serde_json::from_str(&version.body).ok()).collect();
    let notified_at = versions[0].notified_at.map(|it| it.to_string());
    ShownSubmission { id: &versions[0].id, notified_at, records }
}

fn full(life: &Timeline, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", one_line(&life.number))?;
    if life.versions.is_empty() {
        writeln!(out, "  no submission with this number or id is known")?;
    }
    for versions in submissions(life) {
        writeln!(out, "  submission {}", one_line(&versions[0].id))?;
        for Version { status, updated_at, .. } in versions {
            let updated = updated_at.map_or("-".to_owned(), |it| it.to_string());
            writeln!(out, "    {updated}  {}", one_line(status))?;
        }
        if let Some(noted) = versions[0].notified_at {
            writeln!(out, "    {noted}  the reviewers' notification was received")?;
        }
    }
    match life.reserved_until {
        Some(until) if until == Timestamp::MAX => {
            let times = Reservation { since: until, until };
            writeln!(out, "  reserved until {}", times.end())
        }
        Some(until) => writeln!(out, "  reserved until {until}"),
        None => Ok(()),
    }
}
