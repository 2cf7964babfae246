//! `country-region`: the state and the postal code match each other, but are in another country than the one given.

use tollproof_data::tables::{countries, postal, regions};

use crate::checks::address::name;
use crate::checks::{Context, Place, Violation};
use crate::finding::{Related, Safety};
use crate::provider::role;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
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
    let says = |node: &Node<'_>| Related {
        file: None,
        span: Some(node.span),
        place: None,
        message: message!("this is in {}", Message::own(name(home))),
    };
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
