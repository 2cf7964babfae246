//! `closed_list`: a value that the schema does not list for its field.

use super::{Defect, Place};
use crate::context::Context;
use crate::document::Node;
use crate::finding::Safety;
use crate::nearest::nearest;
use crate::rule::check::ClosedList;
use crate::schema::format;
use crate::schema::shape::{Shape, Text};

pub(super) fn look(
    check: &ClosedList,
    node: &Node<'_>,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Defect> {
    let value = node.as_str()?;
    let text = listed(place, context)?;
    if text.values.iter().any(|it| it == value) {
        return None;
    }
    if let Some(suffix) = check.vendor_suffix.as_deref().filter(|suffix| format::ends_with(value, suffix)) {
        return testing(value, suffix, context);
    }
    let defect = Defect::default().fill("value", value);
    if let Some(same) = text.values.iter().find(|it| differ_in_form(it, value)) {
        let help = format!("Write `{same}`, exactly so.");
        return Some(Defect { help: Some(help), ..defect.rewrite(context, node, same, Safety::Safe) });
    }
    // Of amounts the nearest by its letters is a wrong one: `5000` is not meant to be `1,000`.
    let is_amount = !value.contains(char::is_alphabetic);
    let listed = text.values.iter().map(String::as_str).filter(|_| !is_amount);
    let Some(near) = nearest(value, listed) else {
        return Some(defect.fill("nearest", ""));
    };
    let defect = defect.fill("nearest", format!("Did you mean `{near}`? "));
    Some(defect.rewrite(context, node, near, Safety::Unsafe))
}

/// Whether two values differ in case, blanks and separators alone. A `+` or `&` is part of what a value says.
fn differ_in_form(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        let kept = text.chars().filter(|&it| !it.is_whitespace() && !",.-_'".contains(it));
        kept.flat_map(char::to_lowercase).collect::<String>()
    };
    letters(one) == letters(other)
}

/// The testing value is right for the configured vendor alone.
fn testing(value: &str, suffix: &str, context: &Context<'_>) -> Option<Defect> {
    let vendor = value.strip_suffix(suffix)?;
    let help = match &context.config.vendor {
        Some(known) if known == vendor => return None,
        Some(known) => {
            format!("Your config says `vendor: {known}`, so the testing value is `{known}{suffix}`.")
        }
        None => {
            format!("If that is your vendor's testing category, set `vendor: {vendor}` in tollproof.yaml.")
        }
    };
    Some(Defect { help: Some(help), ..Defect::default().fill("value", value) })
}

fn listed(place: &Place<'_>, context: &Context<'_>) -> Option<&'static Text> {
    let path = place
        .pointer
        .split('/')
        .skip(1)
        .map(|step| (!step.bytes().all(|it| it.is_ascii_digit())).then_some(step));
    match crate::schema::shape(context.kind).at(path)? {
        Shape::Text(text) if !text.values.is_empty() => Some(text),
        _ => None,
    }
}
