//! The output of the build script of tollproof-core: all that `rules/` and `schemas/` contain, in one piece of bytes.
//!
//! Most parts are decoded when they are first needed, and texts and the table of phrases are used where they are.

use serde::{Deserialize, Serialize};

use crate::code_table::CodeTable;
use crate::encoded::Encoded;
use crate::provider::data::ProviderData;
use crate::public_suffixes::PublicSuffixes;
use crate::rule::file::Rule;
use crate::text::table::lexicon::Lexicon;
use crate::text::table::stored::WordTable;
use crate::text::terms::vocabulary::Vocabulary;
use crate::text::words::hit::SetId;

/// Rows of names, each with something.
pub type Rows<T> = Vec<(&'static str, T)>;

/// All that is prepared.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Prepared {
    pub rules: Encoded<PreparedRules>,
    /// The rule files by id.
    pub rule_files: Encoded<Rows<&'static str>>,
    /// The files of `rules/vocabulary/`, by their names without the ending; none for a page.
    pub vocabulary_files: Encoded<Rows<&'static str>>,
    /// The lists that rules name: each file of `rules/lists/` by its name without the ending.
    pub lists: Encoded<Rows<&'static str>>,
    /// Those of them that contain hosts.
    pub hosts: Encoded<Rows<WordTable<'static>>>,
    pub roles: Encoded<RoleNames>,
    /// The providers by name. The first is the one whose field names are also the names of the roles.
    pub providers: Rows<Encoded<ProviderData>>,
    pub keys: Encoded<ProviderKeys>,
    pub wrapping: Encoded<WrappingKeys>,
    pub columns: Encoded<Columns>,
    pub aliases: Encoded<Aliases>,
    pub codes: Encoded<CodeTable>,
    pub public_suffixes: Encoded<PublicSuffixes>,
}

/// Rules with all their phrases, ready to run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct PreparedRules {
    pub rules: Vec<Rule>,
    pub phrases: Lexicon<'static>,
    /// The title of the list of a lexicon set.
    pub titles: Vec<(SetId, String)>,
    pub vocabulary: Vocabulary<'static>,
    pub next_set: SetId,
}

/// The names of `schemas/roles.yaml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct RoleNames {
    pub all: Vec<&'static str>,
    /// The roles of the fields that reviewers read. Two submissions are the same if these fields are equal.
    pub submission: Vec<&'static str>,
    /// The roles of the texts that people write in their own words.
    pub texts: Vec<&'static str>,
    /// The roles that are lists.
    pub lists: Vec<&'static str>,
    /// The roles that the default provider does not have, sorted.
    pub asked: Vec<&'static str>,
    /// The groups in which a form shows the fields of requests, each with its roles.
    pub groups: Encoded<Rows<Vec<&'static str>>>,
    /// Providers that tollproof does not know, by title, with names that identify their payloads.
    pub unknown: Encoded<Rows<Vec<&'static str>>>,
    /// The headings that people write above columns, by the role that they mean.
    pub headings: Encoded<Rows<Vec<&'static str>>>,
}

/// The keys at the root of all providers' documents.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct ProviderKeys {
    /// Sorted, each with a bit for every provider and spelling that has it.
    pub keys: Rows<u32>,
    /// The meaning of each of these bits.
    pub writings: Vec<Writing>,
}

/// A provider in one of its spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writing {
    /// The index of the provider.
    pub provider: usize,
    pub spelling: usize,
    /// Whether items of lists identify documents of the provider.
    pub by_items: bool,
}

/// The keys around the fields of a submission.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct WrappingKeys {
    /// The keys of lists that have a name and a value for each field.
    pub entry_names: Vec<&'static str>,
    pub entry_values: Vec<&'static str>,
    /// The types of Terraform's resources that are submissions.
    pub resources: Vec<&'static str>,
    /// The keys of lists in which an API returns several records.
    pub wrappers: Vec<&'static str>,
    /// The keys at the root of requests and records.
    pub payload_keys: WordTable<'static>,
}

/// The columns of tables.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Columns {
    /// The fields that are not strings, sorted.
    pub types: Rows<ColumnType>,
    /// All fields by their letters and digits without case, sorted, each with the bits of [`ProviderKeys`].
    pub names: Rows<Rows<u32>>,
    /// The titles of all fields in every language, by their letters and digits without case, sorted.
    pub headings: Rows<Heading>,
}

/// The title of a field in a language.
#[derive(Debug, Serialize, Deserialize)]
pub struct Heading {
    pub text: &'static str,
    /// The fields of submit requests with this title, at most one of each provider.
    pub fields: Vec<TitledField>,
}

/// A field with a title.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct TitledField {
    /// The index of the provider.
    pub provider: usize,
    /// The keys of the field: `phoneNumbers/*/phoneNumber` for an item of a list of objects.
    pub path: &'static str,
    pub is: ColumnType,
}

/// The meaning of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnType {
    Text,
    List,
    Boolean,
    Integer,
}

/// Other names of fields and values, in the normalized form that [`bare`](crate::suggest::bare) makes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Aliases {
    pub fields: Rows<Vec<&'static str>>,
    /// The free-text field for information, and names of information that has no other field.
    pub noted: (&'static str, Vec<&'static str>),
    /// By role, each value with its aliases.
    pub values: Rows<Rows<Vec<&'static str>>>,
    /// By role, the value that means several of them.
    pub several: Rows<&'static str>,
}

impl Prepared {
    /// Reads what [`prepare`](crate::prepare::prepare) wrote.
    ///
    /// # Panics
    ///
    /// If something else wrote it.
    #[must_use]
    pub fn decode(bytes: &'static [u8]) -> Self {
        postcard::from_bytes(bytes).expect("the build script wrote this from the same types")
    }
}
