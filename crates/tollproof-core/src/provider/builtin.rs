//! The built-in providers, which `build.rs` prepares, and kinds by name.

use std::str::FromStr;
use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};
use tollproof_data::prepared::Writing;
use tollproof_data::provider::data::ProviderData;
use tollproof_data::provider::kind_set::KindSet;
use tollproof_data::suggest::nearest;

use super::kind::{Kind, KindRole, Provider};
use crate::prepared::PREPARED;
use crate::syntax::document::Node;

/// The number of a document's keys that each provider has, by spelling: a number for each of [`writings`].
pub(crate) struct KeyCounts(Vec<usize>);

/// The providers in all their spellings.
fn writings() -> &'static [Writing] {
    &PREPARED.keys.writings
}

impl KeyCounts {
    /// Counts the keys of a document, the first `most` of them.
    pub(crate) fn of(root: &Node<'_>, most: usize) -> Self {
        let mut counts = vec![0; writings().len()];
        let keys = &PREPARED.keys.keys;
        for member in root.members().iter().take(most) {
            let Ok(at) = keys.binary_search_by_key(&member.key.as_ref(), |(key, _)| key) else { continue };
            for (bit, count) in counts.iter_mut().enumerate() {
                *count += usize::from(keys[at].1 & 1 << bit != 0);
            }
        }
        Self(counts)
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = (&'static Writing, usize)> {
        writings().iter().zip(self.0.iter().copied())
    }

    /// Those of the spellings of a provider.
    fn of_provider(&self, provider: Provider) -> impl DoubleEndedIterator<Item = (&'static Writing, usize)> {
        let index = PREPARED.providers.iter().position(|(name, _)| *name == provider.name());
        self.iter().filter(move |(writing, _)| Some(writing.provider) == index)
    }

    /// The other providers than the default one that have at least so many keys of the document, or one where items of
    /// lists can identify it, in their order.
    pub(crate) fn others(&self, least: usize) -> impl Iterator<Item = Provider> {
        let enough = self.iter().filter(|(writing, count)| {
            writing.provider > 0 && *count > 0 && (*count >= least || writing.by_items)
        });
        let mut found: Vec<usize> = enough.map(|(writing, _)| writing.provider).collect();
        found.dedup();
        found.into_iter().map(Provider::at)
    }

    /// Counts the document's keys that a kind's provider has in the spelling of this kind.
    pub(crate) fn of_spelling(&self, kind: Kind) -> usize {
        let mut own = self.of_provider(kind.provider());
        own.find(|(writing, _)| writing.spelling == kind.spelling()).map_or(0, |(_, count)| count)
    }

    /// The spelling of a provider's keys that has the most keys of the document, and how many; of several, the first.
    pub(crate) fn spelling(&self, provider: Provider) -> (usize, usize) {
        let most = self.of_provider(provider).rev().max_by_key(|(_, count)| *count);
        most.map_or((0, 0), |(writing, count)| (writing.spelling, count))
    }
}

/// The roles of the fields that reviewers read. Two submissions are the same if these fields are equal.
pub(crate) fn submission_roles() -> &'static [&'static str] {
    &PREPARED.roles.submission
}

/// Whether a role is one that the default provider does not have.
pub(crate) fn is_asked(role: &str) -> bool {
    PREPARED.roles.asked.binary_search(&role).is_ok()
}

impl Provider {
    /// Creates a provider. Its data is leaked, because providers live as long as the program.
    pub(crate) fn of(data: ProviderData) -> Self {
        Self(Box::leak(Box::new(data)))
    }

    /// The built-in provider with a name.
    ///
    /// # Errors
    ///
    /// The name is that of no built-in provider.
    pub fn named(name: &str) -> Result<Self, UnknownProvider> {
        let known: Vec<&'static str> = PREPARED.providers.iter().map(|(known, _)| *known).collect();
        let index = known.iter().position(|it| *it == name).map(Self::at);
        index.ok_or_else(|| UnknownProvider {
            name: name.to_owned(),
            nearest: nearest(name, known.iter().copied()),
            known,
        })
    }

    /// The built-in providers, in the order in which they are tried on a document.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Provider>> =
            LazyLock::new(|| (0..PREPARED.providers.len()).map(Provider::at).collect());
        &ALL
    }

    /// The kinds of this provider that a set contains.
    pub fn kinds_in(self, set: KindSet) -> impl Iterator<Item = Kind> {
        self.kinds().filter(move |kind| set.contains(kind.role()))
    }

    /// The built-in provider at an index of [`Self::all`]. Each is decoded when it is first needed: most runs need one.
    fn at(index: usize) -> Self {
        Self(&PREPARED.providers[index].1)
    }
}

impl Default for Provider {
    /// The provider whose field names are also the names of the roles.
    fn default() -> Self {
        Self::at(0)
    }
}

impl Kind {
    /// Whether the kind is one of the default provider.
    pub(crate) fn is_default_provider(self) -> bool {
        self.provider() == Provider::default()
    }

    /// The kind's name, with that of its provider unless it is the default one: `twilio/submit-request`.
    pub fn full_name(self) -> String {
        if self.is_default_provider() {
            self.name().to_owned()
        } else {
            format!("{}/{}", self.provider().name(), self.name())
        }
    }

    /// All kinds of the default provider, in the order of the help texts.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        Provider::default().kinds()
    }

    /// The two request kinds of the default provider, which reviewers read.
    pub fn requests() -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(|kind| kind.is_request())
    }

    /// The kind with a role, of the default provider.
    #[must_use]
    pub fn of(role: KindRole) -> Self {
        Provider::default().kind(role).expect("build.rs refuses a default provider that lacks a kind")
    }

    /// The role of the field at an RFC 6901 pointer, or of the field that contains the value there; `None` if the pointer
    /// leads to no field with a role.
    pub fn role_of(self, pointer: &str) -> Option<&'static str> {
        let role = self.role_at(pointer)?;
        PREPARED.roles.all.iter().find(|it| **it == role).copied()
    }

    /// The group in which a form shows the field with a role: `business`, `address`, `opt-in` or another one of `groups:`
    /// in `schemas/roles.yaml`; `other` for a role that is in none.
    pub fn group_of_role(role: &str) -> &'static str {
        PREPARED
            .roles
            .groups
            .iter()
            .find(|(_, roles)| roles.contains(&role))
            .map_or("other", |(group, _)| group)
    }

    /// Labels of people, above the columns of a table and before the values in notes, in three languages, by the role that they
    /// mean. `businessContactName` is the first and the last name of the contact.
    #[must_use]
    pub fn headings() -> &'static [(&'static str, Vec<&'static str>)] {
        &PREPARED.roles.headings
    }

    /// Whether the field with a role is a text that people write in their own words.
    pub fn is_text(role: &str) -> bool {
        PREPARED.roles.texts.contains(&role)
    }

    /// The texts in a document that people write in their own words, each with its role.
    pub fn texts<'n, 's>(self, root: &'n Node<'s>) -> Vec<(&'static str, &'n Node<'s>)> {
        let texts = |role| self.values(root, role).into_iter().filter(|node| node.as_str().is_some());
        PREPARED.roles.texts.iter().flat_map(|role| texts(role).map(move |node| (*role, node))).collect()
    }

    /// The names of all kinds, for suggestions.
    fn names() -> &'static [&'static str] {
        static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| Kind::all().map(Kind::name).collect());
        &NAMES
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    /// Reads `kind`, of the default provider, or `provider/kind`.
    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let of_provider = name.split_once('/').and_then(|(provider, kind)| {
            Provider::named(provider).ok()?.kinds().find(|it| it.name() == kind)
        });
        if let Some(kind) = of_provider {
            return Ok(kind);
        }
        Self::all().find(|kind| kind.name() == name).ok_or_else(|| UnknownKind {
            name: name.to_owned(),
            nearest: nearest(name, Self::names().iter().copied()),
        })
    }
}

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        Self::named(name)
    }
}

impl<'de> Deserialize<'de> for Provider {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::named(&name).map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Provider {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Provider".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = Self::all().iter().map(|it| it.name()).collect();
        schemars::json_schema!({ "type": "string", "enum": names, "description": "The name of a provider." })
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        KindRole::deserialize(deserializer).map(Self::of)
    }
}

/// An unknown name of a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of document `{}`{}", crate::syntax::message_parts::quoted(.name), tollproof_data::suggest::did_you_mean(*.nearest))]
pub struct UnknownKind {
    /// The name as the user wrote it.
    pub name: String,
    /// The kind with the most similar name.
    pub nearest: Option<&'static str>,
}

/// An unknown name of a provider.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown provider `{}`{}", crate::syntax::message_parts::quoted(.name), meant(*.nearest, .known))]
pub struct UnknownProvider {
    /// The name as the user wrote it.
    pub name: String,
    /// The provider with the most similar name.
    pub nearest: Option<&'static str>,
    /// The names of all providers.
    pub known: Vec<&'static str>,
}

/// The name that was meant, or all names.
fn meant(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(_) => tollproof_data::suggest::did_you_mean(nearest),
        None => format!("; use one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::role;

    #[test]
    fn roles_that_code_asks_for_are_roles() {
        let source = include_str!("role.rs");
        let named: Vec<&str> = source.split('"').skip(1).step_by(2).collect();
        assert!(named.len() > 15, "{named:?}");
        for name in named {
            assert!(PREPARED.roles.all.contains(&name), "{name}");
        }
        assert!(submission_roles().contains(&role::BUSINESS_NAME) && !submission_roles().contains(&role::ID));
    }
}
