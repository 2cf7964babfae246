//! What the checks of addresses share: the country that counts, and ZIP codes that lost their zeros.

use super::Context;
use crate::provider::role;
use crate::validators::{postal, regions};

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
pub(super) struct WithZero {
    pub(super) zip: String,
    pub(super) state: &'static str,
}

/// The ZIP code of three or four digits that lost its zeros, where the state has such codes: `2134` in Massachusetts.
pub(super) fn lost_zero(text: &str, context: &Context<'_>) -> Option<WithZero> {
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
    let state = match context.field(role::BUSINESS_STATE).and_then(|it| regions::find("US", it)) {
        Some(state) => state,
        // A territory is a country too.
        None => regions::find("US", context.country()?)?,
    };
    states.contains(&state.code).then_some(WithZero { zip, state: state.name })
}

/// The country whose postal codes are known: US or CA, and US for its territories.
pub(super) fn north_american(context: &Context<'_>) -> Option<&'static str> {
    match context.country()? {
        "US" => Some("US"),
        "CA" => Some("CA"),
        // The territories have ZIP codes and two-letter codes like the states.
        country if regions::is_territory(country) => Some("US"),
        _ => None,
    }
}

/// What a part of a country is called.
pub(super) fn unit(country: &str) -> &'static str {
    if country == "US" { "state of the United States" } else { "province or territory of Canada" }
}

/// The name of a country, in a sentence.
pub(super) fn name(country: &str) -> &'static str {
    if country == "US" { "the United States" } else { "Canada" }
}
