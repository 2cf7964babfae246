//! The tables of phone numbers, as Rust source: area codes and calling codes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Rows, in_order, places_by_code, read};

/// Area codes by the kinds of places.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaCodes {
    united_states: Vec<u16>,
    canada: Vec<u16>,
    elsewhere: Vec<u16>,
    toll_free: Vec<u16>,
    non_geographic: Vec<u16>,
}

/// All assigned area codes with their kinds, sorted.
pub(super) fn area_codes() -> String {
    let file: AreaCodes = read("area-codes");
    let mut areas = BTreeMap::new();
    for (kind, codes) in [
        ("UnitedStates", file.united_states),
        ("Canada", file.canada),
        ("Elsewhere", file.elsewhere),
        ("TollFree", file.toll_free),
        ("NonGeographic", file.non_geographic),
    ] {
        for code in in_order(kind, codes) {
            // Codes that end in 11 are service codes, and codes with a 9 in the middle are reserved.
            let is_possible = (200..1000).contains(&code) && code % 100 != 11 && code / 10 % 10 != 9;
            assert!(is_possible, "area-codes: {code} cannot be an area code");
            assert!(areas.insert(code, kind).is_none(), "area-codes: {code} is there twice");
        }
    }
    let rows: String = areas.iter().map(|(code, kind)| format!("({code}, Area::{kind}),\n")).collect();
    format!("static AREAS: &[(u16, Area)] = &[\n{rows}];\n")
}

/// Calling codes with the countries that use them, and those whose numbers keep a 0 at their beginning.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CallingCodes {
    codes: Rows<Vec<String>>,
    keeps_zero: Vec<String>,
}

/// The calling codes of all countries, and those whose numbers keep a 0 at their beginning; both sorted.
pub(super) fn calling_codes(countries: &BTreeSet<String>) -> String {
    let CallingCodes { codes, keeps_zero } = read("calling-codes");
    let mut before = None;
    for code in codes.keys() {
        let is_code = (1..=3).contains(&code.len()) && code.bytes().all(|digit| digit.is_ascii_digit());
        assert!(is_code, "calling-codes: {code:?} is not one to three digits");
        let is_prefix = before.replace(code).is_some_and(|before| code.starts_with(before));
        assert!(!is_prefix, "calling-codes: {code} begins with the code before it");
    }
    let mut places: Vec<_> = codes.iter().flat_map(|(code, places)| in_order(code, places.clone())).collect();
    places.sort();
    assert!(places.iter().eq(countries), "calling-codes: not each country of data/countries.yaml once");
    let keeps_zero = in_order("keeps_zero", keeps_zero);
    format!(
        "static CODES: &[(&str, &[&str])] = &[\n{}];\nstatic KEEP_ZERO: &[&str] = &{keeps_zero:?};\n",
        places_by_code(&codes)
    )
}
