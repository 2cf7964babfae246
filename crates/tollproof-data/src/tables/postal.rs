//! ZIP codes and Canadian postal codes: their format, and the states and provinces they belong to.

include!(concat!(env!("OUT_DIR"), "/postal.rs"));

/// Parses `12345`, or `12345-6789` with a hyphen or a space, ignoring surrounding whitespace. Returns the first three
/// digits.
pub fn parse_zip(text: &str) -> Option<u16> {
    let text = text.trim();
    let (zip, plus4) = match text.split_once(['-', ' ']) {
        Some((zip, plus4)) => (zip, Some(plus4)),
        None => (text, None),
    };
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(zip, 5) || plus4.is_some_and(|part| !digits(part, 4)) {
        return None;
    }
    zip[..3].parse().ok()
}

/// Parses `A1A 1A1` in any case, with a space, a hyphen or nothing in the middle. Returns it in upper case with a
/// space.
pub fn parse_postal_code(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let (area, unit) = text.split_at_checked(3)?;
    let unit = unit.strip_prefix([' ', '-']).unwrap_or(unit);
    let letter = |b: u8| b.is_ascii_uppercase() && !b"DFIOQU".contains(&b);
    let (&[a, b, c], &[d, e, f]) = (area.as_bytes(), unit.as_bytes()) else {
        return None;
    };
    let letters = letter(a) && !b"WZ".contains(&a) && letter(c) && letter(e);
    let digits = [b, d, f].iter().all(u8::is_ascii_digit);
    (letters && digits).then(|| format!("{area} {unit}"))
}

/// The states that a 3-digit ZIP prefix serves; empty if it is unassigned.
pub fn zip_states(prefix: u16) -> &'static [&'static str] {
    let after = ZIP3.partition_point(|&(first, _, _)| first <= prefix);
    match after.checked_sub(1).map(|at| ZIP3[at]) {
        Some((_, last, states)) if prefix <= last => states,
        _ => &[],
    }
}

/// The provinces and territories of a postal code in the format of [`parse_postal_code`]; empty if its first letter is
/// unassigned.
pub fn postal_provinces(canonical: &str) -> &'static [&'static str] {
    let area = canonical.get(..3).unwrap_or(canonical);
    if let Some(&(_, provinces)) = FSA_EXCEPTIONS.iter().find(|(known, _)| *known == area) {
        return provinces;
    }
    let first = canonical.chars().next();
    match FSA.iter().find(|(letter, _)| Some(*letter) == first) {
        Some(&(_, provinces)) => provinces,
        None => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zip_forms() {
        assert_eq!(parse_zip(" 02134 "), Some(21));
        assert_eq!(parse_zip("94105-1420"), Some(941));
        assert_eq!(parse_zip("94105 1420"), Some(941));
        for wrong in ["2134", "941051420", "94105-", "94105-142", "9410A", "94105  1420", "", "９４１０５"]
        {
            assert_eq!(parse_zip(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn states_of_prefixes() {
        assert_eq!(zip_states(941), ["CA"]);
        assert_eq!(zip_states(5), ["NY"]);
        assert_eq!(zip_states(6), ["PR"]);
        assert_eq!(zip_states(8), ["VI"]);
        assert_eq!(zip_states(63), ["CT", "NY"]);
        assert_eq!(zip_states(95), ["AE"]);
        assert_eq!(zip_states(340), ["AA"]);
        assert_eq!(zip_states(967), ["HI", "AS"]);
        assert_eq!(zip_states(999), ["AK"]);
        assert!(zip_states(0).is_empty() && zip_states(213).is_empty() && zip_states(987).is_empty());
    }

    #[test]
    fn postal_codes() {
        for written in ["K1A 0B1", "k1a0b1", " K1A-0b1 "] {
            assert_eq!(parse_postal_code(written).as_deref(), Some("K1A 0B1"));
        }
        for wrong in [
            "K1A  0B1", "K1A_0B1", "W1A 0B1", "Z1A 0B1", "K1O 0B1", "K1A 0D1", "K1A 0B", "KIA 0B1", "12345",
            "K1É 0B1", "",
        ] {
            assert_eq!(parse_postal_code(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn provinces_of_postal_codes() {
        assert_eq!(postal_provinces("H2X 1Y4"), ["QC"]);
        assert_eq!(postal_provinces("V6B 1A1"), ["BC"]);
        assert_eq!(postal_provinces("K1A 0B1"), ["ON", "QC"]);
        assert_eq!(postal_provinces("X0A 0H0"), ["NU"]);
        assert_eq!(postal_provinces("X2Z 1A1"), ["NT", "NU"]);
        assert!(postal_provinces("D1A 1A1").is_empty());
    }
}
