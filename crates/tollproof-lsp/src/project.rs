//! The project of an editor: its settings, rules and histories, with open documents in place of files.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tollproof_core::{Batch, Fixer, Format, Kind, KindHint, Parsed, Report, Source, StrictError, names_rule};
use tollproof_project::{
    Baseline, CONFIG_NAME, Disk, FileReport, Files, FindOptions, InputFile, Overlay, ProjectError,
    Repository, Session, SessionOptions, SkipReason,
};

use crate::numbers::NumberIndex;

/// The largest text that is checked while it is typed, in bytes.
pub(crate) const MAX_TEXT: usize = 16 << 20;

/// After this time a new session knows the current time, on which some rules depend.
const MAX_AGE: Duration = Duration::from_secs(15 * 60);

/// Makes the options of a session, with the current time.
pub(crate) type Options = Box<dyn Fn() -> SessionOptions + Send + Sync>;

/// The project, shared by the threads of the server.
pub(crate) struct EditorProject {
    pub(crate) overlay: Arc<Overlay>,
    options: Options,
    opened: RwLock<Arc<OpenSession>>,
    numbers: Mutex<NumberIndex>,
    repository: Repository,
}

/// A session, and what was found out with it.
struct OpenSession {
    session: Result<Arc<Session>, Arc<ProjectError>>,
    since: Instant,
    roles: Mutex<HashMap<PathBuf, FileRole>>,
    baselines: Mutex<HashMap<PathBuf, Arc<Baseline>>>,
}

/// The role of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileRole {
    /// It may have drafts, as its keys decide.
    Draft(InputFile),
    /// It is settings, a rule, a schema or a baseline: it changes what is found in drafts.
    Own,
    /// It is nothing that tollproof reads.
    Other,
}

/// A text to check.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// The path; `None` if the text was never saved.
    pub(crate) path: Option<PathBuf>,
    /// The name in messages.
    pub(crate) name: String,
    pub(crate) text: Arc<str>,
    /// The format, if the name does not decide it.
    pub(crate) format: Option<Format>,
    /// Whether the user said that this is a draft.
    pub(crate) is_named: bool,
}

/// A result of a project that may be unusable.
pub(crate) type Result<T, E = ProjectProblem> = std::result::Result<T, E>;

/// A problem that prevents a check.
#[derive(Debug)]
pub(crate) enum ProjectProblem {
    /// Settings or rules are invalid.
    Invalid(Vec<StrictError>),
    /// Anything else.
    Failure(String),
}

impl EditorProject {
    /// A project without open documents.
    pub(crate) fn new(options: Options) -> Self {
        let overlay = Arc::new(Overlay::new(Arc::new(Disk)));
        let opened = RwLock::new(Arc::new(OpenSession::new(&overlay, options())));
        Self { overlay, options, opened, numbers: Mutex::default(), repository: Repository::around() }
    }

    /// Reads settings, rules and histories again when they are needed next.
    pub(crate) fn reload(&self) {
        let opened = Arc::new(OpenSession::new(&self.overlay, (self.options)()));
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    fn opened(&self) -> Arc<OpenSession> {
        let opened = Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner));
        if opened.since.elapsed() < MAX_AGE {
            return opened;
        }
        self.reload();
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The session.
    pub(crate) fn session(&self) -> Result<Arc<Session>> {
        self.opened().session()
    }

    /// The role of a file, as a folder walk decides. `None` if the settings cannot be used.
    pub(crate) fn role(&self, path: &Path) -> Result<FileRole> {
        if path.file_name().is_some_and(|name| name == CONFIG_NAME) {
            return Ok(FileRole::Own);
        }
        let opened = self.opened();
        // The text decides whether notes or a program are a draft, and it changes.
        let by_text = Format::of_path(path).is_none();
        if let Some(role) = lock(&opened.roles).get(path) {
            return Ok(role.clone());
        }
        let options =
            FindOptions { paths: vec![path.to_owned()], force_exclude: true, ..FindOptions::default() };
        let mut found = opened.session()?.find(options)?.checked;
        let role = match (found.files.pop(), found.skipped.first().map(|it| it.reason)) {
            (Some(file), _) => FileRole::Draft(file),
            (
                None,
                Some(SkipReason::Rule | SkipReason::Schema | SkipReason::Baseline | SkipReason::Settings),
            ) => FileRole::Own,
            _ => FileRole::Other,
        };
        if !by_text {
            lock(&opened.roles).insert(path.to_owned(), role.clone());
        }
        Ok(role)
    }

    /// The file of a text, if it is one to check.
    pub(crate) fn file(&self, subject: &Subject) -> Result<Option<InputFile>> {
        if subject.text.len() > MAX_TEXT {
            return Ok(None);
        }
        let Some(path) = &subject.path else {
            let met = if subject.is_named { KindHint::Explicit } else { KindHint::Discovered };
            return Ok(Some(InputFile { name: subject.name.clone(), path: None, met }));
        };
        Ok(match self.role(path)? {
            _ if subject.is_named => Some(InputFile::named(path)),
            FileRole::Draft(file) => Some(file),
            FileRole::Own | FileRole::Other => None,
        })
    }

    /// The source of a text.
    pub(crate) fn source(&self, subject: &Subject, file: &InputFile) -> Source<'static> {
        let source = file.source(subject.text.as_bytes().to_vec(), &self.repository);
        let Ok(session) = self.session() else { return source };
        match session.config_of(file) {
            Ok(config) => session.configured(source, &config, file),
            Err(_) => source,
        }
    }

    /// The hint for the kinds of a file's documents.
    pub(crate) fn hint(&self, file: &InputFile) -> Result<KindHint> {
        let session = self.session()?;
        let config = session.config_of(file).map_err(ProjectProblem::from)?;
        Ok(session.kind_hint(&config, file))
    }

    /// Checks a text, and looks at what was found in it; `None` if it is not a draft.
    pub(crate) fn check<T>(
        &self,
        subject: &Subject,
        look: impl FnOnce(&Parsed<'_>, &FileReport) -> T,
    ) -> Result<Option<(FileReport, T)>> {
        let Some(file) = self.file(subject)? else {
            return match subject.path.as_deref().map(|path| (path, self.role(path))) {
                Some((path, Ok(FileRole::Own))) => self.validate(path).map(|()| None),
                _ => Ok(None),
            };
        };
        let source = self.source(subject, &file);
        let parsed = Parsed::of(&source, subject.format);
        let report = self.check_parsed(&file, &parsed)?;
        let seen = look(&parsed, &report);
        Ok(Some((report, seen)))
    }

    /// Checks a parsed text among all other drafts.
    fn check_parsed(&self, file: &InputFile, parsed: &Parsed<'_>) -> Result<FileReport> {
        let opened = self.opened();
        let session = opened.session()?;
        let config = session.config_of(file).map_err(ProjectProblem::from)?;
        let mut own = Batch::default();
        own.read(parsed, session.kind_hint(&config, file));
        let others = if own.is_empty() {
            Batch::default()
        } else {
            lock(&self.numbers).others(&self.canonical(file.place()), &own)
        };
        let mut report = session.check_among(file, parsed, others)?;
        if let Some(path) = config.baseline().filter(|_| !session.options().linter.no_ignores) {
            let mut baseline = self.baseline(&opened, &path)?;
            let locked = &config.settings.locked_rules;
            baseline
                .mark(parsed.source().identity(), &mut report.report.findings, |it| names_rule(locked, it));
        }
        Ok(report)
    }

    fn baseline(&self, opened: &OpenSession, path: &Path) -> Result<Baseline> {
        let mut baselines = lock(&opened.baselines);
        if !baselines.contains_key(path) {
            let read = Baseline::read(&*self.overlay, path, &[]).map_err(ProjectError::from)?;
            baselines.insert(path.to_owned(), Arc::new(read));
        }
        Ok(baselines[path].as_ref().clone())
    }

    /// The text with all fixes that a fixer applies; `None` if nothing changes.
    pub(crate) fn fixed(&self, subject: &Subject, fixer: Fixer) -> Result<Option<String>> {
        let Some(file) = self.file(subject)? else { return Ok(None) };
        let source = self.source(subject, &file);
        let parsed = Parsed::of(&source, subject.format);
        let mut failure = None;
        let mut check = |parsed: &Parsed<'_>| match self.check_parsed(&file, parsed) {
            Ok(report) => report.report,
            Err(problem) => {
                failure = Some(problem);
                Report::default()
            }
        };
        let report = check(&parsed);
        let fixed = fixer.fix(&parsed, &report, &mut check);
        failure.map_or_else(|| Ok(fixed.map(|fixed| fixed.source.text().to_owned())), Err)
    }

    /// Whether the settings and rules around a file can be used.
    fn validate(&self, path: &Path) -> Result<()> {
        let session = self.session()?;
        let draft = InputFile::named(&path.with_file_name("draft.json"));
        let config = session.config_of(&draft)?;
        session.linter_of(&config, &draft)?;
        Ok(())
    }

    /// The path without links, by which the numbers of a file are known.
    fn canonical(&self, path: &Path) -> PathBuf {
        self.overlay.canonical(path).unwrap_or_else(|_| path.to_owned())
    }

    /// Sets the numbers of an open document, and returns those that changed.
    pub(crate) fn set_numbers(&self, path: &Path, batch: &Batch) -> BTreeSet<String> {
        lock(&self.numbers).set(&self.canonical(path), batch)
    }

    /// Whether a file names one of some numbers.
    pub(crate) fn names_any(&self, path: &Path, numbers: &BTreeSet<String>) -> bool {
        lock(&self.numbers).names_any(&self.canonical(path), numbers)
    }

    /// Reads the numbers of all drafts below folders, and returns those that changed. Ends early if `stop` is set.
    pub(crate) fn scan(&self, folders: &[PathBuf], stop: &AtomicBool) -> Result<BTreeSet<String>> {
        let session = self.session()?;
        let found = session.find(FindOptions { paths: folders.to_vec(), ..FindOptions::default() })?.checked;
        let mut changed = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for file in &found.files {
            if stop.load(Ordering::Relaxed) {
                return Ok(changed);
            }
            let path = self.canonical(file.place());
            let batch = self.numbers_in(file).unwrap_or_default();
            changed.extend(lock(&self.numbers).set(&path, &batch));
            seen.insert(path);
        }
        let mut numbers = lock(&self.numbers);
        let gone =
            |path: &&PathBuf| !seen.contains(*path) && folders.iter().any(|folder| path.starts_with(folder));
        let gone: Vec<PathBuf> = numbers.files().filter(gone).cloned().collect();
        gone.iter().for_each(|path| changed.extend(numbers.set(path, &Batch::default())));
        Ok(changed)
    }

    /// Reads the numbers of one file again, after it changed on the disk.
    pub(crate) fn scan_file(&self, path: &Path) -> BTreeSet<String> {
        let batch = match self.role(path) {
            Ok(FileRole::Draft(file)) => self.numbers_in(&file).unwrap_or_default(),
            _ => Batch::default(),
        };
        self.set_numbers(path, &batch)
    }

    fn numbers_in(&self, file: &InputFile) -> Option<Batch> {
        if self.overlay.size(file.place())? > MAX_TEXT as u64 || Format::of_any_path(file.place()).is_none() {
            return None;
        }
        let hint = self.hint(file).ok()?;
        let source = file.source(self.overlay.read(file.place()).ok()?, &self.repository);
        let mut batch = Batch::default();
        batch.read(&Parsed::of(&source, None), hint);
        Some(batch)
    }

    /// The kind to suggest fields of, for a text that has no keys yet: what the settings say, or a submit request.
    pub(crate) fn default_kind(&self, hint: KindHint) -> Kind {
        let choice = match hint {
            KindHint::Forced(choice) | KindHint::Filter(choice) | KindHint::Configured(choice) => choice,
            _ => Default::default(),
        };
        let role = choice.role.unwrap_or(tollproof_core::KindRole::Submit);
        choice.provider.unwrap_or_default().kind(role).unwrap_or_else(|| Kind::of(role))
    }
}

impl OpenSession {
    fn new(overlay: &Arc<Overlay>, options: SessionOptions) -> Self {
        let files: Arc<dyn Files> = Arc::clone(overlay) as Arc<dyn Files>;
        let session = Session::new(files, options).map(Arc::new).map_err(Arc::new);
        Self { session, since: Instant::now(), roles: Mutex::default(), baselines: Mutex::default() }
    }

    fn session(&self) -> Result<Arc<Session>> {
        self.session.clone().map_err(|error| ProjectProblem::of(&error))
    }
}

impl ProjectProblem {
    fn of(error: &ProjectError) -> Self {
        use tollproof_project::ConfigError;
        match error {
            ProjectError::Config(ConfigError::Invalid(error)) => Self::Invalid(vec![(**error).clone()]),
            ProjectError::Invalid(errors) => Self::Invalid(errors.clone()),
            error => Self::Failure(error.to_string()),
        }
    }
}

impl From<ProjectError> for ProjectProblem {
    fn from(error: ProjectError) -> Self {
        Self::of(&error)
    }
}

impl From<tollproof_project::ConfigError> for ProjectProblem {
    fn from(error: tollproof_project::ConfigError) -> Self {
        Self::of(&ProjectError::from(error))
    }
}

impl fmt::Debug for EditorProject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Project").field("overlay", &self.overlay).finish_non_exhaustive()
    }
}

/// Ignores poisoning: a panic in another thread cannot leave this data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
