//! Rules whose parameters are changed by settings.

use serde_json::Value as Json;
use serde_yaml::Value;
use tollproof_data::suggest::{did_you_mean, nearest};
use tollproof_data::text::phrases::interner::Interner;
use tollproof_data::text::terms::vocabulary::Vocabulary;
use tollproof_data::text::words::hit::SetId;

use crate::rule::config::{ParameterError, Parameters};
use crate::rule::errors::decode;
use crate::rule::selection::is_named;
use crate::rule::user_rules::{Loaded, UserRule, interner, loaded};
use crate::rule::{Rule, RuleFile, builtin, validate};

/// Prepares existing rules again with other parameters, beside the `known` groups and sets of phrases; `own` are the
/// user's rules.
///
/// A rule keeps parameters that were set earlier, unless later ones replace them.
pub(crate) fn load(
    (earlier, all): (&[Parameters], &[Parameters]),
    own: &[UserRule],
    existing: &[Rule],
    known: (&Vocabulary<'static>, SetId),
) -> Result<Loaded, Vec<ParameterError>> {
    let mut interner = interner(known);
    let mut rules = Vec::new();
    let mut errors = Vec::new();
    for (at, parameters) in all.iter().enumerate() {
        let of_rule = |it: &&Parameters| it.rule == parameters.rule;
        let before: Vec<&Parameters> = earlier.iter().chain(&all[..at]).filter(of_rule).collect();
        match prepare(parameters, &before, own, existing, &mut interner) {
            Ok(rule) => rules.push(rule),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(loaded(interner, rules)) } else { Err(errors) }
}

fn prepare(
    parameters: &Parameters,
    before: &[&Parameters],
    own: &[UserRule],
    existing: &[Rule],
    interner: &mut Interner<'_>,
) -> Result<Rule, ParameterError> {
    let id = parameters.rule.as_str();
    let ids: Vec<&str> = existing.iter().map(|rule| rule.id.as_ref()).collect();
    let known = existing.iter().find(|rule| rule.id == id);
    let own = || own.iter().find(|rule| rule.id == id).map(|rule| rule.text.as_str());
    let text = builtin::files().find(|(it, _)| *it == id).map(|(_, text)| text).or_else(own);
    let Some((known, text)) = known.zip(text) else {
        let is_group = ids.iter().any(|it| is_named(id, it));
        let near = did_you_mean(nearest(id, ids.iter().copied()));
        let message = if is_group {
            format!("`{id}` is a group, and only rules have parameters")
        } else {
            format!("`{id}` is neither a rule nor a group of rules{near}")
        };
        return Err(at(parameters, "", message));
    };
    if known.check.system().is_some() {
        // With other parameters, no rule would report the errors that belong to this rule.
        let message = format!("the parameters of `{id}` cannot be changed");
        let help = Some("Remove `with` and `add` here.".into());
        return Err(ParameterError { help, ..at(parameters, "", message) });
    }
    let mut file: Value = serde_yaml::from_str(text).expect("rules that exist were read before");
    let mut changed = decode::<RuleFile>(id, text).expect("rules that exist were read before");
    for parameters in before.iter().copied().chain([parameters]) {
        changed = set(&mut file, parameters)?.unwrap_or(changed);
    }
    let mut rule = changed.prepare(id, interner).map_err(|error| at(parameters, "", error.message))?;
    validate::check(&rule, &ids).map_err(|error| at(parameters, "", error.message))?;
    rule.is_own = known.is_own;
    Ok(rule)
}

/// Sets parameters in a rule file and parses it; `None` without parameters to set.
fn set(file: &mut Value, parameters: &Parameters) -> Result<Option<RuleFile>, ParameterError> {
    let mut changed = None;
    for (name, value) in &parameters.with {
        *parameter(file, name) = yaml(value);
        changed = Some(read(file, parameters, &format!("/with/{name}"))?);
    }
    for (name, items) in &parameters.add {
        let pointer = format!("/add/{name}");
        let list = parameter(file, name);
        match (list, items) {
            (list @ Value::Null, Json::Array(_)) => *list = yaml(items),
            (Value::Sequence(list), Json::Array(items)) => list.extend(items.iter().map(yaml)),
            (_, Json::Array(_)) => {
                let message = format!("`{name}` is not a list, so nothing can be added; set it under `with`");
                return Err(at(parameters, &pointer, message));
            }
            _ => {
                return Err(at(parameters, &pointer, "this must be a list of the values to add".to_owned()));
            }
        }
        changed = Some(read(file, parameters, &pointer)?);
    }
    Ok(changed)
}

/// The parameter of the rule's check, inserted as null if it is missing.
fn parameter<'f>(file: &'f mut Value, name: &str) -> &'f mut Value {
    let check =
        file.get_mut("check").and_then(Value::as_mapping_mut).and_then(|mapping| mapping.values_mut().next());
    let check = check.and_then(Value::as_mapping_mut).expect("a rule has exactly one check, with parameters");
    // Settings use hyphens, rule files use underscores.
    check.entry(Value::from(name.replace('-', "_"))).or_insert(Value::Null)
}

/// Parses the file as a rule. An error is reported at `pointer`, the parameter that was set last.
fn read(file: &Value, parameters: &Parameters, pointer: &str) -> Result<RuleFile, ParameterError> {
    let text = serde_yaml::to_string(file).expect("a tree is text");
    decode::<RuleFile>(&parameters.rule, &text).map_err(|error| {
        let help = error.help.map(Into::into);
        ParameterError { help, ..at(parameters, pointer, error.message) }
    })
}

fn yaml(value: &Json) -> Value {
    serde_yaml::to_value(value).expect("JSON is YAML")
}

fn at(parameters: &Parameters, pointer: &str, message: String) -> ParameterError {
    ParameterError { rule: parameters.rule.clone(), pointer: pointer.to_owned(), message, help: None }
}
