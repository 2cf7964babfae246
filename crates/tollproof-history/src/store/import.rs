//! Records from files into a store: all of them or none.

use std::io::{BufReader, Read as _};
use std::path::Path;

use tollproof_core::{Format, Parsed, Source};

use super::Store;
use crate::backend::{Mode, OnConflict, StoreTransaction};
use crate::entry::{self, Entry, Note, Record};
use crate::error::{BadRecord, HistoryError};
use crate::files;
use crate::reading::{self, name_of};

/// So many records are written at once: sorted, they touch fewer pages.
const BATCH: usize = 8_192;

/// Or so many bytes of them.
const BATCH_BYTES: usize = 32 << 20;

/// A file with one document a line is read in blocks of about this many bytes, whatever its size.
const BLOCK: usize = 4 << 20;

/// From so many new records on, they are settled.
const MANY: usize = 1_000;

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Records that were read.
    pub records: usize,
    /// Those of them that the store did not have.
    pub new: usize,
    /// Notes that were read.
    pub notes: usize,
    /// Places of documents that are no records, and what they are.
    pub skipped: Vec<String>,
}

/// An import under way.
struct Import<'i> {
    transaction: &'i mut dyn StoreTransaction,
    batch: Vec<Record>,
    /// The bytes of the records in the batch.
    size: usize,
    notes: Vec<(Note, BadRecord)>,
    bad: Vec<BadRecord>,
    imported: Imported,
}

impl Store {
    /// Takes the records and notes of files, folders or globs, in one transaction; what it has already is passed
    /// over. `progress` is told how many records were read so far.
    ///
    /// # Errors
    ///
    /// [`HistoryError::Records`] names every record that cannot be taken, and then none is. A path that is not
    /// there or cannot be read, and a store that cannot be written to.
    pub fn import(
        &mut self,
        patterns: &[String],
        mut progress: impl FnMut(usize),
    ) -> Result<Imported, HistoryError> {
        if self.is_copy {
            return Err(HistoryError::of_files());
        }
        let paths = files::find(patterns)?;
        let mut imported = Imported::default();
        // Not tried again where the connection is lost: it may be large. Nothing of it is kept then.
        self.backend.transact(Mode::Write, &mut |transaction| {
            let (batch, notes, bad) = (Vec::new(), Vec::new(), Vec::new());
            // Two imports of the same records would stand in each other's way, each with what the other waits for.
            transaction.lock(&["import".to_owned()])?;
            let mut import =
                Import { transaction, batch, size: 0, notes, bad, imported: Imported::default() };
            for path in &paths {
                import.file(path, &mut progress)?;
            }
            imported = import.end()?;
            Ok(())
        })?;
        Ok(imported)
    }
}

impl Import<'_> {
    fn file(&mut self, path: &Path, progress: &mut dyn FnMut(usize)) -> Result<(), HistoryError> {
        let unreadable = |error| HistoryError::unreadable(path, error);
        if Format::of_path(path) != Some(Format::Ndjson) {
            let source = Source::from_bytes(name_of(path), reading::read(path).map_err(unreadable)?);
            self.text(&Parsed::of(&source, None), 1)?;
            progress(self.imported.records);
            return Ok(());
        }
        let mut file = BufReader::new(reading::open_stream(path).map_err(unreadable)?);
        let mut first_line = 1;
        loop {
            let mut block = Vec::new();
            file.by_ref().take(BLOCK as u64).read_to_end(&mut block).map_err(unreadable)?;
            reading::read_line(&mut file, &mut block).map_err(unreadable)?;
            if block.is_empty() {
                return Ok(());
            }
            let lines = block.iter().filter(|&&byte| byte == b'\n').count();
            // A blank block is no fault of the file, though a blank file would be.
            if first_line == 1 || !block.trim_ascii().is_empty() {
                let source = Source::from_bytes(name_of(path), block);
                self.text(&Parsed::of(&source, Some(Format::Ndjson)), first_line)?;
            }
            first_line += lines;
            progress(self.imported.records);
        }
    }

    fn text(&mut self, parsed: &Parsed<'_>, first_line: usize) -> Result<(), HistoryError> {
        entry::each(parsed, first_line, |entry| {
            match entry {
                Ok(Entry::Record(_, record)) => {
                    self.imported.records += 1;
                    self.size += record.body.len();
                    self.batch.push(record);
                }
                Ok(Entry::Note(note, place)) => self.notes.push((note, place)),
                Ok(Entry::Other(other)) => self.imported.skipped.push(other.to_string()),
                Err(bad) => self.bad.push(bad),
            }
            if self.batch.len() >= BATCH || self.size >= BATCH_BYTES { self.write() } else { Ok(()) }
        })
    }

    /// Writes what was gathered, unless it is known already that nothing will be kept.
    fn write(&mut self) -> Result<(), HistoryError> {
        let mut batch = std::mem::take(&mut self.batch);
        self.size = 0;
        if self.bad.is_empty() {
            // A stable sort: of versions with the same time, the one that comes last counts.
            batch.sort_by(|a, b| a.id.cmp(&b.id));
            self.imported.new += self.transaction.add(&batch)?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<Imported, HistoryError> {
        self.write()?;
        for (note, place) in std::mem::take(&mut self.notes) {
            self.imported.notes += 1;
            if self.bad.is_empty() && !self.transaction.note(&note, OnConflict::KeepLatest)? {
                self.bad.push(place);
            }
        }
        if self.bad.is_empty() && self.imported.new >= MANY {
            self.transaction.settle()?;
        }
        if self.bad.is_empty() { Ok(self.imported) } else { Err(HistoryError::Records(self.bad)) }
    }
}
