//! Other names that people and providers use for our fields and values, from `schemas/bird/aliases.yaml`.

use tollproof_data::prepared::{Aliases, Rows};
use tollproof_data::suggest::bare;

use crate::prepared::PREPARED;

/// Decoded when the first unknown name is looked up, so that clean drafts do not pay for it.
fn aliases() -> &'static Aliases {
    &PREPARED.aliases
}

/// Each name with its aliases.
type AliasNames = Rows<Vec<&'static str>>;

/// Whether `other` is an alias of `meant`.
fn means(names: &AliasNames, meant: &str, other: &str) -> bool {
    names.iter().any(|(it, others)| *it == meant && others.contains(&other))
}

/// The field in `fields` of which `name` is an alias.
pub(crate) fn field<'f>(name: &str, fields: &[&'f str]) -> Option<&'f str> {
    let name = bare(name);
    fields.iter().find(|field| means(&aliases().fields, field, &name)).copied()
}

/// The free-text field for information that other providers have a field for and this one does not.
pub(crate) fn noted_in(name: &str) -> Option<&'static str> {
    let (home, names) = &aliases().noted;
    names.contains(&bare(name).as_str()).then_some(home)
}

/// The value of a role at the default provider that `text` means.
pub(crate) fn any_value(role: &str, text: &str) -> Option<&'static str> {
    if text.len() > 200 {
        return None;
    }
    let part = bare(text);
    let (_, names) = aliases().values.iter().find(|(it, _)| *it == role)?;
    let is_it = |(value, others): &&(&'static str, Vec<&'static str>)| {
        bare(value) == part || others.contains(&part.as_str())
    };
    names.iter().find(is_it).map(|(value, _)| *value)
}

/// The value of a role at the default provider that means several of them.
pub(crate) fn for_several(role: &str) -> Option<&'static str> {
    aliases().several.iter().find(|(it, _)| *it == role).map(|(_, value)| *value)
}

/// The aliases of a value of a role at the default provider.
pub(crate) fn words_for(role: &str, value: &str) -> &'static [&'static str] {
    let names = aliases().values.iter().find(|(it, _)| *it == role).map_or(&[][..], |(_, names)| names);
    names.iter().find(|(it, _)| *it == value).map_or(&[], |(_, words)| words)
}

/// The value in `listed` that `text` means. If `text` means several values, this is the value for several, such as
/// `Mixed`.
pub(crate) fn value<'v>(text: &str, listed: &'v [String]) -> Option<&'v str> {
    if text.len() > 200 {
        return None;
    }
    let one = |part: &str| {
        // A number has no aliases: `1000.0` is not the same as `1,000`.
        let part = if part.contains(char::is_alphabetic) { bare(part) } else { String::new() };
        let is_listed = |value: &&String| bare(value) == part;
        let is_meant = |value: &&String| aliases().values.iter().any(|(_, names)| means(names, value, &part));
        listed.iter().find(is_listed).or_else(|| listed.iter().find(is_meant)).filter(|_| !part.is_empty())
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
        _ => listed
            .iter()
            .find(|value| aliases().several.iter().any(|(_, it)| it == value))
            .map(String::as_str),
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::Check;
    use std::collections::BTreeSet;

    use super::{AliasNames, aliases, field, value};
    use crate::provider::kind::Kind;
    use crate::provider::schema;
    use tollproof_data::provider::schema::shape::{ObjectShape, Shape, TextShape};
    use tollproof_data::suggest::bare;

    /// All objects in a shape, including nested ones.
    fn objects(shape: &'static Shape) -> Vec<&'static ObjectShape> {
        match shape {
            Shape::Object(object) => {
                let below = object.fields.iter().flat_map(|field| objects(&field.shape));
                below.chain([object]).collect()
            }
            Shape::List { item, .. } => objects(item),
            _ => Vec::new(),
        }
    }

    fn all_objects() -> Vec<&'static ObjectShape> {
        Kind::all().flat_map(|kind| objects(schema::shape(kind))).collect()
    }

    /// The values of a field, from its schema or from the rule that knows them.
    fn values(name: &str) -> Vec<String> {
        let fields = all_objects().into_iter().flat_map(|it| &it.fields);
        let listed = fields.filter(|field| field.name == name).find_map(|field| match &field.shape {
            Shape::Text(TextShape { values, .. }) if !values.is_empty() => Some(values.clone()),
            _ => None,
        });
        listed.unwrap_or_else(|| {
            let rules = crate::rule::builtin::load().rules;
            let known = rules.into_iter().find_map(|rule| match rule.check.content() {
                Some(Check::KnownValue(it)) if rule.at[0].role() == Some(name) => Some(it.values.clone()),
                _ => None,
            });
            known.unwrap_or_else(|| panic!("{name} has no listed values"))
        })
    }

    fn assert_one_meaning(names: &AliasNames) {
        let mut seen = BTreeSet::new();
        for alias in names.iter().flat_map(|(_, others)| others) {
            assert!(seen.insert(bare(alias)), "{alias} has two meanings");
        }
    }

    #[test]
    fn every_alias_of_a_value_leads_to_it() {
        for (name, names) in &aliases().values {
            assert_one_meaning(names);
            let listed = values(name);
            for (meant, others) in names {
                assert!(listed.iter().any(|it| it == meant), "{meant} is not a value of {name}");
                for other in others {
                    assert_eq!(value(other, &listed), Some(*meant), "{other}");
                    assert!(listed.iter().all(|name| bare(name) != bare(other)), "{other} is a value itself");
                }
            }
        }
        for (name, meant) in &aliases().several {
            assert!(values(name).iter().any(|it| it == meant), "{meant}");
        }
    }

    #[test]
    fn every_alias_of_a_field_leads_to_it() {
        for (meant, others) in &aliases().fields {
            let objects: Vec<Vec<&str>> = all_objects()
                .into_iter()
                .map(|object| object.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>())
                .filter(|fields| fields.contains(meant))
                .collect();
            assert!(!objects.is_empty(), "{meant} is not a field");
            for (other, fields) in others.iter().flat_map(|other| objects.iter().map(move |it| (other, it))) {
                if !fields.iter().any(|field| bare(field) == bare(other)) {
                    assert_eq!(field(other, fields), Some(*meant), "{other} in {fields:?}");
                }
            }
        }
        let ((home, noted), fields) = (&aliases().noted, &aliases().fields);
        let double = noted.iter().find(|name| fields.iter().any(|(_, others)| others.contains(name)));
        assert_eq!(double, None, "it has a counterpart");
        assert!(schema::is_business_field(home));
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
            ("1000.0", None),
            ("", None),
            (",", None),
        ] {
            assert_eq!(value(text, &listed), meant, "{text}");
        }
    }
}
