//! Imports record files into a store, all or nothing.

use std::io::{BufReader, Read as _};
use std::path::Path;

use tollproof_core::{Format, Parsed, Source};

use super::Store;
use super::fetched::FetchedRecords;
use crate::backend::{Mode, OnConflict, StoreTransaction};
use crate::entry::{self, HistoryEntry, Note, Record};
use crate::error::{BadRecord, HistoryError, Result};
use crate::files;
use crate::reading::{self, name_of};

/// The number of records written at once. They are sorted first, so that they touch fewer database pages.
const BATCH_RECORDS: usize = 8_192;

/// The number of bytes of records after which a batch is written early.
const BATCH_BYTES: usize = 32 << 20;

/// The approximate size of the blocks in which NDJSON files are read, in bytes.
const BLOCK_BYTES: usize = 4 << 20;

/// The number of new records from which the statistics of the query planner are updated.
const ANALYZE_FROM: usize = 1_000;

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The number of records read.
    pub records: usize,
    /// The number of records new to the store.
    pub new: usize,
    /// The number of notes read.
    pub notes: usize,
    /// The documents that are not records: position and reason.
    pub skipped: Vec<String>,
}

/// A running import.
struct Import<'i> {
    transaction: &'i mut dyn StoreTransaction,
    batch: Vec<Record>,
    /// The size of the batch in bytes.
    size: usize,
    notes: Vec<(Note, BadRecord)>,
    bad: Vec<BadRecord>,
    imported: Imported,
    fetched: FetchedRecords,
}

impl Store {
    /// Imports the records and notes of files, folders or globs in one transaction. Records that the store already
    /// contains are skipped. `progress` is called with the number of records read so far.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Records`] lists every invalid record; nothing is imported then. A path does not exist or cannot
    /// be read, or the store cannot be written to.
    pub fn import(&mut self, patterns: &[String], mut progress: impl FnMut(usize)) -> Result<Imported> {
        if self.is_copy {
            return Err(HistoryError::of_files());
        }
        let paths = files::find(patterns)?;
        let mut imported = Imported::default();
        // No retry if the connection is lost, because an import may be large. It is rolled back completely.
        let store = self.name();
        self.backend.transact(Mode::Write, &self.host, &mut |transaction| {
            // Two imports of the same records at the same time would deadlock.
            transaction.lock(&["import".to_owned()])?;
            let mut import = Import::new(transaction)?;
            for path in &paths {
                import.file(path, &mut progress)?;
            }
            imported = import.end(&store)?;
            Ok(())
        })?;
        Ok(imported)
    }
}

impl<'i> Import<'i> {
    fn new(transaction: &'i mut dyn StoreTransaction) -> Result<Self> {
        let fetched = FetchedRecords::awaited(transaction)?;
        let (batch, notes, bad) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { transaction, batch, size: 0, notes, bad, imported: Imported::default(), fetched })
    }

    fn file(&mut self, path: &Path, progress: &mut dyn FnMut(usize)) -> Result<()> {
        let unreadable = |error| HistoryError::unreadable(path, error);
        if Format::of_path(path) != Some(Format::Ndjson) {
            let source = Source::from_bytes(name_of(path), files::read_records(path)?);
            self.text(&Parsed::of(&source, None), 1)?;
            progress(self.imported.records);
            return Ok(());
        }
        let mut file = BufReader::new(reading::open_stream(path).map_err(unreadable)?);
        let mut first_line = 1;
        loop {
            let mut block = Vec::new();
            file.by_ref().take(BLOCK_BYTES as u64).read_to_end(&mut block).map_err(unreadable)?;
            reading::read_line(&mut file, &mut block).map_err(unreadable)?;
            if block.is_empty() {
                return Ok(());
            }
            let lines = block.iter().filter(|&&byte| byte == b'\n').count();
            // An empty block inside a file is fine, but an empty file is an error.
            if first_line == 1 || !block.trim_ascii().is_empty() {
                let source = Source::from_bytes(name_of(path), block);
                self.text(&Parsed::of(&source, Some(Format::Ndjson)), first_line)?;
            }
            first_line += lines;
            progress(self.imported.records);
        }
    }

    fn text(&mut self, parsed: &Parsed<'_>, first_line: usize) -> Result<()> {
        entry::each(parsed, first_line, |entry| {
            match entry {
                Ok(HistoryEntry::Record(_, record)) => {
                    self.imported.records += 1;
                    self.size += record.body.len();
                    self.batch.push(record);
                }
                Ok(HistoryEntry::Note(note, place)) => self.notes.push((note, place)),
                Ok(HistoryEntry::Other(other)) => self.imported.skipped.push(other.to_string()),
                Err(bad) => self.bad.push(bad),
            }
            if self.batch.len() >= BATCH_RECORDS || self.size >= BATCH_BYTES { self.write() } else { Ok(()) }
        })
    }

    /// Writes the batch, unless an invalid record was found, so that nothing will be imported.
    fn write(&mut self) -> Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        self.size = 0;
        if self.bad.is_empty() {
            // A stable sort, because the last of several versions with the same time is the newest.
            batch.sort_by(|a, b| a.id.cmp(&b.id));
            self.fetched.note(self.transaction, &batch)?;
            self.imported.new += self.transaction.add(&batch)?;
        }
        Ok(())
    }

    fn end(mut self, store: &str) -> Result<Imported> {
        self.write()?;
        for (note, place) in std::mem::take(&mut self.notes) {
            self.imported.notes += 1;
            if self.bad.is_empty() && !self.transaction.note(&note, OnConflict::KeepLatest)? {
                self.bad.push(place);
            }
        }
        if self.bad.is_empty() {
            self.fetched.settle(self.transaction, store)?;
            if self.imported.new >= ANALYZE_FROM {
                self.transaction.analyze()?;
            }
        }
        if self.bad.is_empty() { Ok(self.imported) } else { Err(HistoryError::Records(self.bad)) }
    }
}
