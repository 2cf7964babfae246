//! The providers, and the fields of their kinds as a form shows them.

use serde::Serialize;
use tollproof_core::schema::{self, FieldInfo};
use tollproof_core::{Kind, Provider};

/// A provider, in the shape of `Provider` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedProvider {
    name: &'static str,
    title: &'static str,
    partial: bool,
    sheet: bool,
    kinds: Vec<&'static str>,
}

/// All providers as JSON, in the order in which they are tried on a draft.
pub(crate) fn providers() -> String {
    let listed = Provider::all().iter().map(|it| ListedProvider {
        name: it.name(),
        title: it.title(),
        partial: it.is_partial(),
        sheet: it.is_sheet(),
        kinds: it.kinds().map(Kind::name).collect(),
    });
    serde_json::to_string(&listed.collect::<Vec<_>>()).expect("its keys are strings")
}

/// A field of a form, in the shape of `Field` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct FormField<'s> {
    pointer: String,
    /// Where the text is in an item of a list of objects; empty if the items are texts.
    item: String,
    name: String,
    role: Option<&'static str>,
    title: &'s str,
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

/// A value of a closed list.
#[derive(Debug, Serialize)]
struct ListedValue {
    value: String,
    title: Option<String>,
}

/// The fields of a kind as JSON, in the order of the provider's schema, with pointers in the spelling of `spelled`.
pub(crate) fn fields(kind: Kind, spelled: Kind) -> String {
    let schema = schema::schema_of(kind);
    let all = schema::fields(&schema);
    let mut shown: Vec<(usize, FormField<'_>)> = Vec::new();
    for field in &all {
        // A list of objects with one text each is one field: a list of texts.
        let items: Vec<&FieldInfo<'_>> = match field.type_name() {
            Some("array") => {
                all.iter().filter(|it| it.pointer.starts_with(&format!("{}/*/", field.pointer))).collect()
            }
            _ => Vec::new(),
        };
        let is_shown = match items.len() {
            0 => !field.has_fields(&all) && !field.pointer.contains("/*/"),
            _ => !field.pointer.contains("/*/"),
        };
        if is_shown {
            let root = field.pointer.split('/').nth(1).unwrap_or_default();
            let order = schema::field_names(kind).position(|name| name == root).unwrap_or(usize::MAX);
            shown.push((order, FormField::new(kind, field, &items, &all).spelled(spelled)));
        }
    }
    shown.sort_by_key(|(order, _)| *order);
    let fields: Vec<FormField<'_>> = shown.into_iter().map(|(_, field)| field).collect();
    serde_json::to_string(&fields).expect("its keys are strings")
}

impl<'s> FormField<'s> {
    fn new(kind: Kind, field: &FieldInfo<'s>, items: &[&FieldInfo<'s>], all: &[FieldInfo<'s>]) -> Self {
        let is_list = field.type_name() == Some("array");
        let item = items.iter().find(|it| it.type_name() == Some("string")).or(items.first());
        let item_pointer = item.map_or("", |it| it.pointer.rsplit_once("/*").map_or("", |(_, rest)| rest));
        let choice = match item {
            Some(item) => item.choice(),
            None if is_list => FieldInfo { schema: &field.schema["items"], ..bare(field) }.choice(),
            None => field.choice(),
        };
        let one = if is_list { format!("{}/0{item_pointer}", field.pointer) } else { field.pointer.clone() };
        let role = kind.role_of(&one).or_else(|| kind.role_of(&field.pointer));
        let limit = |key: &str| field.schema[key].as_u64();
        let example = item.unwrap_or(&field).examples().first().or(field.examples().first());
        let example = example.map(|it| match it.as_array().and_then(|all| all.first()) {
            Some(first) => schema::show(first),
            None => schema::show(it),
        });
        Self {
            item: item_pointer.to_owned(),
            name: field.path.clone(),
            role,
            title: field.title(),
            description: [field.description(), field.entries()].join(" ").trim().to_owned(),
            group: group(kind, field, role, all),
            input: match input(field, items, !choice.values.is_empty() && choice.others.is_empty()) {
                "text" if role.is_some_and(Kind::is_text) => "long-text",
                other => other,
            },
            required: is_required(field, all),
            max_length: limit("maxLength").or_else(|| field.schema["items"]["maxLength"].as_u64()),
            max_items: limit("maxItems"),
            values: choice.values.into_iter().map(|value| ListedValue { value, title: None }).collect(),
            example,
            pointer: field.pointer.clone(),
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

fn bare<'s>(field: &FieldInfo<'s>) -> FieldInfo<'s> {
    FieldInfo { path: field.path.clone(), pointer: field.pointer.clone(), ..*field }
}

/// Required in its object, which is required itself.
fn is_required(field: &FieldInfo<'_>, all: &[FieldInfo<'_>]) -> bool {
    let above = field.pointer.rsplit_once('/').map_or("", |(above, _)| above);
    let parent = all.iter().find(|it| it.pointer == above);
    field.required && parent.is_none_or(|it| is_required(it, all))
}

/// The group of a field; of one without a role, that of the other fields in its object.
fn group(kind: Kind, field: &FieldInfo<'_>, role: Option<&str>, all: &[FieldInfo<'_>]) -> &'static str {
    if let Some(role) = role {
        return Kind::group_of_role(role);
    }
    let above = field.pointer.rsplit_once('/').map_or("", |(above, _)| above);
    let siblings = all.iter().filter(|it| !above.is_empty() && it.pointer.starts_with(&format!("{above}/")));
    let mut groups = siblings.filter_map(|it| kind.role_of(&it.pointer)).map(Kind::group_of_role);
    groups.next().unwrap_or("other")
}

/// How a form asks for the field.
fn input(field: &FieldInfo<'_>, items: &[&FieldInfo<'_>], is_closed: bool) -> &'static str {
    match field.type_name() {
        Some("array") if is_closed => "choices",
        Some("array") if items.len() <= 1 => "list",
        Some("string") if is_closed => "choice",
        Some("string") if field.takes_sentences() => "long-text",
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
        fields.iter().filter_map(|it| Some(it["pointer"].as_str()?.to_owned())).collect()
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
