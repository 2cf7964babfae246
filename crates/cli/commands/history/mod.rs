//! `tollproof history`: manages the history of earlier submissions.

mod import;
mod list;
mod show;

use std::io::Write;
use std::sync::Arc;

use tollproof_history::{Access, HistoryError, HistorySet, Location, Store};
use tollproof_project::history_locations;

use crate::args::{ExportArgs, HistoryArgs, HistoryCommand, NoteArgs};
use crate::commands::here::config_here;
use crate::counts::Exit;
use crate::errors::{Failure, Result};

pub(super) fn run(command: &HistoryCommand, out: &mut dyn Write) -> Result<Exit> {
    match command {
        HistoryCommand::Import(args) => return import::run(args, out),
        HistoryCommand::List(args) => list::run(args, out)?,
        HistoryCommand::Show(args) => return show::run(args, out),
        HistoryCommand::Export(args) => export(args, out)?,
        HistoryCommand::Note(args) => note(args, out)?,
    }
    Ok(Exit::Clean)
}

/// The locations of the history.
fn locations(args: &HistoryArgs) -> Result<Vec<Location>> {
    let config = if args.history.is_empty() { config_here()? } else { Arc::default() };
    refuse_none(history_locations(&args.history, &config)?)
}

/// The locations of the history, for commands that require one.
pub(super) fn refuse_none(locations: Vec<Location>) -> Result<Vec<Location>> {
    if locations.is_empty() {
        return Err(Failure::new(
            "no history given; use `--history SOURCE`, or `history:` in tollproof.yaml",
        ));
    }
    Ok(locations)
}

/// All histories, each as a separate store.
fn stores(args: &HistoryArgs) -> Result<Vec<Store>> {
    let open = |location: &Location| Ok(Store::open(location, Access::Read)?.at(args.host()));
    locations(args)?.iter().map(open).collect()
}

/// The history that can be written to.
pub(super) fn past(args: &HistoryArgs, access: Access) -> Result<HistorySet> {
    let mut past = HistorySet::open(&locations(args)?, access)?.at(args.host());
    past.store()?;
    Ok(past)
}

/// Converts an error of writing to standard output to one that ends the iteration, and stores it in `lost`.
fn written(result: std::io::Result<()>, lost: &mut Option<Failure>) -> Result<(), HistoryError> {
    result.map_err(|error| {
        *lost = Some(Failure::stdout(error));
        HistoryError::Usage("the output is lost".to_owned())
    })
}

fn export(args: &ExportArgs, out: &mut dyn Write) -> Result<()> {
    let mut lost = None;
    for mut store in stores(&args.source)? {
        let exported = store.export(|line| written(writeln!(out, "{line}"), &mut lost));
        exported.map_err(|error| lost.take().unwrap_or_else(|| error.into()))?;
    }
    Ok(())
}

fn note(args: &NoteArgs, out: &mut dyn Write) -> Result<()> {
    let mut past = past(&args.source, Access::Read)?;
    let store = past.store()?;
    let id = store.note(&args.number, args.notified_at)?;
    let at = args.notified_at;
    writeln!(out, "Noted for submission {id}: the notification was received at {at}.")
        .map_err(Failure::stdout)
}
