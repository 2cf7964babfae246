//! The store of facts: what `tollproof look` saw, one line for each address, sorted, so that it can be committed and merged.

mod error;
mod line;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tollproof_core::{SeenFact, SeenFacts};

pub use self::error::{FactsError, FactsProblem, SkippedFacts};
use self::line::{LineContent, read_line};
use crate::atomic_file::AtomicFile;
use crate::files::Files;

/// Where the store is, relative to the folder of the configuration, unless a setting says otherwise.
pub const FACTS_NAME: &str = ".tollproof/facts.ndjson";

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// What was seen at the addresses of drafts, in a file.
#[derive(Clone, Debug)]
pub struct FactsStore {
    path: PathBuf,
    facts: BTreeMap<String, SeenFact>,
    /// Lines of other versions of tollproof, which are kept as they are.
    others: BTreeSet<String>,
    problems: Vec<(usize, FactsProblem)>,
}

impl FactsStore {
    /// Reads a file; one that does not exist is empty. Of two lines for one address, the newest counts. Lines that are not
    /// facts are skipped, see [`FactsStore::skipped`].
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is too large.
    pub fn read(files: &dyn Files, path: &Path) -> Result<Self, FactsError> {
        let mut store = Self {
            path: path.to_owned(),
            facts: BTreeMap::new(),
            others: BTreeSet::new(),
            problems: Vec::new(),
        };
        let too_large = || FactsError::TooLarge { path: path.to_owned(), max: MAX_FILE };
        if files.size(path).is_some_and(|size| size > MAX_FILE) {
            return Err(too_large());
        }
        let bytes = match files.read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !files.is_link(path) => {
                return Ok(store);
            }
            Err(error) => return Err(FactsError::Unreadable { path: path.to_owned(), error }),
        };
        if bytes.len() as u64 > MAX_FILE {
            return Err(too_large());
        }
        for (at, line) in bytes.split(|it| *it == b'\n').enumerate() {
            match read_line(line) {
                LineContent::Empty => {}
                LineContent::Fact(fact) => store.put(*fact),
                LineContent::Other(version, text) => {
                    store.problems.push((at + 1, FactsProblem::Version(version)));
                    store.others.insert(text);
                }
                LineContent::Problem(problem) => store.problems.push((at + 1, problem)),
            }
        }
        Ok(store)
    }

    /// What was seen at an address.
    #[must_use]
    pub fn get(&self, address: &str) -> Option<&SeenFact> {
        self.facts.get(address)
    }

    /// Adds a fact, unless a newer one for its address is known.
    pub(super) fn put(&mut self, fact: SeenFact) {
        if self.facts.get(&fact.address).is_none_or(|known| known.at <= fact.at) {
            self.facts.insert(fact.address.clone(), fact);
        }
    }

    /// Sets a fact that was seen just now, whatever time an earlier one has.
    pub fn renew(&mut self, fact: SeenFact) {
        self.facts.insert(fact.address.clone(), fact);
    }

    /// All facts, sorted by address.
    pub fn iter(&self) -> impl Iterator<Item = &SeenFact> {
        self.facts.values()
    }

    /// All facts, for checks.
    #[must_use]
    pub fn facts(&self) -> SeenFacts {
        SeenFacts::new(self.facts.values().cloned())
    }

    /// The lines that were skipped when the file was read; `None` if all are facts.
    #[must_use]
    pub fn skipped(&self) -> Option<SkippedFacts> {
        let lines = self.problems.clone();
        (!lines.is_empty()).then(|| SkippedFacts { path: self.path.clone(), lines })
    }

    /// Writes the file completely or not at all, sorted, and without the lines that are not facts.
    ///
    /// # Errors
    ///
    /// The error of the operating system. The old content is unchanged.
    pub fn write(&self) -> Result<(), FactsError> {
        let unwritable = |error| FactsError::Unwritable { path: self.path.clone(), error };
        let folder = self.path.parent().filter(|it| !it.as_os_str().is_empty());
        folder.map_or(Ok(()), fs::create_dir_all).map_err(unwritable)?;
        let mut file = AtomicFile::create(&self.path).map_err(unwritable)?;
        self.write_to(&mut file).map_err(unwritable)?;
        file.commit().map_err(unwritable)
    }

    fn write_to(&self, file: &mut AtomicFile) -> io::Result<()> {
        for fact in self.facts.values() {
            serde_json::to_writer(&mut *file, fact)?;
            file.write_all(b"\n")?;
        }
        self.others.iter().try_for_each(|line| writeln!(file, "{line}"))
    }
}

#[cfg(test)]
mod tests;
