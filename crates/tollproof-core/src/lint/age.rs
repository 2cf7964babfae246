//! The age of what was found out, in words.

use jiff::Timestamp;

use crate::checks::history::whole_days;
use crate::syntax::message::{Message, message};

/// The age of the oldest and the newest of some facts: `3 to 9 days ago`. `None` without the current time or without facts.
pub(super) fn age(
    oldest: Option<Timestamp>,
    newest: Option<Timestamp>,
    now: Option<Timestamp>,
) -> Option<Message> {
    let days = |then: Timestamp| Some(whole_days(now?.duration_since(then)));
    let (oldest, newest) = (days(oldest?)?, days(newest?)?);
    Some(match (newest, oldest) {
        (0, 0) => "today".into(),
        (0, 1) => "up to 1 day ago".into(),
        (0, oldest) => message!("up to {} days ago", oldest),
        (1, 1) => "1 day ago".into(),
        (newest, oldest) if newest == oldest => message!("{} days ago", oldest),
        (newest, oldest) => message!("{} to {} days ago", newest, oldest),
    })
}
