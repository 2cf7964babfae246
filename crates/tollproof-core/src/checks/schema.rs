//! `schema`: violations of the kind's schema, reported at the value.

use tollproof_data::pointer::unescaped;
use tollproof_data::provider::schema::error::{SchemaError, SchemaErrorKind};
use tollproof_data::provider::schema::shape::{Shape, TextFormat, TextShape};

use super::Violation;
use super::wrong_type::{ID_OF_NUMBER, found, is_optional, provider, wrong_type};
use crate::checks::context::Context;
use crate::finding::{Edit, Fix, Related, Safety};
use crate::provider::kind::Kind;
use crate::provider::renames::RenameTarget;
use crate::provider::schema::accept::takes;
use crate::provider::{aliases, role, schema};
use crate::syntax::document::{Member, Node, Style, Value};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;
use crate::validators::format;

/// The violation of a schema error; `None` if another check reports it better.
pub(crate) fn violation(error: &SchemaError, context: &Context<'_>) -> Option<Violation> {
    let (above, field) = error.pointer.rsplit_once('/').unwrap_or_default();
    let field = unescaped(field);
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
        SchemaErrorKind::Identifier => Some(sid(node?, error, violation, context)),
        SchemaErrorKind::Pattern => Some(violation.fill("value", node?.as_str()?)),
        SchemaErrorKind::OutOfRange => {
            Some(violation.fill("value", context.text.get(node?.written().range()).unwrap_or_default()))
        }
        SchemaErrorKind::OtherRequest => misplaced(parent, above, &field, violation, context),
        SchemaErrorKind::Unlisted | SchemaErrorKind::TollFree => None,
    }
}

/// A value in place of an identifier of two letters and 32 digits.
fn sid(node: &Node<'_>, error: &SchemaError, violation: Violation, context: &Context<'_>) -> Violation {
    let value = node.as_str().unwrap_or_default();
    let violation = violation.fill("value", value).fill("provider", provider(context));
    let letters = match schema::shape(context.kind).at_pointer(&error.pointer) {
        Some(Shape::Text(TextShape { format: Some(TextFormat::Sid(letters)), .. })) => letters,
        _ => return violation,
    };
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    if value.contains(char::is_alphabetic) || !(10..=15).contains(&digits) {
        return violation;
    }
    let field = error.pointer.rsplit('/').next().unwrap_or_default().to_owned();
    let message =
        message!("`{}` is a phone number, but `{}` takes its identifier", value, Message::name(field));
    let help = message!(
        "Copy the identifier of the number from {}'s console: `{}` and 32 hexadecimal digits.",
        provider(context),
        Message::name(String::from_utf8_lossy(letters).into_owned())
    );
    Violation { message: Some(message), help: Some(help), ..violation }
}

/// A value without content. Some providers refuse that in optional fields too.
fn empty(node: &Node<'_>, error: &SchemaError, violation: Violation, context: &Context<'_>) -> Violation {
    let violation = violation.fill("value", "").fill("count", count(node));
    if !is_optional(&error.pointer, context) || context.kind.is_default() {
        return violation;
    }
    let help = message!("Fill in this field, or remove it: {} refuses an empty value.", provider(context));
    Violation { help: Some(help), ..violation }
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
        .fill("count", Message::name(text.chars().count().to_string()))
        .fill("max", Message::name(max.to_string()))
}

/// The violation of a document that is not an object.
pub(crate) fn no_object(root: &Node<'_>, text: &str) -> Violation {
    let span = if matches!(root.value, Value::Array(_)) { root.opening() } else { root.span };
    let message = Some(message!("the document must be an object with fields, not {}", found(root, text)));
    let help = Some(message!(
        "Write each field with its name and value, such as `{}` and the name of the business.",
        Message::name(role::BUSINESS_NAME)
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
            vec![Related::here(span, "written here".into())]
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
    let home = context.kind.provider().kinds().map(|it| it.spelled_like(context.kind)).find(has)?;
    let violation = Violation { span: Some(parent.member(field)?.key_span), ..violation };
    let violation =
        violation.fill("home", Message::own(home.noun())).fill("home_kind", Message::name(home.name()));
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

/// An unknown field. The nearest missing field is probably meant.
///
/// The fix renames it only if that name is free and no other unknown field could mean it.
fn unknown(member: &Member<'_>, above: &str, violation: Violation, context: &Context<'_>) -> Violation {
    let violation = Violation { span: Some(member.key_span), ..violation };
    let names = fields(above, context);
    let noted_in = || aliases::noted_in(&member.key).filter(|home| names.contains(home));
    if let Some(home) = context.kind.is_default_provider().then(noted_in).flatten() {
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
            violation.fill("nearest", message!("`{}` is already in the draft. ", Message::name(name)))
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
            let fits = shape.is_some_and(|shape| takes(shape, &member.value));
            let fix = Fix { safety, edits: vec![Edit { span: member.key_span, text }] };
            let fix = Some(fix).filter(|_| fits);
            Violation {
                fix,
                ..violation.fill("nearest", message!("Did you mean `{}`? ", Message::name(name)))
            }
        }
    }
}

/// The fields of an object for messages, if there are few.
fn few(names: &[&str]) -> Message {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] | [_, _, _, _, _, _, ..] => Message::default(),
        [name] => message!("The only field of this object is {}. ", Message::name(name)),
        [most @ .., last] => message!(
            "The fields of this object are {} and {}. ",
            Message::name(most.join(", ")),
            Message::name(last)
        ),
    }
}

fn fields(above: &str, context: &Context<'_>) -> Vec<&'static str> {
    match schema::shape(context.kind).at_pointer(above) {
        Some(Shape::Object(object)) => object.fields.iter().map(|field| field.name.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// Whether a string looks like a phone number.
fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    (7..=15).contains(&digits)
        && text.trim().chars().all(|character| {
            character.is_ascii_digit() || " +-.()/\u{a0}\u{2010}\u{2011}".contains(character)
        })
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
        let list = above
            .rsplit('/')
            .find(|segment| !segment.is_empty() && segment.parse::<usize>().is_err())
            .unwrap_or(field);
        let message = Some(message!(
            "`{}` is a phone number, but `{}` takes the UUID of the number",
            text.trim(),
            Message::name(list)
        ));
        let help = Some(ID_OF_NUMBER.into());
        return Some(Violation { message, help, ..violation.fill("value", text) });
    }
    if !text.trim().is_empty() {
        return Some(violation.fill("value", text));
    }
    let message = Some(message!("`{}` must contain an identifier, but is empty", name(above, field)));
    let help = Some(if is_optional(&error.pointer, context) {
        "Copy the identifier (a UUID) from your provider's console or API, or remove the field.".into()
    } else {
        "Copy the identifier (a UUID) from your provider's console or API.".into()
    });
    Some(Violation { message, help, ..violation })
}

/// A value that is valid without the surrounding whitespace.
fn trimmed(node: &Node<'_>, text: &str, violation: Violation, context: &Context<'_>) -> Violation {
    violation.rewrite(context, node, text.trim(), Safety::Safe).around(node, text.trim())
}

fn count(node: &Node<'_>) -> Message {
    let count = node.items().len();
    if count == 0 { "no number".into() } else { Message::name(count.to_string()) }
}
