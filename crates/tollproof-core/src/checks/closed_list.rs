//! `closed-list`: a value that the schema does not list for its field.

use tollproof_data::checks::ClosedList;
use tollproof_data::provider::schema::shape::{Shape, TextShape};

use crate::checks::{Context, Place, Violation};
use crate::finding::Safety;
use crate::provider::near_value::{Near, near};
use crate::syntax::message::{Message, message};
use crate::validators::format;

pub(super) fn check(check: &ClosedList, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let value = node.as_str()?;
    let text = listed(place, context)?;
    // An empty value is missing, and that is for another rule to say.
    if value.trim().is_empty() || text.values.iter().any(|known| known == value) {
        return None;
    }
    if let Some(suffix) = check.vendor_suffix.as_deref().filter(|suffix| format::ends_with(value, suffix)) {
        return testing(value, suffix, text, context);
    }
    let values = shown(text, place, context);
    let all = message!("Write one of {}.", values);
    let violation =
        Violation::default().fill("count", Message::name(count(text).to_string())).fill("values", values);
    Some(match near(text, value, context.kind.value_map(place.role)) {
        Near::Same(same) => {
            let help = Some(message!("Write `{}`, exactly like this.", Message::name(same)));
            let violation = violation.fill("suggestion", "");
            Violation { help, ..violation.rewrite(context, node, same, Safety::Safe) }.around(node, same)
        }
        Near::Largest(largest) => violation
            .fill("nearest", message!("`{}` is the largest value. ", Message::name(largest)))
            .fill("suggestion", message!("`{}` is the largest value.", Message::name(largest)))
            .rewrite(context, node, largest, Safety::Unsafe),
        Near::Meant(meant) => violation
            .fill("nearest", message!("Did you mean `{}`? ", Message::name(meant)))
            .fill("suggestion", message!("Did you mean `{}`?", Message::name(meant)))
            .rewrite(context, node, meant, Safety::Unsafe),
        Near::Next(next) => violation
            .fill("nearest", message!("The next one is `{}`. ", Message::name(next)))
            .fill(
                "suggestion",
                message!("Write `{}`, the smallest one that is large enough.", Message::name(next)),
            )
            .rewrite(context, node, next, Safety::Unsafe),
        Near::Nothing => violation.fill("nearest", "").fill("suggestion", all),
    })
}

/// Counts the values of a list. A testing value, whose name depends on the vendor, is one of them.
fn count(text: &TextShape) -> usize {
    text.values.len() + usize::from(text.or_ends_with.is_some())
}

/// The most values of a list that are shown.
const SHOWN_VALUES: usize = 20;

/// The listed values, or where they are listed.
fn shown(text: &TextShape, place: &Place<'_>, context: &Context<'_>) -> Message {
    if text.values.len() <= SHOWN_VALUES {
        Message::separated(text.values.iter().map(|known| Message::name(format!("`{known}`"))))
    } else {
        message!(
            "those that `tollproof schema {} --field {}` lists",
            Message::name(context.kind.full_name()),
            Message::name(place.field)
        )
    }
}

/// Reports a testing value, unless its prefix is the configured vendor.
fn testing(value: &str, suffix: &str, text: &TextShape, context: &Context<'_>) -> Option<Violation> {
    let vendor = value.strip_suffix(suffix)?;
    let help = match context.environment.vendor {
        Some(known) if known == vendor => return None,
        Some(known) => {
            let value = message!("{}{}", known, Message::name(suffix));
            message!("Your config has `vendor: {}`, so the testing value is `{}`.", known, value)
        }
        None => {
            message!(
                "If this is the testing category of your vendor, set `vendor: {}` in tollproof.yaml.",
                vendor
            )
        }
    };
    Some(
        Violation { help: Some(help), ..Violation::default() }
            .fill("count", Message::name(count(text).to_string())),
    )
}

fn listed(place: &Place<'_>, context: &Context<'_>) -> Option<&'static TextShape> {
    match context.shape_at(place)? {
        Shape::Text(text) if !text.values.is_empty() => Some(text),
        _ => None,
    }
}
