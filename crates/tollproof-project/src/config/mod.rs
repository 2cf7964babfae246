//! `tollproof.yaml`: finds the configuration of each file in the folders above it and reads it strictly.

mod globs;
mod secrets;
mod settings;
#[cfg(test)]
mod tests;
mod user_keys;

use std::collections::HashMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::SignedDuration;
use tollproof_core::{
    ColumnNames, Kind, KindChoice, Level, Parameters, Provider, SeenFacts, StrictError, decode, names_rule,
};
use tollproof_history::{Location, name_of, reason};

pub use self::globs::{Globs, Pattern};
use self::secrets::masked;
pub use self::settings::{
    FailOn, HistorySetting, IgnoreSetting, ProviderSetting, RuleSetting, SchemaSetting, Settings,
};
use crate::boundary::{Boundary, is_on_network};
use crate::files::{Disk, Files};
use crate::line_store::{FACTS_NAME, READINGS_NAME};
use crate::repository::without_dots;

/// The name of the configuration file.
pub const CONFIG_NAME: &str = "tollproof.yaml";

/// The rule that `require-readings` turns on.
const NOT_READ: &str = "content/not-read";

/// The settings of one configuration file, or the defaults if there is none.
#[derive(Debug, Default)]
pub struct ConfigFile {
    /// The settings in the file.
    pub settings: Settings,
    /// The file, if there is one.
    pub path: Option<PathBuf>,
    /// The content of the file.
    pub text: String,
    /// The histories that the file names. `history_locations` says which of them may be opened.
    pub(crate) history: Vec<Location>,
    /// The fields of columns with names of their own.
    pub columns: Arc<ColumnNames>,
    /// The folder that globs and paths are relative to.
    folder: PathBuf,
}

/// A configuration's error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the settings `{name}`: {}", reason(error))]
    Unreadable {
        /// The name of the file, as reports show it.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file is a link whose target does not exist.
    #[error("cannot read the settings `{0}`: the link has no target")]
    BrokenLink(String),
    /// The file contains an invalid setting.
    #[error(transparent)]
    Invalid(Box<StrictError>),
}

/// The configurations of all files of a run.
#[derive(Debug)]
pub struct Configs {
    /// The configuration of every file; `None` if each file has its nearest one.
    only: Option<Arc<ConfigFile>>,
    none: Arc<ConfigFile>,
    here: PathBuf,
    files: Arc<dyn Files>,
    /// The nearest configuration of each folder, by the folder's absolute path.
    nearest: Mutex<HashMap<PathBuf, Arc<ConfigFile>>>,
}

impl Configs {
    /// Uses the same configuration for every file.
    #[must_use]
    pub fn only(config: ConfigFile) -> Self {
        Self { only: Some(Arc::new(config)), ..Self::nearest(Arc::new(Disk)) }
    }

    /// Uses the nearest `tollproof.yaml` for each file: in its folder or above, but not above its repository.
    #[must_use]
    pub fn nearest(files: Arc<dyn Files>) -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        Self { only: None, none: Arc::default(), here, files, nearest: Mutex::default() }
    }

    /// The configuration of a file.
    ///
    /// # Errors
    ///
    /// A configuration that cannot be read or is invalid.
    pub fn of(&self, file: &Path) -> Result<Arc<ConfigFile>, ConfigError> {
        self.of_folder(file.parent().unwrap_or(Path::new("")))
    }

    /// The configuration of the files in a folder.
    ///
    /// # Errors
    ///
    /// Those of [`Configs::of`].
    pub fn of_folder(&self, folder: &Path) -> Result<Arc<ConfigFile>, ConfigError> {
        if let Some(only) = &self.only {
            return Ok(Arc::clone(only));
        }
        let folder = without_dots(&self.here.join(folder));
        let mut passed = Vec::new();
        let mut found = Arc::clone(&self.none);
        let mut nearest = self.nearest.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in folder.ancestors() {
            if let Some(known) = nearest.get(folder) {
                found = Arc::clone(known);
                break;
            }
            passed.push(folder);
            let path = folder.join(CONFIG_NAME);
            let text = Boundary::of(&*self.files, &path).check(&*self.files, &path);
            match text.and_then(|()| self.files.read_to_string(&path)) {
                Ok(text) => {
                    found = Arc::new(ConfigFile::load(&*self.files, text, &path)?);
                    break;
                }
                // Not an error: `folder` may itself be the path of a file. A broken link was meant as a configuration,
                // so it is an error.
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
                        && !self.files.is_link(&path) => {}
                Err(error) => return Err(unreadable(&*self.files, &path, error)),
            }
            if self.files.top() == Some(folder) || self.files.kind(&folder.join(".git")).is_some() {
                break;
            }
        }
        let known = passed.into_iter().map(|folder| (folder.to_owned(), Arc::clone(&found)));
        nearest.extend(known);
        Ok(found)
    }
}

impl ConfigFile {
    /// Reads the configuration file at `path`.
    ///
    /// # Errors
    ///
    /// Those of [`Configs::of`].
    pub fn read(files: &dyn Files, path: &Path) -> Result<Self, ConfigError> {
        let unreadable = |error| unreadable(files, path, error);
        let text = files.read_to_string(path).map_err(unreadable)?;
        let path = std::path::absolute(path).map_err(unreadable)?;
        Self::load(files, text, &path)
    }

    /// The name of the file in reports.
    pub fn name(&self) -> String {
        self.path.as_deref().map(relative).unwrap_or_default()
    }

    /// The folder that globs and paths are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes a path in the settings relative to the current folder.
    pub fn located(&self, path: &Path) -> PathBuf {
        near(&self.folder).join(path)
    }

    /// Whether the settings name a history.
    pub fn has_history(&self) -> bool {
        !self.history.is_empty()
    }

    /// The path of the baseline, if one is set.
    pub fn baseline(&self) -> Option<PathBuf> {
        self.settings.baseline.as_deref().map(|path| self.located(path))
    }

    /// The file with the facts about pages, which may not exist.
    pub fn facts(&self) -> PathBuf {
        self.located(self.settings.facts.as_deref().unwrap_or(Path::new(FACTS_NAME)))
    }

    /// Whether the file with the facts is below the folder of the settings, as its name says. A look writes no other: a
    /// project of others does not say where.
    pub fn is_own_facts(&self) -> bool {
        is_inner(self.settings.facts.as_deref()) && self.has_inside(&self.facts())
    }

    /// The file with the readings, which may not exist.
    pub fn readings(&self) -> PathBuf {
        self.located(self.settings.readings.as_deref().unwrap_or(Path::new(READINGS_NAME)))
    }

    /// Whether the file with the readings is below the folder of the settings, as [`ConfigFile::is_own_facts`] says of facts.
    pub fn is_own_readings(&self) -> bool {
        is_inner(self.settings.readings.as_deref()) && self.has_inside(&self.readings())
    }

    /// Whether no link leads from a path below the folder to elsewhere, as far as the path exists.
    fn has_inside(&self, path: &Path) -> bool {
        let folder =
            Some(&*self.folder).filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Ok(folder) = folder.canonicalize() else { return true };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let existing = path.ancestors().find_map(|ancestor| ancestor.canonicalize().ok());
        existing.is_none_or(|it| it.starts_with(&folder))
    }

    /// The age at which facts are old.
    pub fn facts_max_age(&self) -> SignedDuration {
        let days = self.settings.facts_max_age.map(|days| SignedDuration::from_hours(i64::from(days) * 24));
        days.unwrap_or(SeenFacts::MAX_AGE)
    }

    /// The folders with the user's rules.
    pub fn rule_dirs(&self) -> impl Iterator<Item = PathBuf> {
        self.settings.rule_dirs.iter().map(|folder| self.located(folder))
    }

    /// The files of the user's schemas.
    pub fn schemas(&self) -> impl Iterator<Item = PathBuf> {
        self.settings.schemas.iter().map(|entry| self.located(&entry.schema))
    }

    /// The indexes of the entries of `schemas` that apply to a file.
    pub fn schemas_of(&self, path: &Path) -> Vec<usize> {
        let Settings { schemas, .. } = &self.settings;
        let Some(path) = self.seen_if(!schemas.is_empty(), path) else { return Vec::new() };
        let entries = schemas.iter().enumerate();
        entries.filter(|(_, entry)| entry.files.matches(&path)).map(|(at, _)| at).collect()
    }

    /// Whether a folder walk reads a file.
    pub fn takes(&self, path: &Path) -> bool {
        let Settings { include, exclude, .. } = &self.settings;
        if include.is_none() && exclude.is_empty() {
            return true;
        }
        let Some(path) = self.seen(path) else { return true };
        let matches = |globs: &[Pattern]| globs.iter().any(|glob| glob.matches(&path));
        include.as_ref().is_none_or(|include| matches(include)) && !matches(exclude)
    }

    /// Whether a folder walk may read notes or a program.
    pub fn takes_form(&self, path: &Path) -> bool {
        let Some(forms) = &self.settings.forms else { return true };
        self.seen(path).is_some_and(|path| forms.iter().any(|glob| glob.matches(&path)))
    }

    /// The provider and the kind that `provider` and `kinds` assign to a file.
    pub fn kind_choice(&self, path: &Path) -> KindChoice {
        let role = self.kind_entry(path).map(|(_, kind)| kind.role());
        KindChoice { provider: self.provider_of(path), role }
    }

    /// The provider of all files, if `provider` names one.
    pub fn provider(&self) -> Option<Provider> {
        match self.settings.provider {
            ProviderSetting::All(provider) => Some(provider),
            ProviderSetting::Open | ProviderSetting::ByFile(_) => None,
        }
    }

    /// The provider that `provider` assigns to a file.
    fn provider_of(&self, path: &Path) -> Option<Provider> {
        match &self.settings.provider {
            ProviderSetting::Open => None,
            ProviderSetting::All(provider) => Some(*provider),
            ProviderSetting::ByFile(globs) => globs.of(&self.seen(path)?).map(|(_, provider)| *provider),
        }
    }

    /// Like [`ConfigFile::kind_choice`], with the glob that matches.
    pub fn kind_entry(&self, path: &Path) -> Option<(&Pattern, &Kind)> {
        let Settings { kinds, .. } = &self.settings;
        kinds.of(&self.seen_if(!kinds.is_empty(), path)?)
    }

    /// The entry of `globs` that counts for a file, or all entries without one.
    pub fn counting<'g, T, U>(
        &self,
        globs: &'g Globs<T>,
        file: Option<&Path>,
        value: impl Fn(&T) -> U,
    ) -> Vec<(&'g Pattern, U)> {
        let entries: Vec<&(Pattern, T)> = match file {
            None => globs.iter().collect(),
            Some(file) => self
                .seen(file)
                .and_then(|file| globs.iter().find(|(glob, _)| glob.matches(&file)))
                .into_iter()
                .collect(),
        };
        entries.into_iter().map(|(glob, it)| (glob, value(it))).collect()
    }

    /// The id of the record that `records` assigns to the update requests of a file.
    pub fn record_of(&self, path: &Path) -> Option<&str> {
        self.record_entry(path).map(|(_, id)| id.as_str())
    }

    /// Like [`ConfigFile::record_of`], with the glob that matches.
    pub fn record_entry(&self, path: &Path) -> Option<(&Pattern, &String)> {
        let Settings { records, .. } = &self.settings;
        records.of(&self.seen_if(!records.is_empty(), path)?)
    }

    /// The levels of rules and groups for a file. A locked rule has at least the level that it has for all files.
    pub fn levels_of(&self, path: &Path) -> Vec<(String, Level)> {
        let Settings { rules, locked_rules, require_readings, .. } = &self.settings;
        let path = self.seen_if(rules.values().any(|setting| !setting.files.is_empty()), path);
        let here = |setting: &RuleSetting| {
            let of_glob = path.as_deref().and_then(|path| setting.files.of(path)).map(|(_, level)| *level);
            of_glob.or(setting.level)
        };
        let locked = |setting: &RuleSetting| {
            let levels = here(setting).into_iter().chain(setting.level);
            levels.filter(|level| *level != Level::Off).max_by_key(|level| level.severity())
        };
        let own = rules.iter().filter_map(|(name, setting)| {
            let level = if names_rule(locked_rules, name) { locked(setting) } else { here(setting) };
            Some((name.clone(), level?))
        });
        // If both a rule and its group are locked, the globs of the group must not lower the rule.
        let has_own = |name: &&String| rules.get(*name).and_then(locked).is_some();
        let of_group = locked_rules.iter().filter(|name| !has_own(name)).filter_map(|name| {
            let (group, _) = name.split_once('/')?;
            Some((name.clone(), locked(rules.get(group)?)?))
        });
        let is_required = *require_readings && !rules.contains_key(NOT_READ);
        let required = is_required.then(|| (NOT_READ.to_owned(), Level::Error));
        own.chain(of_group).chain(required).collect()
    }

    /// The indexes of the entries of `ignore` that apply to a file.
    pub fn ignores_of(&self, path: &Path) -> Vec<usize> {
        let Settings { ignore, .. } = &self.settings;
        let path = self.seen_if(ignore.iter().any(|entry| entry.files.is_some()), path);
        let is_meant = |entry: &IgnoreSetting| {
            let Some(files) = &entry.files else { return true };
            path.as_deref().is_some_and(|path| files.matches(path))
        };
        let entries = ignore.iter().enumerate();
        entries.filter(|(_, entry)| is_meant(entry)).map(|(at, _)| at).collect()
    }

    /// Whether a pattern has no wildcards and names this file.
    pub fn names(&self, pattern: &Pattern, file: &Path) -> bool {
        pattern.is_literal() && self.seen(file).is_some_and(|file| Path::new(pattern.path()) == file)
    }

    /// The parameters that the configuration sets for rules.
    pub fn parameters(&self) -> Vec<Parameters> {
        let set = self.settings.rules.iter().filter(|(_, it)| !it.with.is_empty() || !it.add.is_empty());
        set.map(|(rule, it)| Parameters { rule: rule.clone(), with: it.with.clone(), add: it.add.clone() })
            .collect()
    }

    /// An error about the key at a pointer into the file.
    pub fn error(&self, pointer: &str, message: String, help: Option<String>) -> Box<StrictError> {
        masked(StrictError::at_key(&self.name(), &self.text, pointer, message, help))
    }

    /// Reads the text of a file. A link can lead to a file that is not settings, so errors quote nothing of such a file.
    fn load(files: &dyn Files, text: String, path: &Path) -> Result<Self, ConfigError> {
        let config = Self::parse(text, path).and_then(|config| config.check_paths(files).map(|()| config));
        config.map_err(|error| match error {
            ConfigError::Invalid(error) if !Boundary::of(files, path).may_quote(files, path) => {
                ConfigError::Invalid(error.without_quotes("settings"))
            }
            error => error,
        })
    }

    /// The boundary of the repository that the settings are for.
    pub(crate) fn boundary(&self, files: &dyn Files) -> Boundary {
        Boundary::of(files, &self.folder.join(CONFIG_NAME))
    }

    /// Refuses paths in the settings that links lead out of the repository, or that are on another machine.
    fn check_paths(&self, files: &dyn Files) -> Result<(), ConfigError> {
        let Settings { rule_dirs, schemas, history, facts, readings, baseline, .. } = &self.settings;
        let history = history.iter().map(|HistorySetting(location)| match location {
            Location::Files(path) => Some(Path::new(path)),
            Location::Sqlite(path) => Some(path.as_path()),
            Location::Postgres(_) => None,
        });
        let indexed = |list: &'static str| move |(at, path)| (format!("/{list}/{at}"), path);
        let paths = rule_dirs.iter().map(PathBuf::as_path).enumerate().map(indexed("rule-dirs"));
        let paths = paths
            .chain(schemas.iter().map(|entry| entry.schema.as_path()).enumerate().map(indexed("schemas")));
        let history = history.enumerate().filter_map(|(at, path)| Some((at, path?)));
        let paths = paths.chain(history.map(indexed("history")));
        let single = [("/facts", facts), ("/readings", readings), ("/baseline", baseline)];
        let single = single.into_iter().filter_map(|(key, path)| Some((key.to_owned(), path.as_deref()?)));
        let boundary = self.boundary(files);
        for (pointer, path) in paths.chain(single) {
            let checked = if is_on_network(path) {
                Err(io::Error::other("a project names no file on another machine; use a copy of the file"))
            } else {
                boundary.check(files, &self.located(path))
            };
            checked.map_err(|error| {
                let message = format!("cannot read `{}`: {error}", name_of(path));
                ConfigError::Invalid(self.error(&pointer, message, None))
            })?;
        }
        Ok(())
    }

    fn parse(text: String, path: &Path) -> Result<Self, ConfigError> {
        let folder = without_dots(path.parent().unwrap_or(Path::new("")));
        let settings = if is_blank(&text) {
            Settings::default()
        } else {
            decode(&relative(path), &text).map_err(|error| {
                let about_key = user_keys::error(&error.file, &error.text);
                ConfigError::Invalid(masked(about_key.unwrap_or(error)))
            })?
        };
        #[cfg(not(feature = "json-schema"))]
        if !settings.schemas.is_empty() {
            use crate::house_schema::{HELP_WITHOUT_SCHEMAS, WITHOUT_SCHEMAS};
            let help = Some(HELP_WITHOUT_SCHEMAS.to_owned());
            let error = StrictError::at_key(&relative(path), &text, "/schemas", WITHOUT_SCHEMAS, help);
            return Err(ConfigError::Invalid(error));
        }
        let below = near(&folder);
        let history = settings
            .history
            .iter()
            .map(|HistorySetting(location)| location.clone().below(&below).of_project())
            .collect();
        let columns = settings.columns.iter().map(|(column, field)| (column.clone(), field.clone()));
        let columns = Arc::new(columns.collect());
        Ok(Self { settings, path: Some(path.to_owned()), text, history, columns, folder })
    }

    /// A path relative to the folder of the configuration, as globs match it; `None` for a path outside of that
    /// folder.
    fn seen(&self, path: &Path) -> Option<PathBuf> {
        let path = without_dots(&std::path::absolute(path).ok()?);
        path.strip_prefix(&self.folder).ok().map(Path::to_owned)
    }

    /// The same only if some setting has globs: most projects have none, and some have very many files.
    fn seen_if(&self, has_globs: bool, path: &Path) -> Option<PathBuf> {
        if has_globs { self.seen(path) } else { None }
    }
}

fn unreadable(files: &dyn Files, path: &Path, error: io::Error) -> ConfigError {
    let name = relative(path);
    match error.kind() {
        io::ErrorKind::NotFound if files.is_link(path) => ConfigError::BrokenLink(name),
        _ => ConfigError::Unreadable { name, error },
    }
}

/// The folder relative to the current folder if it is below it, so that names in reports stay short.
fn near(folder: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    folder.strip_prefix(&here).map_or_else(|_| folder.to_owned(), Path::to_owned)
}

/// The path relative to the current folder if it is below it.
fn relative(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    name_of(path.strip_prefix(here).unwrap_or(path))
}

/// Whether a text contains only whitespace, comments and document markers.
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').lines().all(|line| {
        let said = line.split_once(" #").map_or(line, |(said, _)| said).trim();
        said.is_empty() || said.starts_with('#') || matches!(said, "---" | "...")
    })
}

/// Whether a path of the settings, if there is one, cannot lead out of their folder.
fn is_inner(path: Option<&Path>) -> bool {
    let mut components = path.into_iter().flat_map(Path::components);
    components.all(|component| matches!(component, Component::Normal(_) | Component::CurDir))
}
