//! Validates and prepares a provider's file together with the schemas.

use std::collections::BTreeMap;

use serde_yaml::Value;

use super::data::{Clue, KindData, ProviderData, Statuses};
use super::error::{ProviderError, error};
use super::file::{ClueEntry, MeaningEntry, ProviderFile, RequirementEntry, SourceEntry, StatusEntries};
use super::kept::{bare_all, keep, keep_all, keep_table, squeezed};
use super::prepare_kind::{path_of, respelled};
use super::requirement::Requirement;
use super::roles::Roles;
use super::schema::shape::{ObjectShape, Shape};
use super::spelling::Spelling;
use super::values::{ValueMap, ValueMeaning};
use crate::suggest::{did_you_mean, nearest};

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
                    let entry = entry.completed(whole, &self.roles, roles.all);
                    let entry = entry.map_err(|message| error(here.clone(), message))?;
                    kinds.push(entry.prepare(&here, (schema, spelling), schemas, roles)?);
                }
            }
        }
        for (role, paths) in &self.roles {
            let has = |kind: &KindData| paths.all().iter().any(|path| path_of(path, &kind.shape).is_ok());
            if !kinds.iter().any(has) {
                return Err(error(format!("/roles/{role}"), "no kind has this field".to_owned()));
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
                clues.push(entry.prepare(&here, kind, &kinds[kind], spelling, roles.submission)?);
            }
        }
        let variants = variants.iter().map(|(_, it)| main.iter().position(|(_, main)| main.kind == it.kind));
        let variants: Vec<usize> = variants.flatten().collect();
        let count = main.len();
        let fields = all_fields(&kinds);
        let known = |place: String, field: &str| {
            if fields.contains(&field) {
                Ok(())
            } else {
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
            also_in: keep_table(&self.also_in),
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
        let is_role = |place: String, role: &str| {
            if roles.all.contains(&role) {
                Ok(())
            } else {
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
        for (role, others) in &self.also_in {
            for role in others.iter().chain([role]) {
                is_role(format!("/also_in/{role}"), role)?;
            }
        }
        let is_complete = |entry: &SourceEntry| {
            ![&entry.fact, &entry.source, &entry.date].iter().any(|text| text.trim().is_empty())
        };
        if self.partial && !self.sources.is_empty() && self.sources.iter().all(|it| it.verified) {
            let message = "of a provider that is known in part, something is not verified".to_owned();
            return Err(error("/sources".to_owned(), message));
        }
        match self.sources.iter().position(|it| !is_complete(it)) {
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
        let words: Vec<&str> =
            self.exact.iter().chain(&self.near).chain(&self.loose).map(String::as_str).collect();
        ValueMeaning {
            value: keep(value),
            exact: keep_all(&self.exact),
            near: keep_all(&self.near),
            loose: keep_all(&self.loose),
            words: keep(&words.join(". ")),
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
            by_reviewers: self.by_reviewers,
        }
    }
}

impl ClueEntry {
    fn prepare(
        &self,
        here: &str,
        at: usize,
        kind: &KindData,
        spelling: Option<Spelling>,
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
