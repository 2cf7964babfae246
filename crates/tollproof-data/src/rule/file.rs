//! A rule file: one YAML file for each rule, strictly decoded and prepared to run.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub use super::error::RuleError;
use super::one_or_many::one_or_many;
pub use super::question::{QuestionFile, RuleQuestion};
use crate::checks::condition::{Condition, Conditions};
use crate::checks::pattern::Regex;
use crate::checks::{Check, RuleCheck};
use crate::encoded::Encoded;
use crate::provider::kind_set::{self, KindSet};
use crate::provider::path::{Steps, borrowed_steps, written_steps};
use crate::severity::{Prevents, Severity};
use crate::text::phrases::interner::Interner;

/// A rule file with all its keys.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RuleFile {
    /// The defect, as a headline without a full stop.
    pub title: String,
    /// The severity of its findings.
    pub severity: Severity,
    /// Whether the rule runs by default; if `false`, it runs only when selected.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// The target: a field, `field[*]` for each item of a list, a list of fields, or `$document`. Fields are named by
    /// their roles, which are the names of Bird's API.
    #[serde(deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub at: Vec<String>,
    /// The kinds of document that it checks; by default the submit request and the update request.
    #[serde(default, deserialize_with = "kind_set::from_names")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "kind_set::schema_of_names"))]
    pub kinds: KindSet,
    /// Conditions that must be true for the rule to check a document.
    #[serde(default)]
    #[doc(hidden)]
    pub when: Conditions,
    /// Conditions that change the severity of a finding; the first one that is true applies.
    #[serde(default)]
    pub downgrade: Vec<Downgrade>,
    /// Rules or groups that replace this one if they report the same value.
    #[serde(default)]
    pub yields_to: Vec<String>,
    /// Whether other rules skip a value that this rule reports, because it is invalid. A rule of your own removes
    /// only findings that are at most as severe as its own.
    #[serde(default)]
    pub refuses_value: bool,
    /// The refusal by `tollproof gate` of a draft with a finding of this rule, whatever settings, comments and levels
    /// say.
    pub gate: Option<GateRule>,
    /// The check that it runs. A rule with a question may have none.
    #[serde(default = "asked_only", deserialize_with = "crate::checks::by_name")]
    #[doc(hidden)]
    pub check: RuleCheck,
    /// The question to a reader; see `tollproof read`.
    pub question: Option<QuestionFile>,
    /// The message of a finding, without a full stop. It may contain `{field}` and the placeholders of the check.
    pub message: String,
    /// Advice for the writer; may contain the same placeholders.
    pub help: String,
    /// Other help under a condition; the first one that is true applies.
    #[serde(default)]
    pub help_when: Vec<HelpWhen>,
    /// The names of the defect in labelled drafts, by which `tollproof rules eval` compares findings.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub concept: Vec<String>,
    /// The reviewers' codes that the rule prevents.
    #[serde(default)]
    pub prevents: Vec<Prevents>,
    /// Reasons for rejection and what to write instead, in Markdown.
    pub docs: String,
    /// The source of the fact.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub source: Vec<String>,
    /// Partial drafts that test the rule. A rule without a check may have none.
    #[serde(default)]
    pub examples: Examples,
}

/// The gate's reaction to a finding of a rule. It refuses whatever settings, comments and levels say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GateRule {
    /// Refuses the draft.
    Refuses,
    /// Refuses the draft if the finding is about the number, and the draft does not contain exactly one number that can be reserved.
    RefusesWithoutNumber,
    /// Shows the finding as a warning, because the gate shows no infos.
    Warns,
}

/// Another severity under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Downgrade {
    /// The condition.
    #[doc(hidden)]
    pub when: Conditions,
    /// The severity.
    pub to: Severity,
}

/// Other help under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HelpWhen {
    /// The condition.
    #[doc(hidden)]
    pub when: Conditions,
    /// Advice for the writer; may contain the same placeholders.
    pub help: String,
}

/// Partial drafts; all other fields come from a clean draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// Drafts that the rule does not report.
    pub pass: Vec<serde_json::Value>,
    /// Drafts that the rule reports.
    pub fail: Vec<serde_json::Value>,
}

/// A rule that is ready to run: without its docs and examples, and with numbered phrases.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rule {
    /// `group/name`.
    #[serde(borrow)]
    pub id: Cow<'static, str>,
    /// The severity of its findings.
    pub severity: Severity,
    /// Whether it runs by default.
    pub enabled: bool,
    /// Whether it is a user's rule.
    #[serde(skip)]
    #[doc(hidden)]
    pub is_own: bool,
    /// Whether other rules skip a value that this rule reports.
    #[doc(hidden)]
    pub refuses_value: bool,
    /// Whether it leaves values to other rules: those that [`RuleText`] names.
    #[doc(hidden)]
    pub yields: bool,
    /// The gate's refusal of a draft with a finding of this rule.
    pub gate: Option<GateRule>,
    #[doc(hidden)]
    pub at: SmallVec<[Target; 1]>,
    #[doc(hidden)]
    pub kinds: KindSet,
    /// Decoded when a document has what the rule looks at, as the two after it.
    #[doc(hidden)]
    pub when: Encoded<Conditions>,
    #[doc(hidden)]
    pub downgrade: Encoded<Vec<Downgrade>>,
    #[doc(hidden)]
    pub check: Encoded<RuleCheck>,
    /// Whether its check is one that any rule can use.
    #[doc(hidden)]
    pub has_content_check: bool,
    /// Whether its check needs what `tollproof look` saw.
    #[doc(hidden)]
    pub needs_seen: bool,
    /// Whether it has a question: that of its [`RuleText`].
    #[doc(hidden)]
    pub asks: bool,
    /// [`RuleText`], serialized.
    #[serde(borrow)]
    text: Cow<'static, [u8]>,
}

/// The texts of a finding. Most rules find nothing in most drafts, so they are decoded only when needed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RuleText<'r> {
    /// The defect, as a headline.
    pub title: &'r str,
    /// The names of the defect in labelled drafts.
    pub concepts: Vec<&'r str>,
    #[doc(hidden)]
    pub message: &'r str,
    #[doc(hidden)]
    pub help: &'r str,
    /// Help that replaces `help` if a condition is true.
    #[doc(hidden)]
    pub help_when: Vec<(Conditions, &'r str)>,
    /// The provider, and its code.
    prevents: Vec<(&'r str, &'r str)>,
    /// Rules and groups that replace this rule if they report the same value.
    #[doc(hidden)]
    pub yields_to: Vec<&'r str>,
    /// The question to a reader.
    #[serde(borrow)]
    pub question: Option<RuleQuestion<'r>>,
}

impl RuleText<'_> {
    /// The codes, without their providers.
    #[doc(hidden)]
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.prevents.iter().map(|(_, code)| *code)
    }

    /// The reviewers' codes that the rule prevents.
    #[doc(hidden)]
    pub fn prevents(&self) -> Vec<Prevents> {
        let owned = |text: &str| Cow::Owned(text.to_owned());
        self.prevents.iter().map(|(by, code)| Prevents { by: owned(by), code: owned(code) }).collect()
    }
}

/// A place in a document that a rule looks at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Target {
    /// A role and the keys below it; `None` is every item of a list. Empty for the document itself.
    #[serde(serialize_with = "written_steps", deserialize_with = "borrowed_steps")]
    pub steps: Steps,
}

impl Target {
    /// Parses `$document`, `field`, `field[*]` or `field[*].field`.
    fn parse(text: &str) -> Self {
        let mut steps = Steps::new();
        for part in text.split('.').filter(|_| text != "$document") {
            let field = part.trim_end_matches("[*]");
            steps.push(Some(Cow::Owned(field.to_owned())));
            steps.extend(part.ends_with("[*]").then_some(None));
        }
        Self { steps }
    }

    /// The role of the field; `None` for the document.
    pub fn role(&self) -> Option<&str> {
        self.steps.first()?.as_deref()
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            match step {
                Some(key) => write!(f, "{}{key}", if at == 0 { "" } else { "." })?,
                None => f.write_str("[*]")?,
            }
        }
        Ok(())
    }
}

impl RuleFile {
    /// Whether the rule checks a draft by itself. If not, it only asks a reader.
    pub fn has_check(&self) -> bool {
        self.check != RuleCheck::Asked
    }

    /// Prepares the rule to run under an id; `interner` numbers its phrases.
    ///
    /// # Errors
    ///
    /// The first problem, with the key that contains it.
    #[doc(hidden)]
    pub fn prepare(mut self, id: &str, interner: &mut Interner<'_>) -> Result<Rule, RuleError> {
        let help = self.help_when.iter_mut().map(|help| ("/help_when", &mut help.when));
        let asked = self.question.iter_mut().filter_map(|question| question.when.as_mut());
        for (key, when) in help.chain(asked.map(|when| ("/question/when", when))) {
            for phrases in when.0.values_mut().flat_map(Condition::phrases) {
                interner.intern(phrases).map_err(|message| RuleError::new(key, message))?;
            }
        }
        if self.question.is_none() && !self.has_check() {
            return Err(RuleError::new("", "the key `check` is missing"));
        }
        let question = self.question.as_ref().map(|it| it.prepare(id, &self.at)).transpose()?;
        let text = RuleText {
            title: &self.title,
            concepts: self.concept.iter().map(String::as_str).collect(),
            message: &self.message,
            help: self.help.trim_end(),
            help_when: self.help_when.iter().map(|case| (case.when.clone(), case.help.trim_end())).collect(),
            prevents: self
                .prevents
                .iter()
                .map(|prevented| (prevented.by.as_ref(), prevented.code.as_ref()))
                .collect(),
            yields_to: self.yields_to.iter().map(String::as_str).collect(),
            question,
        };
        let text = postcard::to_allocvec(&text).expect("texts can be written down");
        let mut rule = Rule {
            id: Cow::Owned(id.to_owned()),
            severity: self.severity,
            enabled: self.enabled,
            is_own: false,
            refuses_value: self.refuses_value,
            yields: !self.yields_to.is_empty(),
            gate: self.gate,
            at: self.at.iter().map(|at| Target::parse(at)).collect(),
            kinds: self.kinds,
            has_content_check: self.check.content().is_some(),
            needs_seen: self.check.content().is_some_and(Check::needs_seen),
            when: self.when.into(),
            downgrade: self.downgrade.into(),
            check: self.check.into(),
            asks: self.question.is_some(),
            text: Cow::Owned(text),
        };
        let others = self.help_when.iter().enumerate();
        let others = others.map(|(at, it)| (format!("/help_when/{at}/when"), &it.when));
        let asked = self.question.iter().filter_map(|question| question.when.as_ref());
        let others = others.chain(asked.map(|when| ("/question/when".to_owned(), when)));
        for (place, pattern) in rule.patterns().into_iter().chain(patterns_of(others)) {
            #[allow(irrefutable_let_patterns, reason = "without the feature `patterns`, each is invalid")]
            if let Err(error) = Regex::new(pattern) {
                // The lines before the last one point at the place in the pattern.
                let error = error.to_string();
                let why = error.lines().last().unwrap_or_default();
                let why = why.strip_prefix("error: ").unwrap_or(why);
                return Err(RuleError::new(
                    place,
                    format!("`{pattern}` is not a valid regular expression: {why}"),
                ));
            }
        }
        let mut check = rule.check.into_inner();
        let mut when = rule.when.into_inner();
        let mut downgrade = rule.downgrade.into_inner();
        if let RuleCheck::Content(check) = &mut check {
            for groups in check.groups() {
                interner.intern_groups(groups).map_err(|message| RuleError::new("/check", message))?;
            }
        }
        let mut intern = |key: &'static str, phrases: &mut crate::text::phrases::interner::Phrases| {
            interner.intern(phrases).map_err(|message| RuleError::new(key, message))
        };
        if let RuleCheck::Content(check) = &mut check {
            for phrases in check.phrases() {
                intern("/check", phrases)?;
            }
        }
        for phrases in when.0.values_mut().flat_map(Condition::phrases) {
            intern("/when", phrases)?;
        }
        for phrases in downgrade
            .iter_mut()
            .flat_map(|downgrade| downgrade.when.0.values_mut())
            .flat_map(Condition::phrases)
        {
            intern("/downgrade", phrases)?;
        }
        rule.check = check.into();
        rule.when = when.into();
        rule.downgrade = downgrade.into();
        Ok(rule)
    }
}

impl Rule {
    /// The group: the part of the id before the slash.
    pub fn group(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    /// The texts of a finding, decoded.
    pub fn text(&self) -> RuleText<'_> {
        postcard::from_bytes(&self.text).expect("`prepare` wrote this from the same type")
    }

    /// The regular expressions with their pointers in the file.
    fn patterns(&self) -> Vec<(String, &str)> {
        let check = self.check.name();
        let own = self.check.content().map_or(&[][..], Check::patterns).iter().enumerate();
        let own = own.map(|(at, pattern)| (format!("/check/{check}/matches/{at}"), pattern.as_str()));
        let downgrades = self.downgrade.iter().enumerate();
        let conditions = std::iter::once(("/when".to_owned(), &*self.when))
            .chain(downgrades.map(|(at, it)| (format!("/downgrade/{at}/when"), &it.when)));
        own.chain(patterns_of(conditions)).collect()
    }

    /// All conditions on fields, including those of downgrades.
    #[doc(hidden)]
    pub fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.when.0.values().chain(self.downgrade.iter().flat_map(|it| it.when.0.values()))
    }
}

/// The regular expressions of conditions with their pointers in the file.
fn patterns_of<'c>(
    conditions: impl Iterator<Item = (String, &'c Conditions)>,
) -> impl Iterator<Item = (String, &'c str)> {
    conditions.flat_map(|(place, conditions)| {
        conditions.0.iter().flat_map(move |(field, condition)| {
            let place = format!("{place}/{field}");
            condition.patterns().into_iter().map(move |(below, pattern)| (format!("{place}{below}"), pattern))
        })
    })
}

fn yes() -> bool {
    true
}

fn asked_only() -> RuleCheck {
    RuleCheck::Asked
}
