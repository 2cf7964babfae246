//! The did-you-mean by meaning: what people and other providers call a field or a value, from `schemas/aliases.yaml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::nearest::bare;

type Names = BTreeMap<String, Vec<String>>;

/// The file, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Aliases {
    fields: Names,
    noted_in: String,
    noted: Vec<String>,
    values: BTreeMap<String, Names>,
    several: BTreeMap<String, String>,
}

/// Read when the first name is not known: a clean draft never asks.
fn aliases() -> &'static Aliases {
    static ALIASES: OnceLock<Aliases> = OnceLock::new();
    ALIASES.get_or_init(|| {
        serde_yaml::from_str(include_str!("../schemas/aliases.yaml")).expect("a test reads the file")
    })
}

/// The field of an object, one of `fields`, that another name means.
pub(crate) fn field<'f>(name: &str, fields: &[&'f str]) -> Option<&'f str> {
    let name = bare(name);
    let means = |field: &&&str| aliases().fields.get(**field).is_some_and(|names| has(names, &name));
    fields.iter().find(means).copied()
}

/// The field that takes what a field of other providers says that has no counterpart here.
pub(crate) fn noted_in(name: &str) -> Option<&'static str> {
    has(&aliases().noted, &bare(name)).then_some(aliases().noted_in.as_str())
}

/// The value, one of `listed`, that other words mean; the value for several where they mean more than one.
pub(crate) fn value<'v>(text: &str, listed: &'v [String]) -> Option<&'v str> {
    if text.len() > 200 {
        return None;
    }
    let one = |part: &str| {
        let part = bare(part);
        let is_listed = |value: &&String| bare(value) == part;
        let means = |value: &&String| {
            let mut lists = aliases().values.values();
            lists.any(|values| values.get(*value).is_some_and(|names| has(names, &part)))
        };
        listed.iter().find(is_listed).or_else(|| listed.iter().find(means)).filter(|_| !part.is_empty())
    };
    if let Some(value) = one(text) {
        return Some(value);
    }
    let spaced = text.replace(" and ", ",");
    let parts = spaced.split([',', ';', '/', '&', '+', '|', '\n']).filter(|part| !part.trim().is_empty());
    let mut meant: Vec<&String> = parts.map(one).collect::<Option<_>>()?;
    meant.dedup();
    match meant.as_slice() {
        [] => None,
        [value] => Some(value),
        _ => listed.iter().find(|value| aliases().several.values().any(|it| it == *value)).map(String::as_str),
    }
}

fn has(names: &[String], wanted: &str) -> bool {
    names.iter().any(|name| bare(name) == wanted)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Names, aliases, field, value};
    use crate::kind::Kind;
    use crate::nearest::bare;
    use crate::schema;
    use crate::schema::shape::{Object, Shape, Text};

    /// All objects of all kinds, by the names of their fields.
    fn objects(shape: &'static Shape) -> Vec<&'static Object> {
        match shape {
            Shape::Object(object) => {
                let below = object.fields.iter().flat_map(|field| objects(&field.shape));
                below.chain([object]).collect()
            }
            Shape::List { item, .. } => objects(item),
            _ => Vec::new(),
        }
    }

    fn all_objects() -> Vec<&'static Object> {
        Kind::ALL.into_iter().flat_map(|kind| objects(schema::shape(kind))).collect()
    }

    /// The values of a field: those of its schema, or those that its rule knows.
    fn values(name: &str) -> Vec<String> {
        let fields = all_objects().into_iter().flat_map(|it| &it.fields);
        let listed = fields.filter(|field| field.name == name).find_map(|field| match &field.shape {
            Shape::Text(Text { values, .. }) if !values.is_empty() => Some(values.clone()),
            _ => None,
        });
        listed.unwrap_or_else(|| {
            let rules = crate::builtin::load().rules;
            let known = rules.into_iter().find_map(|rule| match rule.check {
                crate::rule::check::Check::KnownValue(it) if rule.at[0].field() == Some(name) => Some(it.values),
                _ => None,
            });
            known.unwrap_or_else(|| panic!("{name} has no listed values"))
        })
    }

    fn assert_one_meaning(names: &Names) {
        let mut seen = BTreeSet::new();
        for alias in names.values().flatten() {
            assert!(seen.insert(bare(alias)), "{alias} has two meanings");
        }
    }

    #[test]
    fn every_alias_of_a_value_leads_to_it() {
        for (name, names) in &aliases().values {
            assert_one_meaning(names);
            let listed = values(name);
            for (meant, others) in names {
                assert!(listed.contains(meant), "{meant} is not a value of {name}");
                for other in others {
                    assert_eq!(value(other, &listed), Some(meant.as_str()), "{other}");
                    assert!(listed.iter().all(|it| bare(it) != bare(other)), "{other} is a value itself");
                }
            }
        }
        for (name, meant) in &aliases().several {
            assert!(values(name).contains(meant), "{meant}");
        }
    }

    #[test]
    fn every_alias_of_a_field_leads_to_it() {
        for (meant, others) in &aliases().fields {
            let objects: Vec<Vec<&str>> = all_objects()
                .into_iter()
                .map(|it| it.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>())
                .filter(|fields| fields.contains(&meant.as_str()))
                .collect();
            assert!(!objects.is_empty(), "{meant} is not a field");
            for (other, fields) in others.iter().flat_map(|other| objects.iter().map(move |it| (other, it))) {
                if !fields.iter().any(|it| bare(it) == bare(other)) {
                    assert_eq!(field(other, fields), Some(meant.as_str()), "{other} in {fields:?}");
                }
            }
        }
        let (noted, fields) = (&aliases().noted, &aliases().fields);
        let double = noted.iter().find(|name| fields.values().any(|names| super::has(names, &bare(name))));
        assert_eq!(double, None, "it has a counterpart");
        assert!(schema::is_business_field(&aliases().noted_in));
    }

    #[test]
    fn several_values_are_told_from_one() {
        let listed = values("useCase");
        for (text, meant) in [
            ("Appointments, Billing", Some("Mixed")),
            ("Marketing and order status", Some("Mixed")),
            ("billing & payments", Some("Billing")),
            ("OTP / 2FA", Some("2FA")),
            ("Appointments, moonwalks", None),
            ("", None),
            (",", None),
        ] {
            assert_eq!(value(text, &listed), meant, "{text}");
        }
    }
}
