//! A run over the files that were found: reads them in blocks, checks them in order, and remembers their numbers.

use std::fmt;
use std::io::Read;
use std::sync::Arc;

use tollproof_core::{Facts, KindHint, Parsed, Report, Source};
use tollproof_history::QueryResult;

use super::event::RunEvent;
use super::text::{FileBlock, FileReport, FileText, OpenFile};
use super::{ProjectFiles, Session, kind_source, lock};
use crate::discover::{InputFile, WalkError};
use crate::error::ProjectError;
use crate::fix::{FixOptions, FixOutcome};
use crate::histories::RelatedTexts;
use crate::unused_ignores::{RunScope, UnusedIgnores};

/// The maximum number of files and of bytes that are read before their numbers are looked up together.
const BLOCK_FILES: usize = 1_000;
const BLOCK_BYTES: usize = 4 << 20;

/// A run over files. It keeps only one block of files in memory: those whose numbers are looked up together.
///
/// For each block, call [`Run::read`], [`Run::parse`], and [`Run::check`] for each of its texts:
///
/// ```
/// # use tollproof_project::{Disk, FindOptions, ProjectError, Session, SessionOptions};
/// # fn main() -> Result<(), ProjectError> {
/// let session = Session::new(std::sync::Arc::new(Disk), SessionOptions::default())?;
/// let found = session.find(FindOptions { paths: vec!["drafts".into()], ..FindOptions::default() })?;
/// let mut run = session.run(&found, None, std::io::empty());
/// while let Some(block) = run.read()? {
///     let texts = run.parse(&block)?;
///     for text in &texts {
///         let file = run.check(text)?;
///         assert!(file.report.findings.len() < 1_000, "{}", text.file.name);
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Run<'s> {
    session: &'s Session,
    found: &'s ProjectFiles,
    fix: Option<FixOptions>,
    stdin: Box<dyn Read + 's>,
    facts: Facts,
    related: RelatedTexts,
    ignores: UnusedIgnores,
    step: RunStep,
    /// How many files and folders could not be read.
    unread: usize,
    names_numbers: bool,
    knows_history: bool,
}

/// What is read next.
#[derive(Clone, Copy, Debug)]
enum RunStep {
    /// Errors of the search for files, then drafts that are only read for their numbers.
    AlsoRead,
    /// The files from this index on.
    Files(usize),
    /// Configurations with entries of `ignore:`.
    Configs,
    End,
}

impl<'s> Run<'s> {
    pub(super) fn new(
        session: &'s Session,
        found: &'s ProjectFiles,
        fix: Option<FixOptions>,
        stdin: Box<dyn Read + 's>,
    ) -> Self {
        Self {
            session,
            found,
            fix,
            stdin,
            facts: session.facts(),
            related: session.related(Default::default()),
            ignores: UnusedIgnores::default(),
            step: RunStep::AlsoRead,
            unread: 0,
            names_numbers: false,
            knows_history: false,
        }
    }

    /// Reads the next files of one configuration, or returns `None` at the end. All texts of a block must be checked
    /// before the next is read. Configurations come last, because only then is it known which entries of `ignore:` are
    /// unused.
    ///
    /// # Errors
    ///
    /// Settings, rules or histories that cannot be used.
    pub fn read(&mut self) -> Result<Option<FileBlock>, ProjectError> {
        let mut block = FileBlock::default();
        while block.files.is_empty() && block.events.is_empty() {
            self.step = match self.step {
                RunStep::AlsoRead => {
                    self.read_also(&mut block)?;
                    RunStep::Files(0)
                }
                RunStep::Files(at) if at < self.found.checked.files.len() => {
                    RunStep::Files(self.read_files(at, &mut block)?)
                }
                RunStep::Files(_) => RunStep::Configs,
                RunStep::Configs => {
                    self.read_configs(&mut block)?;
                    RunStep::End
                }
                RunStep::End => return Ok(None),
            };
            self.unread += block.events.iter().filter(|it| it.is_failure()).count();
        }
        Ok(Some(block))
    }

    /// Parses the texts of a block, and looks up their numbers.
    ///
    /// # Errors
    ///
    /// A history that cannot be read, or a record that does not belong to the texts.
    pub fn parse<'b>(&mut self, block: &'b FileBlock) -> Result<Vec<FileText<'b>>, ProjectError> {
        let texts: Vec<_> = block.files.iter().map(OpenFile::parse).collect();
        if let Some(first) = texts.first().filter(|it| !it.is_config()) {
            let named: Vec<_> = texts.iter().map(|it| (it.file, &it.parsed)).collect();
            let all = self.found.checked.files.len();
            let QueryResult { history, texts } = self.session.look_up(first.config, &named, all)?;
            self.facts.history = history;
            self.related = self.session.related(texts);
        }
        Ok(texts)
    }

    /// Checks a text, fixes it if the run applies fixes, and remembers its numbers.
    ///
    /// # Errors
    ///
    /// Rules that cannot be used.
    pub fn check(&mut self, text: &FileText<'_>) -> Result<FileReport, ProjectError> {
        let FileText { file, config, ignores, .. } = text;
        if let Some(ignores) = ignores {
            return Ok(self.fixed(text, &mut |it| ignores.run(it)));
        }
        let linter = self.session.linter_of(config, file)?;
        let hint = self.session.kind_of(config, file);
        self.facts.record_id = config.record_of(file.place()).map(str::to_owned);
        let checked = self.fixed(text, &mut |it| linter.check(it, hint, &self.facts));
        let report = &checked.report;
        self.names_numbers |= !report.numbers.is_empty();
        self.facts.batch.extend(report.numbers.clone());
        self.ignores.count(config, file.place(), report);
        Ok(checked)
    }

    /// Whether drafts contain numbers but no history is configured.
    #[must_use]
    pub fn lacks_history(&self) -> bool {
        self.names_numbers && !self.knows_history
    }

    fn fixed(&self, text: &FileText<'_>, check: &mut dyn FnMut(&Parsed<'_>) -> Report) -> FileReport {
        let report = check(&text.parsed);
        let (before, (report, fix)) = match self.fix {
            Some(fix) => {
                let before = report.findings.clone();
                (before, fix.apply(text.file.path.as_deref(), &text.parsed, report, check))
            }
            None => (Vec::new(), (report, FixOutcome::Unchanged)),
        };
        let is_fixed = matches!(fix, FixOutcome::Fixed { .. });
        let before = if is_fixed { before } else { Vec::new() };
        FileReport { report, before, fix, config: Arc::clone(text.config), related: self.related.clone() }
    }

    /// Remembers the numbers in drafts that are not checked.
    fn read_also(&mut self, block: &mut FileBlock) -> Result<(), ProjectError> {
        let ProjectFiles { checked, also_read, .. } = self.found;
        let walks = |errors: &[WalkError]| errors.iter().cloned().map(RunEvent::Walk).collect::<Vec<_>>();
        block.events.extend(walks(&checked.errors));
        if checked.files.is_empty() {
            return Ok(());
        }
        block.events.extend(walks(&also_read.errors));
        for file in &also_read.files {
            match self.open(file) {
                Ok(source) => {
                    let config = self.session.config_of(file)?;
                    let hint: KindHint = kind_source(None, &config, file);
                    self.facts.batch.read(&Parsed::of(&source, None), hint);
                }
                Err(event) => block.events.push(event),
            }
        }
        Ok(())
    }

    /// Reads files from an index on, and returns the index where the next block begins.
    fn read_files(&mut self, from: usize, block: &mut FileBlock) -> Result<usize, ProjectError> {
        let files = &self.found.checked.files[from..];
        let Some(first) = files.first() else { return Ok(from) };
        let config = self.session.config_of(first)?;
        let (histories, skipped) = self.session.histories_of(&config)?;
        if !skipped.is_empty() {
            block.events.push(RunEvent::NotRecords(skipped));
        }
        let is_known = lock(&histories).are_known();
        self.knows_history |= is_known;
        let mut bytes = 0;
        for (at, file) in files.iter().enumerate() {
            if self.session.config_of(file)?.path != config.path {
                return Ok(from + at);
            }
            match self.open(file) {
                Ok(source) => {
                    bytes += source.text().len();
                    let (file, config) = (file.clone(), Arc::clone(&config));
                    block.files.push(OpenFile { file, source, config, ignores: None });
                }
                Err(event) => block.events.push(event),
            }
            let is_full = !is_known || block.files.len() >= BLOCK_FILES || bytes >= BLOCK_BYTES;
            if is_full && !block.files.is_empty() {
                return Ok(from + at + 1);
            }
        }
        Ok(from + files.len())
    }

    /// Opens the configurations whose entries of `ignore:` may be unused.
    fn read_configs(&mut self, block: &mut FileBlock) -> Result<(), ProjectError> {
        let scope = RunScope {
            paths: &self.found.paths,
            is_complete: self.unread == 0 && !self.found.is_partial,
            knows_history: self.knows_history,
            now: self.facts.now,
        };
        for ignores in self.ignores.checks(&*self.session.files, scope, &self.session.linters)? {
            let config = Arc::clone(&ignores.config);
            let file = InputFile { name: config.name(), path: config.path.clone(), met: KindHint::Explicit };
            let identity = config.path.as_deref().and_then(|path| self.session.repository.name_of(path));
            let source = Source::from_bytes(file.name.clone(), config.text.clone().into_bytes());
            let source = source.known_as(identity);
            block.files.push(OpenFile { file, source, config, ignores: Some(ignores) });
        }
        self.related = self.session.related(Default::default());
        Ok(())
    }

    fn open(&mut self, file: &InputFile) -> Result<Source<'static>, RunEvent> {
        let bytes = match &file.path {
            Some(path) => self.session.files.read(path),
            None => {
                let mut bytes = Vec::new();
                tollproof_history::read_within(&mut self.stdin, &mut bytes).map(|_| bytes)
            }
        };
        match bytes {
            Ok(bytes) => Ok(file.source(bytes, &self.session.repository)),
            Err(error) => Err(RunEvent::Unreadable { name: file.name.clone(), error }),
        }
    }
}

impl fmt::Debug for Run<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, fix, step, .. } = self;
        f.debug_struct("Run")
            .field("found", found)
            .field("fix", fix)
            .field("step", step)
            .finish_non_exhaustive()
    }
}
