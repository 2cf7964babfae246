//! The question of a rule, which a reader answers from the texts of a draft.

use serde::{Deserialize, Serialize};

use super::error::RuleError;
use super::one_or_many::one_or_many;
use crate::checks::condition::Conditions;
use crate::severity::Severity;

/// The answers of a question that does not list any.
const YES_OR_NO: [&str; 2] = ["yes", "no"];

/// The question to a reader about a draft, its possible answers, and those that are the defect of the rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct QuestionFile {
    /// The name of the question in requests and readings; by default, the id of the rule.
    pub id: Option<String>,
    /// The question, which a reader answers from the texts alone.
    pub ask: String,
    /// The fields that it is about, by their roles; by default, those of the rule. What pages of the draft show that
    /// `tollproof look` has seen: `optInPage`, `optInPageForms`, `optInPicture`, `privacyPolicyPage`, `termsPage`, `websitePage`.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub at: Vec<String>,
    /// Those of the fields without which it cannot be answered; it is not asked about a draft that lacks one of them.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub needs: Vec<String>,
    /// Conditions under which it can apply, in place of the rule's; it is not asked about another draft.
    #[doc(hidden)]
    pub when: Option<Conditions>,
    /// The answers, of which a reader gives exactly one; by default, `yes` and `no`.
    #[serde(default)]
    pub one_of: Vec<String>,
    /// The answers, of which a reader gives any number.
    #[serde(default)]
    pub any_of: Vec<String>,
    /// The answers that are the defect.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub defect: Vec<String>,
    /// The answers that are not the defect, in place of `defect`. With `any_of`, the answer for none of them.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub harmless: Vec<String>,
    /// The number of `any_of` answers that make the defect.
    #[serde(default = "one")]
    pub at_least: u8,
    /// Whether the defect is that something is missing, so that no words of the draft can be quoted for it.
    #[serde(default)]
    pub absence: bool,
    /// The severity of a finding, in place of the rule's: a reader may be surer than words.
    pub severity: Option<Severity>,
    /// Questions whose defect replaces that of this one.
    #[serde(default, deserialize_with = "one_or_many")]
    #[cfg_attr(feature = "schema", schemars(with = "super::one_or_many::OneOrMany"))]
    pub yields_to: Vec<String>,
    /// The message of a finding, in place of the rule's. It may contain `{field}`, `{match}`, the quoted words, and
    /// `{answer}`.
    pub message: Option<String>,
    /// Advice for the writer, in place of the rule's help; may contain the same placeholders.
    pub help: Option<String>,
}

/// A question, ready to be asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleQuestion<'r> {
    /// The name in requests and readings.
    pub id: &'r str,
    /// The question.
    pub ask: &'r str,
    /// The roles of the fields that it is about.
    pub at: Vec<&'r str>,
    /// Those without which it is not asked.
    pub needs: Vec<&'r str>,
    /// The conditions under which it is asked, if they are not the rule's.
    #[doc(hidden)]
    pub when: Option<Conditions>,
    /// All answers.
    pub answers: Vec<&'r str>,
    /// Whether several answers may be given.
    pub is_many: bool,
    /// The answers that are the defect.
    pub defects: Vec<&'r str>,
    /// The required number of them.
    pub at_least: u8,
    /// Whether the defect is that something is missing, for which nothing can be quoted.
    pub is_absence: bool,
    /// The severity of a finding, if it is not the rule's.
    pub severity: Option<Severity>,
    /// The questions whose defect replaces that of this one.
    pub yields_to: Vec<&'r str>,
    /// The message of a finding, if it is not the rule's.
    pub message: Option<&'r str>,
    /// The help of a finding, if it is not the rule's.
    pub help: Option<&'r str>,
}

impl QuestionFile {
    /// The question of a rule with an id that looks at some fields.
    pub(super) fn prepare<'r>(
        &'r self,
        id: &'r str,
        at: &'r [String],
    ) -> Result<RuleQuestion<'r>, RuleError> {
        let wrong = |key: &str, message: &str| Err(RuleError::new(format!("/question/{key}"), message));
        if self.ask.trim().is_empty() {
            return wrong("ask", "a question needs text");
        }
        if !self.one_of.is_empty() && !self.any_of.is_empty() {
            return wrong("any_of", "a question has either `one_of` or `any_of`");
        }
        if self.defect.is_empty() == self.harmless.is_empty() {
            return wrong(
                "",
                "a question needs either `defect` or `harmless`: which of its answers are the defect",
            );
        }
        let is_many = !self.any_of.is_empty();
        let listed = [&self.any_of, &self.one_of].into_iter().find(|it| !it.is_empty());
        let listed = listed.map(|answers| answers.iter().map(String::as_str).collect());
        let mut answers: Vec<&str> = listed.unwrap_or_else(|| YES_OR_NO.to_vec());
        let harmless: Vec<&str> = self.harmless.iter().map(String::as_str).collect();
        if is_many {
            if harmless.len() != 1 || answers.contains(&harmless[0]) {
                return wrong("any_of", "`any_of` needs `harmless`: one more answer, for none of them");
            }
            answers.push(harmless[0]);
        }
        let named = [("defect", &self.defect), ("harmless", &self.harmless)];
        for (key, name) in named.iter().flat_map(|(key, names)| names.iter().map(move |it| (key, it))) {
            if !answers.contains(&name.as_str()) {
                return wrong(key, &format!("`{name}` is not one of the answers"));
            }
        }
        let is_defect = |answer: &&str| {
            if self.defect.is_empty() {
                !harmless.contains(answer)
            } else {
                self.defect.iter().any(|defect| defect == answer)
            }
        };
        let defects: Vec<&str> = answers.iter().copied().filter(is_defect).collect();
        if defects.is_empty() || defects.len() == answers.len() {
            return wrong("", "some answers of a question must be the defect, and some not");
        }
        if self.at_least == 0 || usize::from(self.at_least) > defects.len() || !is_many && self.at_least > 1 {
            return wrong("at_least", "`at_least` must be from 1 to the number of answers that can be given");
        }
        let at = if self.at.is_empty() { at } else { &self.at };
        if let Some(missing) = self.needs.iter().find(|it| !at.contains(it)) {
            return wrong("needs", &format!("`{missing}` is not one of the fields of the question"));
        }
        Ok(RuleQuestion {
            id: self.id.as_deref().unwrap_or(id),
            ask: self.ask.trim(),
            at: at.iter().map(|it| it.trim_end_matches("[*]")).collect(),
            needs: self.needs.iter().map(String::as_str).collect(),
            when: self.when.clone(),
            answers,
            is_many,
            defects,
            at_least: self.at_least,
            is_absence: self.absence,
            severity: self.severity,
            yields_to: self.yields_to.iter().map(String::as_str).collect(),
            message: self.message.as_deref(),
            help: self.help.as_deref().map(str::trim_end),
        })
    }
}

impl RuleQuestion<'_> {
    /// Whether answers, all of which are among [`RuleQuestion::answers`], are the defect.
    pub fn is_defect(&self, answers: &[String]) -> bool {
        // One that is given twice is one.
        let defects =
            self.defects.iter().filter(|defect| answers.iter().any(|answer| answer == *defect)).count();
        defects >= usize::from(self.at_least)
    }
}

fn one() -> u8 {
    1
}
