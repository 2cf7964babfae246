//! State for taking files and checking them.

use std::sync::{Arc, Mutex};

use super::options::RunOptions;
use super::{ProjectFiles, Session, lock};
use crate::config::ConfigFile;
use crate::error::Result;

/// The most buffers kept for the next texts.
const SPARE_BUFFERS: usize = 8;

/// A run over files, as all its threads see it.
pub(super) struct SharedRun {
    pub(super) session: Arc<Session>,
    pub(super) found: Arc<ProjectFiles>,
    pub(super) options: RunOptions,
    /// The index of the last file with too many findings, whose later parts do not count.
    cut: Mutex<Option<usize>>,
    spare: Mutex<Vec<Vec<u8>>>,
}

impl SharedRun {
    pub(super) fn new(session: Arc<Session>, found: Arc<ProjectFiles>, options: RunOptions) -> Self {
        Self { session, found, options, cut: Mutex::default(), spare: Mutex::default() }
    }

    /// A buffer of an earlier text.
    pub(super) fn spare(&self) -> Vec<u8> {
        lock(&self.spare).pop().unwrap_or_default()
    }

    /// Keeps a buffer for a later text.
    pub(super) fn keep(&self, buffer: Vec<u8>) {
        let mut spare = lock(&self.spare);
        if spare.len() < SPARE_BUFFERS {
            spare.push(buffer);
        }
    }

    /// Whether the rest of a file is not checked, because it has too many findings.
    pub(super) fn is_cut(&self, index: usize) -> bool {
        *lock(&self.cut) == Some(index)
    }

    /// Lets the rest of a file be skipped.
    pub(super) fn cut(&self, index: usize) {
        *lock(&self.cut) = Some(index);
    }

    /// Whether the configuration has a history, and when this call opens it, the documents in it that are not records.
    pub(super) fn knows_history(&self, config: &ConfigFile) -> Result<(bool, Vec<String>)> {
        let (histories, skipped) = self.session.histories_of(config)?;
        let is_known = lock(&histories).are_known();
        Ok((is_known, skipped))
    }

    /// Whether files may be read in parts. Fixes, records and masks need the whole file.
    pub(super) fn reads_parts(&self) -> bool {
        self.options.fix.is_none() && !self.options.redact && self.session.options.record.is_none()
    }
}
