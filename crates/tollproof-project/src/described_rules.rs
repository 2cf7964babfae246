//! Rules with their documentation, as people and programs read it.

use serde::Serialize;
use serde_json::Value;
use tollproof_core::{
    Downgrade, Kind, KindRole, KnownReason, Prevents, Provider, RuleFile, Severity, UserRule,
    builtin_rules as builtin, decode, did_you_mean, nearest,
};

/// The rules with an id or in a group, or all rules, with the names of a provider.
pub fn described_rules(id: Option<&str>, provider: Option<Provider>, own: &[UserRule]) -> Vec<DescribedRule> {
    let rules = match id {
        None => load(own, |_| true),
        Some(id) => load(own, |known| known == id || group(known) == id),
    };
    let kind = provider.and_then(|provider| provider.kind(KindRole::Submit));
    rules.into_iter().map(|rule| rule.named_by(kind)).collect()
}

/// A rule with its documentation.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DescribedRule {
    /// The group and the name.
    pub id: String,
    /// The problem in a few words.
    pub title: String,
    /// The severity of its findings.
    pub severity: Severity,
    /// Its other severities, which apply under some conditions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sometimes: Vec<Severity>,
    /// Whether it is enabled by default.
    pub enabled: bool,
    /// The fields that it checks.
    pub at: Vec<String>,
    /// The kinds of documents that it checks.
    pub kinds: Vec<Kind>,
    /// The message of its findings, with placeholders.
    pub message: String,
    /// The help of its findings, with placeholders.
    pub help: String,
    /// The question that a reader is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// The reason that it matters.
    pub docs: String,
    /// The codes of providers that it prevents.
    pub prevents: Vec<Prevents>,
    /// The sources of what it says.
    pub source: Vec<String>,
    /// Good and bad examples.
    pub examples: RuleExamples,
}

impl DescribedRule {
    /// The rule with the names of a provider, whose submit requests are of a kind.
    fn named_by(self, kind: Option<Kind>) -> Self {
        let Some(kind) = kind else { return self };
        let field = |at: &String| {
            let (role, rest) = at.split_at(at.find(['[', '.']).unwrap_or(at.len()));
            let is_known = role.starts_with('$') || kind.roles().any(|known| known == role);
            is_known.then(|| format!("{}{rest}", kind.field_name(role)))
        };
        let own = |examples: &[Value]| {
            examples.iter().filter_map(|example| kind.with_own_fields(example)).collect()
        };
        Self {
            at: self.at.iter().filter_map(field).collect(),
            message: kind.in_own_names(&self.message).into_owned(),
            help: kind.in_own_names(&self.help).into_owned(),
            docs: kind.with_own_names(&self.docs),
            examples: RuleExamples { pass: own(&self.examples.pass), fail: own(&self.examples.fail) },
            ..self
        }
    }
}

/// The examples of a rule: partial drafts.
#[derive(Debug, Serialize)]
pub struct RuleExamples {
    /// Those without a finding.
    pub pass: Vec<Value>,
    /// Those with a finding.
    pub fail: Vec<Value>,
}

/// The built-in rules and the user's, by their ids.
fn all<'o>(own: &'o [UserRule]) -> impl Iterator<Item = (&'o str, &'o str)> {
    let builtin = builtin().map(|(id, text)| -> (&'o str, &'o str) { (id, text) });
    let own = own.iter().filter(|file| !file.is_vocabulary());
    builtin.chain(own.map(|rule| (rule.id.as_str(), rule.text.as_str())))
}

fn load(own: &[UserRule], wanted: impl Fn(&str) -> bool) -> Vec<DescribedRule> {
    let rules = all(own).filter(|(id, _)| wanted(id)).map(|(id, text)| {
        let file = decode::<RuleFile>(&format!("rules/{id}.yaml"), text)
            .expect("the built-in rules are parsed when tollproof is built, the user's by the linter");
        DescribedRule {
            id: id.to_owned(),
            title: file.title,
            severity: file.severity,
            sometimes: sometimes(&file.downgrade, file.severity),
            enabled: file.enabled,
            at: file.at,
            kinds: Provider::default().kinds_in(file.kinds).collect(),
            message: file.message,
            help: file.help,
            question: file.question.map(|question| question.ask.trim().to_owned()),
            docs: file.docs,
            prevents: file.prevents,
            source: file.source,
            examples: RuleExamples { pass: file.examples.pass, fail: file.examples.fail },
        }
    });
    let mut rules: Vec<DescribedRule> = rules.collect();
    rules.sort_by(|a, b| a.id.cmp(&b.id));
    rules
}

/// The other severities of a rule, without duplicates.
fn sometimes(downgrade: &[Downgrade], severity: Severity) -> Vec<Severity> {
    let mut others: Vec<_> =
        downgrade.iter().map(|downgrade| downgrade.to).filter(|to| *to != severity).collect();
    others.sort_unstable();
    others.dedup();
    others
}

fn group(id: &str) -> &str {
    id.split_once('/').map_or(id, |(group, _)| group)
}

/// A name that is not that of a rule or group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownRuleName {
    /// It is a code of a provider.
    #[error("`{0}` is a code of a provider, not a rule; `tollproof explain {0}` explains it")]
    Code(String),
    /// It is not known.
    #[error("`{name}` is not a rule or group{}", match nearest {
        Some(_) => did_you_mean(nearest.as_deref()),
        None => "; `tollproof rule` lists all rules".to_owned(),
    })]
    Unknown {
        /// The name.
        name: String,
        /// The rule or group that was probably meant.
        nearest: Option<String>,
    },
}

impl UnknownRuleName {
    /// The error for a name, with the rules of the user.
    #[must_use]
    pub fn of(name: &str, own: &[UserRule]) -> Self {
        if !KnownReason::of_code(name, None).is_empty() {
            return Self::Code(name.to_owned());
        }
        let known = || all(own).map(|(id, _)| id);
        let nearest = nearest(name, known().flat_map(|id| [id, group(id)]))
            // Suggest the full id if only the name was given.
            .or_else(|| known().find(|id| id.split_once('/').is_some_and(|(_, last)| last == name)));
        Self::Unknown { name: name.to_owned(), nearest: nearest.map(str::to_owned) }
    }
}
