//! Rule files and vocabulary files: any bytes, built-in rules with a part replaced, and what is valid or almost.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use arbitrary::Arbitrary;
use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole, UserRule, builtin_rules};

use crate::phrase::{GroupName, PhraseRecipe, repeated};

/// A file of a user.
#[derive(Arbitrary, Debug)]
pub enum FileRecipe {
    Bytes {
        is_vocabulary: bool,
        bytes: Vec<u8>,
    },
    /// A built-in rule, in which a part of its text is replaced.
    Changed {
        rule: u16,
        at: u16,
        length: u8,
        by: String,
    },
    Rule(RuleRecipe),
    Vocabulary(Vec<GroupRecipe>),
}

#[derive(Arbitrary, Debug)]
pub struct RuleRecipe {
    field: u8,
    severity: u8,
    check: CheckRecipe,
    when: Option<(u8, ConditionRecipe)>,
    refuses_value: bool,
    message: Option<String>,
}

#[derive(Arbitrary, Debug)]
enum CheckRecipe {
    Forbid {
        any_of: PhraseList,
        whole: PhraseList,
        except: PhraseList,
        unless: PhraseList,
        skip_negated: bool,
        matches: Option<String>,
    },
    Require {
        any_of: PhraseList,
        elements: Vec<PhraseList>,
        except: PhraseList,
        unless: PhraseList,
        at_least: Option<u16>,
        min_chars: u16,
    },
    Frame {
        any_of: Vec<PatternRecipe>,
        none: Names,
        unless: Names,
    },
    Topics {
        any_of: Names,
        at_least: u16,
        beside: Vec<u8>,
        unless: Names,
        except: Names,
        in_names: Names,
    },
    Compare {
        facts: Names,
        with: u8,
        against: Names,
        expects: Vec<(String, Names)>,
        unless: Names,
    },
    /// Any check, with anything.
    Named(String, String),
}

#[derive(Arbitrary, Debug)]
struct PatternRecipe {
    all: Vec<Names>,
    /// The number of repetitions of the parts.
    times: u8,
    none: Names,
    unless: Names,
    scope: u8,
    near: Option<u16>,
    anchor: Names,
    polarity: u8,
    asserted: Names,
    count: u16,
}

#[derive(Arbitrary, Debug)]
enum ConditionRecipe {
    Is(Vec<String>),
    Not(Box<ConditionRecipe>),
    Matches(String),
    Has(PhraseList),
    HostIn(Vec<String>),
    Absent(bool),
    All(Vec<ConditionRecipe>),
}

#[derive(Arbitrary, Debug)]
pub struct GroupRecipe {
    name: GroupName,
    is_new: bool,
    excuses: bool,
    lists: Vec<(Option<u8>, u8, PhraseList)>,
}

/// PhraseList, and how many more of them there are, each with another word at the end.
type PhraseList = (Vec<PhraseRecipe>, u8);

type Names = Vec<GroupName>;

impl FileRecipe {
    /// The file; `at` makes its name unique.
    pub fn file(&self, at: usize) -> UserRule {
        let vocabulary = |text: String| user_file(format!("vocabulary/v{at}"), text);
        let rule = |text: String| user_file(format!("fuzz/r{at}"), text);
        match self {
            Self::Bytes { is_vocabulary, bytes } => {
                let text = String::from_utf8_lossy(bytes).into_owned();
                if *is_vocabulary { vocabulary(text) } else { rule(text) }
            }
            Self::Changed { rule: number, at, length, by } => {
                let files: Vec<&str> = builtin_rules().map(|(_, text)| text).collect();
                let mut text = files[usize::from(*number) % files.len()].to_owned();
                let start = text.floor_char_boundary(usize::from(*at) % (text.len() + 1));
                let end = text.ceil_char_boundary((start + usize::from(*length)).min(text.len()));
                text.replace_range(start..end, by);
                rule(text)
            }
            Self::Rule(recipe) => rule(recipe.value().to_string()),
            Self::Vocabulary(groups) => {
                let groups: serde_json::Map<String, Value> =
                    groups.iter().map(|group| (group.name.name(), group.value())).collect();
                vocabulary(Value::from(groups).to_string())
            }
        }
    }
}

fn user_file(id: String, text: String) -> UserRule {
    UserRule { file: format!("{id}.yaml"), id, text, is_foreign: false }
}

/// The roles of the fields of a submit request.
pub fn roles() -> &'static [&'static str] {
    static ROLES: OnceLock<Vec<&str>> = OnceLock::new();
    ROLES.get_or_init(|| Kind::of(KindRole::Submit).roles().collect())
}

fn role(at: u8) -> &'static str {
    one_of(roles(), at)
}

fn one_of(all: &[&'static str], at: u8) -> &'static str {
    all[usize::from(at) % all.len()]
}

impl RuleRecipe {
    fn value(&self) -> Value {
        let mut rule = json!({
            "title": "A rule",
            "severity": one_of(&["info", "warning", "error"], self.severity),
            "at": role(self.field),
            "check": self.check.value(),
            "message": self.message.as_deref().unwrap_or("this says {match}"),
            "help": "Write something else.",
            "docs": "Docs.",
            "refuses_value": self.refuses_value,
            "examples": { "pass": [], "fail": [] },
        });
        if let Some((field, condition)) = &self.when {
            rule["when"] = object(role(*field), condition.value());
        }
        rule
    }
}

impl CheckRecipe {
    fn value(&self) -> Value {
        match self {
            Self::Forbid { any_of, whole, except, unless, skip_negated, matches } => json!({ "forbid": {
                "any_of": list(any_of), "whole": list(whole), "except": list(except), "unless": list(unless),
                "skip_negated": skip_negated, "matches": matches.as_slice(),
            } }),
            Self::Require { any_of, elements, except, unless, at_least, min_chars } => {
                let elements: Vec<Value> =
                    elements.iter().map(|phrases| json!({ "name": "an element", "any_of": list(phrases) })).collect();
                json!({ "require": {
                    "any_of": list(any_of), "elements": elements, "except": list(except), "unless": list(unless),
                    "at_least": at_least, "min_chars": min_chars,
                } })
            }
            Self::Frame { any_of, none, unless } => json!({ "frame": {
                "any_of": any_of.iter().map(PatternRecipe::value).collect::<Vec<_>>(),
                "none": names(none), "unless": names(unless),
            } }),
            Self::Topics { any_of, at_least, beside, unless, except, in_names } => json!({ "topics": {
                "any_of": names(any_of), "at_least": at_least,
                "beside": beside.iter().map(|it| role(*it)).collect::<Vec<_>>(),
                "unless": names(unless), "except": names(except), "in_names": names(in_names),
            } }),
            Self::Compare { facts, with, against, expects, unless } => {
                let expects: BTreeMap<&str, Vec<String>> =
                    expects.iter().map(|(value, groups)| (value.as_str(), names(groups))).collect();
                json!({ "compare": {
                    "facts": names(facts), "with": role(*with), "against": names(against), "expects": expects,
                    "unless": names(unless),
                } })
            }
            Self::Named(name, parameters) => {
                let parameters = serde_json::from_str(parameters).unwrap_or_else(|_| json!({}));
                json!({ name: Value::from(parameters) })
            }
        }
    }
}

impl PatternRecipe {
    fn value(&self) -> Value {
        let Self { all, times, none, unless, scope, near, anchor, polarity, asserted, count } = self;
        let parts = all.iter().map(names).collect::<Vec<_>>();
        let parts: Vec<_> = std::iter::repeat_n(parts, usize::from(*times) + 1).flatten().take(60).collect();
        json!({
            "all": parts, "none": names(none), "unless": names(unless), "anchor": names(anchor),
            "asserted": names(asserted), "near": near, "count": count,
            "in": one_of(&["clause", "sentence", "pair", "field"], *scope),
            "polarity": one_of(&["asserted", "denied", "any"], *polarity),
        })
    }
}

impl ConditionRecipe {
    fn value(&self) -> Value {
        match self {
            Self::Is(values) => json!(values),
            Self::Not(inner) => object("not", inner.value()),
            Self::Matches(pattern) => json!({ "matches": pattern }),
            Self::Has(phrases) => json!({ "has": list(phrases) }),
            Self::HostIn(hosts) => json!({ "host_in": hosts }),
            Self::Absent(absent) => json!({ "absent": absent }),
            Self::All(all) => object("all", all.iter().map(Self::value).collect()),
        }
    }
}

/// An object with one member. `json!` would copy the value, and its parts in each object around it again.
fn object(key: &str, value: Value) -> Value {
    Value::from_iter([(key, value)])
}

impl GroupRecipe {
    fn value(&self) -> Value {
        let mut group = json!({ "excuses": self.excuses });
        if self.is_new {
            group["means"] = json!("anything");
            group["title"] = json!("a topic");
        }
        for (grade, language, phrases) in &self.lists {
            let language = one_of(&["any", "en", "fr", "es"], *language);
            match grade.map(|it| one_of(&["strong", "medium", "weak"], it)) {
                Some(grade) => group[grade][language] = json!(list(phrases)),
                None => group[language] = json!(list(phrases)),
            }
        }
        group
    }
}

fn list((phrases, times): &PhraseList) -> Vec<String> {
    // Most lists are short; a few are longer than what the phrases of all rules may be together.
    let more = u32::from(*times % 64);
    repeated(phrases, if more < 20 { 1 << more } else { 0 })
}

fn names(names: &Names) -> Vec<String> {
    names.iter().map(GroupName::name).collect()
}
