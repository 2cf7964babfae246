//! `schema`: violations of the kind's schema, reported at the value.

use super::address::{self, Zip};
use super::closed_list::{Near, amount, near};
use super::{Violation, comment};
use crate::checks::context::Context;
use crate::finding::{Edit, Fix, Related, Safety};
use crate::provider::aliases;
use crate::provider::kind::Kind;
use crate::provider::renames::RenameTarget;
use crate::provider::role;
use crate::provider::schema::SchemaErrorKind;
use crate::provider::schema::shape::{Field, ObjectShape, Shape, TextFormat, TextShape};
use crate::provider::schema::{self, SchemaError};
use crate::syntax::document::{Member, Node, Style, Value};
use crate::syntax::message::{Message, message};
use crate::syntax::message_parts::quoted;
use crate::syntax::source::Span;
use crate::syntax::string_map;
use crate::validators::format;

/// The violation of a schema error; `None` if another check reports it better.
pub(crate) fn violation(error: &SchemaError, context: &Context<'_>) -> Option<Violation> {
    let (above, field) = error.pointer.rsplit_once('/').unwrap_or_default();
    let field = field.replace("~1", "/").replace("~0", "~");
    let parent = context.root.at(above)?;
    let node = context.root.at(&error.pointer);
    let violation = Violation::default()
        .fill("field", name(above, &field))
        .fill("kind", Message::own(context.kind.noun()));
    match error.kind {
        SchemaErrorKind::Missing => Some(missing(parent, violation, context)),
        SchemaErrorKind::Misplaced => misplaced(parent, above, &field, violation, context),
        SchemaErrorKind::Unknown => Some(unknown(parent.member(&field)?, above, violation, context)),
        SchemaErrorKind::Type if error.pointer.is_empty() => Some(no_object(context.root, context.text)),
        SchemaErrorKind::Type => Some(wrong_type(node?, error, violation, context)),
        SchemaErrorKind::Empty => Some(empty(node?, error, violation, context)),
        SchemaErrorKind::Count => Some(violation.fill("count", count(node?))),
        SchemaErrorKind::Uuid => identifier(node?, error, violation, context),
        SchemaErrorKind::Timestamp => {
            let text = node?.as_str()?;
            let violation = violation.fill("value", text);
            Some(if format::is_timestamp(text.trim()) {
                trimmed(node?, text, violation, context)
            } else {
                violation
            })
        }
        SchemaErrorKind::TooLong => Some(too_long(node?, error, violation, context)),
        SchemaErrorKind::Identifier | SchemaErrorKind::Pattern => {
            Some(violation.fill("value", node?.as_str()?))
        }
        SchemaErrorKind::OutOfRange => {
            Some(violation.fill("value", context.text.get(node?.written().range()).unwrap_or_default()))
        }
        SchemaErrorKind::OtherRequest => misplaced(parent, above, &field, violation, context),
        SchemaErrorKind::Unlisted | SchemaErrorKind::TollFree => None,
    }
}

/// A value without content. Some providers refuse that in optional fields too.
fn empty(node: &Node<'_>, error: &SchemaError, violation: Violation, context: &Context<'_>) -> Violation {
    let violation = violation.fill("value", "").fill("count", count(node));
    match is_optional(&error.pointer, context) {
        true if !context.kind.is_default() => {
            let help =
                message!("Fill in this field, or remove it: {} refuses an empty value.", provider(context));
            Violation { help: Some(help), ..violation }
        }
        _ => violation,
    }
}

/// A text that is longer than the provider's limit, at what is too much.
fn too_long(node: &Node<'_>, error: &SchemaError, violation: Violation, context: &Context<'_>) -> Violation {
    let text = node.as_str().unwrap_or_default();
    let max = match schema::shape(context.kind).at_pointer(&error.pointer) {
        Some(Shape::Text(shape)) => shape.max.unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let start = text.char_indices().nth(max).map_or(text.len(), |(at, _)| at);
    let span = context.inner(node, start..text.len());
    Violation { span: Some(span), ..violation }
        .fill("count", Message::own(text.chars().count().to_string()))
        .fill("max", Message::own(max.to_string()))
}

/// The violation of a document that is not an object.
pub(crate) fn no_object(root: &Node<'_>, text: &str) -> Violation {
    let span = if matches!(root.value, Value::Array(_)) { root.opening() } else { root.span };
    let message = Some(message!("the document must be an object with fields, not {}", found(root, text)));
    let help = Some(message!(
        "Write each field with its name and value, such as `{}` and the name of the business.",
        Message::own(role::BUSINESS_NAME)
    ));
    Violation { message, help, ..Violation::at(span) }
}

/// A missing field. If the object is a YAML alias, the object at the anchor is added as a related place.
fn missing(parent: &Node<'_>, violation: Violation, context: &Context<'_>) -> Violation {
    let related = match parent.style {
        Style::Alias(anchored) => {
            let written = context.text.get(anchored.range()).unwrap_or_default();
            let line = written.lines().next().unwrap_or_default().trim_end();
            let span = Span::new(anchored.start as usize, anchored.start as usize + line.len());
            vec![Related { file: None, span: Some(span), place: None, message: "written here".into() }]
        }
        _ => Vec::new(),
    };
    Violation { span: Some(parent.opening()), related, ..violation.fill("count", Message::own("no number")) }
}

/// A field that belongs to another kind, or to another object of this kind.
fn misplaced(
    parent: &Node<'_>,
    above: &str,
    field: &str,
    violation: Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    let has = |kind: &Kind| schema::field_names(*kind).any(|name| name == field);
    let home = context.kind.provider().kinds().find(has)?;
    let violation = Violation { span: Some(parent.member(field)?.key_span), ..violation };
    let violation =
        violation.fill("home", Message::own(home.noun())).fill("home_kind", Message::own(home.name()));
    if above.is_empty() {
        return Some(violation);
    }
    let message = Some(message!("`{}` does not belong in `{}`", field, name("", above.rsplit('/').next()?)));
    let help = Some(if has(&context.kind) {
        message!("Move it to the top level, because it is a field of {}.", Message::own(context.kind.noun()))
    } else {
        message!("Remove it: it is a field of {}.", Message::own(home.noun()))
    });
    Some(Violation { message, help, ..violation })
}

/// The name of a field for messages; an item of a list is named by the list and its position.
pub(super) fn name(above: &str, field: &str) -> String {
    match above.rsplit_once('/') {
        Some((_, list)) if !field.is_empty() && field.bytes().all(|it| it.is_ascii_digit()) => {
            format!("{list}[{field}]")
        }
        _ => field.to_owned(),
    }
}

/// The value for messages, as it is written.
fn found(node: &Node<'_>, text: &str) -> Message {
    match &node.value {
        Value::Null => "null".into(),
        Value::Bool(_) | Value::Number(_) => {
            message!("the {} `{}`", Message::own(node.type_name()), with_tag(node, text))
        }
        Value::String(text) if text.is_empty() => "an empty string".into(),
        Value::String(text) if text.trim().is_empty() => "a string of spaces".into(),
        Value::String(text) => message!("the string `{}`", text.trim_end_matches('\n')),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// The source text of a value, including its YAML tag.
fn with_tag<'t>(node: &Node<'_>, text: &'t str) -> &'t str {
    let span = node.written();
    let start = string_map::tag(text, node).map_or(span.start, |tag| tag.start);
    text.get(Span { start, ..span }.range()).unwrap_or_default()
}

/// An unknown field. The nearest missing field is probably meant.
///
/// The fix renames it only if that name is free and no other unknown field could mean it.
fn unknown(member: &Member<'_>, above: &str, violation: Violation, context: &Context<'_>) -> Violation {
    let violation = Violation { span: Some(member.key_span), ..violation };
    let names = fields(above, context);
    if let Some(home) = aliases::noted_in(&member.key).filter(|home| names.contains(home)) {
        let help = message!(
            "Write its content in `{}`, because {}'s API has no separate field for it.",
            home,
            provider(context)
        );
        return Violation { help: Some(help), ..violation };
    }
    match context.renames(above).meant(&member.key) {
        RenameTarget::Nothing => match context.kind.owner_of(&member.key) {
            Some(owner) => violation
                .fill("nearest", message!("It is a field of {}'s API. ", Message::own(owner.title()))),
            None => violation.fill("nearest", few(&names)),
        },
        RenameTarget::Present(name) => {
            violation.fill("nearest", message!("`{}` is already in the draft. ", Message::own(name)))
        }
        RenameTarget::Contested(name) => violation.fill(
            "nearest",
            message!("Did you mean `{}`? Another unknown field could mean it too, so keep only one. ", name),
        ),
        RenameTarget::Free(name, is_former) => {
            let safety = if is_former { Safety::Safe } else { Safety::Unsafe };
            let is_quoted = context.text.get(member.key_span.range()).is_some_and(|it| it.starts_with('"'));
            let text = if is_quoted { format!("\"{name}\"") } else { name.to_owned() };
            // A field of another provider with the same meaning can have another type.
            let shape = schema::shape(context.kind).at_pointer(&message!("{}/{}", above, name));
            let fits = shape.is_some_and(|shape| shape.takes(&member.value));
            let fix = Fix { safety, edits: vec![Edit { span: member.key_span, text }] };
            let fix = Some(fix).filter(|_| fits);
            Violation {
                fix,
                ..violation.fill("nearest", message!("Did you mean `{}`? ", Message::own(name)))
            }
        }
    }
}

/// The name of the document's provider.
fn provider(context: &Context<'_>) -> Message {
    Message::own(context.kind.provider().title())
}

/// The fields of an object for messages, if there are few.
fn few(names: &[&str]) -> Message {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] | [_, _, _, _, _, _, ..] => Message::default(),
        [name] => Message::own(format!("The only field of this object is {name}. ")),
        [most @ .., last] => {
            Message::own(format!("The fields of this object are {} and {last}. ", most.join(", ")))
        }
    }
}

fn fields(above: &str, context: &Context<'_>) -> Vec<&'static str> {
    match schema::shape(context.kind).at_pointer(above) {
        Some(Shape::Object(object)) => object.fields.iter().map(|field| field.name.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// A value of the wrong type, with the expected type and the value as it is written. The fix adds quotes if only they
/// are missing.
fn wrong_type(
    node: &Node<'_>,
    error: &SchemaError,
    violation: Violation,
    context: &Context<'_>,
) -> Violation {
    let expected = schema::shape(context.kind).at_pointer(&error.pointer);
    let violation = violation
        .fill("expected", Message::own(expected.map_or("a value of another type", Shape::noun)))
        .fill("found", found(node, context.text));
    match (expected, &node.value) {
        (Some(Shape::Text(text)), Value::Number(_) | Value::Bool(_)) if text.values.is_empty() => {
            unquoted(node, &error.pointer, violation, context)
        }
        (Some(Shape::Text(text)), Value::Number(_) | Value::Bool(_)) => {
            unlisted(text, node, violation, context)
        }
        (_, Value::Null) if comment::behind(context.text, node).is_some() => {
            comment::in_place(node, expected, &error.pointer, violation, context)
        }
        (_, Value::Null) => {
            let what = Message::own(expected.map_or("a value", Shape::noun));
            let help = if is_optional(&error.pointer, context) {
                message!("Remove the field, or write {} instead of `null`.", what)
            } else {
                message!("Write {} instead of `null`, because this field is required.", what)
            };
            Violation { help: Some(help), ..violation }
        }
        (Some(Shape::Integer { .. }), Value::String(text)) => {
            match amount(text).filter(|_| !text.contains('+')) {
                Some(number) => {
                    let help = Some(Message::own(format!("Write {number}, without quotes.")));
                    Violation { help, ..violation.overwrite(context, node, &number.to_string()) }
                }
                None => violation,
            }
        }
        (Some(Shape::Object(object)), Value::String(text)) => match only_text(object) {
            Some(field) => {
                let help = Some(message!("Write it as an object with the field `{}`.", Message::own(field)));
                let value = string_map::in_quotes(node, text);
                let object = format!("{{\"{field}\": {value}}}");
                Violation { help, ..violation.overwrite(context, node, &object) }
            }
            None => violation,
        },
        (Some(Shape::Bool), Value::String(text)) => boolean(node, text, violation, context),
        (Some(Shape::List { item, .. }), Value::String(text)) => list(node, text, item, violation, context),
        (Some(Shape::List { item, .. }), Value::Number(number)) if is_id(item) => {
            list(node, number, item, violation, context)
        }
        _ => violation,
    }
}

/// The field of an object that has only one field with a text.
fn only_text(object: &ObjectShape) -> Option<&str> {
    match object.fields.as_slice() {
        [Field { name, shape: Shape::Text(_), .. }] => Some(name),
        _ => None,
    }
}

/// A number or boolean in place of a string.
fn unquoted(node: &Node<'_>, pointer: &str, violation: Violation, context: &Context<'_>) -> Violation {
    let written = context.text.get(node.written().range()).unwrap_or_default();
    let type_name = Message::own(node.type_name());
    if context.kind.role_at(pointer) == Some(role::BUSINESS_ZIP) && tag(node, context).is_none() {
        match address::zip_of_number(written, context) {
            Zip::Lost { zip, state } => {
                let help = Some(message!(
                    "Write \"{}\", in quotes: in {} ZIP codes begin with a zero, which a number loses.",
                    zip,
                    state
                ));
                return Violation { help, ..violation.rewrite(context, node, &zip, Safety::Unsafe) };
            }
            Zip::Wrong => {
                let help = "Write the whole code in quotes with its leading zeros, such as \"02134\".";
                return Violation { help: Some(help.into()), ..violation };
            }
            Zip::Right => {}
        }
    } else if let Some(violation) = comment::after_number(node, written, pointer, &violation, context) {
        return violation;
    }
    let Some(digits) = as_text(node, written) else {
        let help = Some("Write it as a string, in quotes.".into());
        return Violation { help, ..violation };
    };
    let help = match tag(node, context) {
        Some(tag) if written.starts_with(['"', '\'']) => {
            message!("Remove `{}`, which makes it a {}.", tag, type_name)
        }
        Some(tag) => message!(
            "Remove `{}`, which makes it a {}, and put the rest in quotes: \"{}\".",
            tag,
            type_name,
            written
        ),
        None if node.style.is_yaml() => {
            message!("Put it in quotes: \"{}\". Without quotes YAML reads it as a {}.", digits, type_name)
        }
        None => message!("Put it in quotes: \"{}\".", digits),
    };
    Violation { help: Some(help), ..violation.rewrite(context, node, digits, quoting(node)).meaning(digits) }
}

/// The string that a number or boolean probably replaces; `None` if a program may have reformatted the number.
///
/// In YAML it is what the writer typed. A program wrote `2.07e9` or `2134.0` in JSON, and its input is unknown.
fn as_text<'t>(node: &Node<'_>, written: &'t str) -> Option<&'t str> {
    let is_of_program = matches!(node.value, Value::Number(_)) && written.contains(['.', 'e', 'E']);
    (node.style.is_yaml() || !is_of_program).then_some(written)
}

/// The YAML tag before a value, as it is written.
fn tag(node: &Node<'_>, context: &Context<'_>) -> Option<String> {
    context.text.get(string_map::tag(context.text, node)?.range()).map(quoted)
}

/// Whether a string looks like a phone number.
fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    (7..=15).contains(&digits)
        && text.trim().chars().all(|it| it.is_ascii_digit() || " +-.()/\u{a0}\u{2010}\u{2011}".contains(it))
}

/// A value that is not a UUID: empty, surrounded by whitespace, a phone number, or another value.
fn identifier(
    node: &Node<'_>,
    error: &SchemaError,
    violation: Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    let text = match &node.value {
        Value::Number(number) => number,
        _ => node.as_str()?,
    };
    if format::is_uuid(text.trim()) {
        return Some(trimmed(node, text, violation, context));
    }
    let (above, field) = error.pointer.rsplit_once('/').unwrap_or_default();
    if is_phone(text) {
        let list =
            above.rsplit('/').find(|it| !it.is_empty() && it.parse::<usize>().is_err()).unwrap_or(field);
        let message = Some(message!(
            "`{}` is a phone number, but `{}` takes the UUID of the number",
            text.trim(),
            Message::own(list)
        ));
        let help = Some(ID_OF_NUMBER.into());
        return Some(Violation { message, help, ..violation.fill("value", text) });
    }
    if !text.trim().is_empty() {
        return Some(violation.fill("value", text));
    }
    let message = Some(message!("`{}` must contain an identifier, but is empty", name(above, field)));
    let help = Some(if is_optional(&error.pointer, context) {
        "Write the UUID from your provider's portal or API, or remove the field.".into()
    } else {
        "Write the UUID from your provider's portal or API.".into()
    });
    Some(Violation { message, help, ..violation })
}

/// A value that is valid without the surrounding whitespace.
fn trimmed(node: &Node<'_>, text: &str, violation: Violation, context: &Context<'_>) -> Violation {
    violation.rewrite(context, node, text.trim(), Safety::Safe).around(node, text.trim())
}

/// Quoting a plain YAML scalar is safe, because its writer may not know that it is a number. The type of a JSON number
/// was chosen.
fn quoting(node: &Node<'_>) -> Safety {
    if node.style.is_yaml() { Safety::Safe } else { Safety::Unsafe }
}

/// A number or boolean in place of a string of a closed list. Quotes alone may not be enough, so the fix uses a listed
/// value.
fn unlisted(text: &TextShape, node: &Node<'_>, violation: Violation, context: &Context<'_>) -> Violation {
    let written = context.text.get(node.written().range()).unwrap_or_default();
    let near = near(text, written.trim_matches(['"', '\'']), None);
    let is_same = matches!(near, Near::Same(_));
    let (value, why, safety) = match near {
        Near::Same(value) => (value, "exactly like this, in quotes", quoting(node)),
        Near::Largest(value) => (value, "the largest value, in quotes", Safety::Unsafe),
        Near::Meant(_) | Near::Nothing => {
            let help = match listed(text) {
                Some(all) => message!("Write one of {}, in quotes.", all),
                None => message!(
                    "Write one of the values that {}'s API lists for this field, in quotes.",
                    provider(context)
                ),
            };
            return Violation { help: Some(help), ..violation };
        }
    };
    let help = Some(match tag(node, context) {
        Some(tag) => {
            message!("Write \"{}\", {}, and without `{}`.", Message::own(value), Message::own(why), tag)
        }
        None => message!("Write \"{}\", {}.", Message::own(value), Message::own(why)),
    });
    let violation = violation.rewrite(context, node, value, safety);
    let violation = if is_same { violation.meaning(value) } else { violation };
    Violation { help, ..violation }
}

/// Help for a phone number in place of its identifier.
const ID_OF_NUMBER: &str = "Write the UUID of this number from your provider's portal or API.";

/// The values of a list for messages, if there are few.
fn listed(text: &TextShape) -> Option<String> {
    let values: Vec<String> = text.values.iter().map(|value| format!("`{value}`")).collect();
    (values.len() <= 12).then(|| values.join(", "))
}

/// Whether the field is optional in its object.
fn is_optional(pointer: &str, context: &Context<'_>) -> bool {
    let (above, field) = pointer.rsplit_once('/').unwrap_or_default();
    let Some(Shape::Object(object)) = schema::shape(context.kind).at_pointer(above) else { return false };
    object.fields.iter().any(|it| it.name == field && !it.required)
}

/// A string in place of a boolean: `"true"`, `yes`, `no`.
fn boolean(node: &Node<'_>, text: &str, violation: Violation, context: &Context<'_>) -> Violation {
    let value = match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "1" => "true",
        "false" | "no" | "off" | "n" | "0" => "false",
        _ => return violation,
    };
    let value_said = Message::own(value);
    let help = match (tag(node, context), node.style) {
        (Some(tag), _) => message!("Write {}, without `{}`.", value_said, tag),
        (None, Style::Plain) => message!("Write {}, because YAML reads `{}` as a string.", value_said, text),
        (None, Style::Alias(_) | Style::Cell | Style::QuotedCell | Style::CellItem) => {
            message!("Write {}.", value_said)
        }
        (None, Style::Literal | Style::Folded) => message!("Write {} on the line of its field.", value_said),
        (None, Style::Json | Style::Single | Style::Double) => {
            message!("Write {}, without quotes.", value_said)
        }
    };
    Violation { help: Some(help), ..violation.overwrite(context, node, value) }
}

fn is_id(shape: &Shape) -> bool {
    matches!(shape, Shape::Text(text) if text.format == Some(TextFormat::Uuid))
}

/// The lines of a text, or the addresses if it is a comma-separated list of URLs.
fn items_of(text: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    let is_address = |part: &str| ["https://", "http://"].iter().any(|it| part.trim().starts_with(it));
    match text.contains(',') && text.split(',').all(is_address) {
        true => Box::new(text.split(',')),
        false => Box::new(text.lines()),
    }
}

/// A string in place of a list of strings.
fn list(node: &Node<'_>, text: &str, item: &Shape, violation: Violation, context: &Context<'_>) -> Violation {
    let written = context.text.get(node.span.range()).unwrap_or_default();
    let items: Vec<&str> = items_of(text).map(str::trim).filter(|line| !line.is_empty()).collect();
    if is_id(item) && items.iter().any(|item| !format::is_uuid(item)) {
        let help = Some(Message::own(format!("Write a list, even for one number. {ID_OF_NUMBER}")));
        return Violation { help, ..violation };
    }
    let is_kept =
        matches!(node.style, Style::Json | Style::Single | Style::Double) && !written.contains('\n');
    if items.is_empty() {
        return violation;
    }
    let help = Some("Put it in a list with square brackets, even if there is only one.".into());
    let violation = Violation { help, ..violation };
    match items.as_slice() {
        [item] if is_kept && *item == text => violation.overwrite(context, node, &format!("[{written}]")),
        items => {
            let items: Vec<String> = items.iter().map(|item| string_map::in_quotes(node, item)).collect();
            violation.overwrite(context, node, &format!("[{}]", items.join(", ")))
        }
    }
}

fn count(node: &Node<'_>) -> Message {
    let count = node.items().len();
    if count == 0 { "no number".into() } else { Message::own(count.to_string()) }
}
