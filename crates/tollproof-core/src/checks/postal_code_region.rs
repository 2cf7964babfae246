//! `postal-code-region`: a postal code of another state or province.

use tollproof_data::tables::{postal, regions};

use crate::checks::address::north_american;
use crate::checks::require::either;
use crate::checks::{Context, Place, Violation};
use crate::finding::Related;
use crate::provider::role;
use crate::syntax::message::{Message, message};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let country = north_american(context)?;
    let state = context.node(role::BUSINESS_STATE)?;
    let region = regions::find(country, state.as_str()?)?;
    let places = match country {
        "US" => postal::zip_states(postal::parse_zip(text)?),
        _ => postal::postal_provinces(&postal::parse_postal_code(text)?),
    };
    if places.is_empty() || places.contains(&region.code) {
        return None;
    }
    let there = places.iter().filter_map(|code| regions::find(country, code));
    let there = either(there.map(|it| Message::own(it.name)));
    let message = message!("this is {}", Message::own(region.name));
    let related = vec![Related { file: None, span: Some(state.span), place: None, message }];
    Some(
        Violation { related, ..Violation::default() }
            .fill("where", there)
            .fill("state", Message::own(region.name)),
    )
}
