//! How a provider's file is validated and prepared together with the schemas.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_yaml::Value;

use super::data::{Clue, KindData, ProviderData, Statuses};
use super::file::{
    ClueEntry, KindEntry, MeaningEntry, PathEntry, ProviderFile, RequirementEntry, SourceEntry, StatusEntries,
};
use super::kind_role::KindRole;
use super::path::{Path, Steps};
use super::requirement::Requirement;
use super::schema::compile;
use super::schema::shape::{Field, ObjectShape, Shape};
use super::spelling::Spelling;
use super::values::{ValueMap, ValueMeaning};
use crate::suggest::{bare, did_you_mean, nearest};

/// The names of all roles, and those that are special.
#[derive(Clone, Copy, Debug)]
pub struct Roles<'r> {
    pub all: &'r [&'r str],
    /// The roles of the fields that reviewers read.
    pub submission: &'r [&'r str],
    /// The roles that are lists.
    pub lists: &'r [&'r str],
}

/// The role of the toll-free numbers.
pub const NUMBERS: &str = "phoneNumbers";

/// An error in a provider's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderError {
    /// The kind whose schema is wrong. `None` if the error is in `provider.yaml`.
    pub schema: Option<KindRole>,
    /// The location in that file, as an RFC 6901 pointer.
    pub pointer: String,
    pub message: String,
}

impl ProviderFile {
    /// Validates the file and prepares the provider. `schemas` contains `<kind>.schema.json` of each kind, by the name
    /// of the kind.
    ///
    /// # Errors
    ///
    /// The first error in the file or in a schema.
    pub fn prepare(
        &self,
        name: &str,
        schemas: &BTreeMap<String, Value>,
        roles: Roles<'_>,
    ) -> Result<ProviderData, ProviderError> {
        let mut kinds: Vec<KindData> = Vec::new();
        let (main, variants): (Vec<_>, Vec<_>) =
            self.kinds.iter().enumerate().partition(|(_, entry)| entry.schema.is_none());
        for group in [&main, &variants] {
            for spelling in self.written() {
                for (at, entry) in group {
                    let here = format!("/kinds/{at}");
                    if group.iter().any(|(other, it)| other < at && it.names() == entry.names()) {
                        return Err(error(here + "/kind", format!("`{}` is listed twice", entry.names().1)));
                    }
                    let Some(schema) = schemas.get(entry.names().1) else {
                        let message = format!("there is no schema `{}.schema.json`", entry.names().1);
                        return Err(error(here + "/kind", message));
                    };
                    let whole = main.iter().map(|(_, it)| *it).find(|it| it.kind == entry.kind);
                    let entry = entry.completed(whole).map_err(|message| error(here.clone(), message))?;
                    kinds.push(entry.prepare(&here, (schema, spelling), schemas, roles)?);
                }
            }
        }
        let spellings = self.written().count();
        let mut clues = Vec::new();
        for (at, entry) in self.detect.iter().enumerate() {
            let here = format!("/detect/{at}");
            let (first, group) = match &entry.schema {
                None => (0, &main),
                Some(_) => (main.len() * spellings, &variants),
            };
            let named = (entry.kind, entry.schema.as_deref().unwrap_or(entry.kind.name()));
            let Some(number) = group.iter().position(|(_, it)| it.names() == named) else {
                return Err(error(here + "/kind", format!("`kinds` does not list `{}`", named.1)));
            };
            for (at, spelling) in self.written().enumerate() {
                let kind = first + at * group.len() + number;
                clues.push(entry.prepare(&here, (kind, &kinds[kind], spelling), roles.submission)?);
            }
        }
        let variants = variants.iter().map(|(_, it)| main.iter().position(|(_, main)| main.kind == it.kind));
        let variants: Vec<usize> = variants.flatten().collect();
        let count = main.len();
        let fields = all_fields(&kinds);
        let known = |place: String, field: &str| match fields.contains(&field) {
            true => Ok(()),
            false => {
                let near = did_you_mean(nearest(field, fields.iter().copied()));
                Err(error(place, format!("no kind has a field `{field}`{near}")))
            }
        };
        let mut personal = Vec::new();
        for (at, field) in self.personal.iter().enumerate() {
            known(format!("/personal/{at}"), field)?;
            personal.push(keep(field));
            personal.extend(self.spellings.iter().map(|spelling| keep(&spelling.of(field))));
        }
        personal.dedup();
        for field in self.aliases.keys() {
            known(format!("/aliases/{field}"), field)?;
        }
        for (name, object) in &self.opt_in_types {
            let has = |kind: &KindData| path_of(&object.replace('.', "/"), &kind.shape).ok();
            if !kinds.iter().any(|kind| has(kind).is_some()) {
                return Err(error(
                    format!("/opt_in_types/{name}"),
                    format!("no kind has an object `{object}`"),
                ));
            }
        }
        self.check_roles(roles)?;
        Ok(ProviderData {
            name: keep(name),
            title: keep(&self.title),
            is_partial: self.partial,
            is_sheet: self.sheet,
            count,
            spellings,
            variants,
            clues,
            mentions: keep_all(&self.mentions),
            personal: personal.into(),
            statuses: self.statuses.prepare().into(),
            parts_requests: self.parts_requests,
            bare_domains: self.bare_domains,
            aliases: self
                .aliases
                .iter()
                .map(|(field, names)| (keep(field), bare_all(names)))
                .collect::<Vec<_>>()
                .into(),
            values: self.value_maps(),
            forms: self.forms.iter().map(|(role, form)| (keep(role), *form)).collect(),
            requirements: self.requires.iter().map(RequirementEntry::prepare).collect(),
            told_in: keep_table(&self.told_in),
            opt_in_types: self.opt_in_types.iter().map(|(it, object)| (keep(it), keep(object))).collect(),
            resubmit_days: self.resubmit_days,
            kinds,
        })
    }

    /// The spellings of the keys; `None` is that of the schema.
    fn written(&self) -> impl Iterator<Item = Option<Spelling>> {
        std::iter::once(None).chain(self.spellings.iter().skip(1).copied().map(Some))
    }

    /// Checks the names of roles and the sources outside of `kinds`.
    fn check_roles(&self, roles: Roles<'_>) -> Result<(), ProviderError> {
        let is_role = |place: String, role: &str| match roles.all.contains(&role) {
            true => Ok(()),
            false => {
                let near = did_you_mean(nearest(role, roles.all.iter().copied()));
                Err(error(place, format!("`{role}` is not a role{near}")))
            }
        };
        for (at, entry) in self.requires.iter().enumerate() {
            let named = entry.roles.iter().chain(entry.unless.keys()).chain(entry.when.keys());
            for role in named {
                is_role(format!("/requires/{at}"), role)?;
            }
            let is_date = |text: &String| {
                text.len() == 10
                    && text.split('-').map(str::len).eq([4, 2, 2])
                    && !text.contains(char::is_alphabetic)
            };
            if entry.source.trim().is_empty() || !entry.since.as_ref().is_none_or(is_date) {
                return Err(error(
                    format!("/requires/{at}"),
                    "this needs a source and a date as YYYY-MM-DD".to_owned(),
                ));
            }
        }
        let others = [
            ("values", self.values.keys().collect::<Vec<_>>()),
            ("value_aliases", self.value_aliases.keys().collect()),
            ("forms", self.forms.keys().collect()),
        ];
        for (key, named) in others {
            for role in named {
                is_role(format!("/{key}/{role}"), role)?;
            }
        }
        for (role, others) in &self.told_in {
            for role in others.iter().chain([role]) {
                is_role(format!("/told_in/{role}"), role)?;
            }
        }
        let is_told =
            |it: &SourceEntry| ![&it.fact, &it.source, &it.date].iter().any(|text| text.trim().is_empty());
        if self.partial && !self.sources.is_empty() && self.sources.iter().all(|it| it.verified) {
            let message = "of a provider that is known in part, something is not verified".to_owned();
            return Err(error("/sources".to_owned(), message));
        }
        match self.sources.iter().position(|it| !is_told(it)) {
            Some(at) => {
                Err(error(format!("/sources/{at}"), "a source needs a fact, a source and a date".to_owned()))
            }
            None => Ok(()),
        }
    }

    fn value_maps(&self) -> Vec<ValueMap> {
        let mut roles: Vec<&String> = self.values.keys().chain(self.value_aliases.keys()).collect();
        roles.sort();
        roles.dedup();
        let meanings =
            |role: &String| self.values.get(role).into_iter().flatten().map(|(value, it)| it.prepare(value));
        let aliases = |role: &String| {
            let named = self.value_aliases.get(role).into_iter().flatten();
            named.map(|(value, names)| (keep(value), bare_all(names))).collect::<Vec<_>>()
        };
        roles.into_iter().map(|role| ValueMap::new(keep(role), meanings(role), aliases(role))).collect()
    }
}

impl MeaningEntry {
    fn prepare(&self, value: &str) -> ValueMeaning {
        let told: Vec<&str> =
            self.exact.iter().chain(&self.near).chain(&self.loose).map(String::as_str).collect();
        ValueMeaning {
            value: keep(value),
            exact: keep_all(&self.exact),
            near: keep_all(&self.near),
            loose: keep_all(&self.loose),
            told: keep(&told.join(". ")),
        }
    }
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

impl KindEntry {
    /// The kind, and the name of its schema.
    fn names(&self) -> (KindRole, &str) {
        (self.kind, self.schema.as_deref().unwrap_or(self.kind.name()))
    }

    /// The entry with what another form of a kind has of the kind itself.
    fn completed(&self, whole: Option<&Self>) -> Result<Cow<'_, Self>, String> {
        let Some(whole) = whole else {
            return Err(format!("`{}` has no entry without `schema`", self.kind.name()));
        };
        let Some(below) = &self.below else { return Ok(Cow::Borrowed(self)) };
        let mut entry = self.clone();
        for (role, paths) in &whole.roles {
            let paths = paths.all().iter().map(|path| format!("{below}/{path}")).collect();
            entry.roles.entry(role.clone()).or_insert(PathEntry::Several(paths));
        }
        Ok(Cow::Owned(entry))
    }

    fn prepare(
        &self,
        here: &str,
        (schema, spelling): (&Value, Option<Spelling>),
        schemas: &BTreeMap<String, Value>,
        roles: Roles<'_>,
    ) -> Result<KindData, ProviderError> {
        let in_schema = |(pointer, message)| ProviderError { schema: Some(self.kind), pointer, message };
        let schema = compile::resolve(schema, schemas).map_err(in_schema)?;
        let mut shape = compile::shape(&schema).map_err(in_schema)?;
        if let Some(spelling) = spelling {
            respell(&mut shape, spelling);
        }
        let mut table: BTreeMap<&str, Vec<Path>> = BTreeMap::new();
        for (role, written) in
            self.roles.iter().flat_map(|(role, all)| all.all().iter().map(move |it| (role, it)))
        {
            let place = format!("{here}/roles/{role}");
            if !roles.all.contains(&role.as_str()) {
                let near = did_you_mean(nearest(role, roles.all.iter().copied()));
                return Err(error(place, format!("`{role}` is not a role{near}")));
            }
            let mut path =
                path_of(&respelled(written, spelling), &shape).map_err(|message| error(place, message))?;
            if path.is_list && !roles.lists.contains(&role.as_str()) {
                (path.is_list, path.each) = (false, true);
                path.steps.push(None);
            }
            table.entry(role).or_default().push(path);
        }
        let names = field_names(&shape);
        if let Some(object) = &self.submission {
            for role in roles.submission.iter().filter(|role| !self.roles.contains_key(**role)) {
                let path = path_of(&format!("{object}/{role}"), &shape);
                table.insert(
                    role,
                    vec![path.map_err(|message| error(format!("{here}/submission"), message))?],
                );
            }
        }
        let is_own = table.is_empty();
        let is_mapped = |name: &str| {
            table
                .values()
                .flatten()
                .any(|path| path.to_field().first() == Some(&Some(name.to_owned().into())))
        };
        let unmapped: Vec<&str> = names
            .into_iter()
            .filter(|name| {
                !table.contains_key(name)
                    && (is_own || self.submission.is_some() || roles.all.contains(name) && !is_mapped(name))
            })
            .collect();
        for name in unmapped {
            table.insert(name, vec![path_of(name, &shape).expect("the name is that of a field")]);
        }
        let mut numbers = table.get(NUMBERS).cloned().unwrap_or_default();
        // Two fields with one value each are two names of a number; a list may name others.
        let names_one =
            numbers.len() > 1 && !numbers.iter().any(|path| path.is_list || path.steps.contains(&None));
        for path in &mut numbers {
            path.steps.extend(path.is_list.then_some(None));
        }
        Ok(KindData {
            role: self.kind,
            noun: keep(&self.noun),
            about: keep(&self.about),
            body: self.body,
            is_part: self.part,
            roles: (!is_own).then(|| {
                let of_role = |(role, paths): (&str, Vec<Path>)| {
                    paths.into_iter().map(|path| (keep(role), path)).collect::<Vec<_>>()
                };
                let mut roles: Vec<_> = table.into_iter().flat_map(of_role).collect();
                roles.sort_by_key(|(role, _)| role.len());
                roles.into()
            }),
            numbers: numbers.into(),
            names_one,
            schema: keep(&serde_json::to_string_pretty(&schema).expect("JSON can be written")),
            shape: shape.into(),
            sample: "",
        })
    }
}

impl ClueEntry {
    fn prepare(
        &self,
        here: &str,
        (at, kind, spelling): (usize, &KindData, Option<Spelling>),
        submission: &[&str],
    ) -> Result<Clue, ProviderError> {
        let shape: &Shape = &kind.shape;
        let named = |list: &str, fields: &[String]| -> Result<Vec<&'static str>, ProviderError> {
            let mut kept = Vec::new();
            for (index, field) in fields.iter().enumerate() {
                let field = respelled(field, spelling);
                path_of(&field, shape).map_err(|message| error(format!("{here}/{list}/{index}"), message))?;
                kept.push(keep(&field));
            }
            Ok(kept)
        };
        let all = named("all", &self.all)?;
        let mut any = named("any", &self.any)?;
        let without = self.without.iter().map(|field| keep(&respelled(field, spelling))).collect();
        let (fields, values): (Vec<String>, Vec<String>) = self.begins.clone().into_iter().unzip();
        let begins: Vec<_> =
            named("begins", &fields)?.into_iter().zip(values.iter().map(|it| keep(it))).collect();
        if self.submission {
            any.extend(submission.iter().filter_map(|role| match &kind.roles {
                None => path_of(role, shape).is_ok().then(|| keep(role)),
                Some(_) => kind.path(role).map(|path| {
                    let keys: Vec<&str> = path.to_field().iter().flatten().map(AsRef::as_ref).collect();
                    keep(&keys.join("/"))
                }),
            }));
        }
        if all.is_empty() && any.is_empty() && begins.is_empty() {
            return Err(error(here.to_owned(), "this entry names no field".to_owned()));
        }
        Ok(Clue { kind: at, all, any: any.into(), without, begins, most: self.most, named: self.named })
    }
}

impl StatusEntries {
    fn prepare(&self) -> Statuses {
        let squeezed = |texts: &[String]| texts.iter().map(|text| keep(&squeezed(text))).collect();
        Statuses {
            waiting: squeezed(&self.waiting),
            open: squeezed(&self.open),
            asked: squeezed(&self.asked),
            verified: squeezed(&self.verified),
            rejected: squeezed(&self.rejected),
            ended: squeezed(&self.ended),
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
    Ok(Path { steps, name: keep(&keys.join(".")), is_list: matches!(found, Shape::List { .. }), each: false })
}

/// Writes all names of fields in another spelling.
fn respell(shape: &mut Shape, spelling: Spelling) {
    match shape {
        Shape::Object(object) => {
            for Field { name, shape, .. } in &mut object.fields {
                *name = spelling.of(name);
                if spelling != Spelling::SnakeRoot {
                    respell(shape, spelling);
                }
            }
        }
        Shape::List { item, .. } => respell(item, spelling),
        _ => {}
    }
}

/// A path with its keys in another spelling.
fn respelled(path: &str, spelling: Option<Spelling>) -> String {
    let key = |(depth, key): (usize, &str)| match spelling {
        Some(Spelling::SnakeRoot) if depth > 0 => key.to_owned(),
        Some(spelling) if key != "*" => spelling.of(key),
        _ => key.to_owned(),
    };
    path.split('/').enumerate().map(key).collect::<Vec<_>>().join("/")
}

fn error(pointer: String, message: String) -> ProviderError {
    ProviderError { schema: None, pointer, message }
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
    let mut open: Vec<&Shape> = kinds.iter().map(|kind| &*kind.shape).collect();
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
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase).collect()
}

pub fn keep_all(texts: &[String]) -> Vec<&'static str> {
    texts.iter().map(|text| keep(text)).collect()
}

pub fn keep_table(table: &BTreeMap<String, Vec<String>>) -> Vec<(&'static str, Vec<&'static str>)> {
    table.iter().map(|(name, texts)| (keep(name), keep_all(texts))).collect()
}

/// The names in the normalized form that look-ups compare.
fn bare_all(names: &[String]) -> Vec<&'static str> {
    names.iter().map(|name| keep(&bare(name))).collect()
}

/// Leaks a copy, because providers live as long as the program.
pub fn keep(text: &str) -> &'static str {
    text.to_owned().leak()
}
