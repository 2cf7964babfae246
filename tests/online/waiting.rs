//! Waiting for reviews, and deadlines in a calendar.

use std::fs;

use super::Desk;

#[test]
fn a_review_that_does_not_end_in_time_is_not_finished() {
    let desk = Desk::reviewing_after("wait-limit", "approve", 2);
    let number = desk.buy("telnyx");
    desk.draft("telnyx", &number, "draft.json");
    let waited = desk.with_history(&["submit", "draft.json", "--yes", "--wait=1s"]);
    assert_eq!(waited.code, Some(5), "{waited:?}");
    assert!(waited.err.contains("Waiting for 1 review."), "{waited:?}");
    let waited = desk.with_history(&["status", &number, "--wait=1s"]);
    assert_eq!(waited.code, Some(5), "{waited:?}");
    desk.control("POST", "/_sandbox/clock", r#"{"advance": "3d"}"#);
    let (ended, ran) = desk.json(&["status", "--wait"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ended["submissions"][0]["outcome"], "verified", "{ran:?}");
}

#[test]
fn a_rejection_that_was_waited_for_has_its_own_status() {
    let desk = Desk::new("wait-rejected", "reject 30513");
    let number = desk.buy("telnyx");
    desk.draft("telnyx", &number, "draft.json");
    let (rejected, ran) = desk.json(&["submit", "draft.json", "--yes", "--wait=1m"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert_eq!(rejected["calls"][0]["status"], "Rejected", "{ran:?}");
}

#[test]
fn deadlines_go_to_a_calendar() {
    for provider in ["bird", "twilio", "plivo"] {
        let desk = Desk::new(&format!("calendar-{provider}"), "reject 30513");
        let number = desk.buy(provider);
        desk.draft(provider, &number, "draft.json");
        desk.with_history(&["submit", "draft.json", "--yes"]);
        let written = desk.with_history(&["status", "--calendar", "dates.ics"]);
        assert_eq!(written.code, Some(0), "{provider}: {written:?}");
        assert!(written.err.contains("1 deadline in the calendar."), "{provider}: {written:?}");
        let first = fs::read_to_string(desk.folder.0.join("dates.ics")).expect("it was written");
        assert!(
            first.starts_with("BEGIN:VCALENDAR\r\n") && first.ends_with("\r\nEND:VCALENDAR\r\n"),
            "{first}"
        );
        assert_eq!(first.matches("BEGIN:VEVENT").count(), 1, "{provider}: {first}");
        desk.with_history(&["status", "--calendar", "dates.ics"]);
        let again = fs::read_to_string(desk.folder.0.join("dates.ics")).expect("it was written");
        assert_eq!(again, first, "{provider}: the same deadline is the same event");
    }
}

#[test]
fn what_did_not_change_is_not_printed() {
    let desk = Desk::reviewing_after("unchanged", "approve", 2);
    let number = desk.buy("telnyx");
    desk.draft("telnyx", &number, "draft.json");
    desk.with_history(&["submit", "draft.json", "--yes"]);
    let all = desk.with_history(&["status"]);
    assert_eq!((all.code, all.out.as_str()), (Some(0), ""), "{all:?}");
    let named = desk.with_history(&["status", &number]);
    assert!(named.out.contains(&number), "{named:?}");
    let unknown = desk.with_history(&["status", "+18335550000000"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}
