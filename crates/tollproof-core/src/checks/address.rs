//! Helpers for the address checks: the country to check against, and ZIP codes that lost their leading zeros.

use tollproof_data::tables::{postal, regions};

use super::Context;
use crate::provider::role;

/// The result of reading a postal code that was written as a number.
pub(super) enum Zip {
    /// The code lost its leading zeros: the ZIP code that fits the state, and the name of the state.
    Lost { zip: String, state: &'static str },
    /// Not a ZIP code, and the intended code is unknown.
    Wrong,
    /// The digits are the code as intended, or the country has other postal codes.
    Right,
}

/// Reads a number in the place of a postal code. Some programs write `4101.0` for a column with empty cells.
pub(super) fn zip_of_number(written: &str, context: &Context<'_>) -> Zip {
    let digits = written.strip_suffix(".0").unwrap_or(written);
    if let Some(WithZero { zip, state }) = lost_zero(digits, context) {
        return Zip::Lost { zip, state };
    }
    let is_foreign = context.country().is_some() && north_american(context).is_none();
    let is_zip = postal::parse_zip(written).is_some();
    if is_zip || is_foreign { Zip::Right } else { Zip::Wrong }
}

/// A ZIP code with its leading zeros restored, and the name of its state.
pub(super) struct WithZero {
    pub(super) zip: String,
    pub(super) state: &'static str,
}

/// The full ZIP code for three or four digits, if the state has codes with leading zeros: `2134` in Massachusetts.
pub(super) fn lost_zero(text: &str, context: &Context<'_>) -> Option<WithZero> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if !matches!(digits, 3 | 4) {
        return None;
    }
    let zip = format!("{}{text}", &"00000"[digits..]);
    let states = postal::zip_states(postal::parse_zip(&zip)?);
    // Without a country, assume a state of the United States.
    if north_american(context).map_or(context.country().is_some(), |country| country != "US") {
        return None;
    }
    let state = match context.field(role::BUSINESS_STATE).and_then(|it| regions::find("US", it)) {
        Some(state) => state,
        // A territory can also be written as the country.
        None => regions::find("US", context.country()?)?,
    };
    states.contains(&state.code).then_some(WithZero { zip, state: state.name })
}

/// The country whose postal codes are known: `US` (also for its territories) or `CA`.
pub(super) fn north_american(context: &Context<'_>) -> Option<&'static str> {
    match context.country()? {
        "US" => Some("US"),
        "CA" => Some("CA"),
        // The territories have ZIP codes and two-letter codes as the states do.
        country if regions::is_territory(country) => Some("US"),
        _ => None,
    }
}

/// The noun for a state or province of a country, for messages.
pub(super) fn unit(country: &str) -> &'static str {
    if country == "US" { "state of the United States" } else { "province or territory of Canada" }
}

/// The name of a country, for messages.
pub(super) fn name(country: &str) -> &'static str {
    if country == "US" { "the United States" } else { "Canada" }
}
