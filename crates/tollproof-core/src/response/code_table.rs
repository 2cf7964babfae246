//! The format of `schemas/codes.yaml`: the shapes of providers' answers, and what each code means.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The prepared content of the file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CodeTable {
    pub(crate) answers: Vec<AnswerShape>,
    pub(crate) lists: Vec<String>,
    pub(crate) access: AccessWords,
    /// By the names that the other parts use.
    pub(crate) providers: BTreeMap<String, AnsweringProvider>,
    /// In the order of the file's providers, so that a title is found at its own provider first.
    pub(crate) codes: Vec<CodeEntry>,
}

/// How to read one kind of answer. All names are paths of squeezed keys.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnswerShape {
    pub(crate) provider: String,
    pub(crate) is: AnswerForm,
    /// A document has this shape if it has all names of one of these lists.
    pub(crate) tells: Vec<Vec<String>>,
    #[serde(default)]
    pub(crate) within: Vec<String>,
    #[serde(default)]
    pub(crate) newest_by: Option<String>,
    #[serde(default)]
    pub(crate) status: Vec<String>,
    /// Statuses that the provider's file does not list, such as those of events.
    #[serde(default)]
    pub(crate) verified: Vec<String>,
    #[serde(default)]
    pub(crate) rejected: Vec<String>,
    #[serde(default)]
    pub(crate) asked: Vec<String>,
    #[serde(default)]
    pub(crate) blocked: Option<String>,
    #[serde(default)]
    pub(crate) numbers: Vec<String>,
    #[serde(default)]
    pub(crate) reasons: Vec<ReasonShape>,
    #[serde(default)]
    pub(crate) may_edit: Option<String>,
    #[serde(default)]
    pub(crate) until: Option<String>,
    #[serde(default)]
    pub(crate) refused: RefusalNames,
}

/// What an answer reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AnswerForm {
    /// The result of a review.
    Record,
    /// A request that the API did not accept.
    Refusal,
    /// A request that the API accepted, which says nothing about a review.
    Receipt,
}

/// Where the reasons of an answer are.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReasonShape {
    /// A list, an object or a text. `None` for the answer itself.
    #[serde(default, rename = "in")]
    pub(crate) within: Option<String>,
    #[serde(default)]
    pub(crate) by_key: bool,
    #[serde(default)]
    pub(crate) named: bool,
    #[serde(default)]
    pub(crate) unless_said: bool,
    #[serde(default)]
    pub(crate) code: Vec<String>,
    #[serde(default)]
    pub(crate) text: Vec<String>,
    #[serde(default)]
    pub(crate) field: Vec<String>,
    #[serde(default)]
    pub(crate) advice: Vec<String>,
}

/// Where a refused or accepted request has its code and its message.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefusalNames {
    pub(crate) code: Vec<String>,
    pub(crate) message: Vec<String>,
}

/// What tells an answer about the login of the program that sent a request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccessWords {
    pub(crate) keys: Vec<String>,
    pub(crate) codes: Vec<String>,
    /// In lower case; `*` at an end is any text.
    pub(crate) words: Vec<String>,
}

/// How texts name a provider, and what to do after it rejected a submission.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnsweringProvider {
    pub(crate) title: String,
    pub(crate) names: Vec<String>,
    /// Until when a rejected submission can be edited.
    #[serde(default)]
    pub(crate) until: Option<String>,
    /// The submission may be sent again.
    pub(crate) may_edit: String,
    /// It may not.
    #[serde(rename = "final")]
    pub(crate) is_final: String,
    /// The answer does not say whether it may.
    pub(crate) unknown: String,
    /// The number is blocked, whatever the status is.
    #[serde(default)]
    pub(crate) blocked: Option<String>,
}

/// One code or short text of a provider.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CodeEntry {
    pub(crate) provider: String,
    /// The code. Providers without codes have the short text here.
    pub(crate) code: String,
    pub(crate) title: String,
    pub(crate) also: Vec<String>,
    pub(crate) means: String,
    /// The roles of the field that it is about. The first that a draft's provider has counts.
    pub(crate) roles: Vec<String>,
    pub(crate) change: String,
    pub(crate) resubmit: Resubmit,
    /// Until when, if that is known and not over.
    pub(crate) until: Option<String>,
    /// The rules that find it in a draft, the most likely first.
    pub(crate) rules: Vec<String>,
    /// Its code, and the codes of other providers with the same meaning.
    pub(crate) equals: Vec<String>,
}

/// Whether a provider lists a reason as one that can be edited and sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Resubmit {
    Yes,
    No,
    #[default]
    Unknown,
}

/// A name without case, `_` and `-`, in which answers are compared. A `_` at its start stays: `__type` is another name
/// than `type`.
pub(crate) fn squeezed_name(name: &str) -> String {
    let bare = name.trim_start_matches('_');
    let inside = bare.chars().filter(|it| !matches!(it, '_' | '-' | ' ')).flat_map(char::to_lowercase);
    name.chars().take(name.len() - bare.len()).chain(inside).collect()
}
