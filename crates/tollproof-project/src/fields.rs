//! Fields by the path of a value in a draft that is being written.

use serde_json::Value;
use tollproof_core::schema::{FieldInfo, fields_of, resolve};

/// The fields of the object at a path, in the order of the schema; `-` is an item of a list. Names match in any spelling.
pub fn fields_at<'s>(root: &'s Value, path: &[String]) -> Vec<FieldInfo<'s>> {
    schema_at(root, path).map(|object| fields_of(object, root).collect()).unwrap_or_default()
}

/// The field at a path, or the field that is the list of the item at a path.
pub fn field_at<'s>(root: &'s Value, path: &[String]) -> Option<FieldInfo<'s>> {
    let (name, above) = path.split_last()?;
    if name == "-" {
        return field_at(root, above);
    }
    fields_at(root, above).into_iter().find(|field| is_spelled_like(field.name(), name))
}

/// The schema of the value at a path.
fn schema_at<'s>(root: &'s Value, path: &[String]) -> Option<&'s Value> {
    path.iter().try_fold(resolve(root, root), |schema, name| {
        let below = match name.as_str() {
            "-" => schema.get("items")?,
            name => {
                let mut properties = schema["properties"].as_object()?.iter();
                properties.find(|(it, _)| is_spelled_like(it, name)).map(|(_, schema)| schema)?
            }
        };
        Some(resolve(below, root))
    })
}

/// Whether two names differ only in case and separators, as `OptInType` and `opt_in_type` do.
pub fn is_spelled_like(one: &str, other: &str) -> bool {
    let letters = |name: &str| -> String {
        name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    one == other || letters(one) == letters(other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_found_by_the_keys_above_them() {
        let items = json!({ "properties": { "b": {} }, "required": ["b"] });
        let properties = json!({ "a": { "$ref": "#/$defs/a" }, "list": { "items": items } });
        let schema =
            json!({ "properties": properties, "required": ["a"], "$defs": { "a": { "title": "A" } } });
        let at = |path: &str| {
            let path: Vec<String> = path.split('.').map(str::to_owned).collect();
            field_at(&schema, &path).map(|field| (field.title().to_owned(), field.required))
        };
        assert_eq!(at("a"), Some(("A".to_owned(), true)));
        assert_eq!(at("list.-.B"), Some((String::new(), true)));
        assert_eq!(at("list.-").is_some(), at("list").is_some());
        assert_eq!(at("list.b"), None);
    }
}
