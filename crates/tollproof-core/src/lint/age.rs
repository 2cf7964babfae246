//! How long ago something was found out, in words.

use jiff::Timestamp;

/// The age of the oldest and the newest of some facts: `3 to 9 days ago`. `None` without the current time or without facts.
pub(super) fn age(
    oldest: Option<Timestamp>,
    newest: Option<Timestamp>,
    now: Option<Timestamp>,
) -> Option<String> {
    let days = |then: Timestamp| Some((now?.duration_since(then).as_hours() / 24).max(0));
    let (oldest, newest) = (days(oldest?)?, days(newest?)?);
    Some(match (newest, oldest) {
        (0, 0) => "today".to_owned(),
        (0, 1) => "up to 1 day ago".to_owned(),
        (0, oldest) => format!("up to {oldest} days ago"),
        (1, 1) => "1 day ago".to_owned(),
        (newest, oldest) if newest == oldest => format!("{oldest} days ago"),
        (newest, oldest) => format!("{newest} to {oldest} days ago"),
    })
}
