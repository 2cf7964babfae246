//! A calendar file (RFC 5545) with the deadlines for answers to reviewers.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use jiff::Timestamp;
use tollproof_core::Submission;
use tollproof_history::{name_of, reason};
use tollproof_online::ProviderConnection;
use tollproof_project::AtomicFile;

use crate::errors::{Result, failure};

/// The longest line in bytes, without its end.
const LINE: usize = 75;

/// Writes the deadlines of all submissions that wait for an answer. Returns how many there are.
pub(crate) fn write(connections: &mut [ProviderConnection], path: &Path, now: Timestamp) -> Result<usize> {
    let mut events = Vec::new();
    for connection in connections {
        let (provider, host) = (connection.api.provider(), connection.api.address());
        for (submission, until) in connection.session(false)?.deadlines()? {
            if now <= until {
                events.push((until, event(&submission, until, provider.name(), &host, now)));
            }
        }
    }
    events.sort();
    let cannot = |error| failure!("cannot write `{}`: {}", name_of(path), reason(&error));
    let text = calendar(events.iter().map(|(_, event)| event.as_str()));
    let mut file = AtomicFile::create(path).map_err(cannot)?;
    file.write_all(text.as_bytes()).and_then(|()| file.commit()).map_err(cannot)?;
    Ok(events.len())
}

fn calendar<'e>(events: impl Iterator<Item = &'e str>) -> String {
    let mut text = String::new();
    for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//tollproof//deadlines//EN"] {
        fold(line, &mut text);
    }
    text.extend(events);
    fold("END:VCALENDAR", &mut text);
    text
}

/// The event of one deadline. Its UID stays the same, so that a calendar updates it.
fn event(submission: &Submission, until: Timestamp, provider: &str, host: &str, now: Timestamp) -> String {
    let id = submission.id.as_str();
    let numbers = submission.numbers.join(", ");
    let what = if numbers.is_empty() { id.to_owned() } else { numbers };
    let description = format!(
        "{provider} ({host}): submission {id} is {}. Fix the draft, and send it with tollproof update.",
        submission.status
    );
    let mut text = String::new();
    for line in [
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}", escaped(&format!("{id}@{provider}.{host}.tollproof"))),
        format!("DTSTAMP:{}", time(submission.updated_at.unwrap_or(now))),
        format!("DTSTART:{}", time(until)),
        format!("SUMMARY:{}", escaped(&format!("Last moment to answer the reviewers: {what}"))),
        format!("DESCRIPTION:{}", escaped(&description)),
        "TRANSP:TRANSPARENT".to_owned(),
        "BEGIN:VALARM".to_owned(),
        "ACTION:DISPLAY".to_owned(),
        format!("DESCRIPTION:{}", escaped(&format!("One day left to answer the reviewers: {what}"))),
        "TRIGGER:-P1D".to_owned(),
        "END:VALARM".to_owned(),
        "END:VEVENT".to_owned(),
    ] {
        fold(&line, &mut text);
    }
    text
}

/// A time in UTC: `20261114T080000Z`.
fn time(at: Timestamp) -> String {
    let mut text = String::new();
    for c in format!("{at:.0}").chars().filter(|c| !matches!(c, '-' | ':')) {
        text.push(c);
    }
    text
}

/// A text as the value of a property.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => {
                let _ = write!(escaped, "\\{c}");
            }
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Adds a line, broken into lines of at most 75 bytes.
fn fold(line: &str, text: &mut String) {
    let mut length = 0;
    for c in line.chars() {
        if length + c.len_utf8() > LINE {
            text.push_str("\r\n ");
            length = 1;
        }
        text.push(c);
        length += c.len_utf8();
    }
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_escaped_and_folded() {
        let submission = Submission {
            id: "HH\\1;2".to_owned(),
            numbers: vec!["+18335550123".to_owned()],
            status: format!("wartet, noch {}\nEND:VEVENT", "é".repeat(60)),
            ..Submission::default()
        };
        let until: Timestamp = "2026-11-20T08:00:00.5Z".parse().expect("it is a time");
        let text = calendar(
            [event(&submission, until, "twilio", "127.0.0.1:8833", until)].iter().map(String::as_str),
        );
        assert!(text.lines().all(|line| line.len() <= LINE), "{text}");
        assert!(text.split("\r\n").all(|line| !line.contains(['\r', '\n'])), "{text:?}");
        assert_eq!(text.matches("\r\nEND:VEVENT\r\n").count(), 1, "{text}");
        assert!(text.contains("\r\nDTSTART:20261120T080000Z\r\n"), "{text}");
        let unfolded = text.replace("\r\n ", "");
        assert!(unfolded.contains("\r\nUID:HH\\\\1\\;2@twilio.127.0.0.1:8833.tollproof\r\n"), "{unfolded}");
        assert!(unfolded.contains(&format!("noch {}\\nEND:VEVENT", "é".repeat(60))), "{unfolded}");
    }
}
