//! Handles for a provider and for a kind of document; both are cheap to copy.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Serialize, Serializer};
use tollproof_data::provider::data::{KindData, ProviderData};
pub use tollproof_data::provider::kind_role::KindRole;
use tollproof_data::provider::path::Path;
use tollproof_data::tables::{countries, regions};

use super::{path, role};
use crate::syntax::document::{Node, Value};

/// A provider that takes submissions.
#[derive(Clone, Copy)]
pub struct Provider(pub(crate) &'static ProviderData);

/// A kind of document of one provider.
#[derive(Clone, Copy)]
pub struct Kind {
    provider: Provider,
    at: usize,
}

impl Provider {
    /// The provider's name in settings and reports.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The provider's name as its owner writes it.
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// All kinds of this provider, in the order of the help texts.
    pub fn kinds(self) -> impl Iterator<Item = Kind> + Clone {
        (0..self.0.count).map(move |at| Kind { provider: self, at })
    }

    /// Whether only a part of the provider's interface is known.
    pub fn is_partial(self) -> bool {
        self.0.is_partial
    }

    /// Whether its submissions are the rows of a sheet.
    pub fn is_sheet(self) -> bool {
        self.0.is_sheet
    }

    /// Counts the spellings of the provider's keys.
    pub(crate) fn spellings(self) -> usize {
        self.0.spellings
    }

    /// All kinds of this provider in all their forms, once for each spelling of the keys.
    pub(crate) fn kinds_in_all_spellings(self) -> impl DoubleEndedIterator<Item = Kind> + Clone {
        (0..self.0.kinds.len()).map(move |at| Kind { provider: self, at })
    }

    /// The kind with a role, if the provider has one.
    pub fn kind(self, role: KindRole) -> Option<Kind> {
        self.kinds().find(|kind| kind.role() == role)
    }

    /// The kind at an index of the provider's list.
    pub(crate) fn kind_at(self, at: usize) -> Kind {
        Kind { provider: self, at }
    }
}

impl Kind {
    /// The provider that this kind belongs to.
    pub fn provider(self) -> Provider {
        self.provider
    }

    /// The purpose of documents of this kind.
    pub fn role(self) -> KindRole {
        self.data().role
    }

    /// The kind's name on the command line, in the configuration and in reports.
    pub fn name(self) -> &'static str {
        self.role().name()
    }

    /// The kind's name inside a sentence, with its article.
    pub fn noun(self) -> &'static str {
        self.data().noun
    }

    /// The kind's description in lists of kinds.
    pub fn about(self) -> &'static str {
        self.data().about
    }

    /// Whether it is one of the two request kinds, which reviewers read.
    pub fn is_request(self) -> bool {
        self.is_submit() || self.is_update()
    }

    /// Whether documents of this kind ask for a verification.
    pub fn is_submit(self) -> bool {
        self.role() == KindRole::Submit
    }

    /// Whether documents of this kind change an earlier submission.
    pub fn is_update(self) -> bool {
        self.role() == KindRole::Update
    }

    /// Whether what a document of this kind lacks is given elsewhere, such as in a form that it opens.
    pub(crate) fn is_part(self) -> bool {
        self.data().is_part
    }

    /// Whether documents of this kind are verification records.
    pub fn is_record(self) -> bool {
        self.role() == KindRole::Record
    }

    pub(crate) fn data(self) -> &'static KindData {
        &self.provider.0.kinds[self.at]
    }

    /// The data of the kind as its schema writes it, with the schema and the sample.
    pub(crate) fn written(self) -> &'static KindData {
        &self.provider.0.kinds[self.number()]
    }

    /// Whether all roles are at the root under their own names, as at the default provider.
    pub(crate) fn is_default(self) -> bool {
        self.data().roles.is_none()
    }

    /// The place of the kind in the provider's list, whatever the spelling and the form.
    fn number(self) -> usize {
        let ProviderData { variants, .. } = self.provider.0;
        let (first, count) = self.among();
        let at = (self.at - first) % count;
        if first == 0 { at } else { variants[at] }
    }

    /// The index of the first kind of those that this one is among, the kinds or their other forms, and how many these are in
    /// one spelling.
    fn among(self) -> (usize, usize) {
        let ProviderData { count, spellings, variants, .. } = self.provider.0;
        let first = count * spellings;
        if self.at < first { (0, *count) } else { (first, variants.len()) }
    }

    /// The same kind with another spelling of the keys, by its number; 0 is that of the schema.
    pub(crate) fn spelled(self, spelling: usize) -> Self {
        let (first, count) = self.among();
        Self { at: first + (self.at - first) % count + spelling * count, ..self }
    }

    /// The number of the spelling.
    pub(crate) fn spelling(self) -> usize {
        let (first, count) = self.among();
        (self.at - first) / count
    }

    /// The same kind with the spelling of another one of this provider.
    pub(crate) fn spelled_like(self, other: Self) -> Self {
        self.spelled(other.spelling())
    }

    /// The field with a role, if the document has it. For a role inside a list, this is the list.
    pub fn field<'n, 's>(self, root: &'n Node<'s>, role: &str) -> Option<&'n Node<'s>> {
        match &self.data().roles {
            None => root.get(role),
            Some(_) => self.data().paths(role).iter().find_map(|(_, path)| path::field(path, root)),
        }
    }

    /// As [`Self::field`], whatever the case of the keys, which differs between the records and the events of a provider.
    pub(crate) fn field_in_any_case<'n, 's>(self, root: &'n Node<'s>, role: &str) -> Option<&'n Node<'s>> {
        let other =
            || self.data().paths(role).iter().find_map(|(_, path)| path::field_in_any_case(path, root));
        self.field(root, role).or_else(other)
    }

    /// The values of a role in a document. If the value is a list, its items.
    pub fn values<'n, 's>(self, root: &'n Node<'s>, role: &str) -> Vec<&'n Node<'s>> {
        let mut values = Vec::new();
        let mut add = |node: &'n Node<'s>| match &node.value {
            Value::Array(items) => values.extend(items),
            _ => values.push(node),
        };
        match &self.data().roles {
            Some(_) => self.data().paths(role).iter().for_each(|(_, path)| path::visit(path, root, &mut add)),
            None => root.get(role).into_iter().for_each(add),
        }
        values
    }

    /// The values of a role in its list: the items, or one part of each item.
    pub(crate) fn items<'n, 's>(self, list: &'n Node<'s>, role: &str) -> Vec<&'n Node<'s>> {
        self.data().path(role).map_or_else(|| list.items().iter().collect(), |path| path::items(path, list))
    }

    /// The country of a business, ISO 3166-1 alpha-2, if its field contains a known country. Where the payload has no field
    /// for it, that of the state or province.
    pub(crate) fn country(self, root: &Node<'_>) -> Option<&'static str> {
        let text = |role| self.field(root, role).and_then(Node::as_str);
        match text(role::BUSINESS_COUNTRY) {
            Some(country) => countries::alpha2_of(country),
            None if self.has(role::BUSINESS_COUNTRY) => None,
            None => {
                let state = text(role::BUSINESS_STATE)?;
                ["US", "CA"].into_iter().find(|country| regions::find(country, state).is_some())
            }
        }
    }

    /// Whether documents of this kind contain toll-free numbers.
    pub fn has_numbers(self) -> bool {
        !self.data().numbers.is_empty()
    }

    /// The values that contain toll-free numbers.
    pub fn numbers<'n, 's>(self, root: &'n Node<'s>) -> Vec<&'n Node<'s>> {
        let paths = self.data().numbers.iter().filter(|path| !path::lacks_list(path, root));
        paths.flat_map(|path| path::values(path, root)).collect()
    }

    /// Whether the numbers of a document are names of the same number.
    pub(crate) fn joins_numbers(self) -> bool {
        self.data().names_one
    }

    /// The use case of a document.
    pub fn use_case<'n>(self, root: &'n Node<'_>) -> Option<&'n str> {
        self.values(root, role::USE_CASE).into_iter().find_map(Node::as_str)
    }

    /// The sample messages of a document, each with the name of its field as messages write it.
    pub fn sample_messages<'n, 's>(self, root: &'n Node<'s>) -> Vec<(String, &'n Node<'s>)> {
        let fields: Vec<(&str, Vec<&'n Node<'s>>)> = match &self.data().roles {
            None => vec![(role::SAMPLE_MESSAGE, root.get(role::SAMPLE_MESSAGE).into_iter().collect())],
            Some(_) => {
                let paths = self.data().paths(role::SAMPLE_MESSAGE).iter();
                paths.map(|(_, path)| (path.name, path::values(path, root))).collect()
            }
        };
        let mut found = Vec::new();
        for (name, values) in fields {
            for value in values {
                match &value.value {
                    Value::String(_) => found.push((name.to_owned(), value)),
                    Value::Array(items) => {
                        let texts = items.iter().enumerate().filter(|(_, item)| item.as_str().is_some());
                        found.extend(texts.map(|(at, item)| (format!("{name}[{at}]"), item)));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// The RFC 6901 pointer of the field with a role. If the kind does not have the field, this is where it would be.
    pub fn pointer_of(self, role: &str) -> String {
        self.data().path(role).map_or_else(|| format!("/{role}"), Path::pointer)
    }

    /// The name of the field with a role, as messages write it: `company.name` for `name` inside `company`.
    pub fn field_name(self, role: &str) -> &str {
        self.data().path(role).map_or(role, |path| path.name)
    }

    /// The role of the value at an RFC 6901 pointer, or of the field that contains the value.
    pub fn role_at(self, pointer: &str) -> Option<&str> {
        let Some(roles) = &self.data().roles else { return pointer.split('/').nth(1) };
        let covering = roles.iter().filter(|(_, path)| path.covers(pointer));
        covering.max_by_key(|(_, path)| path.steps.len()).map(|(role, _)| *role)
    }
}

impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Provider {}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.title())
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number() && self.provider == other.provider
    }
}

impl Eq for Kind {}

impl Hash for Kind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.provider.name().hash(state);
        self.number().hash(state);
    }
}

impl PartialOrd for Kind {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kind {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.provider.name(), self.number()).cmp(&(other.provider.name(), other.number()))
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider.name(), self.name())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Kind {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        KindRole::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        KindRole::json_schema(generator)
    }
}
