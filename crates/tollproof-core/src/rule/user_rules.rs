//! Users' rules: decoded, validated and prepared like the built-in ones.

use std::collections::BTreeMap;

use crate::checks::wordlists::{LISTS, Lists};
use crate::rule::errors::{StrictError, decode_with};
use crate::rule::old_names;
use crate::rule::validate;
use crate::rule::{Rule, RuleError, RuleFile};
use crate::text::lexicon::{Lexicon, SetId};
use crate::text::phrases::{Interner, list_title};

/// A rule file of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRule {
    /// The id of the rule, `group/name`: its path in the rules folder without the extension.
    pub id: String,
    /// The name of the file, for errors.
    pub file: String,
    /// The content of the file.
    pub text: String,
}

/// The groups that users cannot add rules to. Settings use their names to mean errors of the file, violations of the
/// provider's API and problems with ignores.
const RESERVED: [&str; 3] = ["config", "input", "structure"];

/// Rules ready to run, with their phrases.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) rules: Vec<Rule>,
    pub(crate) lexicon: Lexicon<'static>,
    pub(crate) titles: BTreeMap<SetId, String>,
    pub(crate) next_set: SetId,
}

/// Loads rule files in addition to the existing rules. Phrases are numbered from `first`.
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

/// An interner that knows the built-in lists and numbers phrases from `first`.
pub(crate) fn interner(first: SetId) -> Interner<'static> {
    Interner::new(LISTS.iter().copied(), first)
}

/// Combines prepared rules with the phrases of their interner.
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
        return Err(error("/title", format!("there is already a rule `{}`; rename this file", file.id)));
    }
    let parts: Vec<&str> = file.id.split('/').collect();
    if parts.len() != 2 || parts.iter().any(|part| part.is_empty()) {
        let message = format!(
            "`{}` is not a valid id: a rule file must be in the folder of its group, as group/name.yaml",
            file.id
        );
        let help = match parts.as_slice() {
            [_] => {
                "Use the folder above: with `--rules mine`, the file `mine/house/old-name.yaml` is `house/old-name`."
            }
            _ => {
                "Groups cannot contain groups. Put the file in a direct subfolder of the folder that you name with `--rules`."
            }
        };
        return Err(Box::new(StrictError { help: Some(help.to_owned()), ..*error("/title", message) }));
    }
    if let Some(group) = RESERVED.iter().find(|group| **group == parts[0]) {
        let message = format!("the group `{group}` is reserved for built-in rules; choose another");
        return Err(error("/title", message));
    }
    if rule.check.system().is_some() {
        let name = rule.check.name();
        let message = format!("only built-in rules can use the check `{name}`");
        let help = "Use another check. `rules/README.md` lists all of them.".to_owned();
        let pointer = format!("/check/{name}");
        return Err(StrictError::at_key(&file.file, &file.text, &pointer, message, Some(help)));
    }
    let at_key = |it: RuleError| error(&it.pointer, it.message);
    let mut rule = rule.prepare(&file.id, interner).map_err(at_key)?;
    rule.is_own = true;
    validate::check(&rule, ids).map_err(at_key)?;
    Ok(rule)
}

impl RuleFile {
    /// Reads one rule file.
    ///
    /// # Errors
    ///
    /// The first error, with its span in `text`.
    pub fn parse(file: &str, text: &str) -> Result<Self, Box<StrictError>> {
        decode_with(file, text, old_names::renewed)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::UserRule;
    use crate::examples::base;
    use crate::facts::Facts;
    use crate::lint::Linter;
    use crate::provider::kind::{Kind, KindRole};
    use crate::rule::config::{Config, Level, Parameters};

    const RULE: &str = "title: A\nseverity: info\nat: businessCity\ncheck: { forbid: { any_of: [nowhere] } }\n\
        message: a\nhelp: A.\ndocs: A.\nexamples: { pass: [], fail: [] }\n";

    fn step(linter: Linter, step: usize, own: &[UserRule], config: &Config) -> Linter {
        let set = |parameters: serde_json::Value| {
            let with = parameters["with"].as_object().cloned().unwrap_or_default();
            let add = parameters["add"].as_object().cloned().unwrap_or_default();
            [Parameters { rule: "opt-in/vague-description".to_owned(), with, add }]
        };
        match step {
            0 => linter.with_rules(own).expect("the rules load"),
            1 => linter.with_config(config.clone()).expect("it names built-in rules"),
            2 => linter.with_parameters(&set(json!({"with": {"min-chars": 900}})), own).expect("they fit"),
            3 => linter.with_parameters(&set(json!({"add": {"unless": ["harbor"]}})), own).expect("they fit"),
            _ => linter.with_facts(Facts { now: "2026-11-21T08:00:00Z".parse().ok(), ..Facts::default() }),
        }
    }

    #[test]
    fn a_linter_is_the_same_in_whatever_order_it_is_built() {
        let own = ["contact/own", "house/own"].map(|id| UserRule {
            id: id.to_owned(),
            file: format!("{id}.yaml"),
            text: RULE.to_owned(),
        });
        let config = Config {
            select: vec!["contact".to_owned(), "opt-in".to_owned()],
            ignore: vec!["contact/free-mail".to_owned()],
            levels: vec![("contact".to_owned(), Level::Error)],
            locked: vec!["opt-in".to_owned()],
            ..Config::default()
        };
        let mut draft = base::of(Kind::of(KindRole::Submit));
        draft["businessCity"] = json!("Nowhere");
        draft["businessContactEmail"] = json!("irene.kayak@gmail.com");
        draft["businessContactPhone"] = json!("123");
        draft["optInWorkflowDescription"] = json!("Clients tick a box at https://example.com/join.");
        let mut orders = vec![vec![]];
        for _ in 0..5 {
            let longer = |order: &Vec<usize>| {
                let order = order.clone();
                (0..5)
                    .filter(|it| !order.contains(it))
                    .map(|it| [&order[..], &[it]].concat())
                    .collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        assert_eq!(orders.len(), 120);
        let found = |order: &[usize]| {
            let linter = Linter::builtin().expect("the built-in rules load");
            let linter = order.iter().fold(linter, |linter, &it| step(linter, it, &own, &config));
            assert!(linter.facts().now.is_some(), "{order:?}");
            let runs: Vec<String> = linter
                .rules()
                .iter()
                .filter(|rule| linter.runs(rule))
                .map(|rule| rule.id.to_string())
                .collect();
            let report = linter.check_json(&draft.to_string());
            let findings = report.findings.iter().map(|it| (it.rule.to_string(), it.severity));
            (runs, findings.collect::<Vec<_>>())
        };
        let first = found(&orders[0]);
        let has = |rule: &str| first.1.iter().any(|(it, _)| it == rule);
        assert!(has("contact/own") && has("contact/malformed-phone"), "{first:?}");
        assert!(!has("contact/free-mail") && !has("house/own"), "{first:?}");
        for order in &orders {
            assert_eq!(found(order), first, "{order:?}");
        }
        // Parameters that were set in separate calls are combined.
        let vague = |steps: &[usize], text: &str| {
            let mut draft = base::of(Kind::of(KindRole::Submit));
            draft["optInWorkflowDescription"] = json!(text);
            let linter = Linter::builtin().expect("the built-in rules load");
            let linter = steps.iter().fold(linter, |linter, &it| step(linter, it, &own, &config));
            linter
                .check_json(&draft.to_string())
                .findings
                .iter()
                .any(|it| it.rule == "opt-in/vague-description")
        };
        let text = base::of(Kind::of(KindRole::Submit))["optInWorkflowDescription"]
            .as_str()
            .expect("a string")
            .to_owned();
        assert!(!vague(&[], &text) && vague(&[2], &text), "900 characters are too many");
        let harbor = format!("{text} Harbor.");
        assert!(vague(&[2], &harbor));
        assert!(!vague(&[2, 3], &harbor) && !vague(&[3, 2], &harbor));
        assert!(vague(&[2, 3], &text) && vague(&[3, 2], &text));
    }

    #[test]
    fn parameters_of_a_rule_that_is_not_there_yet_are_an_error() {
        let own = UserRule { id: "house/own".into(), file: "own.yaml".into(), text: RULE.to_owned() };
        let with = json!({"any_of": ["somewhere"]}).as_object().cloned().unwrap_or_default();
        let set = [Parameters { rule: "house/own".to_owned(), with, ..Parameters::default() }];
        let own = [own];
        let linter = Linter::builtin().expect("the built-in rules load");
        let errors = linter.with_parameters(&set, &own).expect_err("the linter has no such rule");
        assert!(errors[0].message.contains("is neither a rule nor a group"), "{errors:?}");
        let linter = Linter::builtin().expect("the built-in rules load").with_rules(&own).expect("it loads");
        let mut draft = base::of(Kind::of(KindRole::Submit));
        draft["businessCity"] = json!("Somewhere");
        let report = linter.with_parameters(&set, &own).expect("they fit").check_json(&draft.to_string());
        assert!(report.findings.iter().any(|it| it.rule == "house/own"), "{:?}", report.findings);
    }
}
