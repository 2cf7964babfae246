//! `schema`: what the schema of the kind refuses, said of the value concerned.

use super::Defect;
use crate::context::Context;
use crate::document::{Member, Node, Style, Value};
use crate::finding::{Edit, Fix, Safety};
use crate::kind::Kind;
use crate::nearest::nearest;
use crate::rule::check::Violation;
use crate::schema::shape::Shape;
use crate::schema::{self, Complaint};
use crate::source::Span;

/// The defect of a complaint; none where other checks say it better.
pub(crate) fn defect(complaint: &Complaint, context: &Context<'_>) -> Option<Defect> {
    let (above, field) = complaint.pointer.rsplit_once('/').unwrap_or_default();
    let field = field.replace("~1", "/").replace("~0", "~");
    let parent = context.root.at(above)?;
    let node = context.root.at(&complaint.pointer);
    let defect = Defect::default().fill("field", name(above, &field)).fill("kind", context.kind.noun());
    match complaint.violation {
        Violation::Missing => Some(Defect { span: Some(opening(parent)), ..defect.fill("count", "none") }),
        Violation::Misplaced => {
            let home =
                Kind::ALL.into_iter().find(|&kind| schema::field_names(kind).any(|name| name == field))?;
            let defect = Defect { span: Some(parent.member(&field)?.key_span), ..defect };
            Some(defect.fill("home", home.noun()).fill("home_kind", home.name()))
        }
        Violation::Unknown => Some(unknown(parent.member(&field)?, above, defect, context)),
        Violation::Type if complaint.pointer.is_empty() => Some(no_object(context.root, context.text)),
        Violation::Type => Some(wrong_type(node?, complaint, defect, context)),
        Violation::Empty => Some(defect.fill("value", "").fill("count", count(node?))),
        Violation::Count => Some(defect.fill("count", count(node?))),
        Violation::Uuid | Violation::Timestamp => Some(defect.fill("value", node?.as_str()?)),
        Violation::Unlisted | Violation::TooSmall => None,
    }
}

/// The defect of a document that is no object at all.
pub(crate) fn no_object(root: &Node<'_>, text: &str) -> Defect {
    let span = Span { end: root.span.end.min(root.span.start + 1), ..root.span };
    let span = if matches!(root.value, Value::Array(_)) { span } else { root.span };
    let message = Some(format!("the document must be an object of fields, not {}", found(root, text)));
    let help = Some("Write the fields by their names: `businessName` and its value, and so on.".to_owned());
    Defect { message, help, ..Defect::at(span) }
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
fn found(node: &Node<'_>, text: &str) -> String {
    let written = text.get(node.span.range()).unwrap_or_default();
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => format!("the {} `{written}`", node.type_name()),
        Value::String(text) => format!("the text `{text}`"),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Where an object begins: its `{`, or the first key of a YAML block.
pub(super) fn opening(object: &Node<'_>) -> Span {
    let start = object.span.start;
    match object.members().first() {
        Some(first) if first.key_span.start == start => first.key_span,
        _ => Span { start, end: (start + 1).min(object.span.end) },
    }
}

/// A field that is none of this kind; the nearest of those that are not there is probably meant.
fn unknown(member: &Member<'_>, above: &str, defect: Defect, context: &Context<'_>) -> Defect {
    let defect = Defect { span: Some(member.key_span), ..defect };
    let object = context.root.at(above);
    let absent = |name: &&str| object.is_none_or(|object| object.get(name).is_none());
    let names = fields(above, context);
    let Some(near) = nearest(&member.key, names.into_iter().filter(absent)) else {
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
    Defect { fix, ..defect.fill("nearest", format!("Did you mean `{near}`? ")) }
}

fn fields(above: &str, context: &Context<'_>) -> Vec<&'static str> {
    let path =
        above.split('/').skip(1).map(|step| (!step.bytes().all(|it| it.is_ascii_digit())).then_some(step));
    match schema::shape(context.kind).at(path) {
        Some(Shape::Object(object)) => object.fields.iter().map(|field| field.name.as_str()).collect(),
        _ => Vec::new(),
    }
}

/// What is expected, what is there as it is written, and quotes where they are all that is missing.
fn wrong_type(node: &Node<'_>, complaint: &Complaint, defect: Defect, context: &Context<'_>) -> Defect {
    let steps = complaint.pointer.split('/').skip(1);
    let path = steps.map(|step| (!step.bytes().all(|it| it.is_ascii_digit())).then_some(step));
    let expected = schema::shape(context.kind).at(path);
    let written = context.text.get(node.span.range()).unwrap_or_default();
    let defect = defect
        .fill("expected", expected.map_or("a value of another type", describe))
        .fill("found", found(node, context.text));
    match (expected, &node.value) {
        (Some(Shape::Text(_)), Value::Number(_) | Value::Bool(_)) => {
            let (safety, help) = if node.style.is_yaml() {
                (
                    Safety::Safe,
                    format!(
                        "Put it in quotes: \"{written}\". Without them YAML reads it as a {}.",
                        node.type_name()
                    ),
                )
            } else {
                (Safety::Unsafe, format!("Put it in quotes: \"{written}\"."))
            };
            Defect { help: Some(help), ..defect.rewrite(context, node, written, safety) }
        }
        (_, Value::Null) => {
            let what = expected.map_or("a value", describe);
            let help = if is_optional(&complaint.pointer, context) {
                format!("Take the field out, or write {what}: `null` is a value of its own.")
            } else {
                format!("Write {what}: `null` says nothing, and this field is required.")
            };
            Defect { help: Some(help), ..defect }
        }
        (Some(Shape::Bool), Value::String(text)) => boolean(node, text, defect),
        (Some(Shape::List { .. }), Value::String(_)) => {
            let help = Some("Put it into a list: square brackets around it, even for one.".to_owned());
            let text = format!("[{written}]");
            let is_block = matches!(node.style, Style::Literal | Style::Folded);
            let fix = Some(Fix { safety: Safety::Unsafe, edits: vec![Edit { span: node.span, text }] });
            Defect { help, fix: fix.filter(|_| !is_block), ..defect }
        }
        _ => defect,
    }
}

/// Whether the object above does without the field.
fn is_optional(pointer: &str, context: &Context<'_>) -> bool {
    let (above, field) = pointer.rsplit_once('/').unwrap_or_default();
    let path =
        above.split('/').skip(1).map(|step| (!step.bytes().all(|it| it.is_ascii_digit())).then_some(step));
    let Some(Shape::Object(object)) = schema::shape(context.kind).at(path) else { return false };
    object.fields.iter().any(|it| it.name == field && !it.required)
}

/// `"true"`, `yes`, `no`: what people write for a boolean.
fn boolean(node: &Node<'_>, text: &str, defect: Defect) -> Defect {
    let value = match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "1" => "true",
        "false" | "no" | "off" | "n" | "0" => "false",
        _ => return defect,
    };
    let fix = Fix { safety: Safety::Unsafe, edits: vec![Edit { span: node.span, text: value.to_owned() }] };
    Defect { help: Some(format!("Write {value}, without quotes.")), fix: Some(fix), ..defect }
}

fn describe(shape: &Shape) -> &'static str {
    match shape {
        Shape::Object(_) => "an object",
        Shape::List { .. } => "a list",
        Shape::Text(_) => "a text",
        Shape::Bool => "true or false",
        Shape::Integer { .. } => "a whole number",
    }
}

fn count(node: &Node<'_>) -> String {
    let count = node.items().len();
    if count == 0 { "none".to_owned() } else { count.to_string() }
}
