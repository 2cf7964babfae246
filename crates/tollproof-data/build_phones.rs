//! The tables of phone numbers, as Rust source: area codes and calling codes.

use std::collections::{BTreeMap, BTreeSet};

use super::{in_order, read, sorted, texts, words};

/// All assigned area codes with their kinds, sorted.
pub(super) fn area_codes() -> String {
    let mut file = read("area-codes");
    let mut areas = BTreeMap::new();
    for (key, kind) in [
        ("united_states", "UnitedStates"),
        ("canada", "Canada"),
        ("elsewhere", "Elsewhere"),
        ("toll_free", "TollFree"),
        ("non_geographic", "NonGeographic"),
    ] {
        let (place, list) = file.take(key);
        let codes: Vec<u16> = serde_yaml::from_value(list).unwrap_or_else(|error| panic!("{place}: {error}"));
        in_order(&place, codes.iter());
        for code in codes {
            // Codes that end in 11 are service codes, and codes with a 9 in the middle are reserved.
            let is_possible = (200..1000).contains(&code) && code % 100 != 11 && code / 10 % 10 != 9;
            assert!(is_possible, "{place}: {code} cannot be an area code");
            assert!(areas.insert(code, kind).is_none(), "{place}: {code} is there twice");
        }
    }
    file.end();
    let rows: String = areas.iter().map(|(code, kind)| format!("({code}, Area::{kind}),\n")).collect();
    format!("static AREAS: &[(u16, Area)] = &[\n{rows}];\n")
}

/// The calling codes of all countries, and those whose numbers keep a 0 at their beginning; both sorted.
pub(super) fn calling_codes(countries: &BTreeSet<String>) -> String {
    let mut file = read("calling-codes");
    let rows: Vec<_> = sorted(file.take("codes"))
        .into_iter()
        .map(|(code, row)| {
            let is_code = (1..=3).contains(&code.len()) && code.bytes().all(|digit| digit.is_ascii_digit());
            assert!(is_code, "calling-codes: {code:?} is not one to three digits");
            let places = texts(&code, row);
            in_order(&format!("calling-codes: {code}"), places.iter());
            (code, places)
        })
        .collect();
    for pair in rows.windows(2) {
        let is_prefix = pair[1].0.starts_with(&pair[0].0);
        assert!(!is_prefix, "calling-codes: {} begins with {}", pair[1].0, pair[0].0);
    }
    let mut places: Vec<_> = rows.iter().flat_map(|(_, places)| places).collect();
    places.sort();
    assert!(places.into_iter().eq(countries), "calling-codes: not each country of data/countries.yaml once");
    let keep_zero = words(file.take("keeps_zero"));
    file.end();
    let rows: String = rows.iter().map(|(code, places)| format!("({code:?}, &{places:?}),\n")).collect();
    format!("static CODES: &[(&str, &[&str])] = &[\n{rows}];\nstatic KEEP_ZERO: &[&str] = &{keep_zero:?};\n")
}
