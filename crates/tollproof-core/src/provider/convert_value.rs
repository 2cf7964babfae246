//! One value of a role, in the words and the notation of another provider.

use std::borrow::Cow;

use tollproof_data::provider::forms::Form;
use tollproof_data::provider::schema::shape::{Shape, TextShape};
use tollproof_data::provider::values::{ValueMap, ValueMeaning};
use tollproof_data::suggest::is_same_name;
use tollproof_data::tables::{countries, regions};

use super::kind::Kind;
use super::near_value::{self, Near, near};
use super::schema::accept::accepts_text;
use super::{aliases, role, schema};
use crate::syntax::document::{Node, Value};
use crate::validators::phone;

/// The result of converting a value.
pub(crate) enum Converted<'s> {
    /// The value of the other provider.
    Value(Node<'s>),
    /// The same, where it is not clear what the old value means.
    Guess(Node<'s>),
    /// The other provider's list has no value with this meaning; these are the nearest ones.
    NoValue(Vec<&'static str>),
    /// The other provider's notation cannot be told from the value.
    NoForm,
}

/// Converts a value of a role; `shape` is that of the new field. A value that its own list does not have is first what a
/// check would write instead.
pub(crate) fn converted<'s>(
    node: &Node<'s>,
    role: &str,
    (from, to): (Kind, Kind),
    shape: &Shape,
) -> Converted<'s> {
    let listed = schema::shape(from).at_pointer(&from.pointer_of(role));
    let listed = listed.map(|shape| if let Shape::List { item, .. } = shape { item } else { shape });
    let (fixed, is_guess) = match (listed, node.as_str()) {
        (Some(Shape::Text(listed)), Some(text))
            if !listed.values.is_empty() && !accepts_text(listed, text) =>
        {
            match near(listed, text, from.value_map(role)) {
                Near::Same(fixed) => (Some(fixed), false),
                Near::Meant(fixed) => (Some(fixed), true),
                Near::Largest(fixed) | Near::Next(fixed) if !matches!(shape, Shape::Integer { .. }) => {
                    (Some(fixed), true)
                }
                _ => (None, false),
            }
        }
        _ => (None, false),
    };
    let fixed = fixed.map(|fixed| Node { value: Value::String(fixed.into()), ..node.clone() });
    match of_known(fixed.as_ref().unwrap_or(node), role, (from, to), shape) {
        Converted::Value(node) if is_guess => Converted::Guess(node),
        other => other,
    }
}

/// The same for a value that is read as it is written.
pub(crate) fn of_known<'s>(
    node: &Node<'s>,
    role: &str,
    (from, to): (Kind, Kind),
    shape: &Shape,
) -> Converted<'s> {
    let text = match (&node.value, shape) {
        (Value::String(text), _) => text.as_ref(),
        // A number in place of a text, or the reverse: amounts are the only ones.
        (Value::Number(number), _) => number,
        (Value::Bool(_), Shape::Bool { .. } | Shape::Any) => return Converted::Value(node.clone()),
        _ => return Converted::NoForm,
    };
    match shape {
        Shape::Integer { .. } => match amount(text).or_else(|| digits(node)) {
            Some(number) => Converted::Value(Node { value: Value::Number(number), ..node.clone() }),
            None => Converted::NoValue(Vec::new()),
        },
        Shape::Text(shape) => text_of(node, text, role, (from, to), shape),
        Shape::Any => Converted::Value(node.clone()),
        _ => Converted::NoForm,
    }
}

fn text_of<'s>(
    node: &Node<'s>,
    text: &str,
    role: &str,
    (from, to): (Kind, Kind),
    shape: &TextShape,
) -> Converted<'s> {
    let value = |text: Cow<'s, str>| {
        if node.as_str() == Some(text.as_ref()) {
            Converted::Value(node.clone())
        } else {
            Converted::Value(Node { value: Value::String(text), ..node.clone() })
        }
    };
    // A map may have only other words for values.
    let map = |kind: Kind| kind.value_map(role).filter(|map| map.meanings().next().is_some());
    let maps = (map(from), map(to));
    if !shape.values.is_empty() || maps.0.is_some() || maps.1.is_some() {
        return match listed(role, text, maps, shape) {
            Ok((found, is_guess)) => match value(found.into_owned().into()) {
                Converted::Value(node) if is_guess => Converted::Guess(node),
                other => other,
            },
            Err(nearest) => Converted::NoValue(nearest),
        };
    }
    let form = to.form(role);
    let written = form.and_then(|form| written(text, form));
    match written {
        // A provider's identifier of a number or of a business is not known to another one.
        None if IDENTIFIERS.contains(&role) && from.provider() != to.provider() => Converted::NoForm,
        Some(text) if role != role::PHONE_NUMBERS || accepts_text(shape, &text) => value(text.into()),
        Some(_) => Converted::NoForm,
        None => value(text.to_owned().into()),
    }
}

/// The roles whose values a provider gives, if they are not phone numbers.
const IDENTIFIERS: [&str; 2] = [role::PHONE_NUMBERS, role::PROFILE_ID];

/// The value of another list with the same meaning, and whether that was told from other words; as an error, the nearest
/// values of that list.
fn listed<'t>(
    role: &str,
    text: &'t str,
    (from, to): (Option<&'static ValueMap>, Option<&'static ValueMap>),
    shape: &TextShape,
) -> Result<(Cow<'t, str>, bool), Vec<&'static str>> {
    let meaning = from.and_then(|map| map.meaning(text));
    let amount =
        amount(text).and_then(|digits| VOLUMES.iter().find(|(it, _)| *it == digits)).map(|(_, it)| *it);
    let is_in_list = |value: &str| shape.values.is_empty() || shape.values.iter().any(|it| it == value);
    let alias = aliases::any_value(role, text).filter(|_| meaning.is_none() && amount.is_none());
    let is_guess = alias.is_some_and(|alias| !is_same_name(alias, text));
    let exact: Vec<&str> = match meaning {
        Some(meaning) => meaning.exact.clone(),
        None => {
            let amount = amount.filter(|amount| is_in_list(amount) || to.is_some());
            vec![amount.or(alias).unwrap_or(text)]
        }
    };
    let of_target = |meant: &str| to?.meanings().find(|it| it.exact.contains(&meant)).map(|it| it.value);
    if let Some(found) = exact.iter().find_map(|meant| of_target(meant)).filter(|it| is_in_list(it)) {
        return Ok((found.into(), is_guess));
    }
    // A value that the other list has with the same name is not a guess.
    if !shape.values.is_empty() && is_in_list(text) {
        return Ok((text.into(), false));
    }
    match exact.first() {
        Some(meant) if to.is_none() && is_in_list(meant) => Ok(((*meant).to_owned().into(), is_guess)),
        _ => match next_volume(text) {
            Some(next) => Err(of_target(next).or(is_in_list(next).then_some(next)).into_iter().collect()),
            None => Err(nearest(&exact, meaning.map(|meaning| [&meaning.near, &meaning.loose]), to, shape)),
        },
    }
}

/// The listed volume that is large enough for another one.
fn next_volume(text: &str) -> Option<&'static str> {
    let wanted = near_value::amount(text)?;
    let is_enough = |digits: &str| digits.parse::<u64>().is_ok_and(|volume| volume >= wanted);
    VOLUMES.iter().find(|(digits, _)| is_enough(digits)).map(|(_, volume)| *volume)
}

/// A whole number that is written in digits alone.
fn digits<'s>(node: &Node<'s>) -> Option<&'s str> {
    let (Value::Number(text) | Value::String(Cow::Borrowed(text))) = node.value else { return None };
    let is_number =
        text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0') && text.len() < 16;
    (is_number && !text.is_empty()).then_some(text)
}

/// The values of a list that come nearest to what is meant, the nearer ones first.
fn nearest(
    exact: &[&str],
    meant: Option<[&Vec<&'static str>; 2]>,
    to: Option<&'static ValueMap>,
    shape: &TextShape,
) -> Vec<&'static str> {
    let [near, loose] = meant.map_or([&[][..], &[]], |[near, loose]| [near.as_slice(), loose.as_slice()]);
    let mut found: Vec<&'static str> = Vec::new();
    match to {
        None => found.extend(
            near.iter().filter(|candidate| shape.values.iter().any(|value| value == *candidate)).take(MOST),
        ),
        Some(map) => {
            let steps: [(&[&str], Meant); 6] = [
                (exact, |it| &it.near),
                (near, |it| &it.exact),
                (near, |it| &it.near),
                (exact, |it| &it.loose),
                (loose, |it| &it.exact),
                (near, |it| &it.loose),
            ];
            for (meant, list) in steps {
                let fits = |value: &&ValueMeaning| list(value).iter().any(|it| meant.contains(it));
                found.extend(map.meanings().filter(fits).map(|it| it.value));
            }
        }
    }
    let mut seen = Vec::new();
    found.retain(|value| {
        !seen.contains(value) && {
            seen.push(*value);
            true
        }
    });
    found.truncate(MOST);
    found
}

/// One of the lists of what a value means.
type Meant = fn(&ValueMeaning) -> &[&'static str];

/// The number of named nearest values.
const MOST: usize = 3;

/// The digits of each listed message volume, and the volume as the default provider writes it.
const VOLUMES: [(&str, &str); 11] = [
    ("10", "10"),
    ("100", "100"),
    ("1000", "1,000"),
    ("10000", "10,000"),
    ("100000", "100,000"),
    ("250000", "250,000"),
    ("500000", "500,000"),
    ("750000", "750,000"),
    ("1000000", "1,000,000"),
    ("5000000", "5,000,000"),
    ("10000000", "10,000,000+"),
];

/// The digits of a listed message volume, in any notation.
fn amount(text: &str) -> Option<&'static str> {
    let is_mark = |it: char| matches!(it, ',' | '.' | ' ' | '_' | '\'');
    let plain = text.trim().trim_end_matches('+');
    let digits: String = plain.chars().filter(|it| !is_mark(*it)).collect();
    VOLUMES.iter().map(|(it, _)| *it).find(|it| *it == digits)
}

/// A value in the notation that a provider wants; `None` if it cannot be told.
fn written(text: &str, form: Form) -> Option<String> {
    let name = text.trim();
    match form {
        Form::Alpha2 => countries::alpha2_of(name).map(str::to_owned),
        Form::Alpha3 => countries::alpha2_of(name).and_then(countries::alpha3_of).map(str::to_owned),
        Form::Name => {
            let region = || ["US", "CA"].iter().find_map(|country| regions::find(country, name));
            let country = || countries::alpha2_of(name).and_then(countries::name_of);
            region().map(|it| it.name).or_else(country).map(str::to_owned)
        }
        Form::Code => {
            let region = ["US", "CA"].iter().find_map(|country| regions::find(country, name));
            region.map(|it| it.code.to_owned())
        }
        Form::E164 => phone::parse(name, Some("US")).ok().map(|it| it.e164),
        Form::Digits => {
            let number = phone::parse(name, Some("US")).ok()?;
            number.e164.strip_prefix('+').map(str::to_owned)
        }
    }
}
