//! Helpers for the history checks: an open submission, and the time left to answer the authority.

use jiff::{SignedDuration, Timestamp};

use super::{Context, Violation};
use crate::facts::{Submission, business_data};
use crate::finding::{Related, Severity};
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

/// How long the authority waits for an answer, from the receipt of its notification. Source: section 8 of the
/// description of Bird's API.
pub(crate) const ANSWER_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The violation of a number with an open submission; `same` selects submissions with the same data or with other data.
pub(super) fn open(node: &Node<'_>, context: &Context<'_>, same: bool) -> Option<Violation> {
    let earlier = context.beyond.facts.history.open(node.as_str()?)?;
    let is_same = !earlier.data.is_empty() && earlier.data == business_data(context.kind, context.root);
    let ago = context.ago(earlier.updated_at).map(|ago| format!(", last changed {ago}"));
    (is_same == same).then(|| Violation {
        label: Some("this number".into()),
        ..Violation::default()
            .fill("status", shown_status(earlier))
            .fill("ago", Message::own(ago.unwrap_or_default()))
            .see_record(earlier, "the newest record of its submission")
    })
}

/// The answer to the authority and the time left for it.
pub(super) struct HistoryAnswer<'a> {
    pub(super) left: SignedDuration,
    /// How long ago the time to answer began, in words.
    ago: String,
    /// Whether the time of the notification is known; otherwise the last change of the record is used.
    is_known: bool,
    record: Option<&'a Submission>,
    violation: Violation,
}

/// The answer that an update request gives, if the authority has asked for one and the time is known.
pub(super) fn answer<'a>(node: &Node<'_>, context: &'a Context<'_>) -> Option<HistoryAnswer<'a>> {
    let facts = context.beyond.facts;
    let record = context.beyond.record();
    let noted = facts.notified_at.or_else(|| record?.notified_at);
    let is_asked =
        noted.is_some() || record.is_some_and(|it| it.is_asked() || it.may_resubmit() == Some(true));
    let may_answer = record.is_none_or(|it| it.is_open() || it.may_resubmit() == Some(true));
    if !is_asked || !may_answer {
        return None;
    }
    // Clocks differ: treat a time in the future as now.
    let since = noted.or_else(|| record?.updated_at)?.min(facts.now?);
    let passed = facts.now?.duration_since(since);
    let ago = context.ago(Some(since)).unwrap_or_default();
    let violation = Violation::at(node.opening());
    // Subtract a nanosecond, so that exactly seven days is overdue.
    let left = ANSWER_WITHIN - passed - SignedDuration::from_nanos(1);
    Some(HistoryAnswer { left, ago, is_known: noted.is_some(), record, violation })
}

impl HistoryAnswer<'_> {
    /// An error if the time of the notification is known, a warning if it is an estimate.
    pub(super) fn overdue(self) -> Violation {
        let severity = (!self.is_known).then_some(Severity::Warning);
        Violation { severity, ..self.violation() }
    }

    pub(super) fn due(self) -> Violation {
        let left = days(self.left);
        self.violation().fill("left", Message::own(left))
    }

    fn violation(self) -> Violation {
        let Self { ago, is_known, record, violation, .. } = self;
        let since = match is_known {
            true => format!("the notification came {ago}"),
            false => format!("this is an estimate, because the record was last changed {ago}"),
        };
        let violation = violation.fill("since", Message::own(since));
        match record {
            Some(record) => violation.see_record(record, "the record"),
            None => violation,
        }
    }
}

/// The time left, in words and with the verb.
pub(crate) fn days(left: SignedDuration) -> String {
    match left.as_hours() / 24 {
        0 => "less than a day is".to_owned(),
        1 => "1 day is".to_owned(),
        days => format!("{days} days are"),
    }
}

impl Violation {
    /// Adds the status of a record as a related place.
    pub(super) fn see_record(mut self, record: &Submission, message: &'static str) -> Self {
        let seen = record.written.as_ref().map(|written| Related {
            file: Some(written.file.clone()),
            span: Some(written.status),
            place: None,
            message: message.into(),
        });
        self.related.extend(seen);
        self
    }
}

/// The status in words, also for records without a status.
pub(super) fn shown_status(submission: &Submission) -> Message {
    match submission.status.trim() {
        "" => "no status".into(),
        status => message!("`{}`", status),
    }
}

impl Context<'_> {
    /// How long ago something was, in words; `None` if a time is unknown or in the future.
    fn ago(&self, then: Option<Timestamp>) -> Option<String> {
        let seconds = self.beyond.facts.now?.duration_since(then?).as_secs();
        (seconds >= 0).then(|| match seconds / 86_400 {
            0 => "today".to_owned(),
            1 => "1 day ago".to_owned(),
            days => format!("{days} days ago"),
        })
    }
}
