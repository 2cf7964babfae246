//! `provider.yaml`: its format, as written.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::data::BodyFormat;
use super::forms::Form;
use super::kind::KindRole;
use super::spelling::Spelling;

/// A provider's file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderFile {
    pub(super) title: String,
    #[serde(default)]
    pub(super) partial: bool,
    /// Whether its submissions are the rows of a sheet.
    #[serde(default)]
    pub(super) sheet: bool,
    #[serde(default)]
    pub(super) spellings: Vec<Spelling>,
    pub(super) kinds: Vec<KindEntry>,
    pub(super) detect: Vec<ClueEntry>,
    #[serde(default)]
    pub(super) mentions: Vec<String>,
    #[serde(default)]
    pub(super) personal: Vec<String>,
    #[serde(default)]
    pub(super) statuses: StatusEntries,
    #[serde(default)]
    pub(super) parts_requests: bool,
    #[serde(default)]
    pub(super) aliases: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) values: BTreeMap<String, BTreeMap<String, MeaningEntry>>,
    #[serde(default)]
    pub(super) value_aliases: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    #[serde(default)]
    pub(super) forms: BTreeMap<String, Form>,
    #[serde(default)]
    pub(super) requires: Vec<RequirementEntry>,
    /// Whether the API takes a web address without its scheme.
    #[serde(default)]
    pub(super) bare_domains: bool,
    #[serde(default)]
    pub(super) told_in: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) opt_in_types: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) resubmit_days: Option<u32>,
    #[serde(default)]
    pub(super) sources: Vec<SourceEntry>,
    /// The keys of lists that have a name and a value for each field.
    #[serde(default)]
    pub(crate) entries: EntryKeys,
    /// The types of Terraform's resources that are submissions.
    #[serde(default)]
    pub(crate) resources: Vec<String>,
    /// The keys of lists in which the API returns several records.
    #[serde(default)]
    pub(crate) lists: Vec<String>,
}

/// The keys of lists that have a name and a value for each field.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryKeys {
    pub(crate) names: Vec<String>,
    pub(crate) values: Vec<String>,
}

/// What a value of the provider means by the values of the role.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeaningEntry {
    #[serde(default)]
    pub(super) exact: Vec<String>,
    #[serde(default)]
    pub(super) near: Vec<String>,
    #[serde(default)]
    pub(super) loose: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RequirementEntry {
    pub(super) roles: Vec<String>,
    #[serde(default)]
    pub(super) unless: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) when: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) since: Option<String>,
    pub(super) source: String,
}

/// Where a fact of the provider's files comes from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceEntry {
    pub(super) fact: String,
    pub(super) source: String,
    pub(super) date: String,
    /// Whether the provider itself says so, in its specification or its answers.
    pub(super) verified: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KindEntry {
    pub(super) kind: KindRole,
    /// The name of the schema, if this is another form of a kind that has an entry of its own.
    #[serde(default)]
    pub(super) schema: Option<String>,
    /// The object that has the whole document of the kind: this form has its roles there.
    #[serde(default)]
    pub(super) below: Option<String>,
    /// Whether what the document lacks is given elsewhere.
    #[serde(default)]
    pub(super) part: bool,
    pub(super) noun: String,
    pub(super) about: String,
    #[serde(default)]
    pub(super) body: BodyFormat,
    #[serde(default)]
    pub(super) submission: Option<String>,
    #[serde(default)]
    pub(super) roles: BTreeMap<String, PathEntry>,
}

/// One path of a role, or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum PathEntry {
    One(String),
    Several(Vec<String>),
}

impl PathEntry {
    pub(super) fn all(&self) -> &[String] {
        match self {
            Self::One(path) => std::slice::from_ref(path),
            Self::Several(paths) => paths,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClueEntry {
    pub(super) kind: KindRole,
    #[serde(default)]
    pub(super) schema: Option<String>,
    #[serde(default)]
    pub(super) all: Vec<String>,
    #[serde(default)]
    pub(super) any: Vec<String>,
    #[serde(default)]
    pub(super) without: Vec<String>,
    #[serde(default)]
    pub(super) begins: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) most: Option<usize>,
    #[serde(default)]
    pub(super) submission: bool,
    #[serde(default)]
    pub(super) named: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusEntries {
    #[serde(default)]
    pub(super) waiting: Vec<String>,
    #[serde(default)]
    pub(super) open: Vec<String>,
    #[serde(default)]
    pub(super) asked: Vec<String>,
    #[serde(default)]
    pub(super) verified: Vec<String>,
    #[serde(default)]
    pub(super) rejected: Vec<String>,
    #[serde(default)]
    pub(super) ended: Vec<String>,
}
