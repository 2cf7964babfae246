//! `address`: countries, states, provinces and postal codes.

use super::{Place, Violation};
use crate::checks::context::Context;
use crate::finding::{Related, Safety, Severity};
use crate::provider::kind::Kind;
use crate::rule::check::{Address, AddressProblem};
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};
use crate::validators::{countries, postal, regions};

pub(super) fn check(
    check: &Address,
    node: &Node<'_>,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Violation> {
    let text = node.as_str()?;
    let violation = Violation::default().fill("value", text.trim());
    match check.problem {
        AddressProblem::Country if context.kind == Kind::NumberSearch => {
            search_country(node, text, violation, context)
        }
        AddressProblem::Country => country(node, text, violation, context, place.field == "businessCountry"),
        AddressProblem::State => {
            // A territory has municipalities where a state has its name.
            let country = context.country().filter(|it| matches!(*it, "US" | "CA"))?;
            regions::find(country, text)
                .is_none()
                .then(|| violation.fill("where", Message::own(unit(country))))
        }
        AddressProblem::StateForm => state_form(node, text, violation, context),
        AddressProblem::CountryElsewhere => country_elsewhere(node, text, context),
        AddressProblem::PostalCode => {
            let country = north_american(context)?;
            match lost_zero(text, context) {
                Some(lost) => Some(without_zero(lost, node, text, violation, context)),
                None => postal_code(text, country, violation),
            }
        }
        AddressProblem::PostalCodeElsewhere => elsewhere(text, context),
    }
}

/// The service wants `US` or `CA` where other tools write names; a name that is understood is no more than a hint for a draft.
fn country(
    node: &Node<'_>,
    text: &str,
    violation: Violation,
    context: &Context<'_>,
    lenient: bool,
) -> Option<Violation> {
    if countries::is_alpha2(text) {
        return None;
    }
    let Some(code) = countries::alpha2_of(text) else {
        return Some(violation);
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
    let violation =
        Violation { severity, message, help: Some(help), ..violation.rewrite(context, node, code, safety) };
    Some(violation.around(node, code))
}

/// A search names the country otherwise than an order does.
fn search_country(
    node: &Node<'_>,
    text: &str,
    violation: Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    if matches!(text, "US" | "Canada") {
        return None;
    }
    let message = Some(match text.trim() {
        "" => "this search names no country".into(),
        name => message!("a search does not take `{}` as its country", name),
    });
    let wanted = match countries::alpha2_of(text) {
        Some("US") => "US",
        Some("CA") => "Canada",
        _ => {
            let help = Some("Write `US` or `Canada`: a search takes no other.".into());
            return Some(Violation { message, help, ..violation });
        }
    };
    let help = Some(message!("Write `{}`: a search takes `US` or `Canada`.", Message::own(wanted)));
    let violation = Violation { message, help, ..violation.rewrite(context, node, wanted, Safety::Safe) };
    Some(violation.around(node, wanted))
}

/// A postal code of another form, or one that no place has.
fn postal_code(text: &str, country: &str, violation: Violation) -> Option<Violation> {
    let (is_known, shape) = if country == "US" {
        let prefix = postal::parse_zip(text);
        if prefix.is_some_and(|prefix| postal::zip_states(prefix).is_empty()) {
            let start = text.trim().get(..3).unwrap_or_default();
            let message = Some(message!("no ZIP code in use begins with `{}`", start));
            let help = "Write the ZIP code of the address; its first three digits name a region.";
            return Some(Violation { message, help: Some(help.into()), ..violation });
        }
        (prefix.is_some(), "12345 or 12345-6789, leading zeros included")
    } else {
        let is_known = postal::parse_postal_code(text).is_some();
        (is_known, "A1A 1A1, letters and digits by turns and none of D, F, I, O, Q and U")
    };
    (!is_known)
        .then(|| violation.fill("where", Message::own(name(country))).fill("shape", Message::own(shape)))
}

/// `Mass.` and its like: understood, but neither the code nor the name that address checks know.
fn state_form(node: &Node<'_>, text: &str, violation: Violation, context: &Context<'_>) -> Option<Violation> {
    let text = text.trim();
    let letters = || text.chars().filter(|it| it.is_alphanumeric());
    if text.len() == 2 || !text.contains('.') && letters().count() > MAX_ABBREVIATION {
        return None;
    }
    let country = context.country().filter(|it| matches!(*it, "US" | "CA"))?;
    let region = regions::find(country, text)?;
    let is_written = |form: &str| letters().collect::<String>().eq_ignore_ascii_case(&form.replace(' ', ""));
    (!is_written(region.code) && !is_written(region.name)).then(|| {
        let violation =
            violation.fill("state", Message::own(region.name)).fill("code", Message::own(region.code));
        violation.rewrite(context, node, region.code, Safety::Unsafe)
    })
}

/// A name of a state that is longer than this and has no dot is a name in another language, or a longer one.
const MAX_ABBREVIATION: usize = 5;

/// A country in which neither the state nor the postal code lies, though the two belong together in another.
fn country_elsewhere(node: &Node<'_>, text: &str, context: &Context<'_>) -> Option<Violation> {
    let country = context.country()?;
    let (state, code) = (context.root.get("businessState")?, context.root.get("businessZip")?);
    let (state_text, zip) = (state.as_str()?.trim(), code.as_str()?);
    let lies_in = |home: &str| {
        let places = match home {
            "US" => postal::zip_states(postal::parse_zip(zip)?),
            _ => postal::postal_provinces(&postal::parse_postal_code(zip)?),
        };
        let region = regions::find(home, state_text)?;
        // Provinces of Italy have two letters and five-digit codes too.
        let is_own = regions::is_postal_state(country) && region.code == country
            || country == "IT" && state_text.len() == 2;
        (places.contains(&region.code) && !is_own).then_some(region)
    };
    let home = ["US", "CA"].into_iter().filter(|home| *home != country);
    let (home, region) = home.filter_map(|home| Some((home, lies_in(home)?))).next()?;
    let says = |node: &Node<'_>| Related {
        file: None,
        span: Some(node.span),
        message: message!("this is in {}", Message::own(name(home))),
    };
    let norway = country == "NO" && text.trim().eq_ignore_ascii_case("no");
    let help = match norway {
        true => message!(
            "Write `{}`: this field names a country, and `NO` is the code of Norway, not the word no.",
            Message::own(home)
        ),
        false => message!(
            "Write `{}`, or correct the state and the postal code; the address is checked as a whole.",
            Message::own(home)
        ),
    };
    let violation =
        Violation { help: Some(help), related: vec![says(state), says(code)], ..Violation::default() };
    let violation = violation
        .fill("value", text.trim())
        .fill("state", Message::own(region.name))
        .fill("where", Message::own(name(home)));
    let violation = violation.fill("country", Message::own(countries::name_of(country).unwrap_or(country)));
    Some(violation.rewrite(context, node, home, Safety::Unsafe))
}

/// Where the field of the postal code is.
pub(super) const ZIP_POINTER: &str = "/businessZip";

/// What a postal code is that was written as a number.
pub(super) enum Zip {
    /// It lost its leading zeros: the code that fits the state, and the name of the state.
    Lost { zip: String, state: &'static str },
    /// No ZIP code, and nobody knows which one is meant.
    Wrong,
    /// What is written is the code, or its country has other ones.
    Right,
}

/// What a number in place of a postal code stands for. `4101.0` is how programs write a column with gaps.
pub(super) fn zip_of_number(written: &str, context: &Context<'_>) -> Zip {
    let digits = written.strip_suffix(".0").unwrap_or(written);
    if let Some(WithZero { zip, state }) = lost_zero(digits, context) {
        return Zip::Lost { zip, state };
    }
    let is_foreign = context.country().is_some() && north_american(context).is_none();
    let is_zip = postal::parse_zip(written).is_some();
    if is_zip || is_foreign { Zip::Right } else { Zip::Wrong }
}

/// A ZIP code with its zeros, and the state beside it.
struct WithZero {
    zip: String,
    state: &'static str,
}

/// The ZIP code of three or four digits that lost its zeros, where the state has such codes: `2134` in Massachusetts.
fn lost_zero(text: &str, context: &Context<'_>) -> Option<WithZero> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if !matches!(digits, 3 | 4) {
        return None;
    }
    let zip = format!("{}{text}", &"00000"[digits..]);
    let states = postal::zip_states(postal::parse_zip(&zip)?);
    // Without a country, a state of the United States is meant.
    if north_american(context).map_or(context.country().is_some(), |country| country != "US") {
        return None;
    }
    let state = match context.field("businessState").and_then(|it| regions::find("US", it)) {
        Some(state) => state,
        // A territory is a country too.
        None => regions::find("US", context.country()?)?,
    };
    states.contains(&state.code).then_some(WithZero { zip, state: state.name })
}

/// A ZIP code without its zeros.
fn without_zero(
    lost: WithZero,
    node: &Node<'_>,
    text: &str,
    violation: Violation,
    context: &Context<'_>,
) -> Violation {
    let WithZero { zip, state } = lost;
    let message = Some(message!("`{}` lost its leading zero: ZIP codes have five digits", text.trim()));
    let help =
        Some(message!("Write `{}`: this ZIP code of {} begins with a zero.", zip, Message::own(state)));
    Violation { message, help, ..violation.rewrite(context, node, &zip, Safety::Unsafe) }
}

/// A postal code whose state or province is another than the one beside it.
fn elsewhere(text: &str, context: &Context<'_>) -> Option<Violation> {
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
        Violation { related, ..Violation::default() }
            .fill("value", text.trim())
            .fill("where", Message::own(there))
            .fill("state", Message::own(region.name)),
    )
}

fn north_american(context: &Context<'_>) -> Option<&'static str> {
    match context.country()? {
        "US" => Some("US"),
        "CA" => Some("CA"),
        // The territories have ZIP codes and two-letter codes like the states.
        country if regions::is_territory(country) => Some("US"),
        _ => None,
    }
}

fn unit(country: &str) -> &'static str {
    if country == "US" { "state of the United States" } else { "province or territory of Canada" }
}

fn name(country: &str) -> &'static str {
    if country == "US" { "the United States" } else { "Canada" }
}
