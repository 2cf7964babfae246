//! The kinds that a rule applies to: `kinds:` of a rule file.

use serde::{Deserialize, Deserializer, Serialize};

use super::kind_role::KindRole;

/// A set of kinds, by their roles, for any provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindSet(u8);

/// A kind, or a group of them, as rule files name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum KindName {
    /// The two requests.
    Requests,
    /// Verification records.
    Records,
    /// All kinds.
    All,
    /// A draft that asks for the verification of one number.
    SubmitRequest,
    /// A draft that changes an earlier submission.
    UpdateRequest,
    /// The API's answer when a verification is fetched or updated.
    VerificationRecord,
    /// A purchase of numbers.
    NumberPurchase,
    /// The query of a search for available numbers.
    NumberSearch,
    /// The body of a refused request.
    ErrorResponse,
}

impl KindSet {
    /// The two request kinds, which reviewers read.
    pub const REQUESTS: Self = Self::of(KindRole::Submit).and(Self::of(KindRole::Update));

    /// The kinds of all roles.
    pub const ALL: Self = Self::REQUESTS
        .and(Self::of(KindRole::Record))
        .and(Self::of(KindRole::Purchase))
        .and(Self::of(KindRole::Search))
        .and(Self::of(KindRole::Error));

    const fn of(role: KindRole) -> Self {
        Self(1 << role as u8)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Counts the roles in the set.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set contains the kinds with a role.
    pub fn contains(self, role: KindRole) -> bool {
        self.0 & Self::of(role).0 != 0
    }
}

impl Default for KindSet {
    fn default() -> Self {
        Self::REQUESTS
    }
}

impl KindName {
    fn set(self) -> KindSet {
        match self {
            Self::Requests => KindSet::REQUESTS,
            Self::Records | Self::VerificationRecord => KindSet::of(KindRole::Record),
            Self::All => KindSet::ALL,
            Self::SubmitRequest => KindSet::of(KindRole::Submit),
            Self::UpdateRequest => KindSet::of(KindRole::Update),
            Self::NumberPurchase => KindSet::of(KindRole::Purchase),
            Self::NumberSearch => KindSet::of(KindRole::Search),
            Self::ErrorResponse => KindSet::of(KindRole::Error),
        }
    }
}

/// Reads a list of names. An empty list means the two request kinds.
pub fn from_names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<KindSet, D::Error> {
    let names = Vec::<KindName>::deserialize(deserializer)?;
    Ok(names.into_iter().map(KindName::set).reduce(KindSet::and).unwrap_or_default())
}

/// The JSON Schema of the list that [`from_names`] reads.
#[cfg(feature = "schema")]
pub fn schema_of_names(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    <Vec<KindName> as schemars::JsonSchema>::json_schema(generator)
}
