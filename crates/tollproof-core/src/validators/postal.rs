//! ZIP codes and Canadian postal codes: their form, and the states and provinces they lie in (USPS 3-digit ZIP prefixes, Canada Post forward sortation areas, 2026-11).

/// Inclusive ranges of 3-digit ZIP prefixes with the postal codes of the states they serve, sorted; a gap is unassigned.
pub(crate) static ZIP3: &[(u16, u16, &[&str])] = &[
    (5, 5, &["NY"]),
    (6, 7, &["PR"]),
    (8, 8, &["VI"]),
    (9, 9, &["PR"]),
    (10, 27, &["MA"]),
    (28, 29, &["RI"]),
    (30, 38, &["NH"]),
    (39, 49, &["ME"]),
    (50, 54, &["VT"]),
    (55, 55, &["MA"]),
    (56, 59, &["VT"]),
    (60, 62, &["CT"]),
    (63, 63, &["CT", "NY"]),
    (64, 69, &["CT"]),
    (70, 89, &["NJ"]),
    (90, 99, &["AE"]),
    (100, 149, &["NY"]),
    (150, 196, &["PA"]),
    (197, 199, &["DE"]),
    (200, 200, &["DC"]),
    (201, 201, &["VA"]),
    (202, 204, &["DC"]),
    (205, 205, &["DC", "MD", "VA"]),
    (206, 212, &["MD"]),
    (214, 219, &["MD"]),
    (220, 246, &["VA"]),
    (247, 268, &["WV"]),
    (270, 289, &["NC"]),
    (290, 299, &["SC"]),
    (300, 319, &["GA"]),
    (320, 339, &["FL"]),
    (340, 340, &["AA"]),
    (341, 342, &["FL"]),
    (344, 344, &["FL"]),
    (346, 347, &["FL"]),
    (349, 349, &["FL"]),
    (350, 352, &["AL"]),
    (354, 369, &["AL"]),
    (370, 385, &["TN"]),
    (386, 397, &["MS"]),
    (398, 399, &["GA"]),
    (400, 418, &["KY"]),
    (420, 427, &["KY"]),
    (430, 459, &["OH"]),
    (460, 479, &["IN"]),
    (480, 499, &["MI"]),
    (500, 516, &["IA"]),
    (520, 528, &["IA"]),
    (530, 532, &["WI"]),
    (534, 535, &["WI"]),
    (537, 549, &["WI"]),
    (550, 551, &["MN"]),
    (553, 567, &["MN"]),
    (569, 569, &["DC"]),
    (570, 577, &["SD"]),
    (580, 588, &["ND"]),
    (590, 599, &["MT"]),
    (600, 620, &["IL"]),
    (622, 629, &["IL"]),
    (630, 631, &["MO"]),
    (633, 641, &["MO"]),
    (644, 658, &["MO"]),
    (660, 662, &["KS"]),
    (664, 679, &["KS"]),
    (680, 681, &["NE"]),
    (683, 693, &["NE"]),
    (700, 701, &["LA"]),
    (703, 708, &["LA"]),
    (710, 714, &["LA"]),
    (716, 729, &["AR"]),
    (730, 731, &["OK"]),
    (733, 733, &["TX"]),
    (734, 738, &["OK"]),
    (739, 739, &["OK", "TX"]),
    (740, 741, &["OK"]),
    (743, 749, &["OK"]),
    (750, 770, &["TX"]),
    (772, 799, &["TX"]),
    (800, 816, &["CO"]),
    (820, 831, &["WY"]),
    (832, 833, &["ID"]),
    (834, 834, &["ID", "WY"]),
    (835, 838, &["ID"]),
    (840, 847, &["UT"]),
    (850, 853, &["AZ"]),
    (855, 857, &["AZ"]),
    (859, 860, &["AZ"]),
    (863, 865, &["AZ"]),
    (870, 871, &["NM"]),
    (873, 884, &["NM"]),
    (885, 885, &["TX"]),
    (889, 891, &["NV"]),
    (893, 895, &["NV"]),
    (897, 898, &["NV"]),
    (900, 908, &["CA"]),
    (910, 928, &["CA"]),
    (930, 961, &["CA"]),
    (962, 966, &["AP"]),
    (967, 967, &["HI", "AS"]),
    (968, 968, &["HI"]),
    (969, 969, &["GU", "MP", "PW", "FM", "MH"]),
    (970, 979, &["OR"]),
    (980, 986, &["WA"]),
    (988, 994, &["WA"]),
    (995, 999, &["AK"]),
];

/// The first letter of a Canadian postal code with the provinces and territories it serves, sorted.
pub(crate) static FSA: &[(char, &[&str])] = &[
    ('A', &["NL"]),
    ('B', &["NS"]),
    ('C', &["PE"]),
    ('E', &["NB"]),
    ('G', &["QC"]),
    ('H', &["QC"]),
    ('J', &["QC"]),
    ('K', &["ON"]),
    ('L', &["ON"]),
    ('M', &["ON"]),
    ('N', &["ON"]),
    ('P', &["ON"]),
    ('R', &["MB"]),
    ('S', &["SK"]),
    ('T', &["AB"]),
    ('V', &["BC"]),
    ('X', &["NT", "NU"]),
    ('Y', &["YT"]),
];

/// Sortation areas that narrow or widen what their first letter says: Nunavut's share of X, and federal offices on both banks of the Ottawa River.
pub(crate) static FSA_EXCEPTIONS: &[(&str, &[&str])] = &[
    ("K1A", &["ON", "QC"]),
    ("X0A", &["NU"]),
    ("X0B", &["NU"]),
    ("X0C", &["NU"]),
    ("X0E", &["NT"]),
    ("X0G", &["NT"]),
    ("X1A", &["NT"]),
];

/// Reads `12345`, or `12345-6789` with a hyphen or a blank in the middle, with blanks around it allowed, and gives the first three digits.
pub(crate) fn parse_zip(text: &str) -> Option<u16> {
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

/// Reads `A1A 1A1` in any case, with a blank, a hyphen or nothing in the middle, and gives it in upper case with a blank.
pub(crate) fn parse_postal_code(text: &str) -> Option<String> {
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

/// The states that a 3-digit ZIP prefix serves; none where it is unassigned.
pub(crate) fn zip_states(prefix: u16) -> &'static [&'static str] {
    let after = ZIP3.partition_point(|&(first, _, _)| first <= prefix);
    match after.checked_sub(1).map(|at| ZIP3[at]) {
        Some((_, last, states)) if prefix <= last => states,
        _ => &[],
    }
}

/// The provinces and territories that a postal code in the form of [`parse_postal_code`] serves; none where its first letter is unassigned.
pub(crate) fn postal_provinces(canonical: &str) -> &'static [&'static str] {
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
    use crate::validators::regions;

    #[test]
    fn tables_are_sorted_and_name_real_regions() {
        assert!(ZIP3.iter().all(|&(first, last, _)| first <= last && last <= 999));
        assert!(ZIP3.windows(2).all(|pair| pair[0].1 < pair[1].0));
        assert!(FSA.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for state in ZIP3.iter().flat_map(|row| row.2) {
            assert!(regions::find("US", state).is_some(), "{state}");
        }
        for province in FSA.iter().flat_map(|row| row.1) {
            assert!(regions::find("CA", province).is_some(), "{province}");
        }
    }

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
