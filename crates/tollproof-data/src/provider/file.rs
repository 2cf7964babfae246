//! `provider.yaml`: its format, as written.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::data::BodyFormat;
use super::forms::Form;
use super::kind_role::KindRole;
use super::spelling::Spelling;

/// A provider's file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderFile {
    pub title: String,
    #[serde(default)]
    pub partial: bool,
    /// Whether its submissions are the rows of a sheet.
    #[serde(default)]
    pub sheet: bool,
    #[serde(default)]
    pub spellings: Vec<Spelling>,
    /// The places of roles in the documents of every kind that has these fields and does not list the role
    /// itself.
    #[serde(default)]
    pub roles: BTreeMap<String, PathEntry>,
    pub kinds: Vec<KindEntry>,
    pub detect: Vec<ClueEntry>,
    #[serde(default)]
    pub mentions: Vec<String>,
    #[serde(default)]
    pub personal: Vec<String>,
    #[serde(default)]
    pub statuses: StatusEntries,
    #[serde(default)]
    pub parts_requests: bool,
    #[serde(default)]
    pub aliases: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub values: BTreeMap<String, BTreeMap<String, MeaningEntry>>,
    #[serde(default)]
    pub value_aliases: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    #[serde(default)]
    pub forms: BTreeMap<String, Form>,
    #[serde(default)]
    pub requires: Vec<RequirementEntry>,
    /// Whether the API takes a web address without its scheme.
    #[serde(default)]
    pub bare_domains: bool,
    #[serde(default)]
    pub also_in: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub opt_in_types: BTreeMap<String, String>,
    pub resubmit_days: Option<u32>,
    #[serde(default)]
    pub sources: Vec<SourceEntry>,
    /// The keys of lists that have a name and a value for each field.
    #[serde(default)]
    pub entries: EntryKeys,
    /// The types of Terraform's resources that are submissions.
    #[serde(default)]
    pub resources: Vec<String>,
    /// The keys of lists in which the API returns several records.
    #[serde(default)]
    pub lists: Vec<String>,
}

/// The keys of lists that have a name and a value for each field.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryKeys {
    pub names: Vec<String>,
    pub values: Vec<String>,
}

/// The meaning of a provider's value by the values of the role.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MeaningEntry {
    pub exact: Vec<String>,
    pub near: Vec<String>,
    pub loose: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequirementEntry {
    pub roles: Vec<String>,
    #[serde(default)]
    pub unless: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub when: BTreeMap<String, Vec<String>>,
    pub since: Option<String>,
    #[serde(default)]
    pub by_reviewers: bool,
    pub source: String,
}

/// The source of a fact in the provider's files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceEntry {
    pub fact: String,
    pub source: String,
    pub date: String,
    /// Whether the provider itself says so, in its specification or its answers.
    pub verified: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KindEntry {
    pub kind: KindRole,
    /// The name of the schema, if this is another form of a kind that has an entry of its own.
    pub schema: Option<String>,
    /// The object that has the whole document of the kind: this form has its roles there.
    pub below: Option<String>,
    /// Whether what the document lacks is given elsewhere.
    #[serde(default)]
    pub part: bool,
    pub noun: String,
    pub about: String,
    #[serde(default)]
    pub body: BodyFormat,
    pub submission: Option<String>,
    /// The places of roles. A field with the name of a role has this role, if no other role is there.
    #[serde(default)]
    pub roles: BTreeMap<String, PathEntry>,
    /// The roles of the provider that this entry does not list, each if documents of the kind have the field.
    #[serde(skip)]
    pub inherited: BTreeMap<String, PathEntry>,
}

/// One path of a role, or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum PathEntry {
    One(String),
    Several(Vec<String>),
}

impl PathEntry {
    /// The paths below an object.
    pub fn below(&self, object: &str) -> Self {
        Self::Several(self.all().iter().map(|path| format!("{object}/{path}")).collect())
    }

    pub fn all(&self) -> &[String] {
        match self {
            Self::One(path) => std::slice::from_ref(path),
            Self::Several(paths) => paths,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClueEntry {
    pub kind: KindRole,
    pub schema: Option<String>,
    #[serde(default)]
    pub all: Vec<String>,
    #[serde(default)]
    pub any: Vec<String>,
    #[serde(default)]
    pub without: Vec<String>,
    #[serde(default)]
    pub begins: BTreeMap<String, String>,
    pub most: Option<usize>,
    #[serde(default)]
    pub submission: bool,
    #[serde(default)]
    pub named: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StatusEntries {
    pub waiting: Vec<String>,
    pub open: Vec<String>,
    pub asked: Vec<String>,
    pub verified: Vec<String>,
    pub rejected: Vec<String>,
    pub ended: Vec<String>,
}
