//! The rules that run, and their levels.

use std::borrow::Cow;

use tollproof_data::suggest::{did_you_mean, nearest};

use crate::finding::Severity;
use crate::rule::Rule;
use crate::rule::config::{Config, Level};

/// The rules and groups that report what could not be read. They always run, at least at their own severity: no level,
/// `--select`, `--ignore`, comment, entry of `ignore` or baseline hides their findings, and the gate rejects the draft.
pub(crate) const ALWAYS_ON: [&str; 2] = ["input", "structure/unknown-kind"];

#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Sorted.
    ids: Vec<Cow<'static, str>>,
    /// Whether each rule is selected, in their order.
    by_rule: Vec<bool>,
    /// The severities that the user sets, sorted by rule.
    levels: Vec<Given>,
    /// The rules and groups that are locked.
    locked: Vec<String>,
}

/// The severity that the user sets for a rule.
#[derive(Clone, Debug)]
struct Given {
    rule: Cow<'static, str>,
    severity: Severity,
    /// Whether the rule is locked, so that the severity of its findings is never lowered.
    locked: bool,
}

impl Selection {
    /// The rules that are on by default.
    pub(crate) fn default_of(rules: &[Rule]) -> Self {
        let ids = rules.iter().filter(|rule| rule.enabled).map(|rule| rule.id.clone()).collect();
        Self { ids, by_rule: rules.iter().map(|rule| rule.enabled).collect(), ..Self::default() }
    }

    /// The rules that a config selects.
    pub(crate) fn of(rules: &[Rule], config: &Config) -> Result<Self, UnknownRule> {
        let levelled = config.levels.iter().map(|(name, _)| name);
        let names = config.select.iter().chain(&config.ignore).chain(levelled).chain(&config.locked);
        names.into_iter().try_for_each(|name| known(name, rules))?;
        let held = |rule: &Rule| is_always_on(&rule.id) || names_rule(&config.locked, &rule.id);
        let wanted = |rule: &&Rule| {
            let named = |names: &[String]| names.iter().any(|name| *name == rule.id);
            let level = level(config, rule);
            let is_on = level.is_some_and(|(name, level)| level != Level::Off && *name == rule.id);
            if held(rule) {
                return rule.enabled || is_on || named(&config.select) || named(&config.locked);
            }
            let enabled = is_on || rule.enabled && level.is_none_or(|(_, level)| level != Level::Off);
            let by_group = || config.select.is_empty() || names_rule(&config.select, &rule.id);
            let selected = named(&config.select) || enabled && by_group();
            selected && !names_rule(&config.ignore, &rule.id)
        };
        let by_rule: Vec<bool> = rules.iter().map(|rule| wanted(&rule)).collect();
        let selected = rules.iter().zip(&by_rule).filter(|(_, is_selected)| **is_selected);
        let ids = selected.map(|(rule, _)| rule.id.clone()).collect();
        let given = |rule: &Rule| {
            let severity = level(config, rule)?.1.severity()?;
            Some(Given { rule: rule.id.clone(), severity, locked: names_rule(&config.locked, &rule.id) })
        };
        let levels = rules.iter().filter_map(given).collect();
        Ok(Self { ids, by_rule, levels, locked: config.locked.clone() })
    }

    /// Whether each rule is selected, in their order.
    pub(crate) fn by_rule(&self) -> &[bool] {
        &self.by_rule
    }

    pub(crate) fn has(&self, rule: &Rule) -> bool {
        self.ids.binary_search(&rule.id).is_ok()
    }

    pub(crate) fn locks(&self, rule: &Rule) -> bool {
        names_rule(&self.locked, &rule.id)
    }

    /// The severity of a finding after the user's level is applied. If a condition has lowered the finding below the
    /// rule's own severity, the level cannot raise it again. The level of a locked rule can raise, but not lower, a
    /// finding.
    pub(crate) fn apply_level(&self, rule: &Rule, found: Severity) -> Severity {
        let Ok(at) = self.levels.binary_search_by(|given| given.rule.cmp(&rule.id)) else { return found };
        let Given { severity, locked, .. } = self.levels[at];
        match (found < rule.severity, locked) {
            (true, true) => found,
            (true, false) => severity.min(found),
            (false, true) => severity.max(found),
            (false, false) => severity,
        }
    }

    /// Whether the user sets a level for a rule.
    pub(crate) fn has_level(&self, rule: &Rule) -> bool {
        self.levels.binary_search_by(|given| given.rule.cmp(&rule.id)).is_ok()
    }

    /// Whether all rules have the severity of their files.
    pub(crate) fn is_plain(&self) -> bool {
        self.levels.is_empty()
    }
}

/// The level of a rule, from the entry for its own name or else for its group, with that name.
fn level<'c>(config: &'c Config, rule: &Rule) -> Option<(&'c String, Level)> {
    if config.levels.is_empty() {
        return None;
    }
    let of = |name: &str| config.levels.iter().find(|(it, _)| it == name);
    of(&rule.id).or_else(|| of(rule.group())).map(|(name, level)| (name, *level))
}

/// Whether one of the names is this rule or its group.
pub fn names_rule(names: &[String], rule: &str) -> bool {
    names.iter().any(|name| is_named(name, rule))
}

/// Whether a rule, or every rule of a group, always runs.
pub fn is_always_on(name: &str) -> bool {
    ALWAYS_ON.iter().any(|it| is_named(it, name))
}

/// Whether a name is this rule or its group; `rule` can also be a group.
pub(crate) fn is_named(name: &str, rule: &str) -> bool {
    rule.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Checks that a name is the name of a rule or a group.
pub(crate) fn known(name: &str, rules: &[Rule]) -> Result<(), UnknownRule> {
    if rules.iter().any(|rule| rule.id == name || rule.group() == name) {
        return Ok(());
    }
    let candidates = rules.iter().flat_map(|rule| [rule.id.as_ref(), rule.group()]);
    // People leave out the group, so look for the name alone first.
    let same = rules.iter().find(|rule| rule.id.split('/').nth(1) == Some(name)).map(|rule| rule.id.as_ref());
    let nearest = same.or_else(|| nearest(name, candidates)).map(str::to_owned);
    Err(UnknownRule { name: name.to_owned(), nearest })
}

/// A name in the settings that is neither a rule nor a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is neither a rule nor a group of rules{}", did_you_mean(nearest.as_deref()))]
pub struct UnknownRule {
    /// The name in the settings.
    pub name: String,
    /// The rule or group that was probably meant.
    pub nearest: Option<String>,
}
