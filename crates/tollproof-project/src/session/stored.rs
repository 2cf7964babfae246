//! Data stored beside the drafts of a project: facts about pages, and readings.

use std::path::{Path, PathBuf};

use tollproof_core::{Readings, SeenFacts};

use super::{Session, lock};
use crate::config::ConfigFile;
use crate::error::Result;
use crate::line_store::{FactsStore, LineStoreError, ReadingsStore, SkippedLines};

/// Data found before a check.
#[derive(Clone, Debug, Default)]
pub struct StoredFacts {
    /// Facts of pages, pictures and mail domains.
    pub seen: SeenFacts,
    /// The readers' answers on the texts.
    pub readings: Readings,
}

impl Session {
    /// The file with the facts about pages, which may not exist.
    pub fn facts_path(&self, config: &ConfigFile) -> PathBuf {
        self.options.facts.clone().unwrap_or_else(|| config.facts())
    }

    /// The file with the readings, which may not exist.
    pub fn readings_path(&self, config: &ConfigFile) -> PathBuf {
        self.options.readings.clone().unwrap_or_else(|| config.readings())
    }

    /// The facts and readings for a configuration. The first call reads them, and returns the lines that it skipped.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that was named and does not exist.
    pub fn stored_of(&self, config: &ConfigFile) -> Result<(StoredFacts, Vec<SkippedLines>)> {
        let mut all = lock(&self.stored);
        if let Some(stored) = all.get(&config.path) {
            return Ok((stored.clone(), Vec::new()));
        }
        let facts = self.facts_of(config)?;
        let readings = self.readings_path(config);
        self.must_exist("readings", self.options.readings.is_some(), &readings)?;
        self.refuse_link_out(config, "readings", self.options.readings.is_some(), &readings)?;
        let readings = ReadingsStore::read(&*self.files, &readings)?;
        let seen = facts.facts().with_max_age(config.facts_max_age());
        let lower_errors = self.options.readings_lower_errors;
        let known = readings.readings();
        let stored =
            StoredFacts { seen, readings: if lower_errors { known.lowering_errors() } else { known } };
        all.insert(config.path.clone(), stored.clone());
        Ok((stored, facts.skipped().into_iter().chain(readings.skipped()).collect()))
    }

    /// The facts for a configuration, from the disk.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that was named and does not exist.
    pub fn facts_of(&self, config: &ConfigFile) -> Result<FactsStore> {
        let facts = self.facts_path(config);
        self.must_exist("facts", self.options.facts.is_some(), &facts)?;
        self.refuse_link_out(config, "facts", self.options.facts.is_some(), &facts)?;
        Ok(FactsStore::read(&*self.files, &facts)?)
    }

    /// The usual file of a repository, which no setting names, is not read through a link either.
    fn refuse_link_out(
        &self,
        config: &ConfigFile,
        what: &'static str,
        is_named: bool,
        path: &Path,
    ) -> Result<(), LineStoreError> {
        if is_named {
            return Ok(());
        }
        let checked = config.boundary(&*self.files).check(&*self.files, path);
        checked.map_err(|error| LineStoreError::Unreadable { what, path: path.to_owned(), error })
    }

    /// A file of the settings is created when it is needed; a named one must exist.
    fn must_exist(&self, what: &'static str, is_named: bool, path: &Path) -> Result<(), LineStoreError> {
        match self.files.canonical(path) {
            Err(error) if is_named => Err(LineStoreError::Unreadable { what, path: path.to_owned(), error }),
            _ => Ok(()),
        }
    }
}
