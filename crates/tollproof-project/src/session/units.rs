//! Divides the files of a run into units: some small files, one large file, or a part of a file that is read in parts.

use std::io::{self, Read};
use std::sync::Arc;

use tollproof_core::{Format, Source};

use super::compressed::{content, is_compressed};
use super::event::RunEvent;
use super::given::{GivenText, GivenTexts};
use super::parts::{FileBeginning, FilePart, PART, PartReader};
use super::shared_run::SharedRun;
#[cfg(feature = "workbooks")]
use super::workbook::SheetReader;
use crate::config::ConfigFile;
use crate::discover::InputFile;
use crate::error::{ProjectError, Result};
use crate::formats::is_workbook;

/// The maximum number of files and of bytes in a unit.
#[derive(Clone, Copy, Debug)]
struct UnitSize {
    files: usize,
    bytes: u64,
}

/// Small files that one thread checks after another. The first unit is checked without a thread, so a run over few or
/// small files starts none.
const UNIT: UnitSize = UnitSize { files: 64, bytes: PART as u64 };

/// Files whose numbers are looked up together.
const QUERY_UNIT: UnitSize = UnitSize { files: 1_000, bytes: 4 << 20 };

/// Files of one configuration that are checked by one thread.
#[derive(Debug, Default)]
pub(super) struct RunUnit {
    pub(super) inputs: Vec<UnitInput>,
    /// The configuration of the inputs; `None` only if there are none.
    pub(super) config: Option<Arc<ConfigFile>>,
    /// Whether the configuration has a history.
    pub(super) knows_history: bool,
    /// Whether the unit contains all that is left, so that other threads would have nothing to do.
    pub(super) is_last: bool,
    /// The error that ends the run after this unit.
    pub(super) error: Option<ProjectError>,
    /// The size of the inputs, as far as it is known.
    pub(super) bytes: u64,
}

/// A unit's part of one file.
#[derive(Debug)]
pub(super) enum UnitInput {
    /// Something that happened instead of opening it.
    Event(RunEvent),
    /// A file that the thread reads, by its index.
    File(usize),
    /// A file that was read.
    Read(usize, Source<'static>),
    /// A part of a file.
    FilePart(usize, FilePart),
    /// A text of the caller, which belongs to the first file.
    Given(GivenText),
}

/// Takes units from the files of a run.
pub(super) struct UnitReader {
    stdin: Option<Box<dyn Read + Send>>,
    /// Texts of the caller, in place of files.
    given: Option<GivenTexts>,
    /// The index of the next file.
    at: usize,
    /// The file that is read in parts, by its index.
    open: Option<(usize, Arc<ConfigFile>, OpenFile)>,
    is_over: bool,
}

/// A file as it is added to a unit.
enum Opened {
    Input(UnitInput, u64),
    Parts(OpenFile),
}

/// A file that is read in parts.
enum OpenFile {
    Parts(PartReader),
    #[cfg(feature = "workbooks")]
    Sheets(Box<SheetReader>),
}

impl OpenFile {
    fn next(&mut self, name: &str, spare: Vec<u8>) -> io::Result<Option<FilePart>> {
        match self {
            Self::Parts(reader) => reader.next(name, spare),
            #[cfg(feature = "workbooks")]
            Self::Sheets(reader) => reader.next(name, spare),
        }
    }
}

impl UnitReader {
    pub(super) fn new(stdin: Box<dyn Read + Send>) -> Self {
        Self { stdin: Some(stdin), given: None, at: 0, open: None, is_over: false }
    }

    /// Takes units from texts of the caller.
    pub(super) fn given(texts: GivenTexts) -> Self {
        Self { stdin: None, given: Some(texts), at: 0, open: None, is_over: false }
    }

    /// The next unit; `None` after the last one.
    pub(super) fn take(&mut self, run: &SharedRun) -> Option<RunUnit> {
        if self.is_over {
            return None;
        }
        let mut unit = RunUnit::default();
        if let Err(error) = self.fill(run, &mut unit) {
            unit.error = Some(error);
            self.is_over = true;
        }
        self.is_over |= unit.inputs.is_empty();
        unit.is_last = self.is_at_end(run);
        (!unit.inputs.is_empty() || unit.error.is_some()).then_some(unit)
    }

    /// Whether all files were taken.
    pub(super) fn is_at_end(&self, run: &SharedRun) -> bool {
        let is_past_files = self.open.is_none() && self.at >= run.found.checked.files.len();
        self.is_over || self.given.is_none() && is_past_files
    }

    fn fill(&mut self, run: &SharedRun, unit: &mut RunUnit) -> Result<()> {
        if let Some(texts) = self.given.as_mut().map(Iterator::next) {
            return take_given(run, texts, unit);
        }
        if let Some((index, config, mut reader)) = self.open.take() {
            let name = &run.found.checked.files[index].name;
            match reader.next(name, run.spare()) {
                Ok(Some(part)) => {
                    unit.bytes = part.source.text().len() as u64;
                    unit.knows_history = run.knows_history(&config)?.0;
                    unit.config = Some(Arc::clone(&config));
                    if !part.is_last && !run.is_cut(index) {
                        self.open = Some((index, config, reader));
                    }
                    unit.inputs.push(UnitInput::FilePart(index, part));
                    return Ok(());
                }
                Ok(None) => {}
                Err(error) => {
                    let name = run.found.checked.files[index].name.clone();
                    unit.inputs.push(UnitInput::Event(RunEvent::Unfinished { name, error }));
                }
            }
        }
        self.group(run, unit)
    }

    /// Adds files of one configuration.
    fn group(&mut self, run: &SharedRun, unit: &mut RunUnit) -> Result<()> {
        let mut size = UNIT;
        while let Some(file) = run.found.checked.files.get(self.at) {
            let config = run.session.config_of(file)?;
            match &unit.config {
                Some(own) if own.path != config.path => return Ok(()),
                Some(_) => {}
                None => {
                    unit.begin(run, &config)?;
                    if unit.knows_history {
                        size = QUERY_UNIT;
                    } else if run.options.fix.is_some() {
                        size.files = 1;
                    }
                }
            }
            let index = self.at;
            self.at += 1;
            match self.open(run, file, index, &config) {
                Opened::Input(input, bytes) => {
                    unit.bytes += bytes;
                    unit.inputs.push(input);
                }
                Opened::Parts(reader) => {
                    self.open = Some((index, config, reader));
                    // The first part is a unit of its own.
                    return if unit.inputs.is_empty() { self.fill(run, unit) } else { Ok(()) };
                }
            }
            if unit.inputs.len() >= size.files || unit.bytes >= size.bytes {
                return Ok(());
            }
        }
        Ok(())
    }

    fn open(&mut self, run: &SharedRun, file: &InputFile, index: usize, config: &ConfigFile) -> Opened {
        let files = &*run.session.files;
        let format = Format::of_any_path(file.place());
        let size = file.path.as_deref().and_then(|path| files.size(path));
        if is_workbook(file.place()) {
            #[cfg(feature = "workbooks")]
            let sheets = match &file.path {
                Some(path) => files.stream(path),
                None => Ok(self.stdin.take().unwrap_or_else(|| Box::new(io::empty()))),
            }
            .and_then(|reader| SheetReader::open(reader, Arc::clone(&config.columns)))
            .map(|reader| OpenFile::Sheets(Box::new(reader)));
            #[cfg(not(feature = "workbooks"))]
            let sheets =
                Err(io::Error::new(io::ErrorKind::Unsupported, "this build of tollproof reads no workbooks"));
            return sheets.map_or_else(|error| Opened::Input(unreadable(file, error), 0), Opened::Parts);
        }
        let is_compressed = is_compressed(file.place());
        let is_small = !is_compressed && size.is_some_and(|size| size <= PART as u64);
        let may_have_parts = run.reads_parts() && format.is_none_or(Format::has_parts);
        let reader = match &file.path {
            Some(_) if is_small || !may_have_parts && !is_compressed => {
                return Opened::Input(UnitInput::File(index), size.unwrap_or_default());
            }
            Some(path) => files.stream(path),
            None => Ok(self.stdin.take().unwrap_or_else(|| Box::new(io::empty()))),
        };
        let opened = reader.and_then(|reader| content(file.place(), reader)).and_then(|reader| {
            let mut reader = PartReader::new(reader, Arc::clone(&config.columns));
            if may_have_parts && reader.begin(format)? == FileBeginning::Parts {
                return Ok(Opened::Parts(OpenFile::Parts(reader)));
            }
            let bytes = reader.read_whole()?;
            let size = bytes.len() as u64;
            let source = file.source(bytes, &run.session.repository);
            Ok(Opened::Input(UnitInput::Read(index, source), size))
        });
        opened.unwrap_or_else(|error| Opened::Input(unreadable(file, error), 0))
    }
}

fn unreadable(file: &InputFile, error: io::Error) -> UnitInput {
    UnitInput::Event(RunEvent::Unreadable { name: file.name.clone(), error })
}

/// Adds texts of the caller, whose settings are those of the first file.
fn take_given(run: &SharedRun, texts: Option<Vec<GivenText>>, unit: &mut RunUnit) -> Result<()> {
    let (Some(texts), Some(file)) = (texts, run.found.checked.files.first()) else { return Ok(()) };
    unit.begin(run, &run.session.config_of(file)?)?;
    unit.bytes = texts.iter().map(|text| text.source.text().len() as u64).sum();
    unit.inputs.extend(texts.into_iter().map(UnitInput::Given));
    Ok(())
}

impl RunUnit {
    /// Takes a configuration, and what happened when its histories and stores were opened.
    fn begin(&mut self, run: &SharedRun, config: &Arc<ConfigFile>) -> Result<()> {
        let (is_known, skipped) = run.knows_history(config)?;
        self.knows_history = is_known;
        self.config = Some(Arc::clone(config));
        for lines in run.session.stored_of(config)?.1 {
            self.inputs.push(UnitInput::Event(RunEvent::SkippedLines(lines)));
        }
        if !skipped.is_empty() {
            self.inputs.push(UnitInput::Event(RunEvent::NotRecords(skipped)));
        }
        Ok(())
    }

    /// Whether threads for the unit would cost more than they save.
    pub(super) fn needs_no_thread(&self) -> bool {
        self.is_last || self.bytes <= UNIT.bytes + UNIT.bytes / 2
    }
}
