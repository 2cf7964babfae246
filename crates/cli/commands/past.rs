//! What a run knows of the past: the histories that it asks, and the record that it was handed.

use std::collections::HashMap;
use std::path::Path;

use tollproof_core::{Facts, Names, Parsed, Source, Span, Submission};
use tollproof_history::{Access, HistoryError, Location, Past, Wanted};

use crate::args::HistoryArgs;
use crate::config::Config;
use crate::files::{name_of, reason};
use crate::output::stderr;
use crate::report::Failure;

/// Histories, opened, with the texts of the records that were found last.
#[derive(Debug, Default)]
pub(super) struct Histories {
    past: Option<Past>,
    texts: HashMap<String, String>,
}

impl Histories {
    /// Opens the histories that the command line names, or else the configuration.
    pub(super) fn open(args: &HistoryArgs, config: &Config, access: Access) -> Result<Self, Failure> {
        let locations = locations(args, config)?;
        if locations.is_empty() {
            return Ok(Self::default());
        }
        let past = Past::open(&locations, access).map_err(failure)?;
        let skipped: Vec<&str> = past.skipped().collect();
        if !skipped.is_empty() {
            stderr::say(&format!("note: no record, so not part of the history: {}", skipped.join("; ")));
        }
        Ok(Self { past: Some(past), texts: HashMap::new() })
    }

    /// Whether there is any.
    pub(super) fn are_known(&self) -> bool {
        self.past.is_some()
    }

    /// Hands the past of what drafts name to the facts, in place of what was known before.
    pub(super) fn tell(&mut self, names: Names, facts: &mut Facts) -> Result<(), Failure> {
        let Some(past) = &mut self.past else { return Ok(()) };
        let wanted = Wanted { numbers: names.numbers, ids: names.records };
        let found = past.look_up(&wanted).map_err(failure)?;
        facts.history = found.history;
        self.texts = found.texts;
        Ok(())
    }

    /// Another text that a finding points into: a record from a store, or a file.
    pub(super) fn reopen(&self, name: &str) -> Option<Source<'static>> {
        if let Some(text) = self.texts.get(name) {
            return Some(Source::new(name, text.clone()));
        }
        let bytes = tollproof_history::read(Path::new(name)).ok()?;
        Some(Source::from_bytes(name, bytes))
    }
}

/// Where earlier submissions are kept: what the command line names, or else the configuration.
pub(super) fn locations(args: &HistoryArgs, config: &Config) -> Result<Vec<Location>, Failure> {
    if args.history.is_empty() {
        return Ok(config.history.clone());
    }
    args.history.iter().map(|name| name.parse().map_err(failure)).collect()
}

/// Reads the one record that a file holds.
pub(super) fn record(path: &Path) -> Result<Submission, Failure> {
    let name = name_of(path);
    let bytes = tollproof_history::read(path)
        .map_err(|error| Failure::new(format_args!("cannot open the record `{name}`: {}", reason(&error))))?;
    let source = Source::from_bytes(name.as_str(), bytes);
    let parsed = Parsed::of(&source, None);
    match parsed.only() {
        Some(document) => Submission::read(document).map_err(|error| {
            let place = error.at().map(|at| place(&source, at)).unwrap_or_default();
            Failure::new(format_args!("cannot use the record `{name}`{place}: {error}"))
        }),
        None => Err(Failure::new(format_args!(
            "`{name}` must hold one record, and holds several documents or none"
        ))),
    }
}

/// ` (line 3, column 5)`.
pub(super) fn place(source: &Source<'_>, at: Span) -> String {
    let place = source.place(at.start);
    format!(" (line {}, column {})", place.line, place.column)
}

/// A history that cannot be used ends the run: without it a duplicate would pass.
pub(super) fn failure(error: HistoryError) -> Failure {
    match &error {
        HistoryError::Records(records) => {
            let records: Vec<String> = records.iter().map(ToString::to_string).collect();
            Failure::list(error, &records)
        }
        _ => Failure::new(error),
    }
}
