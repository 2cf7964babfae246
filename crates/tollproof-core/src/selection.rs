//! Which rules run.

use std::borrow::Cow;

use crate::config::Config;
use crate::nearest::{did_you_mean, nearest};
use crate::rule::Rule;

/// The rules that run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Their ids, sorted.
    ids: Vec<Cow<'static, str>>,
    /// The rules and groups that are ignored.
    ignored: Vec<String>,
}

/// Rules that no selection of others turns off, only their own mention: without them a text that
/// cannot be read would pass.
const ALWAYS: [&str; 2] = ["input", "structure/unknown-kind"];

impl Selection {
    /// The rules that are on by default.
    pub(crate) fn default_of(rules: &[Rule]) -> Self {
        let ids = rules.iter().filter(|rule| rule.enabled).map(|rule| rule.id.clone()).collect();
        Self { ids, ignored: Vec::new() }
    }

    /// The rules that a config leaves.
    pub(crate) fn of(rules: &[Rule], config: &Config) -> Result<Self, UnknownRule> {
        for name in config.select.iter().chain(&config.ignore) {
            known(name, rules)?;
        }
        let always = |rule: &Rule| ALWAYS.iter().any(|it| *it == rule.id || *it == rule.group());
        let wanted = |rule: &&Rule| {
            let selected = config.select.iter().any(|name| *name == rule.id)
                || rule.enabled && (config.select.is_empty() || named(&config.select, rule) || always(rule));
            selected && !named(&config.ignore, rule)
        };
        let ids = rules.iter().filter(wanted).map(|rule| rule.id.clone()).collect();
        Ok(Self { ids, ignored: config.ignore.clone() })
    }

    /// Whether a rule runs.
    pub(crate) fn has(&self, rule: &Rule) -> bool {
        self.ids.binary_search(&rule.id).is_ok()
    }

    /// Whether a rule says that a document is none: no selection of others turns that off.
    pub(crate) fn has_for_document(&self, rule: &Rule) -> bool {
        !named(&self.ignored, rule)
    }
}

/// Whether names of rules and groups mean a rule.
fn named(names: &[String], rule: &Rule) -> bool {
    names.iter().any(|name| *name == rule.id || name == rule.group())
}

fn known(name: &str, rules: &[Rule]) -> Result<(), UnknownRule> {
    if rules.iter().any(|rule| rule.id == name || rule.group() == name) {
        return Ok(());
    }
    let candidates = rules.iter().flat_map(|rule| [rule.id.as_ref(), rule.group()]);
    // People leave out the group: then the name alone decides.
    let same = rules.iter().find(|rule| rule.id.split('/').nth(1) == Some(name)).map(|rule| rule.id.as_ref());
    let nearest = same.or_else(|| nearest(name, candidates)).map(str::to_owned);
    Err(UnknownRule { name: name.to_owned(), nearest })
}

/// A name in `select` or `ignore` that is neither a rule nor a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is neither a rule nor a group of rules{}", did_you_mean(nearest.as_deref()))]
pub struct UnknownRule {
    /// What was asked for.
    pub name: String,
    /// The rule or group that was probably meant.
    pub nearest: Option<String>,
}
