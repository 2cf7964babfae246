//! The linters of a run, one for each set of settings that its files have.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tollproof_core::{
    Config as Settings, Level, Linter, Misfit, StrictError, UnknownRule, UserRule, is_always_on,
};

use crate::args::RulesArgs;
use crate::config::{Config, ConfigError, Configs};
use crate::files;
use crate::report::Failure;

/// How errors in rules and settings are laid out.
pub(super) type Strict<'a> = &'a dyn Fn(&[StrictError]) -> Failure;

/// Linters, made when a file first needs them.
pub(super) struct Linters<'a> {
    args: &'a RulesArgs,
    strict: Strict<'a>,
    configs: Configs,
    /// By the configuration and by what it says of a file.
    made: HashMap<Key, Rc<Linter>>,
    /// The rules of the user's own, by the folders that they come from.
    own: HashMap<Vec<PathBuf>, Rc<[UserRule]>>,
}

/// What a linter is made of beside the command line.
type Key = (Option<PathBuf>, Vec<(String, Level)>, Vec<usize>);

impl<'a> Linters<'a> {
    /// Reads the configuration that the command line names, if it names one.
    pub(super) fn new(args: &'a RulesArgs, strict: Strict<'a>) -> Result<Self, Failure> {
        let configs = match &args.config {
            _ if args.no_config => Configs::only(Config::default()),
            Some(path) => Configs::only(Config::of_file(path).map_err(|error| unusable(error, strict))?),
            None => Configs::nearest(),
        };
        Ok(Self { args, strict, configs, made: HashMap::new(), own: HashMap::new() })
    }

    /// The settings of a file.
    pub(super) fn config_of(&self, file: &Path) -> Result<Rc<Config>, Failure> {
        self.configs.of(file).map_err(|error| unusable(error, self.strict))
    }

    /// The settings of the files in a folder.
    pub(super) fn config_in(&self, folder: &Path) -> Result<Rc<Config>, Failure> {
        self.configs.of_folder(folder).map_err(|error| unusable(error, self.strict))
    }

    /// The linter for a file, by its settings.
    pub(super) fn of(&mut self, config: &Config, file: &Path) -> Result<Rc<Linter>, Failure> {
        let ignores = if self.args.no_ignores { Vec::new() } else { config.ignores_of(file) };
        let key = (config.path.clone(), config.levels_of(file), ignores);
        if let Some(linter) = self.made.get(&key) {
            return Ok(Rc::clone(linter));
        }
        let linter = Rc::new(self.make(config, &key.1, &key.2)?);
        self.made.insert(key, Rc::clone(&linter));
        Ok(linter)
    }

    /// The linter for the only file of a run, with the user's rules.
    pub(super) fn only_of(
        mut self,
        config: &Config,
        file: &Path,
    ) -> Result<(Linter, Vec<UserRule>), Failure> {
        let ignores = if self.args.no_ignores { Vec::new() } else { config.ignores_of(file) };
        let linter = self.make(config, &config.levels_of(file), &ignores)?;
        let own = self.own_rules();
        Ok((linter, own))
    }

    /// The user's rules of all linters so far.
    pub(super) fn own_rules(&self) -> Vec<UserRule> {
        let mut rules: Vec<UserRule> = self.own.values().flat_map(|rules| rules.iter().cloned()).collect();
        rules.sort_by(|a, b| a.id.cmp(&b.id));
        rules.dedup_by(|a, b| a.id == b.id);
        rules
    }

    /// The folders of the user's rules under a configuration.
    pub(super) fn rule_dirs(&self, config: &Config) -> Vec<PathBuf> {
        self.args.rules.iter().cloned().chain(config.rule_dirs()).collect()
    }

    /// The process ends soon; taking the rules apart one by one would be of no use to anyone.
    pub(super) fn forget(self) {
        std::mem::forget(self.made);
    }

    fn make(
        &mut self,
        config: &Config,
        levels: &[(String, Level)],
        ignores: &[usize],
    ) -> Result<Linter, Failure> {
        let is_off = |level: Level| level == Level::Off;
        if let Some((name, _)) = levels.iter().find(|(name, level)| is_off(*level) && is_always_on(name)) {
            let message = format!("`{name}` reports what could not be read; it cannot be off");
            let help = "Remove this line. `exclude` leaves out files that are not drafts.".to_owned();
            let pointer = format!("/rules/{}", name.replace('/', "~1"));
            return Err((self.strict)(&[*config.error(&pointer, message, Some(help))]));
        }
        let own = self.own_of(config)?;
        let mut linter = super::linter(&own, self.strict)?;
        let parameters = config.parameters();
        if !parameters.is_empty() {
            let errors = |misfits: Vec<Misfit>| {
                let errors: Vec<_> = misfits.into_iter().map(|misfit| *misplaced(config, misfit)).collect();
                (self.strict)(&errors)
            };
            linter = linter.with_parameters(&parameters, &own).map_err(errors)?;
        }
        let settings = Settings {
            vendor: config.settings.vendor.clone(),
            select: self.args.select.clone(),
            ignore: self.args.ignore.clone(),
            levels: levels.to_vec(),
            ignores: ignores.iter().map(|&at| config.settings.ignore[at].plain()).collect(),
            no_ignores: self.args.no_ignores,
            locked: config.settings.locked_rules.clone(),
        };
        linter.with_config(settings).map_err(|unknown| self.unknown(config, &unknown))
    }

    /// A name that is no rule: of the command line, or of the configuration.
    fn unknown(&self, config: &Config, unknown: &UnknownRule) -> Failure {
        let all = if unknown.nearest.is_none() { "`tollproof rule` lists all of them" } else { "" };
        let name = &unknown.name;
        if self.args.select.contains(name) || self.args.ignore.contains(name) {
            let all = if all.is_empty() { String::new() } else { format!("; {all}") };
            return Failure::new(format_args!("{unknown}{all}"));
        }
        let pointer = match config.settings.locked_rules.iter().position(|it| it == name) {
            Some(at) => format!("/locked-rules/{at}"),
            None => format!("/rules/{}", name.replace('~', "~0").replace('/', "~1")),
        };
        let help = (!all.is_empty()).then(|| format!("{all}."));
        (self.strict)(&[*config.error(&pointer, unknown.to_string(), help)])
    }

    fn own_of(&mut self, config: &Config) -> Result<Rc<[UserRule]>, Failure> {
        let folders = self.rule_dirs(config);
        if let Some(rules) = self.own.get(&folders) {
            return Ok(Rc::clone(rules));
        }
        let mut rules = Vec::new();
        for folder in &folders {
            rules.extend(files::rules(folder).map_err(Failure::new)?);
        }
        let rules: Rc<[UserRule]> = rules.into();
        self.own.insert(folders, Rc::clone(&rules));
        Ok(rules)
    }
}

/// Parameters that do not fit, where the configuration sets them.
fn misplaced(config: &Config, misfit: Misfit) -> Box<StrictError> {
    let rule = misfit.rule.replace('~', "~0").replace('/', "~1");
    let help = misfit.help.map(|help| help.into_owned());
    config.error(&format!("/rules/{rule}{}", misfit.pointer), misfit.message, help)
}

pub(super) fn unusable(error: ConfigError, strict: Strict<'_>) -> Failure {
    match error {
        ConfigError::Unreadable(message) => Failure::new(message),
        ConfigError::Invalid(error) => strict(&[*error]),
    }
}
