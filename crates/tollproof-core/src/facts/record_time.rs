//! The times in records, in the notations of the providers' APIs and tools.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::rfc2822;
use jiff::tz::Offset;

/// Parses a time: ISO 8601, RFC 2822, or seconds since 1970. A time without an offset is in UTC, as all APIs write it.
pub(crate) fn of(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    // A row of digits is not a date: it may be a number of any kind.
    let is_date = text.contains('-');
    let iso = || text.parse().ok().filter(|_| is_date);
    let local = || Offset::UTC.to_timestamp(text.parse::<DateTime>().ok().filter(|_| is_date)?).ok();
    let rfc = || rfc2822::DateTimeParser::new().parse_timestamp(text).ok();
    iso().or_else(local).or_else(rfc).or_else(|| seconds(text))
}

/// Seconds since 1970, with a fraction or without: at least nine digits, so that a year or a day is not one.
fn seconds(text: &str) -> Option<Timestamp> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !(9..=10).contains(&whole.len()) || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let nanoseconds = format!("{fraction:0<9}");
    Timestamp::new(whole.parse().ok()?, nanoseconds.get(..9)?.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn a_time_is_read_in_every_notation() {
        for text in [
            "2026-11-02T09:30:00Z",
            "2026-11-02T09:30:00.000Z",
            "2026-11-02T09:30:00.000000+00:00",
            "2026-11-02T03:30:00-06:00",
            "2026-11-02T09:30:00+0000",
            "2026-11-02 09:30:00+00:00",
            "2026-11-02T09:30:00",
            "Mon, 02 Nov 2026 09:30:00 +0000",
            "1793611800",
            "1793611800.000",
        ] {
            assert_eq!(of(text).map(|it| it.to_string()).as_deref(), Some("2026-11-02T09:30:00Z"), "{text}");
        }
        for text in ["", "yesterday", "2026", "20261102", "09:30", "1793611800x", "-1793611800"] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
