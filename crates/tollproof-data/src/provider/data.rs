//! The prepared data of a provider: its kinds, where their roles are, and how they are detected.

use serde::{Deserialize, Serialize};

use super::forms::Form;
use super::kind_role::KindRole;
use super::path::Path;
use super::requirement::Requirement;
use super::schema::shape::Shape;
use super::values::ValueMap;
use crate::encoded::Encoded;

/// A provider's file and its schemas, after validation.
#[derive(Debug, Serialize, Deserialize)]
pub struct ProviderData {
    pub name: &'static str,
    pub title: &'static str,
    /// Whether only a part of the provider's interface is known.
    pub is_partial: bool,
    /// Whether its submissions are the rows of a sheet.
    pub is_sheet: bool,
    /// The number of the provider's kinds.
    pub count: usize,
    /// Counts the spellings of the provider's keys.
    pub spellings: usize,
    /// For each other form of a kind, the number of the kind.
    pub variants: Vec<usize>,
    /// The kinds in the order of the help texts, written as in their schemas; then the same kinds once more for each
    /// other spelling of the keys. After them, the other forms of kinds, once for each spelling.
    pub kinds: Vec<KindData>,
    /// In the order in which they are tried; the first match wins. Fields are written as in the schemas.
    pub clues: Vec<Clue>,
    /// Strings that only occur in drafts. A file that cannot be parsed is a draft if it contains one of them.
    pub mentions: Vec<&'static str>,
    /// Names of fields with personal data, in all spellings.
    pub personal: Encoded<Vec<&'static str>>,
    pub statuses: Encoded<Statuses>,
    /// Whether a field of the other request is only in the wrong request, instead of in the wrong kind.
    pub parts_requests: bool,
    /// Other names for fields: the field as in the schema, and names that people write for it.
    pub aliases: Encoded<Vec<(&'static str, Vec<&'static str>)>>,
    /// Whether the API takes a web address without its scheme.
    pub bare_domains: bool,
    /// By role, what the provider's values mean.
    pub values: Vec<ValueMap>,
    /// By role, how its value is written.
    pub forms: Vec<(&'static str, Form)>,
    pub requirements: Vec<Requirement>,
    /// Roles whose content may be given in the texts of other roles.
    pub also_in: Vec<(&'static str, Vec<&'static str>)>,
    /// Types of opt-in, each with the object that has the fields of an opt-in of this type.
    pub opt_in_types: Vec<(&'static str, &'static str)>,
    /// The time to resubmit after the notification, in days.
    pub resubmit_days: Option<u32>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct KindData {
    pub role: KindRole,
    pub noun: &'static str,
    pub about: &'static str,
    /// The format of the request body.
    pub body: BodyFormat,
    /// Whether what the document lacks is given elsewhere.
    pub is_part: bool,
    /// The paths of each role, sorted by the length of the role's name, then by the name; several paths of one role by
    /// their order in the provider's file. `None` if each role is a field at the root with the name of the role.
    pub roles: Option<Encoded<Vec<(&'static str, Path)>>>,
    /// The paths of the toll-free numbers.
    pub numbers: Encoded<Vec<Path>>,
    /// Whether all of these paths lead to names of the same number.
    pub names_one: bool,
    /// The schema as JSON, without references to other files. Empty for another spelling of a kind.
    pub schema: &'static str,
    pub shape: Encoded<Shape>,
    /// A document as JSON in which no rule that is on by default finds anything. Empty for another spelling of a kind, and for a provider that is not built in.
    pub sample: &'static str,
}

/// The format of a request body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BodyFormat {
    /// `application/json`.
    #[default]
    Json,
    /// `application/x-www-form-urlencoded`: the items of a list have the same name.
    Form,
}

impl KindData {
    /// The first path of a role. `None` also for kinds in which all roles are at the root under their own names.
    pub fn path(&self, role: &str) -> Option<&Path> {
        self.paths(role).first().map(|(_, path)| path)
    }

    /// All paths of a role, each with the role.
    pub fn paths(&self, role: &str) -> &[(&'static str, Path)] {
        let Some(roles) = &self.roles else { return &[] };
        // Most names differ in length, which is compared faster than their letters.
        let start = roles.partition_point(|(name, _)| name.len() < role.len());
        let as_long = roles[start..].iter().take_while(|(name, _)| name.len() == role.len());
        let Some(before) = as_long.clone().position(|(name, _)| *name == role) else { return &[] };
        let count = as_long.skip(before).take_while(|(name, _)| *name == role).count();
        &roles[start + before..start + before + count]
    }
}

/// The fields that identify a kind. A field is written as its keys from the root: `company/name`, `list/*/name`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Clue {
    /// The index of the kind.
    pub kind: usize,
    /// The document must have all of these fields.
    pub all: Vec<&'static str>,
    /// The document must also have one of these fields, unless the list is empty.
    pub any: Encoded<Vec<&'static str>>,
    /// The document must not have any of these fields.
    pub without: Vec<&'static str>,
    /// The values of these fields must begin so.
    pub begins: Vec<(&'static str, &'static str)>,
    /// The most fields that the document may have.
    pub most: Option<usize>,
    /// Whether this applies only to files named by the user: in a folder walk, these fields are too common.
    pub named: bool,
}

impl Clue {
    /// Whether the items of a list identify the kind.
    pub fn is_nested(&self) -> bool {
        self.fields().any(|field| field.contains('*'))
    }

    /// All fields that it names.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.any.iter().chain(self.all.iter()).copied().chain(self.begins.iter().map(|(field, _)| *field))
    }
}

/// The values of the status field, in lower case and without whitespace.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct Statuses {
    /// The review has not started, and the authority has not asked for anything.
    pub waiting: Vec<&'static str>,
    /// The review goes on.
    pub open: Vec<&'static str>,
    /// The review waits for an answer of the applicant.
    pub asked: Vec<&'static str>,
    pub verified: Vec<&'static str>,
    pub rejected: Vec<&'static str>,
    /// Withdrawn, closed or deleted.
    pub ended: Vec<&'static str>,
}
