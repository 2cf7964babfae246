//! `provider.yaml`: its format, and how it is validated and prepared together with the schemas.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use super::data::{Clue, KindData, ProviderData, Statuses};
use super::forms::Form;
use super::kind::KindRole;
use super::path::{Path, Steps};
use super::requirement::Requirement;
use super::schema::compile;
use super::schema::shape::{ObjectShape, Shape};
use crate::suggest::{did_you_mean, nearest};

/// A provider's file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderFile {
    title: String,
    kinds: Vec<KindEntry>,
    detect: Vec<ClueEntry>,
    #[serde(default)]
    mentions: Vec<String>,
    #[serde(default)]
    personal: Vec<String>,
    #[serde(default)]
    statuses: StatusEntries,
    #[serde(default)]
    forms: BTreeMap<String, Form>,
    #[serde(default)]
    requires: Vec<RequirementEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequirementEntry {
    roles: Vec<String>,
    #[serde(default)]
    unless: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    when: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    since: Option<String>,
}

impl RequirementEntry {
    fn prepare(&self) -> Requirement {
        Requirement {
            roles: keep_all(&self.roles),
            unless: keep_table(&self.unless),
            when: keep_table(&self.when),
            since: self.since.as_deref().map(keep),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KindEntry {
    kind: KindRole,
    noun: String,
    about: String,
    #[serde(default)]
    submission: Option<String>,
    #[serde(default)]
    roles: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClueEntry {
    kind: KindRole,
    #[serde(default)]
    all: Vec<String>,
    #[serde(default)]
    any: Vec<String>,
    #[serde(default)]
    submission: bool,
    #[serde(default)]
    named: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatusEntries {
    #[serde(default)]
    waiting: Vec<String>,
    #[serde(default)]
    verified: Vec<String>,
    #[serde(default)]
    rejected: Vec<String>,
}

/// The names of all roles, and those that are special.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roles<'r> {
    pub(crate) all: &'r [&'r str],
    /// The roles of the fields that reviewers read.
    pub(crate) submission: &'r [&'r str],
    /// The role of the toll-free numbers.
    pub(crate) numbers: &'r str,
}

/// An error in a provider's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProviderError {
    /// The kind whose schema is wrong. `None` if the error is in `provider.yaml`.
    pub(crate) schema: Option<KindRole>,
    /// The location in that file, as an RFC 6901 pointer.
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl ProviderFile {
    /// Validates the file and prepares the provider. `schemas` contains `<kind>.schema.json` of each kind, by the name
    /// of the kind.
    ///
    /// # Errors
    ///
    /// The first error in the file or in a schema.
    pub(crate) fn prepare(
        &self,
        name: &str,
        schemas: &BTreeMap<String, Value>,
        roles: Roles<'_>,
    ) -> Result<ProviderData, ProviderError> {
        let error = |pointer: String, message: String| ProviderError { schema: None, pointer, message };
        let mut kinds: Vec<KindData> = Vec::new();
        for (at, entry) in self.kinds.iter().enumerate() {
            let here = format!("/kinds/{at}");
            if kinds.iter().any(|kind| kind.role == entry.kind) {
                return Err(error(here + "/kind", format!("`{}` is listed twice", entry.kind.name())));
            }
            let Some(schema) = schemas.get(entry.kind.name()) else {
                let message = format!("there is no schema `{}.schema.json`", entry.kind.name());
                return Err(error(here + "/kind", message));
            };
            kinds.push(entry.prepare(&here, schema, schemas, roles)?);
        }
        let mut clues = Vec::new();
        for (at, entry) in self.detect.iter().enumerate() {
            let here = format!("/detect/{at}");
            clues.push(entry.prepare(&here, &kinds, roles.submission)?);
        }
        let fields = all_fields(&kinds);
        for (at, field) in self.personal.iter().enumerate() {
            if !fields.contains(&field.as_str()) {
                let near = did_you_mean(nearest(field, fields.iter().copied()));
                return Err(error(format!("/personal/{at}"), format!("no kind has a field `{field}`{near}")));
            }
        }
        Ok(ProviderData {
            name: keep(name),
            title: keep(&self.title),
            clues,
            mentions: self.mentions.iter().map(|text| keep(text)).collect(),
            personal: self.personal.iter().map(|text| keep(text)).collect(),
            statuses: self.statuses.prepare(),
            forms: self.forms.iter().map(|(role, form)| (keep(role), *form)).collect(),
            requirements: self.requires.iter().map(RequirementEntry::prepare).collect(),
            kinds,
        })
    }
}

impl KindEntry {
    fn prepare(
        &self,
        here: &str,
        schema: &Value,
        schemas: &BTreeMap<String, Value>,
        roles: Roles<'_>,
    ) -> Result<KindData, ProviderError> {
        let error = |pointer: String, message: String| ProviderError { schema: None, pointer, message };
        let in_schema = |(pointer, message)| ProviderError { schema: Some(self.kind), pointer, message };
        let schema = compile::resolve(schema, schemas).map_err(in_schema)?;
        let shape = compile::shape(&schema).map_err(in_schema)?;
        let mut table: BTreeMap<&str, Path> = BTreeMap::new();
        for (role, written) in &self.roles {
            let place = format!("{here}/roles/{role}");
            if !roles.all.contains(&role.as_str()) {
                let near = did_you_mean(nearest(role, roles.all.iter().copied()));
                return Err(error(place, format!("`{role}` is not a role{near}")));
            }
            let path = path_of(written, &shape).map_err(|message| error(place, message))?;
            table.insert(role, path);
        }
        let names = field_names(&shape);
        if let Some(object) = &self.submission {
            for role in roles.submission.iter().filter(|role| !self.roles.contains_key(**role)) {
                let path = path_of(&format!("{object}/{role}"), &shape);
                table.insert(role, path.map_err(|message| error(format!("{here}/submission"), message))?);
            }
        }
        let is_own = table.is_empty();
        for name in names {
            if !table.contains_key(name) {
                table.insert(name, path_of(name, &shape).expect("the name is that of a field"));
            }
        }
        let numbers = table.get(roles.numbers).map(|path| {
            let mut path = path.clone();
            path.steps.extend(path.is_list.then_some(None));
            path
        });
        Ok(KindData {
            role: self.kind,
            noun: keep(&self.noun),
            about: keep(&self.about),
            roles: (!is_own).then(|| table.into_iter().map(|(role, path)| (keep(role), path)).collect()),
            numbers,
            schema: keep(&serde_json::to_string_pretty(&schema).expect("JSON can be written")),
            encoded_shape: postcard::to_allocvec(&shape).expect("a shape can be written down").leak(),
            shape: OnceLock::from(shape),
            sample: "",
        })
    }
}

impl ClueEntry {
    fn prepare(&self, here: &str, kinds: &[KindData], submission: &[&str]) -> Result<Clue, ProviderError> {
        let error = |pointer: String, message: String| ProviderError { schema: None, pointer, message };
        let Some(at) = kinds.iter().position(|kind| kind.role == self.kind) else {
            let message = format!("`kinds` does not list `{}`", self.kind.name());
            return Err(error(format!("{here}/kind"), message));
        };
        let kind = &kinds[at];
        let shape = kind.shape.get().expect("it was just made");
        for (list, fields) in [("all", &self.all), ("any", &self.any)] {
            for (index, field) in fields.iter().enumerate() {
                path_of(field, shape).map_err(|message| error(format!("{here}/{list}/{index}"), message))?;
            }
        }
        let mut any: Vec<&'static str> = self.any.iter().map(|field| keep(field)).collect();
        if self.submission {
            any.extend(submission.iter().filter_map(|role| match &kind.roles {
                None => path_of(role, shape).is_ok().then(|| keep(role)),
                Some(_) => kind.path(role).map(|path| {
                    let keys: Vec<&str> = path.to_field().iter().flatten().map(AsRef::as_ref).collect();
                    keep(&keys.join("/"))
                }),
            }));
        }
        let all: Vec<&'static str> = self.all.iter().map(|field| keep(field)).collect();
        if all.is_empty() && any.is_empty() {
            return Err(error(here.to_owned(), "this entry names no field".to_owned()));
        }
        Ok(Clue { kind: at, all, any, named: self.named })
    }
}

impl StatusEntries {
    fn prepare(&self) -> Statuses {
        let squeezed = |texts: &[String]| texts.iter().map(|text| keep(&squeezed(text))).collect();
        Statuses {
            waiting: squeezed(&self.waiting),
            verified: squeezed(&self.verified),
            rejected: squeezed(&self.rejected),
        }
    }
}

/// Parses a path such as `object/field` or `list/*/field`. Returns an error message if the shape has no such field.
fn path_of(written: &str, shape: &Shape) -> Result<Path, String> {
    let steps: Steps = written.split('/').map(|key| (key != "*").then(|| key.to_owned().into())).collect();
    let Some(found) = shape.at(steps.iter().map(Option::as_deref)) else {
        return Err(format!("the schema has no field `{written}`"));
    };
    let keys: Vec<&str> = written.split("/*").next().unwrap_or_default().split('/').collect();
    Ok(Path { steps, name: keep(&keys.join(".")), is_list: matches!(found, Shape::List { .. }) })
}

fn field_names(shape: &Shape) -> Vec<&str> {
    match shape {
        Shape::Object(ObjectShape { fields, .. }) => fields.iter().map(|field| field.name.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// The names of all fields of all kinds, including nested ones.
fn all_fields(kinds: &[KindData]) -> Vec<&str> {
    let mut names = Vec::new();
    let mut open: Vec<&Shape> = kinds.iter().filter_map(|kind| kind.shape.get()).collect();
    while let Some(shape) = open.pop() {
        match shape {
            Shape::Object(ObjectShape { fields, .. }) => {
                names.extend(fields.iter().map(|field| field.name.as_str()));
                open.extend(fields.iter().map(|field| &field.shape));
            }
            Shape::List { item, .. } => open.push(item),
            _ => {}
        }
    }
    names
}

/// The text in lower case and without whitespace.
pub(crate) fn squeezed(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase).collect()
}

fn keep_all(texts: &[String]) -> Vec<&'static str> {
    texts.iter().map(|text| keep(text)).collect()
}

fn keep_table(table: &BTreeMap<String, Vec<String>>) -> Vec<(&'static str, Vec<&'static str>)> {
    table.iter().map(|(name, texts)| (keep(name), keep_all(texts))).collect()
}

/// Leaks a copy, because providers live as long as the program.
fn keep(text: &str) -> &'static str {
    text.to_owned().leak()
}
