//! The linters of a project, one for each set of settings that its files have.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tollproof_core::document::member_pointer;
use tollproof_core::{
    Config as LinterConfig, HouseSchema, Level, Linter, LinterError, ParameterError, Provider, StrictError,
    UnknownRule, UserRule, is_always_on,
};

use crate::config::{ConfigFile, Configs};
use crate::error::{ProjectError, Result};
use crate::files::Files;
use crate::house_schema::HouseSchemas;
use crate::user_rules::read_project_rules;

/// A choice of configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConfigChoice {
    /// The nearest `tollproof.yaml` of each file.
    #[default]
    Nearest,
    /// This configuration for all files.
    File(PathBuf),
    /// No configuration.
    None,
}

/// The user's options, which are combined with the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinterOptions {
    /// A choice of configuration.
    pub config: ConfigChoice,
    /// Folders with the user's rules, in addition to those in the settings.
    pub rule_dirs: Vec<PathBuf>,
    /// The provider by whose schema and lists all drafts are judged.
    pub judged_by: Option<Provider>,
    /// Rules or groups that replace the default selection; empty keeps it.
    pub select: Vec<String>,
    /// Rules or groups that do not run.
    pub ignore: Vec<String>,
    /// Whether every finding counts: no comment, setting or baseline hides one.
    pub no_ignores: bool,
}

/// Linters by their settings. Each is created when a file first needs it.
#[derive(Debug)]
pub(crate) struct LinterCache {
    options: LinterOptions,
    configs: Configs,
    files: Arc<dyn Files>,
    /// By the configuration and its settings for a file.
    made: Mutex<HashMap<Key, Arc<Linter>>>,
    /// The user's rules, by the configuration and the folders that they come from.
    own: Mutex<HashMap<OwnKey, Arc<[UserRule]>>>,
    house_schemas: Mutex<HouseSchemas>,
}

/// Key of a linter: the configuration, and its levels, entries of `ignore` and schemas for a file.
type Key = (Option<PathBuf>, Vec<(String, Level)>, Vec<usize>, Vec<usize>);

/// The key of users' rules: the configuration decides which of them errors may quote.
type OwnKey = (Option<PathBuf>, Vec<PathBuf>);

impl LinterCache {
    /// Reads the configuration if one is named.
    ///
    /// # Errors
    ///
    /// A named configuration that cannot be used.
    pub(crate) fn new(files: Arc<dyn Files>, options: LinterOptions) -> Result<Self> {
        let configs = options.config.configs(&files)?;
        let (made, own) = (Mutex::default(), Mutex::default());
        Ok(Self { options, configs, files, made, own, house_schemas: Mutex::default() })
    }

    /// The user's options.
    pub(crate) fn options(&self) -> &LinterOptions {
        &self.options
    }

    /// The configurations of all files.
    pub(crate) fn configs(&self) -> &Configs {
        &self.configs
    }

    /// The linter for a file.
    ///
    /// # Errors
    ///
    /// Settings or user's rules that cannot be used.
    pub(crate) fn of(&self, config: &ConfigFile, file: &Path) -> Result<Arc<Linter>> {
        let ignores = self.ignores_of(config, file);
        let key = (config.path.clone(), config.levels_of(file), ignores, config.schemas_of(file));
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(linter) = made.get(&key) {
            return Ok(Arc::clone(linter));
        }
        let linter = Arc::new(self.make(config, &key.1, &key.2, &key.3)?);
        made.insert(key, Arc::clone(&linter));
        Ok(linter)
    }

    /// The user's rules of all linters created so far.
    pub(crate) fn own_rules(&self) -> Vec<UserRule> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rules: Vec<UserRule> = own.values().flat_map(|rules| rules.iter().cloned()).collect();
        rules.sort_by(|a, b| a.id.cmp(&b.id));
        rules.dedup_by(|a, b| a.id == b.id);
        rules
    }

    /// The folders of the user's rules for a configuration.
    pub(crate) fn rule_dirs(&self, config: &ConfigFile) -> Vec<PathBuf> {
        self.options.rule_dirs.iter().cloned().chain(config.rule_dirs()).collect()
    }

    /// The indexes of the entries of `ignore` for a file; empty with `--no-ignores`.
    fn ignores_of(&self, config: &ConfigFile, file: &Path) -> Vec<usize> {
        if self.options.no_ignores { Vec::new() } else { config.ignores_of(file) }
    }

    fn make(
        &self,
        config: &ConfigFile,
        levels: &[(String, Level)],
        ignores: &[usize],
        schemas: &[usize],
    ) -> Result<Linter> {
        let is_off = |level: Level| level == Level::Off;
        if let Some((name, _)) = levels.iter().find(|(name, level)| is_off(*level) && is_always_on(name)) {
            let message = format!("`{name}` reports what could not be read, so it cannot be off");
            let help = "Remove this line. `exclude` leaves out files that are not drafts.".to_owned();
            let pointer = member_pointer("/rules", name);
            return Err(ProjectError::Invalid(vec![*config.error(&pointer, message, Some(help))]));
        }
        let own = self.own_of(config)?;
        let settings = LinterConfig {
            vendor: config.settings.vendor.clone(),
            judged_by: self.options.judged_by,
            select: self.options.select.clone(),
            ignore: self.options.ignore.clone(),
            levels: levels.to_vec(),
            ignores: ignores.iter().map(|&at| config.settings.ignore[at].plain()).collect(),
            no_ignores: self.options.no_ignores,
            locked: config.settings.locked_rules.clone(),
        };
        let parameters = config.parameters();
        let builder = Linter::builder().rules(own.iter().cloned()).parameters(parameters).config(settings);
        let builder = builder.house_schemas(self.schemas_at(config, schemas)?);
        builder.build().map_err(|error| match error {
            LinterError::Rules(errors) => ProjectError::Invalid(errors),
            LinterError::Parameters(errors) => {
                ProjectError::Invalid(errors.into_iter().map(|error| *misplaced(config, error)).collect())
            }
            LinterError::UnknownRule(unknown) => self.unknown(config, unknown),
            other => unreachable!("{other}"),
        })
    }

    /// The user's schemas at these indexes of `schemas`.
    fn schemas_at(&self, config: &ConfigFile, entries: &[usize]) -> Result<Vec<Arc<dyn HouseSchema>>> {
        let mut house_schemas = self.house_schemas.lock().unwrap_or_else(PoisonError::into_inner);
        let schema = |&at: &usize| {
            let path = config.located(&config.settings.schemas[at].schema);
            house_schemas.of(&*self.files, &path).map_err(|error| {
                let help = error.help().map(str::to_owned);
                let pointer = format!("/schemas/{at}/schema");
                ProjectError::Invalid(vec![*config.error(&pointer, error.to_string(), help)])
            })
        };
        entries.iter().map(schema).collect()
    }

    /// The error for an unknown rule, which is named either by an option or by the configuration.
    fn unknown(&self, config: &ConfigFile, unknown: UnknownRule) -> ProjectError {
        let name = &unknown.name;
        if self.options.select.contains(name) || self.options.ignore.contains(name) {
            return ProjectError::UnknownRule(unknown);
        }
        let pointer = match config.settings.locked_rules.iter().position(|cell| cell == name) {
            Some(at) => format!("/locked-rules/{at}"),
            None => member_pointer("/rules", name),
        };
        let help = unknown.nearest.is_none().then(|| "`tollproof rule` lists all rules.".to_owned());
        ProjectError::Invalid(vec![*config.error(&pointer, unknown.to_string(), help)])
    }

    fn own_of(&self, config: &ConfigFile) -> Result<Arc<[UserRule]>> {
        let key = (config.path.clone(), self.rule_dirs(config));
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = own.get(&key) {
            return Ok(Arc::clone(rules));
        }
        let rules: Arc<[UserRule]> =
            read_project_rules(&*self.files, &self.options.rule_dirs, config)?.into();
        own.insert(key, Arc::clone(&rules));
        Ok(rules)
    }
}

impl ConfigChoice {
    /// The configurations of files for this choice.
    ///
    /// # Errors
    ///
    /// A named configuration that cannot be used.
    pub fn configs(&self, files: &Arc<dyn Files>) -> Result<Configs> {
        Ok(match self {
            Self::Nearest => Configs::nearest(Arc::clone(files)),
            Self::File(path) => Configs::only(ConfigFile::read(&**files, path)?),
            Self::None => Configs::only(ConfigFile::default()),
        })
    }
}

/// A linter with the built-in rules and the user's rules.
///
/// # Errors
///
/// All errors in the user's rules.
pub fn linter_with_rules(rules: &[UserRule]) -> Result<Linter> {
    Linter::builder().rules(rules.iter().cloned()).build().map_err(|error| match error {
        LinterError::Rules(errors) => ProjectError::Invalid(errors),
        other => unreachable!("only rules are set: {other}"),
    })
}

/// The error for invalid parameters, located at the setting in the configuration.
fn misplaced(config: &ConfigFile, error: ParameterError) -> Box<StrictError> {
    let pointer = member_pointer("/rules", &error.rule) + &error.pointer;
    config.error(&pointer, error.message, error.help.map(|help| help.into_owned()))
}
