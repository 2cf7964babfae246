//! Turns the errors of the JSON Schema validator into messages.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;
use tollproof_core::document::member_pointer;
use tollproof_core::{HouseSchemaError, Message, quoted};

/// The maximum number of values that a message lists.
const NAMED: usize = 5;

/// The schema errors in one error of the validator: one, or one for each of several fields of an object.
pub(super) fn refusals(error: &ValidationError<'_>) -> Vec<HouseSchemaError> {
    use ValidationErrorKind as Kind;
    let pointer = error.instance_path().as_str();
    let refusal = |pointer: String, is_about_key, problem| HouseSchemaError {
        pointer,
        is_about_key,
        problem,
        help: None,
    };
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![refusal(member_pointer(pointer, name), false, Message::own("is missing"))]
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            let of = |name: &String| {
                refusal(member_pointer(pointer, name), true, Message::own("is not an allowed field"))
            };
            unexpected.iter().map(of).collect()
        }
        Kind::PropertyNames { error } => {
            let name = error.instance().as_str().unwrap_or_default();
            let problem = Message::join([Message::own("as the name of a field "), problem(error.kind())]);
            vec![refusal(member_pointer(pointer, name), true, problem)]
        }
        // Without another keyword, the schema rejects the object and not a field.
        Kind::FalseSchema if error.schema_path().as_str().ends_with("/additionalProperties") => {
            vec![refusal(pointer.to_owned(), false, Message::own("must have no fields"))]
        }
        kind => vec![refusal(pointer.to_owned(), false, problem(kind))],
    }
}

/// The requirement that a value does not meet, as the predicate of a sentence: "must be ...".
fn problem(kind: &ValidationErrorKind) -> Message {
    use ValidationErrorKind as Kind;
    let own = |text: String| Message::own(text);
    match kind {
        Kind::Type { kind } => own(format!("must be {}", types(kind))),
        Kind::Enum { options } => one_of(options),
        Kind::Constant { expected_value } => {
            Message::join([Message::own("must be `"), shown(expected_value), Message::own("`")])
        }
        Kind::Pattern { pattern } => Message::join([
            Message::own("must match the pattern `"),
            Message::value(quoted(pattern)),
            Message::own("`"),
        ]),
        Kind::Format { format } => own(format!("must have the format `{}`", quoted(format))),
        Kind::MinLength { limit: 1 } => Message::own("must not be empty"),
        Kind::MinLength { limit } => own(format!("must have at least {}", count(*limit, "character"))),
        Kind::MaxLength { limit } => own(format!("must have at most {}", count(*limit, "character"))),
        Kind::MinItems { limit } => own(format!("must have at least {}", count(*limit, "item"))),
        Kind::MaxItems { limit } => own(format!("must have at most {}", count(*limit, "item"))),
        Kind::AdditionalItems { limit } => own(format!("must have at most {}", count(*limit as u64, "item"))),
        Kind::MinProperties { limit } => own(format!("must have at least {}", count(*limit, "field"))),
        Kind::MaxProperties { limit } => own(format!("must have at most {}", count(*limit, "field"))),
        Kind::Minimum { limit } => own(format!("must be at least {limit}")),
        Kind::Maximum { limit } => own(format!("must be at most {limit}")),
        Kind::ExclusiveMinimum { limit } => own(format!("must be greater than {limit}")),
        Kind::ExclusiveMaximum { limit } => own(format!("must be less than {limit}")),
        Kind::MultipleOf { multiple_of } => own(format!("must be a multiple of {multiple_of}")),
        Kind::UniqueItems => Message::own("must not have an item twice"),
        Kind::UnevaluatedItems { .. } => Message::own("has items that are not allowed"),
        Kind::Contains => Message::own("must have the items that `contains` describes"),
        Kind::FalseSchema => Message::own("is not allowed"),
        Kind::Not { .. } => Message::own("must not be what `not` describes"),
        Kind::AnyOf { .. } => Message::own("must match an alternative of `anyOf`"),
        Kind::OneOfNotValid { .. } => Message::own("must match an alternative of `oneOf`"),
        Kind::OneOfMultipleValid { .. } => Message::own("must match only one alternative of `oneOf`"),
        other => own(format!("must satisfy `{}`", quoted(other.keyword()))),
    }
}

/// The allowed values, or the first of them if there are many.
fn one_of(options: &Value) -> Message {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut parts = vec![Message::own("must be one of ")];
    for (at, option) in options.iter().take(NAMED).enumerate() {
        parts.push(Message::own(if at > 0 { ", `" } else { "`" }));
        parts.extend([shown(option), Message::own("`")]);
    }
    if let Some(more) = options.len().checked_sub(NAMED).filter(|more| *more > 0) {
        parts.push(Message::own(format!(" and {more} more")));
    }
    Message::join(parts)
}

/// A value of the schema, quoted for a message.
fn shown(value: &Value) -> Message {
    Message::value(quoted(&value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
}

fn types(kind: &TypeKind) -> String {
    let all: Vec<&str> = match kind {
        TypeKind::Single(one) => vec![noun(*one)],
        TypeKind::Multiple(several) => several.iter().map(noun).collect(),
    };
    all.join(" or ")
}

fn noun(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
    }
}

fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
