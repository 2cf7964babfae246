//! What is known of a provider, as it is prepared: its kinds, their roles, and how they are detected.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::kind::KindRole;
use super::path::Path;
use super::schema::shape::Shape;

/// A provider's file with its schemas, checked and prepared.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ProviderData {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// In the order in which help texts list them.
    pub(crate) kinds: Vec<KindData>,
    /// In the order in which they are tried.
    pub(crate) clues: Vec<Clue>,
    /// What a text contains that was meant to be a draft.
    pub(crate) mentions: Vec<&'static str>,
    /// Names of fields with personal data.
    pub(crate) personal: Vec<&'static str>,
    pub(crate) statuses: Statuses,
}

/// A kind of document.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KindData {
    pub(crate) role: KindRole,
    pub(crate) noun: &'static str,
    pub(crate) about: &'static str,
    /// Where each role is, in the order of their names; none where all are at the root under their own names.
    pub(crate) roles: Option<Vec<(&'static str, Path)>>,
    /// Where each number is.
    pub(crate) numbers: Option<Path>,
    /// The schema, as text that needs no other file.
    #[serde(skip)]
    pub(crate) schema: &'static str,
    /// The encoded [`Shape`] of the schema.
    #[serde(skip)]
    pub(crate) encoded_shape: &'static [u8],
    #[serde(skip)]
    pub(crate) shape: OnceLock<Shape>,
    /// A document in which no rule that is on by default finds anything, as JSON.
    #[serde(skip)]
    pub(crate) sample: &'static str,
}

impl KindData {
    /// Where a role is, in a kind that does not have all roles under their own names.
    pub(crate) fn path(&self, role: &str) -> Option<&Path> {
        let roles = self.roles.as_ref()?;
        roles.binary_search_by(|(name, _)| (*name).cmp(role)).ok().map(|at| &roles[at].1)
    }
}

/// What tells that a document is of a kind. Fields are named by their keys from the root: `company/name`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Clue {
    /// The index of the kind.
    pub(crate) kind: usize,
    /// Every one of these.
    pub(crate) all: Vec<&'static str>,
    /// One of these; none if there is nothing to choose from.
    pub(crate) any: Vec<&'static str>,
    /// Whether it counts only for files that were named.
    pub(crate) named: bool,
}

/// What statuses say, squeezed: in small letters without spaces.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub(crate) struct Statuses {
    /// Nobody has asked for anything yet.
    pub(crate) waiting: Vec<&'static str>,
    pub(crate) verified: Vec<&'static str>,
    pub(crate) rejected: Vec<&'static str>,
}
