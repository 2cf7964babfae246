//! Validates the string formats that schemas use.

use jiff::civil::DateTime;

/// Whether a string is a UUID in hyphenated form, of any version and in any case.
pub(crate) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a string is two letters and 32 hexadecimal digits, as Twilio writes identifiers.
pub(crate) fn is_sid(text: &str, letters: [u8; 2]) -> bool {
    text.len() == 34
        && text.as_bytes().starts_with(&letters)
        && text.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a string is a toll-free number in E.164: `+1`, a toll-free code, and seven digits that do not start with 0 or 1.
pub(crate) fn is_toll_free(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("+1") else { return false };
    let is_code =
        ["800", "833", "844", "855", "866", "877", "888"].iter().any(|code| digits.starts_with(code));
    is_code
        && digits.len() == 10
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !matches!(digits.as_bytes()[3], b'0' | b'1')
}

/// Whether a string is ISO 8601 in UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`, with an existing date.
pub(crate) fn is_timestamp(text: &str) -> bool {
    // A year of more than four digits makes the string longer.
    let Some(time) = text.strip_suffix('Z').filter(|time| time.len() == "2026-11-20T09:30:00.000".len())
    else {
        return false;
    };
    // jiff accepts other notations and reads second 60 as 59; writing the value again detects both.
    time.parse::<DateTime>().is_ok_and(|read| format!("{read:.3}") == time)
}

/// Whether a string is a non-empty part without surrounding whitespace, followed by `end`.
pub(crate) fn ends_with(text: &str, end: &str) -> bool {
    text.strip_suffix(end).is_some_and(|before| !before.is_empty() && before.trim() == before)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::is_timestamp;

    #[test]
    fn timestamps_are_iso_8601_in_utc_with_milliseconds() {
        for text in [
            "2024-02-29T23:59:59.999Z",
            "2000-02-29T00:00:00.000Z",
            "0000-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
            "2026-11-20T09:30:00.000Z",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "",
            "Z",
            "2023-01-01",
            "2023-02-29T00:00:00.000Z",
            "1900-02-29T00:00:00.000Z",
            "2023-04-31T00:00:00.000Z",
            "2023-00-10T00:00:00.000Z",
            "2023-13-10T00:00:00.000Z",
            "2023-01-00T00:00:00.000Z",
            "2023-01-01T24:00:00.000Z",
            "2023-01-01T00:60:00.000Z",
            "2023-01-01T00:00:60.000Z",
            "2016-12-31T23:59:60.000Z",
            "2023-01-01T00:00:00Z",
            "2023-01-01T00:00:00.0Z",
            "2023-01-01T00:00:00.0000Z",
            "2023-01-01T00:00:00.000z",
            "2023-01-01t00:00:00.000Z",
            "2023-01-01 00:00:00.000Z",
            "2023-01-01T00:00:00,000Z",
            "2023-01-01T00:00:00.000",
            "2023-01-01T00:00:00.000+00:00",
            "20230101T000000.000000000Z",
            "2023-01-01T00:00:00.000ZZ",
            "-00001-01-01T00:00:00.00Z",
            "+02023-01-01T00:00:00.00Z",
            " 2023-01-01T00:00:00.000Z",
            "2023-01-01T00:00:00.00٣Z",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_calendar_is_the_gregorian_one(
            year in 0_u32..10_000, month in 0_u32..15, day in 0_u32..35, hour in 0_u32..26, minute in 0_u32..62,
            second in 0_u32..62, milli in 0_u32..1000,
        ) {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                2 => 28 + u32::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                1..=12 => 31,
                _ => 0,
            };
            let exists = (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60;
            let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z");
            prop_assert_eq!(is_timestamp(&text), exists, "{}", text);
        }
    }
}
