//! Rules of the user's own: decoded, checked against the schemas, prepared like the built-in ones.

use std::collections::BTreeMap;

use crate::fit;
use crate::lists::{LISTS, Lists};
use crate::rule::phrases::{Interner, list_title};
use crate::rule::{Rule, RuleFile, Unfit};
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

/// The groups that users cannot add rules to: settings name them to mean what the interface states and what is said of
/// ignores.
const RESERVED: [&str; 3] = ["config", "input", "structure"];

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
    let mut interner = interner(first);
    let mut rules: Vec<Rule> = Vec::new();
    let mut errors = Vec::new();
    let ids: Vec<&str> = existing
        .iter()
        .map(|rule| rule.id.as_ref())
        .chain(files.iter().map(|file| file.id.as_str()))
        .collect();
    for file in files {
        let taken = existing.iter().chain(&rules).any(|rule| rule.id == file.id);
        match load_one(file, taken, &ids, &mut interner) {
            Ok(rule) => rules.push(rule),
            Err(error) => errors.push(*error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(loaded(interner, rules))
}

/// Numbers phrases from `first`; knows the built-in lists.
pub(crate) fn interner(first: SetId) -> Interner<'static> {
    Interner::new(LISTS.iter().copied(), first)
}

/// Rules that were prepared, with the phrases that their interner knows.
pub(crate) fn loaded(interner: Interner<'static>, rules: Vec<Rule>) -> Loaded {
    let (lexicon, known, next_set) = interner.finish();
    let title = |(name, set): (String, SetId)| Some((set, list_title(Lists::text(&name)?)?.to_owned()));
    Loaded { rules, lexicon, titles: known.into_iter().filter_map(title).collect(), next_set }
}

fn load_one(
    file: &UserRule,
    taken: bool,
    ids: &[&str],
    interner: &mut Interner<'_>,
) -> Result<Rule, Box<StrictError>> {
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
        let help = match parts.as_slice() {
            [_] => {
                "Name the folder above: with `--rules mine`, the file `mine/house/old-name.yaml` is `house/old-name`."
            }
            _ => "Groups have no groups: put the file into a folder of the one that you name with `--rules`.",
        };
        return Err(Box::new(StrictError { help: Some(help.to_owned()), ..*error("/title", message) }));
    }
    if let Some(group) = RESERVED.iter().find(|group| **group == parts[0]) {
        let message = format!("the group `{group}` is for built-in rules; choose another");
        return Err(error("/title", message));
    }
    if rule.check.is_system() {
        let name = rule.check.name();
        let message = format!("only built-in rules can use the check `{name}`");
        let help = "Use another check. `rules/README.md` lists all of them.".to_owned();
        let pointer = format!("/check/{name}");
        return Err(StrictError::at_key(&file.file, &file.text, &pointer, message, Some(help)));
    }
    let unfit = |unfit: Unfit| error(&unfit.pointer, unfit.message);
    let mut rule = rule.prepare(&file.id, interner).map_err(unfit)?;
    rule.is_own = true;
    fit::check(&rule, ids).map_err(unfit)?;
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
