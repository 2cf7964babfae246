//! What a run reads, and what none of its outputs may replace.

use std::path::{Path, PathBuf};

use tollproof_core::document::{Node, Value};
use tollproof_core::{Document, Kind, KindSource, Parsed, Source, kind_of, mentions_a_submission};
use tollproof_history::{Location, name_of};

use crate::config::ConfigFile;
use crate::discover::{STDIN, is_below, is_same};
use crate::repository::without_dots;

/// An output would replace what the run reads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` cannot be written: it is {what}", name_of(path))]
pub struct OutputConflict {
    /// The path of the output.
    pub path: PathBuf,
    /// What the file is to the run.
    pub what: &'static str,
}

/// All that a run reads, each with what it is to the run.
#[derive(Debug, Default)]
pub struct OutputGuard(Vec<(Input, &'static str)>);

/// Where something is read from.
#[derive(Debug)]
enum Input {
    File(PathBuf),
    /// The rule files below a folder.
    Rules(PathBuf),
    /// Verification records: a path or a glob.
    Records(String),
    /// The file of a store, and what the store keeps beside it.
    Store(PathBuf),
}

/// What SQLite appends to the name of a store for the files beside it.
const BESIDE_A_STORE: [&str; 4] = ["", "-wal", "-shm", "-journal"];

impl OutputGuard {
    /// Adds a file; standard input is none.
    pub fn file(&mut self, path: &Path, what: &'static str) {
        if path.as_os_str() != STDIN {
            self.0.push((Input::File(path.to_owned()), what));
        }
    }

    /// Adds a configuration and its baseline, and the folders of users' rules.
    pub fn settings(&mut self, config: &ConfigFile, rule_dirs: Vec<PathBuf>) {
        if let Some(path) = &config.path {
            self.file(path, "the configuration of this run");
        }
        if let Some(path) = config.baseline() {
            self.file(&path, "the baseline of this run");
        }
        let rules = rule_dirs.into_iter().map(|it| (Input::Rules(it), "a rule of this run"));
        self.0.extend(rules);
    }

    /// Adds histories.
    pub fn histories(&mut self, locations: Vec<Location>) {
        self.0.extend(locations.into_iter().filter_map(|it| match it {
            Location::Files(pattern) => Some((Input::Records(pattern), "a record of the history")),
            Location::Sqlite(path) => Some((Input::Store(path), "the store of the history")),
            Location::Postgres(_) => None,
        }));
    }

    /// Refuses an output that would go where something is read from.
    ///
    /// # Errors
    ///
    /// The first such output.
    pub fn check<'p>(&self, outputs: impl IntoIterator<Item = &'p Path>) -> Result<(), OutputConflict> {
        for output in outputs {
            if let Some((_, what)) = self.0.iter().find(|(place, _)| place.holds(output)) {
                return Err(OutputConflict { path: output.to_owned(), what });
            }
        }
        Ok(())
    }
}

impl Input {
    fn holds(&self, report: &Path) -> bool {
        match self {
            Self::File(path) => is_one_place(path, report),
            Self::Rules(folder) => {
                is_below(report, folder) && report.extension().is_some_and(|it| it == "yaml")
            }
            // The report of an earlier run may lie among the records, which pass over it.
            Self::Records(pattern) => {
                let records = || tollproof_history::find(std::slice::from_ref(pattern)).unwrap_or_default();
                report.exists() && records().iter().any(|it| is_same(it, report)) && may_be_read(report, None)
            }
            Self::Store(path) => BESIDE_A_STORE.iter().any(|end| {
                let mut name = path.clone().into_os_string();
                name.push(end);
                is_one_place(Path::new(&name), report)
            }),
        }
    }
}

/// Whether two paths lead to one file, which may not be there yet.
#[must_use]
pub fn is_one_place(one: &Path, other: &Path) -> bool {
    one == other || place(one) == place(other)
}

/// The path that the system knows a file by, or will.
fn place(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let below = || Some(whole.parent()?.canonicalize().ok()?.join(whole.file_name()?));
    whole.canonicalize().ok().or_else(below).unwrap_or_else(|| without_dots(&whole))
}

/// Whether a file may be more than the report of an earlier run: a draft, as a walk would tell or as one of a kind that
/// is sought, a record or a note.
#[must_use]
pub fn may_be_read(path: &Path, sought: Option<Kind>) -> bool {
    let Ok(bytes) = tollproof_history::read(path) else { return false };
    let source = Source::from_bytes(name_of(path), bytes);
    let is_told = |document: &Document<'_>, source| kind_of(document, source).is_some();
    let may_be = |document: &Document<'_>| {
        let root = document.root.as_ref();
        let is_object = root.is_some_and(|it| matches!(it.value, Value::Object(_)));
        is_told(document, KindSource::Walked)
            || document.declared.kind.is_some()
            || is_object && sought.is_some_and(|kind| is_told(document, KindSource::Sought(kind)))
            || root.is_some_and(|root| root.member("notifiedAt").is_some())
            || !is_object && !root.is_some_and(is_code_quality) && mentions_a_submission(source.text())
    };
    Parsed::of(&source, None).blocks().any(|block| block.documents().any(|it| may_be(&it)))
}

/// Whether a list is a report for GitLab, which quotes drafts and is no object.
fn is_code_quality(root: &Node<'_>) -> bool {
    root.items().iter().all(|it| it.member("check_name").is_some() && it.member("fingerprint").is_some())
        && matches!(root.value, Value::Array(_))
}
