//! Prepares what tables need: the fields that a column can be, by name and by title.

use std::collections::BTreeMap;

use serde_yaml::Value;

use crate::prepared::{ColumnType, Columns, Heading, ProviderKeys, Rows, TitledField};
use crate::provider::data::ProviderData;
use crate::provider::kept::keep;
use crate::provider::kind_role::KindRole;
use crate::provider::schema::shape::Shape;
use crate::suggest::bare;

/// The titles of fields: the schema of each provider's submit requests, and English titles in other languages.
pub(crate) struct FieldTitles {
    pub(crate) schemas: Vec<Value>,
    pub(crate) translated: Vec<BTreeMap<String, String>>,
}

/// The columns of tables. A field with another type at another provider has the type of the default one.
pub(crate) fn columns(providers: &[ProviderData], keys: &ProviderKeys, titles: &FieldTitles) -> Columns {
    let mut types: BTreeMap<&str, Option<ColumnType>> = BTreeMap::new();
    let fields = providers.iter().flat_map(|data| &data.kinds).flat_map(|kind| kind.shape.root_fields());
    for field in fields {
        let named = Some(column_type(&field.shape)).filter(|is| *is != ColumnType::Text);
        types.entry(&field.name).or_insert(named);
    }
    let mut names: BTreeMap<String, Rows<u32>> = BTreeMap::new();
    for &(key, writings) in &keys.keys {
        names.entry(bare(key)).or_default().push((key, writings));
    }
    Columns {
        types: types.into_iter().filter_map(|(name, named)| Some((keep(name), named?))).collect(),
        names: names.into_iter().map(|(name, keys)| (keep(&name), keys)).collect(),
        headings: headings(providers, titles),
    }
}

/// The meaning of a cell of a field.
fn column_type(shape: &Shape) -> ColumnType {
    match shape {
        // A list of strings may be one cell.
        Shape::List { item, .. } if matches!(**item, Shape::Text(_)) => ColumnType::List,
        Shape::Bool { .. } => ColumnType::Boolean,
        Shape::Integer { .. } => ColumnType::Integer,
        _ => ColumnType::Text,
    }
}

/// The titles of the fields of submit requests, which people and the page write above columns, in every language.
fn headings(providers: &[ProviderData], of: &FieldTitles) -> Rows<Heading> {
    let mut headings: BTreeMap<String, Heading> = BTreeMap::new();
    for (provider, (data, schema)) in providers.iter().zip(&of.schemas).enumerate() {
        let Some(kind) = data.kinds.iter().find(|kind| kind.role == KindRole::Submit) else { continue };
        let mut titled = Vec::new();
        titles(schema, "", &mut titled);
        for (path, title) in titled {
            let is = kind.shape.at_pointer(&format!("/{path}")).map_or(ColumnType::Text, column_type);
            let field = TitledField { provider, path: keep(&path), is };
            for text in
                of.translated.iter().filter_map(|texts| texts.get(title)).map(String::as_str).chain([title])
            {
                let new = || Heading { text: keep(text), fields: Vec::new() };
                let heading = headings.entry(bare(text)).or_insert_with(new);
                if heading.fields.last().is_none_or(|last| last.provider != provider) {
                    heading.fields.push(field);
                }
            }
        }
    }
    headings.into_iter().map(|(name, heading)| (keep(&name), heading)).collect()
}

/// The fields of an object that one cell can have, each with its title.
fn titles<'s>(object: &'s Value, path: &str, found: &mut Vec<(String, &'s str)>) {
    for (key, field) in object["properties"].as_mapping().into_iter().flatten() {
        let path = format!("{path}{}", key.as_str().unwrap_or_default());
        let items = field["items"]["properties"].as_mapping();
        let texts = |(_, item): &(&Value, &Value)| item["type"].as_str() == Some("string");
        match items.map(|items| items.iter().find(texts)) {
            _ if field["properties"].is_mapping() => titles(field, &format!("{path}/"), found),
            Some(item) => {
                let item = item.and_then(|(key, _)| key.as_str()).map(|key| format!("{path}/*/{key}"));
                found.extend(item.zip(field["title"].as_str()));
            }
            None => found.extend(field["title"].as_str().map(|title| (path, title))),
        }
    }
}
