//! `closed-list`: a value that the schema does not list for its field.

use tollproof_data::checks::closed_list::ClosedList;
use tollproof_data::provider::schema::shape::{Shape, TextShape};
use tollproof_data::provider::values::ValueMap;
use tollproof_data::suggest::{nearest, without_form};

use crate::checks::{Context, Place, Violation};
use crate::finding::Safety;
use crate::provider::aliases;
use crate::syntax::message::{Message, message};
use crate::validators::format;

pub(super) fn check(check: &ClosedList, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let value = node.as_str()?;
    let text = listed(place, context)?;
    if text.values.iter().any(|it| it == value) {
        return None;
    }
    if let Some(suffix) = check.vendor_suffix.as_deref().filter(|suffix| format::ends_with(value, suffix)) {
        return testing(value, suffix, context);
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
            .fill("suggestion", message!("The next one is `{}`. {}", Message::name(next), all))
            .rewrite(context, node, next, Safety::Unsafe),
        Near::Nothing => violation.fill("nearest", "").fill("suggestion", all),
    })
}

/// The smallest amount of a list that is not less than another amount.
fn next_amount<'t>(listed: &'t TextShape, value: &str) -> Option<&'t str> {
    let wanted = amount(value)?;
    let amounts = listed.values.iter().filter_map(|it| Some((amount(it)?, it.as_str())));
    amounts.filter(|(amount, _)| *amount >= wanted).min().map(|(_, text)| text)
}

/// How many values a list has. A testing value, whose name depends on the vendor, is one of them.
fn count(text: &TextShape) -> usize {
    text.values.len() + usize::from(text.or_ends_with.is_some())
}

/// The most values of a list that are shown.
const SHOWN_VALUES: usize = 20;

/// The listed values, or where they are listed.
fn shown(text: &TextShape, place: &Place<'_>, context: &Context<'_>) -> Message {
    match text.values.len() <= SHOWN_VALUES {
        true => Message::separated(text.values.iter().map(|it| Message::name(format!("`{it}`")))),
        false => message!(
            "those that `tollproof schema {} --field {}` lists",
            Message::name(context.kind.full_name()),
            Message::name(place.field)
        ),
    }
}

/// How another value relates to the listed ones.
pub(super) enum Near<'t> {
    /// The listed value, written in another form.
    Same(&'t str),
    /// The largest value of the list, which includes the amount: `10,000,000+`.
    Largest(&'t str),
    /// The listed value that was probably meant.
    Meant(&'t str),
    /// The smallest listed amount that is not less than the amount.
    Next(&'t str),
    /// No listed value is close.
    Nothing,
}

/// The value of a closed list that is nearest to another value.
///
/// `map` says what the values mean, if the provider has a list of its own.
pub(super) fn near<'t>(listed: &'t TextShape, value: &str, map: Option<&ValueMap>) -> Near<'t> {
    if let Some(same) = listed.values.iter().find(|it| differ_in_form(it, value)) {
        return Near::Same(same);
    }
    let largest = listed.values.iter().find(|it| it.ends_with('+'));
    let enough = |largest: &&String| {
        amount(value).zip(amount(largest)).is_some_and(|(value, largest)| value >= largest)
    };
    if let Some(largest) = largest.filter(enough) {
        return Near::Largest(largest);
    }
    let meant = map.and_then(|map| map.meant(value, aliases::any_value(map.role, value)));
    let meant = meant.and_then(|meant| listed.values.iter().find(|it| *it == meant));
    if let Some(meant) = meant.map(String::as_str).or_else(|| aliases::value(value, &listed.values)) {
        return Near::Meant(meant);
    }
    if let Some(next) = next_amount(listed, value) {
        return Near::Next(next);
    }
    // Spelling distance is useless for amounts: `1k` does not mean `10`.
    let has_letters = |text: &str| text.contains(char::is_alphabetic);
    if !has_letters(value) || !listed.values.iter().any(|it| has_letters(it)) {
        return Near::Nothing;
    }
    nearest(value, listed.values.iter().map(String::as_str)).map_or(Near::Nothing, Near::Meant)
}

/// The amount, with or without thousands separators; `None` for `10.5`, `1k` or a range.
pub(super) fn amount(text: &str) -> Option<u64> {
    let text = text.trim();
    let mut groups = text.strip_suffix('+').unwrap_or(text).split([',', '.', '_', '\'', ' ']);
    let first = groups.next()?;
    let all = groups.try_fold(first.to_owned(), |all, group| (group.len() == 3).then(|| all + group))?;
    all.bytes().all(|it| it.is_ascii_digit()).then(|| all.parse().ok()).flatten()
}

/// Whether two values differ only in case, whitespace and separators.
fn differ_in_form(one: &str, other: &str) -> bool {
    if let (Some(one_amount), Some(other_amount)) = (amount(one), amount(other)) {
        return one_amount == other_amount && one.trim().ends_with('+') == other.trim().ends_with('+');
    }
    without_form(one).eq(without_form(other)) && !without_form(one).all(|it| it.is_ascii_digit())
}

/// Reports a testing value, unless its prefix is the configured vendor.
fn testing(value: &str, suffix: &str, context: &Context<'_>) -> Option<Violation> {
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
    Some(Violation { help: Some(help), ..Violation::default() })
}

fn listed(place: &Place<'_>, context: &Context<'_>) -> Option<&'static TextShape> {
    match context.shape_at(place)? {
        Shape::Text(text) if !text.values.is_empty() => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Near, Shape, near};
    use crate::provider::kind::{Kind, KindRole};

    #[test]
    fn amounts_are_read_and_not_guessed() {
        let field = crate::provider::schema::shape(Kind::of(KindRole::Submit)).at_pointer("/messageVolume");
        let Some(Shape::Text(listed)) = field else { panic!("messageVolume is a text") };
        for (value, wanted) in [
            ("1000", "same 1,000"),
            ("1 000", "same 1,000"),
            ("10.000", "same 10,000"),
            ("10000000+", "same 10,000,000+"),
            ("10,000,000", "largest 10,000,000+"),
            ("25000000", "largest 10,000,000+"),
            ("1000.0", "nothing"),
            ("1,0", "nothing"),
            ("1k", "nothing"),
            ("ten thousand", "meant 10,000"),
            ("5,000", "next 10,000"),
            ("1,000-10,000", "nothing"),
        ] {
            let found = match near(listed, value, None) {
                Near::Same(it) => format!("same {it}"),
                Near::Largest(it) => format!("largest {it}"),
                Near::Meant(it) => format!("meant {it}"),
                Near::Next(it) => format!("next {it}"),
                Near::Nothing => "nothing".to_owned(),
            };
            assert_eq!(found, wanted, "{value}");
        }
    }
}
