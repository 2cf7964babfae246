//! `tollproof schema`: what the interface states of each kind and field.

use std::io::{self, Write};

use serde_json::Value;
use tollproof_core::{Kind, did_you_mean, nearest, schema};

use crate::args::SchemaArgs;
use crate::output::look::wrap;
use crate::report::{Exit, Failure};

/// Prints the list of kinds, the schema of one, or one of its fields.
pub(super) fn run(args: &SchemaArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let printed = match (args.kind, &args.field) {
        (None, _) => list(out),
        (Some(kind), None) => writeln!(out, "{}", schema::text(kind).trim_end()),
        (Some(kind), Some(name)) => {
            let schema: Value =
                serde_json::from_str(schema::text(kind)).expect("a test reads the schemas that are built in");
            let fields = fields(&schema);
            let field = find(&fields, name).ok_or_else(|| unknown(kind, name, &fields))?;
            explain(field, out)
        }
    };
    printed.map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    for kind in Kind::ALL {
        let about = match kind {
            Kind::SubmitRequest => "a draft that asks for the verification of one toll-free number",
            Kind::UpdateRequest => "a draft that changes an earlier submission",
            Kind::VerificationRecord => "a verification as the service returns it, with its status",
            Kind::NumberPurchase => "an order of numbers",
            Kind::NumberSearch => "the query of a search for numbers that can be bought",
            Kind::ErrorResponse => "what the service answers when it refuses a request",
        };
        writeln!(out, "{:20} {about}", kind.name())?;
    }
    Ok(())
}

/// A field of a schema, wherever it is nested.
#[derive(Debug)]
struct Field<'s> {
    /// The names from the document down: `numbers[].country`.
    path: String,
    /// What the schema states of it.
    schema: &'s Value,
    required: bool,
}

impl Field<'_> {
    fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default().trim_end_matches("[]")
    }
}

/// All fields, those of the document before those of objects in it.
fn fields(root: &Value) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut objects = std::collections::VecDeque::from([(String::new(), root)]);
    while let Some((prefix, object)) = objects.pop_front() {
        let required = |name: &str| {
            let names = object["required"].as_array();
            names.is_some_and(|names| names.iter().any(|it| it == name))
        };
        for (name, schema) in object["properties"].as_object().into_iter().flatten() {
            let schema = resolve(schema, root);
            let path = format!("{prefix}{name}");
            objects.push_back((format!("{path}."), schema));
            objects.push_back((format!("{path}[]."), resolve(&schema["items"], root)));
            fields.push(Field { path, schema, required: required(name) });
        }
        // Nothing in the schemas refers to itself; should one ever, the list still ends.
        if fields.len() > 1_000 {
            break;
        }
    }
    fields
}

/// Follows `$ref` inside the same schema.
fn resolve<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let target = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
    target.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

/// The field of that path, or else the first of that name.
fn find<'f, 's>(fields: &'f [Field<'s>], wanted: &str) -> Option<&'f Field<'s>> {
    let path = fields.iter().find(|field| field.path == wanted);
    path.or_else(|| fields.iter().find(|field| field.name() == wanted))
}

fn unknown(kind: Kind, name: &str, fields: &[Field<'_>]) -> Failure {
    let names = fields.iter().flat_map(|field| [field.path.as_str(), field.name()]);
    let meant = did_you_mean(nearest(name, names));
    let noun = kind.noun();
    Failure::new(format_args!("`{name}` is not a field of {noun}{meant}"))
}

fn explain(field: &Field<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Field { path, schema, required } = field;
    let text = |key: &str| schema[key].as_str().unwrap_or_default();
    writeln!(out, "{path}: {}\n", text("title"))?;
    writeln!(out, "{}\n", wrap(text("description"), 80))?;
    let need = if *required { "required" } else { "optional" };
    writeln!(out, "Type      {}, {need}", type_of(schema))?;
    let examples = schema["examples"].as_array().into_iter().flatten().map(show).collect();
    column(out, "Values", values(schema))?;
    column(out, "Examples", examples)
}

/// A heading with one or more values beside it.
fn column(out: &mut dyn Write, heading: &str, values: Vec<String>) -> io::Result<()> {
    const INDENT: &str = "\n          ";
    if values.is_empty() {
        return Ok(());
    }
    let values: Vec<_> = values.iter().map(|it| wrap(it, 70).replace('\n', INDENT)).collect();
    writeln!(out, "{heading:9} {}", values.join(INDENT))
}

fn type_of(schema: &Value) -> String {
    let name = schema["type"].as_str().unwrap_or("any value");
    match (name, schema["items"]["type"].as_str()) {
        ("array", Some(items)) => format!("array of {items}s"),
        _ => name.to_owned(),
    }
}

/// The closed list of values; an open end is described in words.
fn values(schema: &Value) -> Vec<String> {
    let mut values: Vec<String> = schema["enum"].as_array().into_iter().flatten().map(show).collect();
    for choice in ["anyOf", "oneOf"] {
        for schema in schema[choice].as_array().into_iter().flatten() {
            values.extend(schema["enum"].as_array().into_iter().flatten().map(show));
            values.extend(schema["const"].as_str().map(str::to_owned));
            values.extend(schema["description"].as_str().map(|it| format!("or: {it}")));
        }
    }
    values
}

fn show(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_found_by_name_and_by_path() {
        let schema = json!({
            "properties": {
                "a": { "$ref": "#/$defs/a" },
                "list": { "type": "array", "items": { "properties": { "b": {}, "a": {} }, "required": ["b"] } },
            },
            "required": ["a"],
            "$defs": { "a": { "title": "A" } },
        });
        let fields = fields(&schema);
        let path = |name| find(&fields, name).map(|it| (it.path.as_str(), it.required));
        assert_eq!(path("a"), Some(("a", true)));
        assert_eq!(path("b"), Some(("list[].b", true)));
        assert_eq!(path("list[].a"), Some(("list[].a", false)));
        assert_eq!(path("c"), None);
        assert_eq!(find(&fields, "a").map(|it| &it.schema["title"]), Some(&json!("A")));
    }

    #[test]
    fn a_field_is_explained() {
        let schema = json!({
            "title": "Country", "description": "Where.", "type": "string",
            "anyOf": [{ "enum": ["US", "CA"] }, { "pattern": "x", "description": "anything else" }],
            "examples": ["US"],
        });
        let field = Field { path: "country".to_owned(), schema: &schema, required: true };
        let mut text = Vec::new();
        explain(&field, &mut text).expect("vectors take everything");
        let text = String::from_utf8(text).expect("UTF-8");
        assert_eq!(
            text,
            "country: Country\n\nWhere.\n\nType      string, required\n\
             Values    US\n          CA\n          or: anything else\nExamples  US\n"
        );
    }
}
