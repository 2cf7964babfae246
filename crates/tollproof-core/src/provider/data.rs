//! The prepared data of a provider: its kinds, where their roles are, and how they are detected.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::forms::Form;
use super::kind_role::KindRole;
use super::path::Path;
use super::requirement::Requirement;
use super::schema::shape::Shape;

/// A provider's file and its schemas, after validation.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ProviderData {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// In the order of the help texts.
    pub(crate) kinds: Vec<KindData>,
    /// In the order in which they are tried; the first match wins.
    pub(crate) clues: Vec<Clue>,
    /// Strings that only occur in drafts. A file that cannot be parsed is a draft if it contains one of them.
    pub(crate) mentions: Vec<&'static str>,
    /// Names of fields with personal data.
    pub(crate) personal: Vec<&'static str>,
    pub(crate) statuses: Statuses,
    /// By role, how its value is written.
    pub(crate) forms: Vec<(&'static str, Form)>,
    pub(crate) requirements: Vec<Requirement>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KindData {
    pub(crate) role: KindRole,
    pub(crate) noun: &'static str,
    pub(crate) about: &'static str,
    /// The path of each role, sorted by role. `None` if each role is a field at the root with the name of the role.
    pub(crate) roles: Option<Vec<(&'static str, Path)>>,
    /// The path of each toll-free number.
    pub(crate) numbers: Option<Path>,
    /// The schema as JSON, without references to other files.
    #[serde(skip)]
    pub(crate) schema: &'static str,
    /// The encoded [`Shape`] of the schema.
    #[serde(skip)]
    pub(crate) encoded_shape: &'static [u8],
    #[serde(skip)]
    pub(crate) shape: OnceLock<Shape>,
    /// A document as JSON in which no rule that is on by default finds anything.
    #[serde(skip)]
    pub(crate) sample: &'static str,
}

impl KindData {
    /// The path of a role. `None` also for kinds in which all roles are at the root under their own names.
    pub(crate) fn path(&self, role: &str) -> Option<&Path> {
        let roles = self.roles.as_ref()?;
        roles.binary_search_by(|(name, _)| (*name).cmp(role)).ok().map(|at| &roles[at].1)
    }
}

/// The fields that identify a kind. A field is written as its keys from the root: `company/name`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Clue {
    /// The index of the kind.
    pub(crate) kind: usize,
    /// The document must have all of these fields.
    pub(crate) all: Vec<&'static str>,
    /// The document must also have one of these fields, unless the list is empty.
    pub(crate) any: Vec<&'static str>,
    /// Whether this applies only to files named by the user: in a folder walk, these fields are too common.
    pub(crate) named: bool,
}

/// The values of the status field, in lower case and without whitespace.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Statuses {
    /// The review has not started, and the authority has not asked for anything.
    pub(crate) waiting: Vec<&'static str>,
    pub(crate) verified: Vec<&'static str>,
    pub(crate) rejected: Vec<&'static str>,
}
