//! A rule with its documentation.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tollproof_core::{Examples, Prevents, Severity, builtin_rules, decode};

use crate::language;

/// A rule file's part on a page.
#[derive(Debug, Deserialize)]
struct RuleDocumentation {
    title: String,
    severity: Severity,
    message: String,
    help: String,
    docs: String,
    #[serde(default)]
    prevents: Vec<Prevents>,
    #[serde(default)]
    source: RuleSources,
    examples: Examples,
}

/// One source or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RuleSources {
    One(String),
    Several(Vec<String>),
}

impl Default for RuleSources {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

/// A rule, in the shape of `Rule` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
struct DocumentedRule<'r> {
    id: &'r str,
    title: String,
    severity: Severity,
    message: String,
    help: String,
    docs: String,
    pass: Vec<Value>,
    fail: Vec<Value>,
    prevents: Vec<Prevents>,
    source: Vec<String>,
}

/// The rule with an id as JSON, or `null`.
pub(crate) fn rule(id: &str) -> String {
    let found = builtin_rules().find(|(it, _)| *it == id).map(|(id, text)| {
        let file = decode::<RuleDocumentation>(&format!("rules/{id}.yaml"), text)
            .expect("the built-in rules are parsed when tollproof is built");
        DocumentedRule {
            id,
            title: language::say(&file.title),
            severity: file.severity,
            message: language::say(&file.message),
            help: language::say(&file.help),
            docs: language::say(&file.docs),
            pass: file.examples.pass,
            fail: file.examples.fail,
            prevents: file.prevents,
            source: match file.source {
                RuleSources::One(source) => vec![source],
                RuleSources::Several(sources) => sources,
            },
        }
    });
    serde_json::to_string(&found).expect("its keys are strings")
}
