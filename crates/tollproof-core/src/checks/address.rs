//! `address`: countries, states, provinces and postal codes.

use super::{Defect, Place};
use crate::context::Context;
use crate::document::Node;
use crate::finding::{Related, Safety, Severity};
use crate::kind::Kind;
use crate::message::{Message, message};
use crate::plausible::{countries, postal, regions};
use crate::rule::check::{Address, AddressProblem};
use crate::words::quoted;

pub(super) fn look(
    check: &Address,
    node: &Node<'_>,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Defect> {
    let text = node.as_str()?;
    let defect = Defect::default().fill("value", text.trim());
    match check.problem {
        AddressProblem::Country if context.kind == Kind::NumberSearch => {
            search_country(node, text, defect, context)
        }
        AddressProblem::Country => country(node, text, defect, context, place.field == "businessCountry"),
        AddressProblem::State => {
            // A territory has municipalities where a state has its name.
            let country = context.country().filter(|it| matches!(*it, "US" | "CA"))?;
            regions::find(country, text).is_none().then(|| defect.fill("where", Message::own(unit(country))))
        }
        AddressProblem::PostalCode => postal_code(text, north_american(context)?, defect),
        AddressProblem::PostalCodeElsewhere => elsewhere(text, context),
    }
}

/// The service wants `US` or `CA` where other tools write names; a name that is understood is no more than a hint for a draft.
fn country(
    node: &Node<'_>,
    text: &str,
    defect: Defect,
    context: &Context<'_>,
    lenient: bool,
) -> Option<Defect> {
    if countries::is_alpha2(text) {
        return None;
    }
    let Some(code) = countries::alpha2_of(text) else {
        return Some(defect);
    };
    let severity = lenient.then_some(Severity::Info);
    let name = text.trim();
    let message = Some(if name.eq_ignore_ascii_case(code) {
        message!("`{}` is not exactly the country code `{}`", name, Message::own(code))
    } else {
        message!("`{}` is not a two-letter country code", name)
    });
    // Georgia is a country and a state of the United States.
    let is_state = name.len() > 2 && regions::find("US", name).is_some();
    let (help, safety) = match is_state {
        true => (
            message!(
                "Write `{}` if the country is meant, `US` if it is the state of the United States.",
                Message::own(code)
            ),
            Safety::Unsafe,
        ),
        false => (message!("Write `{}`.", Message::own(code)), Safety::Safe),
    };
    let defect =
        Defect { severity, message, help: Some(help), ..defect.rewrite(context, node, code, safety) };
    Some(defect.around(node, code))
}

/// A search names the country otherwise than an order does.
fn search_country(node: &Node<'_>, text: &str, defect: Defect, context: &Context<'_>) -> Option<Defect> {
    if matches!(text, "US" | "Canada") {
        return None;
    }
    let message = Some(match text.trim() {
        "" => "this search names no country".into(),
        name => message!("a search does not take `{}` as its country", quoted(name)),
    });
    let wanted = match countries::alpha2_of(text) {
        Some("US") => "US",
        Some("CA") => "Canada",
        _ => {
            let help = Some("Write `US` or `Canada`: a search takes no other.".into());
            return Some(Defect { message, help, ..defect });
        }
    };
    let help = Some(message!("Write `{}`: a search takes `US` or `Canada`.", Message::own(wanted)));
    let defect = Defect { message, help, ..defect.rewrite(context, node, wanted, Safety::Safe) };
    Some(defect.around(node, wanted))
}

/// A postal code of another form, or one that no place has.
fn postal_code(text: &str, country: &str, defect: Defect) -> Option<Defect> {
    let (is_known, shape) = if country == "US" {
        let prefix = postal::parse_zip(text);
        if prefix.is_some_and(|prefix| postal::zip_states(prefix).is_empty()) {
            let start = text.trim().get(..3).unwrap_or_default();
            let message = Some(message!("no ZIP code in use begins with `{}`", start));
            let help = "Write the ZIP code of the address; its first three digits name a region.";
            return Some(Defect { message, help: Some(help.into()), ..defect });
        }
        (prefix.is_some(), "12345 or 12345-6789, leading zeros included")
    } else {
        let is_known = postal::parse_postal_code(text).is_some();
        (is_known, "A1A 1A1, letters and digits by turns and none of D, F, I, O, Q and U")
    };
    (!is_known).then(|| defect.fill("where", Message::own(name(country))).fill("shape", Message::own(shape)))
}

/// A postal code whose state or province is another than the one beside it.
fn elsewhere(text: &str, context: &Context<'_>) -> Option<Defect> {
    let country = north_american(context)?;
    let state = context.root.get("businessState")?;
    let region = regions::find(country, state.as_str()?)?;
    let places = match country {
        "US" => postal::zip_states(postal::parse_zip(text)?),
        _ => postal::postal_provinces(&postal::parse_postal_code(text)?),
    };
    if places.is_empty() || places.contains(&region.code) {
        return None;
    }
    let there: Vec<&str> =
        places.iter().filter_map(|code| regions::find(country, code)).map(|it| it.name).collect();
    let there = there.join(" or ");
    let message = message!("this says {}", Message::own(region.name));
    let related = vec![Related { file: None, span: Some(state.span), message }];
    Some(
        Defect { related, ..Defect::default() }
            .fill("value", text.trim())
            .fill("where", Message::own(there))
            .fill("state", Message::own(region.name)),
    )
}

fn north_american(context: &Context<'_>) -> Option<&'static str> {
    match context.country()? {
        // The territories have ZIP codes and two-letter codes like the states.
        "US" | "PR" | "GU" | "VI" | "AS" | "MP" => Some("US"),
        "CA" => Some("CA"),
        _ => None,
    }
}

fn unit(country: &str) -> &'static str {
    if country == "US" { "state of the United States" } else { "province or territory of Canada" }
}

fn name(country: &str) -> &'static str {
    if country == "US" { "the United States" } else { "Canada" }
}
