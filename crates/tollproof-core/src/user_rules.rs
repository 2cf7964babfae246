//! Rules of the user's own: decoded, checked against the schemas, prepared like the built-in ones.

use std::collections::BTreeMap;

use crate::kind::Kind;
use crate::lists::{LISTS, Lists};
use crate::nearest::{did_you_mean, nearest};
use crate::rule::phrases::{Interner, list_title};
use crate::rule::{Rule, RuleFile};
use crate::schema;
use crate::strict::{StrictError, decode};
use crate::text::lexicon::{Lexicon, SetId};

/// A rule file of the user's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRule {
    /// The rule's id, `group/name`: its path below the rules folder without the ending.
    pub id: String,
    /// The file's name, for errors.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// Rules ready to run, with their phrases.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) rules: Vec<Rule>,
    pub(crate) lexicon: Lexicon<'static>,
    pub(crate) titles: BTreeMap<SetId, String>,
    pub(crate) next_set: SetId,
}

/// Loads rule files beside the rules that exist, numbering phrases from `first`.
pub(crate) fn load(files: &[UserRule], existing: &[Rule], first: SetId) -> Result<Loaded, Vec<StrictError>> {
    let mut interner = Interner::new(LISTS.iter().copied(), first);
    let mut rules: Vec<Rule> = Vec::new();
    let mut errors = Vec::new();
    for file in files {
        let taken = existing.iter().chain(&rules).any(|rule| rule.id == file.id);
        match load_one(file, taken, &mut interner) {
            Ok(rule) => rules.push(rule),
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (lexicon, known, next_set) = interner.finish();
    let title = |(name, set): (String, SetId)| Some((set, list_title(Lists::text(&name)?)?.to_owned()));
    Ok(Loaded { rules, lexicon, titles: known.into_iter().filter_map(title).collect(), next_set })
}

fn load_one(file: &UserRule, taken: bool, interner: &mut Interner<'_>) -> Result<Rule, Box<StrictError>> {
    let error = |pointer: &str, message: String| StrictError::at(&file.file, &file.text, pointer, message);
    let rule = RuleFile::parse(&file.file, &file.text)?;
    if taken {
        return Err(error(
            "/title",
            format!("there is a rule `{}` already; name this file otherwise", file.id),
        ));
    }
    let parts: Vec<&str> = file.id.split('/').collect();
    if parts.len() != 2 || parts.iter().any(|part| part.is_empty()) {
        let message =
            format!("`{}` is no id: a rule lies in the folder of its group, as group/name.yaml", file.id);
        return Err(error("/title", message));
    }
    if let Some(group) = ["input", "structure"].iter().find(|group| **group == parts[0]) {
        return Err(error(
            "/title",
            format!("the group `{group}` holds what the interface states; choose another"),
        ));
    }
    let rule = rule.prepare(&file.id, interner).map_err(|unfit| error(unfit.pointer, unfit.message))?;
    fields_exist(&rule).map_err(|message| error("/at", message))?;
    lists_exist(&rule).map_err(|message| error("/check", message))?;
    Ok(rule)
}

impl RuleFile {
    /// Reads one rule file.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit, with its place in `text`.
    pub fn parse(file: &str, text: &str) -> Result<Self, Box<StrictError>> {
        decode(file, text)
    }
}

/// Every field that a rule names exists in a kind that it looks at.
pub(crate) fn fields_exist(rule: &Rule) -> Result<(), String> {
    let names: Vec<&str> = rule.kinds.iter().flat_map(|kind| schema::field_names(*kind)).collect();
    for target in rule.at.iter().filter(|target| !target.steps.is_empty()) {
        let exists =
            |kind: &Kind| schema::shape(*kind).at(target.steps.iter().map(Option::as_deref)).is_some();
        if !rule.kinds.iter().any(exists) {
            let name = target.field().unwrap_or_default();
            let near = did_you_mean(nearest(name, names.iter().copied()).filter(|near| *near != name));
            return Err(format!("none of the rule's kinds has a field `{}`{near}", target));
        }
    }
    let guards = rule.when.0.keys().chain(rule.downgrade.iter().flat_map(|it| it.when.0.keys()));
    let mut unknown = guards.filter(|name| !names.contains(&name.as_str()));
    unknown.next().map_or(Ok(()), |name| {
        let near = did_you_mean(nearest(name, names.iter().copied()));
        Err(format!("none of the rule's kinds has a field `{name}`{near}"))
    })
}

/// Every host that a rule names is one, or the name of a list.
pub(crate) fn lists_exist(rule: &Rule) -> Result<(), String> {
    let guards = rule.guards().flat_map(|guard| guard.hosts());
    for name in rule.check.hosts().iter().chain(guards).filter(|name| !name.contains('.')) {
        if Lists::text(name).is_none() {
            let near = did_you_mean(nearest(name, LISTS.iter().map(|(name, _)| *name)));
            return Err(format!("`{name}` is neither a host nor a list{near}"));
        }
    }
    Ok(())
}
