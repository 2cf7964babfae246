//! The providers, and the fields of their kinds as a form shows them.

use std::collections::BTreeMap;

use serde::Serialize;
use tollproof_core::schema::{self, FieldInfo, FieldType, FormField};
use tollproof_core::{Kind, Provider};

use crate::language;

/// A provider, in the shape of `Provider` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedProvider {
    name: &'static str,
    title: String,
    partial: bool,
    sheet: bool,
    kinds: Vec<&'static str>,
}

/// All providers as JSON, in the order in which they are tried on a draft.
pub(crate) fn providers() -> String {
    let listed = Provider::all().iter().map(|provider| ListedProvider {
        name: provider.name(),
        title: language::say(provider.title()),
        partial: provider.is_partial(),
        sheet: provider.is_sheet(),
        kinds: provider.kinds().map(Kind::name).collect(),
    });
    serde_json::to_string(&listed.collect::<Vec<_>>()).expect("its keys are strings")
}

/// The headings and labels of people as JSON, by the role that they mean.
pub(crate) fn headings() -> String {
    let headings: BTreeMap<_, _> = Kind::headings().iter().map(|(role, texts)| (role, texts)).collect();
    serde_json::to_string(&headings).expect("its keys are strings")
}

/// A field of a form, in the shape of `Field` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedField {
    pointer: String,
    /// Path of the text in an item of a list of objects; empty if the items are texts.
    item: String,
    name: String,
    role: Option<&'static str>,
    title: String,
    description: String,
    group: &'static str,
    #[serde(rename = "type")]
    input: &'static str,
    required: bool,
    max_length: Option<u64>,
    max_items: Option<u64>,
    values: Vec<ListedValue>,
    example: Option<String>,
}

/// A value that a field takes.
#[derive(Debug, Serialize)]
struct ListedValue {
    value: String,
    title: Option<String>,
}

/// The fields of a kind as JSON, in the order of the provider's schema, with pointers in the spelling of `spelled`.
pub(crate) fn fields(kind: Kind, spelled: Kind) -> String {
    let schema = schema::schema_of(kind);
    let form = kind.form_fields(&schema);
    let mut shown = Vec::new();
    add(kind, &form, &mut shown);
    let shown: Vec<ListedField> = shown.into_iter().map(|field| field.spelled(spelled)).collect();
    serde_json::to_string(&shown).expect("its keys are strings")
}

/// Adds the fields with values, and those of objects. A field without a role is in the group of those beside it.
fn add(kind: Kind, fields: &[FormField<'_>], shown: &mut Vec<ListedField>) {
    let roles = fields.iter().filter_map(|it| kind.role_of(&it.info.pointer));
    let group = roles.map(Kind::group_of_role).next();
    for field in fields {
        match field.type_of() {
            FieldType::Object => add(kind, &field.below, shown),
            _ => shown.push(ListedField::new(kind, field, group)),
        }
    }
}

impl ListedField {
    fn new(kind: Kind, field: &FormField<'_>, group: Option<&'static str>) -> Self {
        let FormField { info, below, .. } = field;
        let is_list = info.type_name() == Some("array");
        // A list of objects with one text each is a list of texts.
        let is_other = |shape: &&FieldInfo<'_>| shape.type_name() != Some("string");
        let items = below.iter().map(|it| &it.info);
        let item = items.min_by_key(|info| (is_other(info), info.pointer.as_str()));
        let item_pointer =
            item.map_or("", |item| item.pointer.rsplit_once("/*").map_or("", |(_, rest)| rest));
        let choice = match item {
            Some(item) => item.choice(),
            None if is_list => info.item_choice(),
            None => info.choice(),
        };
        let is_closed = !choice.values.is_empty() && choice.others.is_empty();
        let one = if is_list { format!("{}/0{item_pointer}", info.pointer) } else { info.pointer.clone() };
        let role = kind.role_of(&one).or_else(|| kind.role_of(&info.pointer));
        let mut values = choice.values;
        if values.is_empty() && info.type_name() == Some("string") {
            let known = role.map(|role| kind.known_values(role)).unwrap_or_default();
            values.extend(known.into_iter().map(str::to_owned));
        }
        let is_inner = info.pointer.rfind('/') != Some(0);
        let group = group.filter(|_| is_inner);
        let limit = |key: &str| info.schema[key].as_u64();
        let example = item.unwrap_or(info).examples().first().or(info.examples().first());
        let example = example.map(|example| match example.as_array().and_then(|all| all.first()) {
            Some(first) => schema::show(first),
            None => schema::show(example),
        });
        Self {
            item: item_pointer.to_owned(),
            name: info.path.clone(),
            role,
            title: language::say(info.title()),
            description: [info.description(), info.entries()].map(language::say).join(" ").trim().to_owned(),
            group: role.map(Kind::group_of_role).or(group).unwrap_or("other"),
            input: match input(field, is_closed) {
                "long-text" if !values.is_empty() => "text",
                "text" if role.is_some_and(Kind::is_text) => "long-text",
                other => other,
            },
            required: field.is_needed,
            max_length: limit("maxLength").or_else(|| info.schema["items"]["maxLength"].as_u64()),
            max_items: limit("maxItems"),
            values: values
                .into_iter()
                .map(|value| ListedValue { title: title(role, &value), value })
                .collect(),
            example,
            pointer: info.pointer.clone(),
        }
    }

    /// The same field, with its pointers in the spelling of a kind.
    fn spelled(self, kind: Kind) -> Self {
        let pointer = kind.spelled_pointer(&self.pointer);
        let item = match self.item.as_str() {
            "" => String::new(),
            item => {
                let whole = kind.spelled_pointer(&format!("{}/*{item}", self.pointer));
                whole.get(pointer.len() + "/*".len()..).unwrap_or_default().to_owned()
            }
        };
        Self { pointer, item, ..self }
    }
}

/// A value in the words of the chosen language; `None` where they are not known, and in English.
fn title(role: Option<&str>, value: &str) -> Option<String> {
    let english = Kind::text_of_value(role?, value)?;
    Some(language::say(&english)).filter(|text| *text != english)
}

/// The form input for the field.
fn input(field: &FormField<'_>, is_closed: bool) -> &'static str {
    match field.info.type_name() {
        Some("array") if is_closed => "choices",
        Some("array") if field.below.len() <= 1 => "list",
        Some("string") if is_closed => "choice",
        Some("string") if field.info.takes_sentences() => "long-text",
        Some("string") => "text",
        Some("integer" | "number") => "integer",
        Some("boolean") => "boolean",
        None if is_closed => "choice",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::options;

    fn pointers(provider: &str, draft: &Value) -> Vec<String> {
        let kind = options::kind(provider, "").expect("the provider has submissions");
        let json = fields(kind, options::spelled_kind(kind, &draft.to_string()));
        let fields: Vec<Value> = serde_json::from_str(&json).expect("it is JSON");
        fields.iter().filter_map(|field| Some(field["pointer"].as_str()?.to_owned())).collect()
    }

    #[test]
    fn pointers_are_spelled_as_the_draft() {
        let draft = serde_json::json!({ "business_name": "Copper Kettle LLC", "business_address": { "name": "Copper" } });
        for provider in ["twilio", "bandwidth"] {
            let found = pointers(provider, &draft);
            assert!(found.iter().any(|it| it.contains("_")), "{provider}: {found:?}");
            assert!(!found.iter().any(|it| it.contains(char::is_uppercase)), "{provider}: {found:?}");
            let own = pointers(provider, &serde_json::json!({}));
            assert!(!own.iter().any(|it| it.contains('_')), "{provider}: {own:?}");
            assert_eq!(found.len(), own.len());
        }
    }
}
