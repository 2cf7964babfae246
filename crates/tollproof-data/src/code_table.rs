//! The format of `schemas/codes.yaml`: the shapes of providers' answers, and what each code means.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The prepared content of the file.
#[derive(Debug, Serialize, Deserialize)]
pub struct CodeTable {
    pub answers: Vec<AnswerShape>,
    pub lists: Vec<String>,
    pub access: AccessWords,
    pub series: Vec<CodeSeries>,
    /// By the names that the other parts use.
    pub providers: BTreeMap<String, AnsweringProvider>,
    /// In the order of the file's providers, so that a title is found at its own provider first.
    pub codes: Vec<CodeEntry>,
}

/// The layout of one kind of answer. All names are paths of squeezed keys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerShape {
    pub provider: String,
    pub is: AnswerForm,
    /// A document has this shape if it has all names of one of these lists.
    pub tells: Vec<Vec<String>>,
    #[serde(default)]
    pub within: Vec<String>,
    pub newest_by: Option<String>,
    #[serde(default)]
    pub status: Vec<String>,
    /// Statuses that the provider's file does not list, such as those of events.
    #[serde(default)]
    pub verified: Vec<String>,
    #[serde(default)]
    pub rejected: Vec<String>,
    #[serde(default)]
    pub asked: Vec<String>,
    pub blocked: Option<String>,
    #[serde(default)]
    pub numbers: Vec<String>,
    #[serde(default)]
    pub reasons: Vec<ReasonShape>,
    pub may_edit: Option<String>,
    pub until: Option<String>,
    #[serde(default)]
    pub refused: RefusalNames,
}

/// The content of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerForm {
    /// The result of a review.
    Record,
    /// A request that the API did not accept.
    Refusal,
    /// A request that the API accepted, which says nothing about a review.
    Receipt,
}

/// The place of the reasons in an answer.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReasonShape {
    /// A list, an object or a text. `None` for the answer itself.
    #[serde(rename = "in")]
    pub within: Option<String>,
    pub by_key: bool,
    pub named: bool,
    pub unless_said: bool,
    pub code: Vec<String>,
    pub text: Vec<String>,
    pub field: Vec<String>,
    pub advice: Vec<String>,
}

/// The place of code and message in a refused or accepted request.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusalNames {
    pub code: Vec<String>,
    pub message: Vec<String>,
}

/// Signs of an answer about the login of the program that sent a request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessWords {
    pub keys: Vec<String>,
    pub codes: Vec<String>,
    /// In lower case; `*` at an end is any text.
    pub words: Vec<String>,
}

/// A list of a provider's codes, and what those of them have in common that the table lacks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodeSeries {
    pub provider: String,
    pub from: Option<u32>,
    pub to: Option<u32>,
    /// The beginning of names, for providers with names in place of numbers.
    pub begins: Option<String>,
    /// Empty for a list without codes.
    #[serde(default)]
    pub about: String,
    /// The field that most of them are about.
    pub role: Option<String>,
    pub source: String,
    /// The day of the source, or the one on which it was read.
    pub date: String,
}

impl CodeSeries {
    /// Whether a code is of this series.
    pub fn has(&self, code: &str) -> bool {
        let begins = self.begins.as_deref().is_some_and(|start| code.starts_with(start));
        let number: Option<u32> = code.parse().ok();
        begins
            || number
                .is_some_and(|number| self.from.is_some_and(|from| from <= number) && self.to >= Some(number))
    }
}

/// Names of a provider in texts, and what to do after it rejected a submission.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnsweringProvider {
    pub title: String,
    pub names: Vec<String>,
    /// Until when a rejected submission can be edited.
    pub until: Option<String>,
    /// The submission may be sent again.
    pub may_edit: String,
    /// It may not.
    #[serde(rename = "final")]
    pub is_final: String,
    /// It can no longer be edited, where that is another step.
    pub over: Option<String>,
    /// The answer does not say whether it may.
    pub unknown: String,
    /// The number is blocked, whatever the status is.
    pub blocked: Option<String>,
}

impl AnsweringProvider {
    /// The step where a submission can no longer be edited.
    pub fn is_over(&self) -> &String {
        self.over.as_ref().unwrap_or(&self.is_final)
    }
}

/// One code or short text of a provider.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeEntry {
    pub provider: String,
    /// The code. Providers without codes have the short text here.
    pub code: String,
    pub title: String,
    pub also: Vec<String>,
    pub means: String,
    /// The roles of the field that it is about. The first that a draft's provider has counts.
    pub roles: Vec<String>,
    pub change: String,
    pub resubmit: Resubmit,
    /// Until when, if that is known and not over.
    pub until: Option<String>,
    /// The rules that find it in a draft, the most likely first.
    pub rules: Vec<String>,
    /// Its code, and the codes of other providers with the same meaning.
    pub equals: Vec<String>,
}

/// Whether a provider lists a reason as one that can be edited and sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resubmit {
    Yes,
    No,
    #[default]
    Unknown,
}

/// A name without case, `_` and `-`, in which answers are compared. A `_` at its start stays: `__type` is another name
/// than `type`.
pub fn squeezed_name(name: &str) -> String {
    let bare = name.trim_start_matches('_');
    let inside = bare.chars().filter(|it| !matches!(it, '_' | '-' | ' ')).flat_map(char::to_lowercase);
    name.chars().take(name.len() - bare.len()).chain(inside).collect()
}
