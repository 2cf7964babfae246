//! `schema`: what the schema of the kind refuses, said of the value concerned.

use super::Defect;
use super::closed_list::{Near, near};
use crate::context::Context;
use crate::document::{Member, Node, Style, Value};
use crate::finding::{Edit, Fix, Related, Safety};
use crate::kind::Kind;
use crate::message::{Message, message};
use crate::nearest::nearest;
use crate::position;
use crate::rule::check::Violation;
use crate::schema::shape::{Shape, Text};
use crate::schema::{self, Complaint, format};
use crate::source::Span;
use crate::words::quoted;

/// The defect of a complaint; none where other checks say it better.
pub(crate) fn defect(complaint: &Complaint, context: &Context<'_>) -> Option<Defect> {
    let (above, field) = complaint.pointer.rsplit_once('/').unwrap_or_default();
    let field = field.replace("~1", "/").replace("~0", "~");
    let parent = context.root.at(above)?;
    let node = context.root.at(&complaint.pointer);
    let defect =
        Defect::default().fill("field", name(above, &field)).fill("kind", Message::own(context.kind.noun()));
    match complaint.violation {
        Violation::Missing => Some(missing(parent, defect, context)),
        Violation::Misplaced => misplaced(parent, above, &field, defect, context),
        Violation::Unknown => Some(unknown(parent.member(&field)?, above, defect, context)),
        Violation::Type if complaint.pointer.is_empty() => Some(no_object(context.root, context.text)),
        Violation::Type => Some(wrong_type(node?, complaint, defect, context)),
        Violation::Empty => Some(defect.fill("value", "").fill("count", count(node?))),
        Violation::Count => Some(defect.fill("count", count(node?))),
        Violation::Uuid => identifier(node?, complaint, defect, context),
        Violation::Timestamp => {
            let text = node?.as_str()?;
            let defect = defect.fill("value", text);
            Some(if format::is_timestamp(text.trim()) {
                trimmed(node?, text, defect, context)
            } else {
                defect
            })
        }
        Violation::Unlisted | Violation::TooSmall => None,
    }
}

/// The defect of a document that is no object at all.
pub(crate) fn no_object(root: &Node<'_>, text: &str) -> Defect {
    let span = if matches!(root.value, Value::Array(_)) { root.opening() } else { root.span };
    let message = Some(message!("the document must be an object of fields, not {}", found(root, text)));
    let help = Some("Write the fields by their names: `businessName` and its value, and so on.".into());
    Defect { message, help, ..Defect::at(span) }
}

/// A field that is absent; where an alias stands for the object, the object is written at its anchor.
fn missing(parent: &Node<'_>, defect: Defect, context: &Context<'_>) -> Defect {
    let related = match parent.style {
        Style::Alias(anchored) => {
            let written = context.text.get(anchored.range()).unwrap_or_default();
            let line = written.lines().next().unwrap_or_default().trim_end();
            let span = Span::new(anchored.start as usize, anchored.start as usize + line.len());
            vec![Related { file: None, span: Some(span), message: "written here".into() }]
        }
        _ => Vec::new(),
    };
    Defect { span: Some(parent.opening()), related, ..defect.fill("count", Message::own("none")) }
}

/// A field of another kind, or of another object of this one.
fn misplaced(
    parent: &Node<'_>,
    above: &str,
    field: &str,
    defect: Defect,
    context: &Context<'_>,
) -> Option<Defect> {
    let has = |kind: &Kind| schema::field_names(*kind).any(|name| name == field);
    let home = Kind::ALL.into_iter().find(has)?;
    let defect = Defect { span: Some(parent.member(field)?.key_span), ..defect };
    let defect = defect.fill("home", Message::own(home.noun())).fill("home_kind", Message::own(home.name()));
    if above.is_empty() {
        return Some(defect);
    }
    let message = Some(message!("`{}` does not belong in `{}`", field, name("", above.rsplit('/').next()?)));
    let help = Some(if has(&context.kind) {
        message!("Move it out of there: it is a field of {} itself.", Message::own(context.kind.noun()))
    } else {
        message!("Take it out: it is a field of {}.", Message::own(home.noun()))
    });
    Some(Defect { message, help, ..defect })
}

/// The field as a message names it: an item of a list by the list and its place there.
fn name(above: &str, field: &str) -> String {
    match above.rsplit_once('/') {
        Some((_, list)) if !field.is_empty() && field.bytes().all(|it| it.is_ascii_digit()) => {
            format!("{list}[{field}]")
        }
        _ => field.to_owned(),
    }
}

/// What is there, as it is written.
fn found(node: &Node<'_>, text: &str) -> Message {
    match &node.value {
        Value::Null => "null".into(),
        Value::Bool(_) | Value::Number(_) => {
            message!("the {} `{}`", Message::own(node.type_name()), quoted(with_tag(node, text)))
        }
        Value::String(text) if text.is_empty() => "an empty text".into(),
        Value::String(text) if text.trim().is_empty() => "a text of blanks".into(),
        Value::String(text) => message!("the text `{}`", quoted(text.trim_end_matches('\n'))),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// What spells a value, from its tag on if it has one.
fn with_tag<'t>(node: &Node<'_>, text: &'t str) -> &'t str {
    let span = node.written();
    let start = position::tag(text, node).map_or(span.start, |tag| tag.start);
    text.get(Span { start, ..span }.range()).unwrap_or_default()
}

/// A field that is none of this kind; the nearest of those that are not there is probably meant.
fn unknown(member: &Member<'_>, above: &str, defect: Defect, context: &Context<'_>) -> Defect {
    let defect = Defect { span: Some(member.key_span), ..defect };
    let object = context.root.at(above);
    let absent = |name: &str| object.is_none_or(|object| object.get(name).is_none());
    // The test for nearness is the cheaper one where an object has very many members.
    let is_free = |name: &&str| nearest(&member.key, [*name]).is_some() && absent(name);
    let names = fields(above, context);
    let Some(near) = nearest(&member.key, names.into_iter().filter(is_free)) else {
        return defect.fill("nearest", "");
    };
    let key =
        Node { span: member.key_span, style: member.value.style, value: Value::String(member.key.clone()) };
    let text = if context.text.get(key.span.range()).is_some_and(|it| it.starts_with('"')) {
        format!("\"{near}\"")
    } else {
        near.to_owned()
    };
    let fix = Some(Fix { safety: Safety::Unsafe, edits: vec![Edit { span: key.span, text }] });
    Defect { fix, ..defect.fill("nearest", Message::own(format!("Did you mean `{near}`? "))) }
}

fn fields(above: &str, context: &Context<'_>) -> Vec<&'static str> {
    match schema::shape(context.kind).at_pointer(above) {
        Some(Shape::Object(object)) => object.fields.iter().map(|field| field.name.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// What is expected, what is there as it is written, and quotes where they are all that is missing.
fn wrong_type(node: &Node<'_>, complaint: &Complaint, defect: Defect, context: &Context<'_>) -> Defect {
    let expected = schema::shape(context.kind).at_pointer(&complaint.pointer);
    let defect = defect
        .fill("expected", Message::own(expected.map_or("a value of another type", Shape::noun)))
        .fill("found", found(node, context.text));
    match (expected, &node.value) {
        (Some(Shape::Text(text)), Value::Number(_) | Value::Bool(_)) if text.values.is_empty() => {
            unquoted(node, defect, context)
        }
        (Some(Shape::Text(text)), Value::Number(_) | Value::Bool(_)) => unlisted(text, node, defect, context),
        (_, Value::Null) => {
            let what = Message::own(expected.map_or("a value", Shape::noun));
            let help = if is_optional(&complaint.pointer, context) {
                message!("Take the field out, or write {}: `null` is a value of its own.", what)
            } else {
                message!("Write {}: `null` says nothing, and this field is required.", what)
            };
            Defect { help: Some(help), ..defect }
        }
        (Some(Shape::Integer { .. }), Value::String(text)) if text.trim().parse::<u32>().is_ok() => {
            let number = text.trim();
            let help = Some(message!("Write {}, without quotes.", number));
            Defect { help, ..defect.overwrite(context, node, number) }
        }
        (Some(Shape::Bool), Value::String(text)) => boolean(node, text, defect, context),
        (Some(Shape::List { .. }), Value::String(text)) => list(node, text, defect, context),
        _ => defect,
    }
}

/// A number or `true` that was meant as a text.
fn unquoted(node: &Node<'_>, defect: Defect, context: &Context<'_>) -> Defect {
    let written = context.text.get(node.written().range()).unwrap_or_default();
    let type_name = Message::own(node.type_name());
    let help = match tag(node, context) {
        Some(tag) if written.starts_with(['"', '\'']) => {
            message!("Take out `{}`, which makes a {} of it.", tag, type_name)
        }
        Some(tag) => message!(
            "Take out `{}`, which makes a {} of it, and put quotes around the rest: \"{}\".",
            tag,
            type_name,
            written
        ),
        None if node.style.is_yaml() => {
            message!("Put it in quotes: \"{}\". Without them YAML reads it as a {}.", written, type_name)
        }
        None => message!("Put it in quotes: \"{}\".", written),
    };
    Defect { help: Some(help), ..defect.rewrite(context, node, written, quoting(node)) }
}

/// The tag before a value, as it is written.
fn tag<'t>(node: &Node<'_>, context: &Context<'t>) -> Option<&'t str> {
    context.text.get(position::tag(context.text, node)?.range())
}

/// A text that is no UUID: empty, one with blanks around it, or another text.
fn identifier(
    node: &Node<'_>,
    complaint: &Complaint,
    defect: Defect,
    context: &Context<'_>,
) -> Option<Defect> {
    let text = node.as_str()?;
    if format::is_uuid(text.trim()) {
        return Some(trimmed(node, text, defect, context));
    }
    if !text.trim().is_empty() {
        return Some(defect.fill("value", text));
    }
    let (above, field) = complaint.pointer.rsplit_once('/').unwrap_or_default();
    let message = Some(message!("`{}` is empty, where an identifier belongs", name(above, field)));
    let help = Some(if is_optional(&complaint.pointer, context) {
        "Write the UUID that the service gave it, or take the field out.".into()
    } else {
        "Write the UUID that the service gave it.".into()
    });
    Some(Defect { message, help, ..defect })
}

/// A value that is right but for the blanks around it.
fn trimmed(node: &Node<'_>, text: &str, defect: Defect, context: &Context<'_>) -> Defect {
    defect.rewrite(context, node, text.trim(), Safety::Safe).around(node, text.trim())
}

/// Quotes around a YAML scalar change nothing that its writer could have meant; a JSON number was chosen.
fn quoting(node: &Node<'_>) -> Safety {
    if node.style.is_yaml() { Safety::Safe } else { Safety::Unsafe }
}

/// A number or `true` in place of a text of a closed list: quotes alone would be the next mistake.
fn unlisted(text: &Text, node: &Node<'_>, defect: Defect, context: &Context<'_>) -> Defect {
    let written = context.text.get(node.written().range()).unwrap_or_default();
    let (value, why, safety) = match near(text, written.trim_matches(['"', '\''])) {
        Near::Same(value) => (value, "exactly so, in quotes", quoting(node)),
        Near::Largest(value) => (value, "the largest value, in quotes", Safety::Unsafe),
        Near::Meant(_) | Near::Nothing => {
            let help = "Write one of the texts that the interface lists for it, in quotes.";
            return Defect { help: Some(help.into()), ..defect };
        }
    };
    let help = Some(match tag(node, context) {
        Some(tag) => {
            message!("Write \"{}\", {}, and without `{}`.", Message::own(value), Message::own(why), tag)
        }
        None => message!("Write \"{}\", {}.", Message::own(value), Message::own(why)),
    });
    Defect { help, ..defect.rewrite(context, node, value, safety) }
}

/// Whether the object above does without the field.
fn is_optional(pointer: &str, context: &Context<'_>) -> bool {
    let (above, field) = pointer.rsplit_once('/').unwrap_or_default();
    let Some(Shape::Object(object)) = schema::shape(context.kind).at_pointer(above) else { return false };
    object.fields.iter().any(|it| it.name == field && !it.required)
}

/// `"true"`, `yes`, `no`: what people write for a boolean.
fn boolean(node: &Node<'_>, text: &str, defect: Defect, context: &Context<'_>) -> Defect {
    let value = match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "1" => "true",
        "false" | "no" | "off" | "n" | "0" => "false",
        _ => return defect,
    };
    let value_said = Message::own(value);
    let help = match (tag(node, context), node.style) {
        (Some(tag), _) => message!("Write {}, without `{}`.", value_said, tag),
        (None, Style::Plain) => message!("Write {}: YAML reads `{}` as a text.", value_said, text),
        (None, Style::Alias(_)) => message!("Write {}.", value_said),
        (None, Style::Literal | Style::Folded) => message!("Write {} on the line of its field.", value_said),
        (None, Style::Json | Style::Single | Style::Double) => {
            message!("Write {}, without quotes.", value_said)
        }
    };
    Defect { help: Some(help), ..defect.overwrite(context, node, value) }
}

/// A text in place of a list of texts: each of its lines is an item.
fn list(node: &Node<'_>, text: &str, defect: Defect, context: &Context<'_>) -> Defect {
    let written = context.text.get(node.span.range()).unwrap_or_default();
    let items: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_kept =
        matches!(node.style, Style::Json | Style::Single | Style::Double) && !written.contains('\n');
    if items.is_empty() {
        return defect;
    }
    let help = Some("Put it into a list: square brackets around it, even for one.".into());
    let defect = Defect { help, ..defect };
    match items.as_slice() {
        [item] if is_kept && *item == text => defect.overwrite(context, node, &format!("[{written}]")),
        items => {
            let items: Vec<String> = items.iter().map(|item| position::in_quotes(node, item)).collect();
            defect.overwrite(context, node, &format!("[{}]", items.join(", ")))
        }
    }
}

fn count(node: &Node<'_>) -> Message {
    let count = node.items().len();
    if count == 0 { "none".into() } else { Message::own(count.to_string()) }
}
