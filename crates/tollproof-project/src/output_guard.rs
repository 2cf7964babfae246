//! Prevents a run from overwriting its own inputs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_core::{Kind, KindHint, Parsed, Source, kind_of};
use tollproof_history::{Location, name_of};

use crate::config::ConfigFile;
use crate::discover::{STDIN, is_below, is_same};
use crate::files::Files;
use crate::repository::without_dots;

/// An output would overwrite an input of the run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot write `{}`: this run reads it as {role}", name_of(path))]
pub struct OutputConflict {
    /// The path of the output.
    pub path: PathBuf,
    /// The input at this path.
    pub role: InputRole,
}

/// A file's use in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputRole {
    /// A draft that is checked, or only read for its numbers.
    Draft,
    /// The record that an update request changes.
    Record,
    /// The answer of the provider to a draft.
    Answer,
    /// A `tollproof.yaml`.
    Config,
    /// A baseline.
    Baseline,
    /// A rule file of the user.
    Rule,
    /// A schema of the user.
    Schema,
    /// A store of facts about pages.
    Facts,
    /// A store of readings.
    Readings,
    /// A verification record in a history of files.
    HistoryRecord,
    /// A history in SQLite.
    HistoryStore,
}

/// All inputs of a run.
#[derive(Debug)]
pub struct OutputGuard {
    files: Arc<dyn Files>,
    inputs: Vec<(GuardedInput, InputRole)>,
}

/// The location of an input.
#[derive(Debug)]
enum GuardedInput {
    File(PathBuf),
    /// The rule files below a folder.
    Rules(PathBuf),
    /// Verification records: a path or a glob.
    Records(String),
    /// The file of a SQLite history, and the files that SQLite creates next to it.
    Store(PathBuf),
}

/// The suffixes that SQLite appends to the name of a database for the files next to it.
const STORE_SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

impl OutputGuard {
    pub(crate) fn new(files: Arc<dyn Files>) -> Self {
        Self { files, inputs: Vec::new() }
    }

    /// Adds a file. Standard input is ignored.
    pub fn add(&mut self, path: &Path, role: InputRole) {
        if path.as_os_str() != STDIN {
            self.inputs.push((GuardedInput::File(path.to_owned()), role));
        }
    }

    /// Adds a configuration, its baseline and its schemas, and the folders of the user's rules.
    pub(crate) fn add_config(&mut self, config: &ConfigFile, rule_dirs: Vec<PathBuf>) {
        if let Some(path) = &config.path {
            self.add(path, InputRole::Config);
        }
        if let Some(path) = config.baseline() {
            self.add(&path, InputRole::Baseline);
        }
        config.schemas().for_each(|path| self.add(&path, InputRole::Schema));
        self.inputs.extend(rule_dirs.into_iter().map(|it| (GuardedInput::Rules(it), InputRole::Rule)));
    }

    /// Adds histories.
    pub(crate) fn add_histories(&mut self, locations: Vec<Location>) {
        self.inputs.extend(locations.into_iter().filter_map(|location| match location {
            Location::Files(pattern) => Some((GuardedInput::Records(pattern), InputRole::HistoryRecord)),
            Location::Sqlite(path) => Some((GuardedInput::Store(path), InputRole::HistoryStore)),
            Location::Postgres(_) => None,
        }));
    }

    /// Rejects an output that would overwrite an input.
    ///
    /// # Errors
    ///
    /// The first such output.
    pub fn check<'p>(&self, outputs: impl IntoIterator<Item = &'p Path>) -> Result<(), OutputConflict> {
        for output in outputs {
            let is_read = |input: &GuardedInput| input.contains(&*self.files, output);
            if let Some(&(_, role)) = self.inputs.iter().find(|(input, _)| is_read(input)) {
                return Err(OutputConflict { path: output.to_owned(), role });
            }
        }
        Ok(())
    }
}

impl GuardedInput {
    fn contains(&self, files: &dyn Files, output: &Path) -> bool {
        match self {
            Self::File(path) => is_one_place(files, path, output),
            Self::Rules(folder) => {
                is_below(files, output, folder) && output.extension().is_some_and(|it| it == "yaml")
            }
            // A history skips files that are not records, so the report of an earlier run may be among them.
            Self::Records(pattern) => {
                let records = || tollproof_history::find(std::slice::from_ref(pattern)).unwrap_or_default();
                let is_among = || records().iter().any(|it| is_same(files, it, output));
                files.kind(output).is_some() && is_among() && has_record(files, output)
            }
            Self::Store(path) => STORE_SUFFIXES.iter().any(|suffix| {
                let mut name = path.clone().into_os_string();
                name.push(suffix);
                is_one_place(files, Path::new(&name), output)
            }),
        }
    }
}

impl fmt::Display for InputRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Draft => "a draft",
            Self::Record => "the record",
            Self::Answer => "the answer",
            Self::Config => "the configuration",
            Self::Baseline => "the baseline",
            Self::Schema => "a schema",
            Self::Rule => "a rule",
            Self::Facts => "the facts about pages",
            Self::Readings => "the readings",
            Self::HistoryRecord => "a record of the history",
            Self::HistoryStore => "the store of the history",
        })
    }
}

/// Whether two paths lead to the same file, which may not exist yet.
pub fn is_one_place(files: &dyn Files, one: &Path, other: &Path) -> bool {
    one == other || place(files, one) == place(files, other)
}

/// The canonical path of a file, even if it does not exist yet.
fn place(files: &dyn Files, path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let below = || Some(files.canonical(whole.parent()?).ok()?.join(whole.file_name()?));
    files.canonical(&whole).ok().or_else(below).unwrap_or_else(|| without_dots(&whole))
}

/// Whether a file contains what a history reads: a record, or the note that a notification was received.
fn has_record(files: &dyn Files, path: &Path) -> bool {
    let Ok(bytes) = files.read(path) else { return false };
    let source = Source::from_bytes(name_of(path), bytes);
    let parsed = Parsed::of(&source, None);
    parsed.blocks().any(|block| {
        block.documents().any(|document| {
            let is_note = document.root.as_ref().is_some_and(|root| root.member("notifiedAt").is_some());
            is_note || kind_of(&document, KindHint::Explicit).is_some_and(Kind::is_record)
        })
    })
}
