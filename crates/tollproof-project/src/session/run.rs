//! A run over the files that were found: checks them in order or in parallel, and returns their findings in order.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use tollproof_core::{Batch, ColumnNames, Format, KindChoice, KindHint, Parsed, Provider, Source};

use super::checker::{CheckedUnit, Checker, fixed};
use super::compressed::content;
use super::event::RunEvent;
use super::numbers::RunNumbers;
use super::options::RunOptions;
use super::parts::PartReader;
use super::text::{CheckedText, RunItem};
use super::units::UnitReader;
use super::workers::{OrderedWork as _, Workers};
use super::{ProjectFiles, Session, kind_hint_of, lock};
use crate::discover::{InputFile, WalkError};
use crate::error::Result;
use crate::unused_ignores::{RunScope, UnusedIgnores};

/// A run over files, as an iterator over what happens and what is found, in the order of the files.
///
/// Files of many documents are read in parts, so that memory does not grow with them. Small files are checked by the
/// thread that iterates, all others by threads of the run. Configurations come last, because only then is it known
/// which entries of `ignore:` are unused. An error ends the run:
///
/// ```
/// # use std::sync::Arc;
/// # use tollproof_project::{Disk, FindOptions, ProjectError, RunItem, RunOptions, Session, SessionOptions};
/// # fn main() -> Result<(), ProjectError> {
/// let session = Arc::new(Session::new(Arc::new(Disk), SessionOptions::default())?);
/// let found = session.find(FindOptions { paths: vec!["drafts".into()], ..FindOptions::default() })?;
/// for item in session.run(Arc::new(found), RunOptions::default(), std::io::empty()) {
///     if let RunItem::Text(text) = item? {
///         assert!(text.report.report.findings.len() < 1_000, "{}", text.file.name);
///     }
/// }
/// # Ok(())
/// # }
/// ```
pub struct Run {
    checker: Arc<Checker>,
    workers: Option<Workers<Checker>>,
    /// Results not returned yet.
    ready: VecDeque<Result<RunItem>>,
    /// The numbers of the drafts so far.
    numbers: RunNumbers,
    ignores: UnusedIgnores,
    step: RunStep,
    /// The number of unreadable files and folders.
    unread: usize,
    names_numbers: bool,
    knows_history: bool,
    knows_pages: bool,
    is_interrupted: bool,
    bytes: u64,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunStep {
    /// Errors of the search for files, then drafts that are only read for their numbers.
    AlsoRead,
    /// The first unit of files.
    First,
    /// The other files.
    Files,
    /// Configurations with entries of `ignore:`.
    Configs,
    End,
}

impl Run {
    pub(super) fn new(
        session: Arc<Session>,
        found: Arc<ProjectFiles>,
        options: RunOptions,
        reader: UnitReader,
    ) -> Self {
        Self {
            checker: Arc::new(Checker::new(session, found, options, reader)),
            workers: None,
            ready: VecDeque::new(),
            numbers: RunNumbers::default(),
            ignores: UnusedIgnores::default(),
            step: RunStep::AlsoRead,
            unread: 0,
            names_numbers: false,
            knows_history: false,
            knows_pages: false,
            is_interrupted: false,
            bytes: 0,
        }
    }

    /// Whether drafts contain numbers but no history is configured.
    pub fn lacks_history(&self) -> bool {
        self.names_numbers && !self.knows_history
    }

    /// Whether drafts contain more numbers than a run remembers, so that later duplicates may not be found.
    pub fn forgets_numbers(&self) -> bool {
        self.numbers.is_full()
    }

    /// Whether the run was stopped before its end.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Whether files are left that are not checked yet, or not returned.
    pub fn has_more(&self) -> bool {
        matches!(self.step, RunStep::AlsoRead | RunStep::First) || self.workers.is_some() || {
            self.step == RunStep::Files && !lock(&self.checker.reader).is_at_end(&self.checker.shared)
        }
    }

    /// Counts the bytes of drafts checked so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Flag that ends the run when it is true.
    pub fn stop_flag(&self) -> Option<Arc<AtomicBool>> {
        self.checker.shared.options.stop.clone()
    }

    /// Ends the run: what is not returned yet is not checked, and configurations neither.
    pub fn stop(&mut self) {
        self.step = RunStep::End;
        self.ready.clear();
        self.workers = None;
    }

    fn step(&mut self) -> Result<()> {
        self.step = match self.step {
            RunStep::AlsoRead => {
                self.read_also()?;
                RunStep::First
            }
            RunStep::First => match self.checker.take() {
                None => RunStep::Configs,
                // Fixes are written while no other thread reads.
                Some(unit) if unit.needs_no_thread() || self.checker.shared.options.fix.is_some() => {
                    let checked = self.checker.work(unit);
                    self.receive(checked);
                    if self.checker.shared.options.fix.is_some() { RunStep::First } else { RunStep::Files }
                }
                first => {
                    self.start(first);
                    RunStep::Files
                }
            },
            RunStep::Files => {
                if self.workers.is_none() {
                    match self.checker.take() {
                        None => {
                            self.step = RunStep::Configs;
                            return Ok(());
                        }
                        first => self.start(first),
                    }
                }
                let stop = self.checker.shared.options.stop.clone();
                let is_stopped = || is_set(stop.as_deref());
                let checked = self.workers.as_mut().and_then(|workers| workers.next(is_stopped));
                match checked {
                    Some(checked) => {
                        self.receive(checked);
                        RunStep::Files
                    }
                    None => RunStep::Configs,
                }
            }
            RunStep::Configs => {
                self.check_configs()?;
                RunStep::End
            }
            RunStep::End => RunStep::End,
        };
        Ok(())
    }

    fn start(&mut self, first: Option<super::units::RunUnit>) {
        let jobs = match self.checker.shared.options.jobs {
            0 => available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        };
        self.workers = Some(Workers::start(Arc::clone(&self.checker), jobs, first));
    }

    /// Compares the numbers of a unit with those of earlier ones, and counts what came of it.
    fn receive(&mut self, checked: CheckedUnit) {
        self.knows_history |= checked.unit.knows_history;
        self.bytes += checked.unit.bytes;
        let items = self.checker.finish(checked, &mut self.numbers);
        for item in &items {
            match item {
                Ok(RunItem::Event(event)) => self.unread += usize::from(event.is_failure()),
                Ok(RunItem::Text(text)) => {
                    let report = &text.report.report;
                    self.names_numbers |= !report.numbers.is_empty();
                    self.knows_pages |= report.seen.has_facts();
                    self.ignores.count(&text.report.config, text.file.place(), report);
                }
                Err(_) => {}
            }
        }
        self.ready.extend(items);
    }

    /// Remembers the numbers in drafts that are not checked.
    fn read_also(&mut self) -> Result<()> {
        let checker = Arc::clone(&self.checker);
        let ProjectFiles { checked, also_read, .. } = &*checker.shared.found;
        self.walk_errors(&checked.errors);
        if checked.files.is_empty() {
            return Ok(());
        }
        self.walk_errors(&also_read.errors);
        for file in &also_read.files {
            let config = checker.shared.session.config_of(file)?;
            let hint: KindHint = kind_hint_of(KindChoice::default(), &config, file);
            let opened = checker.shared.session.files.stream(file.place());
            let opened = opened.and_then(|stream| content(file.place(), stream));
            let read = opened.and_then(|it| self.read_numbers(file, it, hint, &config.columns));
            if let Err(error) = read {
                self.event(RunEvent::Unreadable { name: file.name.clone(), error });
            }
        }
        Ok(())
    }

    fn read_numbers(
        &mut self,
        file: &InputFile,
        reader: Box<dyn Read + Send>,
        hint: KindHint,
        columns: &Arc<ColumnNames>,
    ) -> std::io::Result<()> {
        let checker = &self.checker;
        let all = &mut self.numbers;
        let mut reader = PartReader::new(reader, Arc::clone(columns));
        let mut add = |source: &Source<'_>, is_part: bool| {
            let mut numbers = Batch::default();
            numbers.read(&Parsed::of(source, None), hint);
            match checker.shared.options.fix {
                Some(_) => lock(&checker.fixed_numbers).extend(numbers),
                None => all.add(&numbers, source, is_part),
            }
        };
        let has_parts = reader.begin(Format::of_path(file.place()))? == super::parts::FileBeginning::Parts;
        if !has_parts || checker.shared.options.fix.is_some() {
            let bytes = reader.read_whole()?;
            let source = file.source(bytes, &checker.shared.session.repository);
            let provider = hint.provider().map(Provider::name);
            add(&source.with_columns(Arc::clone(columns)).for_provider(provider), false);
            return Ok(());
        }
        while let Some(part) = reader.next(&file.name, checker.shared.spare())? {
            add(&part.source.with_columns(Arc::clone(columns)), true);
        }
        Ok(())
    }

    fn walk_errors(&mut self, errors: &[WalkError]) {
        errors.iter().for_each(|error| self.event(RunEvent::Walk(error.clone())));
    }

    fn event(&mut self, event: RunEvent) {
        self.unread += usize::from(event.is_failure());
        self.ready.push_back(Ok(RunItem::Event(event)));
    }

    /// Checks the configurations whose entries of `ignore:` may be unused.
    fn check_configs(&mut self) -> Result<()> {
        let session = &self.checker.shared.session;
        let scope = RunScope {
            paths: &self.checker.shared.found.paths,
            is_complete: self.unread == 0 && !self.checker.shared.found.is_partial,
            knows_history: self.knows_history,
            knows_pages: self.knows_pages,
            now: session.options.now,
        };
        for ignores in self.ignores.checks(&*session.files, scope, &session.linters)? {
            let config = Arc::clone(&ignores.config);
            let file = InputFile { name: config.name(), path: config.path.clone(), met: KindHint::Explicit };
            let identity = config.path.as_deref().and_then(|path| session.repository.name_of(path));
            let source = Source::from_bytes(file.name.clone(), config.text.clone().into_bytes());
            let source = source.known_as(identity);
            let related = session.related(Default::default());
            let parsed = Parsed::of(&source, Some(Format::Yaml));
            let options = &self.checker.shared.options;
            let report =
                fixed(options, file.path.as_deref(), &parsed, (&config, &related), &mut |it| ignores.run(it));
            let use_cases = BTreeMap::default();
            drop(parsed);
            let text = CheckedText {
                file,
                source,
                report,
                redaction: None,
                use_cases,
                drafts: Arc::default(),
                cell: None,
                is_config: true,
                is_last: true,
            };
            self.ready.push_back(Ok(RunItem::Text(Box::new(text))));
        }
        Ok(())
    }
}

fn is_set(stop: Option<&AtomicBool>) -> bool {
    stop.is_some_and(|it| it.load(Ordering::Relaxed))
}

impl Iterator for Run {
    type Item = Result<RunItem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.step != RunStep::End && is_set(self.checker.shared.options.stop.as_deref()) {
                self.stop();
                self.is_interrupted = true;
            }
            if let Some(item) = self.ready.pop_front() {
                if item.is_err() {
                    self.stop();
                }
                return Some(item);
            }
            if self.step == RunStep::End {
                return None;
            }
            if let Err(error) = self.step() {
                self.stop();
                return Some(Err(error));
            }
        }
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { checker, step, .. } = self;
        let (found, options) = (&checker.shared.found, &checker.shared.options);
        f.debug_struct("Run")
            .field("found", found)
            .field("options", options)
            .field("step", step)
            .finish_non_exhaustive()
    }
}
