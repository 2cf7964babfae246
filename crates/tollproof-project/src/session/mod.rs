//! A session: checks texts with the settings of their folders and the history of their numbers.

mod cells;
mod checker;
mod compressed;
mod drafts;
mod event;
mod explain;
mod find;
mod given;
mod numbers;
mod options;
mod parts;
mod run;
mod shared_run;
mod sheet_cells;
mod stored;
mod table_cells;
#[cfg(test)]
mod tests;
mod text;
mod units;
#[cfg(feature = "workbooks")]
mod workbook;
mod workers;

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use tollproof_core::{
    Answer, Batch, Facts, History, Kind, KindChoice, KindHint, Linter, Parsed, Provider, References, Report,
    Source, SourceDocument, Submission, UserRule, kind_of,
};
use tollproof_history::{Host, Location, QueryResult};

pub use self::drafts::{CellPlace, DraftTable, DraftView, TextDrafts, WrittenValue};
pub use self::event::RunEvent;
pub use self::explain::ExplainError;
pub use self::find::{FindOptions, ProjectFiles};
pub use self::given::GivenText;
pub use self::options::RunOptions;
pub use self::run::Run;
pub use self::stored::StoredFacts;
pub use self::text::{CheckedText, FileReport, RunItem};
use self::units::UnitReader;
use crate::config::{ConfigFile, Configs};
use crate::discover::{FoundFiles, InputFile};
use crate::error::Result;
use crate::files::Files;
use crate::fix::FixOutcome;
use crate::histories::{Histories, RecordError, RelatedTexts, read_record};
use crate::history_locations::{history_locations, project_histories};
use crate::linter_cache::{LinterCache, LinterOptions};
use crate::output_guard::{InputRole, OutputGuard};
use crate::repository::Repository;

/// Options of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The settings and rules.
    pub linter: LinterOptions,
    /// The provider and the kind of every document, whatever its keys are.
    pub kind: KindChoice,
    /// The histories to use instead of those in the settings.
    pub history: Vec<String>,
    /// The histories that are opened.
    pub histories: OpenHistories,
    /// The host whose submissions and reservations count; the provider's own servers by default.
    pub host: Host,
    /// The file with facts about pages to use instead of those in the settings.
    pub facts: Option<PathBuf>,
    /// The file with readings to use instead of those in the settings.
    pub readings: Option<PathBuf>,
    /// Whether readings may turn errors of words into warnings. Nothing that decides whether a draft is sent sets this.
    pub readings_lower_errors: bool,
    /// The record that the only draft changes.
    pub record: Option<PathBuf>,
    /// Receipt time of the authority's notification, which update requests answer.
    pub notified_at: Option<Timestamp>,
    /// The current time. Without it, rules that depend on elapsed time report nothing.
    pub now: Option<Timestamp>,
}

/// The histories that a session opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpenHistories {
    /// Those that options name, else those of the settings. A server of a project must be listed in the user's own settings.
    #[default]
    All,
    /// The same without servers that a project names: opening a folder in an editor connects to none.
    NoProjectServers,
    /// None.
    None,
}

/// The settings, linters, histories, facts and readings of a project, each loaded when a text first needs it.
///
/// Settings and rules are read once. A long-running front end creates a new session when one of them changes.
#[derive(Debug)]
pub struct Session {
    files: Arc<dyn Files>,
    options: SessionOptions,
    linters: LinterCache,
    /// By the configurations that name them.
    histories: Mutex<HashMap<Option<PathBuf>, SharedHistories>>,
    /// By the configurations that name them.
    stored: Mutex<HashMap<Option<PathBuf>, StoredFacts>>,
    record: Option<Submission>,
    repository: Repository,
}

/// Histories that several threads use, one at a time.
type SharedHistories = Arc<Mutex<Histories>>;

impl Session {
    /// Reads the configuration and the record if they are named.
    ///
    /// # Errors
    ///
    /// A named configuration or record that cannot be used.
    pub fn new(files: Arc<dyn Files>, options: SessionOptions) -> Result<Self> {
        let linters = LinterCache::new(Arc::clone(&files), options.linter.clone())?;
        let record = options.record.as_deref().map(|path| read_record(&*files, path)).transpose()?;
        let repository = Repository::within(files.top());
        let (histories, stored) = Default::default();
        Ok(Self { files, options, linters, histories, stored, record, repository })
    }

    /// Checks one text: a file, or the open buffer of an editor.
    ///
    /// # Errors
    ///
    /// Settings, rules or histories that cannot be used, and a record that does not belong to the text.
    pub fn check(&self, file: &InputFile, parsed: &Parsed<'_>) -> Result<FileReport> {
        self.check_among(file, parsed, Batch::default())
    }

    /// Checks one text. `others` are the numbers that other drafts name.
    ///
    /// # Errors
    ///
    /// Those of [`Session::check`].
    pub fn check_among(&self, file: &InputFile, parsed: &Parsed<'_>, others: Batch) -> Result<FileReport> {
        let config = self.config_of(file)?;
        let QueryResult { history, texts } = self.look_up(&config, &[(file, parsed)], 1)?;
        let linter = self.linter_of(&config, file)?;
        let record_id = config.record_of(file.place()).map(str::to_owned);
        let StoredFacts { seen, readings } = self.stored_of(&config)?.0;
        let facts = Facts { history, record_id, batch: others, seen, readings, ..self.facts() };
        let report = linter.check(parsed, self.kind_hint(&config, file), &facts);
        Ok(FileReport {
            report,
            before: Vec::new(),
            fix: FixOutcome::Unchanged,
            config,
            related: self.related(texts),
        })
    }

    /// Explains a provider's answer to a draft.
    ///
    /// # Errors
    ///
    /// Settings, rules or histories that cannot be used.
    pub fn explain(&self, file: &InputFile, document: SourceDocument<'_>, answer: &Answer) -> Result<Report> {
        let config = self.config_of(file)?;
        let linter = self.linters.of(&config, file.place())?;
        let (histories, _) = self.histories_of(&config)?;
        // The history may contain the time of the notification.
        let records = answer.record_id().into_iter().map(str::to_owned).collect();
        let found = lock(&histories).look_up(References { records, ..References::default() })?;
        let noted = answer.record_id().and_then(|id| found.history.of_id(id)?.notified_at);
        let notified_at = self.options.notified_at.or(noted);
        let StoredFacts { seen, readings } = self.stored_of(&config)?.0;
        let facts =
            Facts { notified_at, record: None, history: History::default(), seen, readings, ..self.facts() };
        Ok(linter.explain(document, self.kind_hint(&config, file), answer, &facts))
    }

    /// Starts a run over files that were found. `stdin` is read if they include standard input.
    pub fn run(
        self: &Arc<Self>,
        found: Arc<ProjectFiles>,
        options: RunOptions,
        stdin: impl Read + Send + 'static,
    ) -> Run {
        Run::new(Arc::clone(self), found, options, UnitReader::new(Box::new(stdin)))
    }

    /// Starts a run over texts of the caller, as over the drafts of one file: the settings are those of `file`, and a number
    /// in two drafts is found. Items are taken by the threads of the run, a few before their findings are returned.
    pub fn run_texts(
        self: &Arc<Self>,
        file: InputFile,
        texts: impl Iterator<Item = Vec<GivenText>> + Send + 'static,
        options: RunOptions,
    ) -> Run {
        let checked = FoundFiles { files: vec![file], ..FoundFiles::default() };
        let found = Arc::new(ProjectFiles { checked, ..ProjectFiles::default() });
        Run::new(Arc::clone(self), found, options, UnitReader::given(Box::new(texts)))
    }

    /// Checks that a store may be written: it is not a file that a run over these files reads as something else.
    ///
    /// # Errors
    ///
    /// It is; or those of [`Session::output_guard`].
    pub fn check_store_path<'f>(
        &self,
        files: impl IntoIterator<Item = &'f InputFile>,
        path: &Path,
        role: InputRole,
    ) -> Result<()> {
        match self.output_guard(files)?.check([path]) {
            Err(conflict) if conflict.role != role => Err(conflict.into()),
            _ => Ok(()),
        }
    }

    /// All inputs of the session for some files, which no output may overwrite.
    ///
    /// # Errors
    ///
    /// Settings that cannot be used, or a history with an invalid name.
    pub fn output_guard<'f>(&self, files: impl IntoIterator<Item = &'f InputFile>) -> Result<OutputGuard> {
        let mut guard = OutputGuard::new(Arc::clone(&self.files));
        let mut configs = Vec::new();
        for file in files {
            if let Some(path) = &file.path {
                guard.add(path, InputRole::Draft);
            }
            configs.push(self.config_of(file)?);
        }
        for config in each_once(configs) {
            guard.add_config(&config, self.linters.rule_dirs(&config));
            guard.add_histories(self.locations(&config)?);
            guard.add(&self.facts_path(&config), InputRole::Facts);
            guard.add(&self.readings_path(&config), InputRole::Readings);
        }
        if let Some(path) = &self.options.record {
            guard.add(path, InputRole::Record);
        }
        Ok(guard)
    }

    /// The options of the session.
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// Sets the current time for the following checks.
    pub fn set_now(&mut self, now: Timestamp) {
        self.options.now = Some(now);
    }

    /// The configurations of all files.
    pub fn configs(&self) -> &Configs {
        self.linters.configs()
    }

    /// The configuration of a file.
    ///
    /// # Errors
    ///
    /// Settings that cannot be used.
    pub fn config_of(&self, file: &InputFile) -> Result<Arc<ConfigFile>> {
        Ok(self.configs().of(file.place())?)
    }

    /// The linter of a file.
    ///
    /// # Errors
    ///
    /// Settings or rules that cannot be used.
    pub fn linter_of(&self, config: &ConfigFile, file: &InputFile) -> Result<Arc<Linter>> {
        self.linters.of(config, file.place())
    }

    /// The hint for the kinds of a file's documents.
    pub fn kind_hint(&self, config: &ConfigFile, file: &InputFile) -> KindHint {
        kind_hint_of(self.options.kind, config, file)
    }

    /// The source that is read as the settings and options of its file say.
    pub fn configured<'s>(&self, source: Source<'s>, config: &ConfigFile, file: &InputFile) -> Source<'s> {
        let provider = self.kind_hint(config, file).provider();
        source.with_columns(Arc::clone(&config.columns)).for_provider(provider.map(Provider::name))
    }

    /// The same for a sheet of a workbook, which settings name as `clients.xlsx#Sheet`.
    pub(super) fn kind_hint_of_sheet(&self, config: &ConfigFile, file: &InputFile, sheet: &str) -> KindHint {
        let place = PathBuf::from(format!("{}#{sheet}", file.place().display()));
        let configured = config.kind_choice(&place).or(config.kind_choice(file.place()));
        kind_hint_by(self.options.kind, configured, file)
    }

    /// The locations of the histories that are opened.
    ///
    /// # Errors
    ///
    /// A history with an invalid name, or a server that a project may not name.
    pub fn locations(&self, config: &ConfigFile) -> Result<Vec<Location>> {
        match self.options.histories {
            OpenHistories::None => Ok(Vec::new()),
            OpenHistories::NoProjectServers if self.options.history.is_empty() => {
                project_histories(config, |location| !matches!(location, Location::Postgres(_)))
            }
            OpenHistories::All | OpenHistories::NoProjectServers => {
                history_locations(&self.options.history, config)
            }
        }
    }

    /// Opens the histories of a configuration. The first call returns the documents in them that are not records,
    /// later calls an empty list.
    ///
    /// # Errors
    ///
    /// A history that cannot be read.
    pub fn open_histories(&self, config: &ConfigFile) -> Result<Vec<String>> {
        Ok(self.histories_of(config)?.1)
    }

    /// The record that was named.
    pub fn record(&self) -> Option<&Submission> {
        self.record.as_ref()
    }

    /// The user's rules of all files checked so far.
    pub fn own_rules(&self) -> Vec<UserRule> {
        self.linters.own_rules()
    }

    /// The folders of the user's rules for a configuration.
    pub fn rule_dirs(&self, config: &ConfigFile) -> Vec<PathBuf> {
        self.linters.rule_dirs(config)
    }

    /// The texts that findings point into: these, by name, and files.
    pub fn related(&self, texts: HashMap<String, String>) -> RelatedTexts {
        RelatedTexts::new(texts, Arc::clone(&self.files))
    }

    /// Leaks the memory of the linters: the process ends soon, and freeing every rule takes longer.
    pub fn forget(self: Arc<Self>) {
        std::mem::forget(self);
    }

    /// Facts that do not depend on the text.
    fn facts(&self) -> Facts {
        Facts {
            record: self.record.clone(),
            notified_at: self.options.notified_at,
            now: self.options.now,
            ..Facts::default()
        }
    }

    /// The histories of a configuration and, when this call opens them, the documents in them that are not records.
    fn histories_of(&self, config: &ConfigFile) -> Result<(SharedHistories, Vec<String>)> {
        let mut all = lock(&self.histories);
        if let Some(histories) = all.get(&config.path) {
            return Ok((Arc::clone(histories), Vec::new()));
        }
        let histories = Histories::open(&self.locations(config)?, &self.options.host)?;
        let skipped = histories.skipped();
        let histories = Arc::new(Mutex::new(histories));
        all.insert(config.path.clone(), Arc::clone(&histories));
        Ok((histories, skipped))
    }

    /// Looks up the numbers of texts in the histories of a configuration. `all` is the number of texts in the whole
    /// run.
    fn look_up(
        &self,
        config: &ConfigFile,
        texts: &[(&InputFile, &Parsed<'_>)],
        all: usize,
    ) -> Result<QueryResult> {
        let (histories, _) = self.histories_of(config)?;
        let mut histories = lock(&histories);
        if !histories.are_known() && self.record.is_none() {
            return Ok(QueryResult::default());
        }
        let mut names = References::default();
        for (file, parsed) in texts {
            names.read(parsed);
            names.records.extend(config.record_of(file.place()).map(str::to_owned));
        }
        if self.record.is_some() {
            let is_submit = |&(file, parsed): &(&InputFile, &Parsed<'_>)| {
                let hint = self.kind_hint(config, file);
                let is_submit =
                    |document: SourceDocument<'_>| kind_of(&document, hint).is_some_and(Kind::is_submit);
                parsed.blocks().any(|block| block.documents().any(is_submit))
            };
            if texts.iter().any(is_submit) {
                return Err(RecordError::NotAnUpdate.into());
            }
            if names.documents != 1 || all != 1 {
                return Err(RecordError::SeveralDrafts.into());
            }
        }
        Ok(histories.look_up(names)?)
    }
}

/// Determines the kinds of a file's documents. `chosen` overrides all other ways.
fn kind_hint_of(chosen: KindChoice, config: &ConfigFile, file: &InputFile) -> KindHint {
    kind_hint_by(chosen, config.kind_choice(file.place()), file)
}

fn kind_hint_by(chosen: KindChoice, configured: KindChoice, file: &InputFile) -> KindHint {
    match (chosen.is_open(), configured.is_open()) {
        (false, _) if file.met == KindHint::Discovered => KindHint::Filter(chosen.or(configured)),
        (false, _) => KindHint::Forced(chosen.or(configured)),
        (true, false) => KindHint::Configured(configured),
        (true, true) => file.met,
    }
}

/// Removes duplicate configurations and keeps the order.
fn each_once(mut configs: Vec<Arc<ConfigFile>>) -> Vec<Arc<ConfigFile>> {
    let mut seen: HashSet<Option<PathBuf>> = HashSet::new();
    configs.retain(|config| seen.insert(config.path.clone()));
    configs
}

/// Ignores poisoning: a panic in another thread cannot leave this data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
