//! `country-code`, `country-form`, `country-region`: countries.

use tollproof_data::provider::forms::Form;
use tollproof_data::tables::{countries, postal, regions};

use crate::checks::address::name;
use crate::checks::{Context, Place, Violation};
use crate::finding::{Related, Safety, Severity};
use crate::provider::kind::KindRole;
use crate::provider::role;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

/// `country-code`: a value that is not the code of a country.
pub(super) fn country_code(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    if let Some(form) = context.kind.form(place.role) {
        return unknown(text, form).then(Violation::default);
    }
    match context.kind.role() {
        KindRole::Search => search_country(node, text, context),
        _ => country(node, text, context, place.role == role::BUSINESS_COUNTRY),
    }
}

/// Whether a text in the form that the provider wants names no country. `country-form` reports other forms.
fn unknown(text: &str, form: Form) -> bool {
    let letters = text.trim().chars().count();
    let has_form = match form {
        Form::Alpha2 => letters == 2,
        Form::Alpha3 => letters == 2 || letters == 3,
        _ => letters > 0,
    };
    has_form && countries::alpha2_of(text).is_none()
}

/// The API requires `US` or `CA`, and other tools write names: in `businessCountry`, a name that is understood is
/// only an info.
fn country(node: &Node<'_>, text: &str, context: &Context<'_>, lenient: bool) -> Option<Violation> {
    if countries::is_alpha2(text) {
        return None;
    }
    let Some(code) = countries::alpha2_of(text) else {
        return Some(Violation::default());
    };
    let severity = lenient.then_some(Severity::Info);
    let name = text.trim();
    let message = Some(if name.eq_ignore_ascii_case(code) {
        message!("`{}` is not spelled exactly like the country code `{}`", name, Message::name(code))
    } else {
        message!("`{}` is not a two-letter country code", name)
    });
    // Georgia is a country and a US state.
    let is_state = name.len() > 2 && regions::find("US", name).is_some();
    let (help, safety) = if is_state {
        (
            message!(
                "Write `{}` for the country, or `US` for the state of the United States.",
                Message::name(code)
            ),
            Safety::Unsafe,
        )
    } else {
        (message!("Write `{}`.", Message::name(code)), Safety::Safe)
    };
    let violation = Violation {
        severity,
        message,
        help: Some(help),
        ..Violation::default().rewrite(context, node, code, safety)
    };
    Some(violation.around(node, code))
}

/// A number search expects `Canada` where an order expects `CA`.
fn search_country(node: &Node<'_>, text: &str, context: &Context<'_>) -> Option<Violation> {
    if matches!(text, "US" | "Canada") {
        return None;
    }
    let message = Some(match text.trim() {
        "" => "this search has no country".into(),
        name => message!("`{}` is not a country that a search accepts", name),
    });
    let wanted = match countries::alpha2_of(text) {
        Some("US") => "US",
        Some("CA") => "Canada",
        _ => {
            let help = Some("Write `US` or `Canada`. A search accepts no other country.".into());
            return Some(Violation { message, help, ..Violation::default() });
        }
    };
    let help = Some(message!("Write `{}`. A search accepts only `US` or `Canada`.", Message::name(wanted)));
    let violation =
        Violation { message, help, ..Violation::default().rewrite(context, node, wanted, Safety::Safe) };
    Some(violation.around(node, wanted))
}

/// Whether a text is already in the wanted notation.
type IsRight = fn(&str) -> bool;
/// A country, by its alpha-2 code, in the wanted notation.
type Write = fn(&str) -> Option<&'static str>;

/// `country-form`: a country that is not written as the provider wants it.
pub(super) fn country_form(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let form = context.kind.form(place.role)?;
    let (noun, length, is_right, write): (&'static str, Option<usize>, IsRight, Write) = match form {
        Form::Alpha2 => ("two-letter country code", Some(2), countries::is_alpha2, countries::code_of),
        Form::Alpha3 => ("three-letter country code", Some(3), countries::is_alpha3, countries::alpha3_of),
        Form::Name => ("English name of a country", None, countries::is_name, countries::name_of),
        Form::Code | Form::E164 | Form::Digits => return None,
    };
    let name = text.trim();
    if is_right(text) || name.is_empty() {
        return None;
    }
    let violation = Violation::default()
        .fill("value", name)
        .fill("form", Message::own(noun))
        .fill("provider", Message::own(context.kind.provider().title()));
    let Some(country) = countries::alpha2_of(text) else {
        // A code of the right length is one of an unknown country, and so is an unknown name.
        let letters = name.chars().count();
        let is_unknown = length.is_none_or(|length| (2..=length).contains(&letters));
        return (!is_unknown).then_some(violation);
    };
    let wanted = write(country)?;
    // Providers that prefer three letters accept two.
    let is_accepted = form == Form::Alpha3 && countries::is_alpha2(text);
    let is_same = name.eq_ignore_ascii_case(wanted);
    let severity = match (is_accepted, is_same) {
        (true, _) => Some(Severity::Info),
        (_, true) => Some(Severity::Warning),
        _ => None,
    };
    // Georgia is a country and a US state.
    let is_state = name.len() > 2 && regions::find("US", name).is_some();
    let safety = if is_state { Safety::Unsafe } else { Safety::Safe };
    let help = Some(message!("Write `{}`.", Message::name(wanted)));
    let violation = Violation { severity, help, ..violation.rewrite(context, node, wanted, safety) };
    Some(violation.around(node, wanted))
}

/// `country-region`: the state and the postal code match each other, but are in another country than the one given.
pub(super) fn country_region(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let country = context.country()?;
    let (state, code) = (context.node(role::BUSINESS_STATE)?, context.node(role::BUSINESS_ZIP)?);
    let (state_text, zip) = (state.as_str()?.trim(), code.as_str()?);
    let lies_in = |home: &str| {
        let places = match home {
            "US" => postal::zip_states(postal::parse_zip(zip)?),
            _ => postal::postal_provinces(&postal::parse_postal_code(zip)?),
        };
        let region = regions::find(home, state_text)?;
        // Some Italian provinces have two-letter codes that are also US states, and Italy has five-digit postal
        // codes.
        let is_own = regions::is_postal_state(country) && region.code == country
            || country == "IT" && state_text.len() == 2;
        (places.contains(&region.code) && !is_own).then_some(region)
    };
    let home = ["US", "CA"].into_iter().filter(|home| *home != country);
    let (home, region) = home.filter_map(|home| Some((home, lies_in(home)?))).next()?;
    let says =
        |node: &Node<'_>| Related::here(node.span, message!("this is in {}", Message::own(name(home))));
    let norway = country == "NO" && text.trim().eq_ignore_ascii_case("no");
    let help = if norway {
        message!(
            "Write `{}`. This field is a country, and `NO` is the code for Norway, not the word no.",
            Message::name(home)
        )
    } else {
        message!("Write `{}`, or correct the state and the postal code.", Message::name(home))
    };
    let violation =
        Violation { help: Some(help), related: vec![says(state), says(code)], ..Violation::default() };
    let violation =
        violation.fill("state", Message::own(region.name)).fill("where", Message::own(name(home)));
    let violation = violation.fill("country", Message::own(countries::name_of(country).unwrap_or(country)));
    Some(violation.rewrite(context, node, home, Safety::Unsafe))
}
