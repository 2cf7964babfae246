//! Prepares a kind of a provider from its entry and its schema.

use std::collections::BTreeMap;

use serde_yaml::Value;

use super::data::KindData;
use super::error::{ProviderError, error};
use super::file::{KindEntry, PathEntry};
use super::kept::keep;
use super::kind_role::KindRole;
use super::path::{Path, Steps};
use super::roles::{NUMBERS, Roles};
use super::schema::compile;
use super::schema::shape::{Field, ObjectShape, Shape};
use super::spelling::Spelling;
use crate::suggest::{did_you_mean, nearest};

impl KindEntry {
    /// The kind, and the name of its schema.
    pub(super) fn names(&self) -> (KindRole, &str) {
        (self.kind, self.schema.as_deref().unwrap_or(self.kind.name()))
    }

    /// The entry with the roles that it does not list: where it is another form of a kind, those of the kind itself; then
    /// those of the provider, and fields that have the name of a role.
    pub(super) fn completed(
        &self,
        whole: Option<&Self>,
        of_provider: &BTreeMap<String, PathEntry>,
        all: &[&str],
    ) -> Result<Self, String> {
        let Some(whole) = whole else {
            return Err(format!("`{}` has no entry without `schema`", self.kind.name()));
        };
        let mut entry = self.clone();
        if let Some(object) = &self.below {
            for (role, paths) in &whole.roles {
                entry.roles.entry(role.clone()).or_insert(paths.below(object));
            }
        }
        // Without roles, a kind has its names for itself.
        if entry.roles.is_empty() && of_provider.is_empty() && self.submission.is_none() {
            return Ok(entry);
        }
        let placed = |paths: PathEntry| match (&self.below, &self.submission) {
            (Some(object), _) => paths.below(object),
            (None, Some(object)) => PathEntry::Several([paths.below(object).all(), paths.all()].concat()),
            (None, None) => paths,
        };
        let is_taken = |field: &str| {
            let mut paths = whole.roles.values().chain(of_provider.values()).flat_map(PathEntry::all);
            paths.any(|path| path.split('/').next() == Some(field))
        };
        let of_same_name = all.iter().filter(|role| !of_provider.contains_key(**role) && !is_taken(role));
        let of_same_name = of_same_name.map(|role| ((*role).to_owned(), PathEntry::One((*role).to_owned())));
        for (role, paths) in of_provider.clone().into_iter().chain(of_same_name) {
            if !entry.roles.contains_key(&role) {
                entry.inherited.insert(role, placed(paths));
            }
        }
        Ok(entry)
    }

    /// Prepares the kind with its names in a spelling.
    pub(super) fn prepare(
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
        let own = self.roles.iter().map(|(role, paths)| (role, paths, format!("{here}/roles/{role}")));
        let inherited = self.inherited.iter().map(|(role, paths)| (role, paths, format!("/roles/{role}")));
        for (role, paths, place) in own.chain(inherited) {
            if !roles.all.contains(&role.as_str()) {
                let near = did_you_mean(nearest(role, roles.all.iter().copied()));
                return Err(error(place, format!("`{role}` is not a role{near}")));
            }
            for written in paths.all() {
                let mut path = match path_of(&respelled(written, spelling), &shape) {
                    Ok(path) => path,
                    Err(_) if self.inherited.contains_key(role) => continue,
                    Err(message) => return Err(error(place, message)),
                };
                if path.is_list && !roles.lists.contains(&role.as_str()) {
                    (path.is_list, path.each) = (false, true);
                    path.steps.push(None);
                }
                table.entry(role).or_default().push(path);
            }
        }
        let names = field_names(&shape);
        let is_own = table.is_empty();
        if is_own {
            for name in names {
                table.insert(name, vec![path_of(name, &shape).expect("the name is that of a field")]);
            }
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

/// Parses a path such as `object/field` or `list/*/field`. Returns an error message if the shape has no such field.
pub(super) fn path_of(written: &str, shape: &Shape) -> Result<Path, String> {
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
pub(super) fn respelled(path: &str, spelling: Option<Spelling>) -> String {
    let key = |(depth, key): (usize, &str)| match spelling {
        Some(Spelling::SnakeRoot) if depth > 0 => key.to_owned(),
        Some(spelling) if key != "*" => spelling.of(key),
        _ => key.to_owned(),
    };
    path.split('/').enumerate().map(key).collect::<Vec<_>>().join("/")
}

fn field_names(shape: &Shape) -> Vec<&str> {
    match shape {
        Shape::Object(ObjectShape { fields, .. }) => fields.iter().map(|field| field.name.as_str()).collect(),
        _ => Vec::new(),
    }
}
