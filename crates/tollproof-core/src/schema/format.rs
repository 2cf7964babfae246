//! The notations that schemas name: one definition for the fast test and for the judge.

/// A UUID in the hyphenated form, of any version, in any case.
#[must_use]
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// ISO 8601 in UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`; the day must exist.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let shape = "dddd-dd-ddTdd:dd:dd.dddZ";
    text.len() == shape.len()
        && text.bytes().zip(shape.bytes()).all(|(byte, wanted)| match wanted {
            b'd' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
        && in_calendar(text)
}

fn in_calendar(text: &str) -> bool {
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap_or(u32::MAX);
    let (year, month) = (number(0, 4), number(5, 7));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&number(8, 10)) && number(11, 13) < 24 && number(14, 16) < 60 && number(17, 19) < 60
}

/// Whether a text is something without blanks around, followed by `end`.
pub(crate) fn ends_with(text: &str, end: &str) -> bool {
    text.strip_suffix(end).is_some_and(|before| !before.is_empty() && before.trim() == before)
}

#[cfg(test)]
mod tests {
    #[test]
    fn days_that_do_not_exist_are_no_timestamps() {
        assert!(super::is_timestamp("2024-02-29T23:59:59.999Z"));
        for text in
            ["2023-02-29T00:00:00.000Z", "2023-01-01T24:00:00.000Z", "2023-01-01T00:00:00Z", "2023-01-01"]
        {
            assert!(!super::is_timestamp(text), "{text}");
        }
    }
}
