//! Helpers for the history checks: an open submission, and the time left to answer the authority.

use jiff::{SignedDuration, Timestamp};

use super::{Context, Violation};
use crate::facts::{ANSWER_WITHIN, Outcome, Submission, business_data};
use crate::finding::{Related, Severity};
use crate::provider::number_names::number_name;
use crate::provider::role;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

/// The violation of a number with an open submission; `same` selects submissions with the same data or with other data.
pub(super) fn open(node: &Node<'_>, context: &Context<'_>, same: bool) -> Option<Violation> {
    let earlier = context.environment.facts.history.open(number_name(node)?)?;
    let is_same = !earlier.data.is_empty() && earlier.data == business_data(context.kind, context.root);
    (is_same == same).then(|| of_number(earlier, context))
}

/// The violation of a number whose newest submission ended as verified.
pub(super) fn verified(node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let (history, number) = (&context.environment.facts.history, number_name(node)?);
    let newest = history.of_number(number).max_by_key(|it| it.updated_at)?;
    let is_verified = newest.outcome() == Outcome::Verified && history.open(number).is_none();
    is_verified.then(|| of_number(newest, context))
}

/// The violation of a number by an earlier submission.
fn of_number(earlier: &Submission, context: &Context<'_>) -> Violation {
    let ago = context.ago(earlier.updated_at).map(|ago| message!(", last changed {}", ago));
    Violation {
        label: Some("this number".into()),
        ..Violation::default()
            .fill("status", shown_status(earlier))
            .fill("ago", ago.unwrap_or_default())
            .see_record(earlier, "the newest record of its submission")
    }
}

/// The answer to the authority and the time left for it.
pub(super) struct HistoryAnswer {
    /// `None` if the record does not say since when the authority waits, or the current time is unknown.
    left: Option<SignedDuration>,
    /// The time to answer, in words.
    window: Message,
    /// The beginning or end of this time, in words.
    since: Message,
    /// Whether this is known; otherwise the last change of the record is used.
    is_known: bool,
    violation: Violation,
}

/// The answer that an update request gives, if the authority has asked for one and the time is known; or the one for which
/// a record waits.
pub(super) fn answer(node: &Node<'_>, context: &Context<'_>) -> Option<HistoryAnswer> {
    if context.kind.is_record() { answer_of_record(context) } else { answer_of_update(node, context) }
}

fn answer_of_update(node: &Node<'_>, context: &Context<'_>) -> Option<HistoryAnswer> {
    let facts = context.environment.facts;
    let record = context.environment.record();
    let noted = facts.notified_at.or_else(|| record?.notified_at);
    let is_asked = noted.is_some()
        || record.is_some_and(|record| record.is_asked() || record.may_resubmit() == Some(true));
    if !is_asked || !record.is_none_or(Submission::may_answer) {
        return None;
    }
    let violation = Violation::at(node.opening());
    let violation = match record {
        Some(record) => violation.see_record(record, "the record"),
        None => violation,
    };
    context.answer(record, noted, violation).filter(|it| it.left.is_some())
}

/// For a record that is checked itself: only where its status or a time of its own says that an answer is due.
fn answer_of_record(context: &Context<'_>) -> Option<HistoryAnswer> {
    let record = Submission::of_fields(context.kind, context.root);
    let is_editable = record.outcome() == Outcome::Rejected && record.may_resubmit() == Some(true);
    if !(record.waits_for_answer() || is_editable && record.edit_until.is_some()) {
        return None;
    }
    let status = context.node(role::STATUS).unwrap_or(context.root);
    let span = if std::ptr::eq(status, context.root) { status.opening() } else { status.written() };
    let mut answer = context.answer(Some(&record), None, Violation::at(span))?;
    let said = shown_status(&record);
    answer.violation.severity = Some(Severity::Warning);
    answer.violation.message = Some(match answer.left {
        Some(left) if left.is_negative() => return Some(answer.without_message()),
        Some(left) => {
            message!(
                "the reviewers are waiting for an answer ({}): {} left, and {}",
                said,
                days(left),
                answer.since
            )
        }
        None => message!("the reviewers are waiting for an answer ({})", said),
    });
    Some(answer)
}

impl HistoryAnswer {
    /// Whether the time to answer has passed.
    pub(super) fn is_over(&self) -> bool {
        self.left.is_some_and(|left| left.is_negative())
    }

    /// An error if the time of the notification is known, a warning if it is an estimate.
    pub(super) fn overdue(self) -> Violation {
        let severity = (!self.is_known).then_some(Severity::Warning);
        let Self { window, since, violation, .. } = self;
        let violation = Violation { severity, ..violation };
        violation.fill("window", window).fill("since", since)
    }

    pub(super) fn due(self) -> Violation {
        let left = self.left.map(days).unwrap_or_default();
        self.violation.fill("left", left).fill("since", self.since)
    }

    fn without_message(mut self) -> Self {
        self.violation.message = None;
        self
    }
}

impl Context<'_> {
    /// The time that is left to answer the authority: until the time in the record, or the days of the provider.
    fn answer(
        &self,
        record: Option<&Submission>,
        noted: Option<Timestamp>,
        violation: Violation,
    ) -> Option<HistoryAnswer> {
        let now = self.environment.facts.now;
        // Subtract a nanosecond, so that the last moment is overdue.
        let moment = SignedDuration::from_nanos(1);
        if let Some(until) = record.and_then(|it| it.edit_until) {
            let left = now.map(|now| until.duration_since(now) - moment);
            let is_over = left.is_some_and(|left| left.is_negative());
            let since = match self.ago(Some(until)).filter(|_| is_over) {
                Some(ago) => message!("the record says that it ended {}", ago),
                None => message!("the record says that it ends at {}", Message::name(format!("{until:.0}"))),
            };
            let window = "the time to answer the reviewers is".into();
            return Some(HistoryAnswer { left, window, since, is_known: true, violation });
        }
        let own = record.and_then(Submission::answer_within);
        let within = own.or_else(|| self.kind.provider().answer_within()).unwrap_or(ANSWER_WITHIN);
        // Clocks differ: treat a time in the future as now.
        let since = noted.or_else(|| record?.updated_at).map(|since| now.map_or(since, |now| since.min(now)));
        let left = now.zip(since).map(|(now, since)| within - now.duration_since(since) - moment);
        let ago = self.ago(since).unwrap_or_default();
        let since = match noted {
            Some(_) => message!("the notification came {}", ago),
            None => message!("this is an estimate, because the record was last changed {}", ago),
        };
        let window = message!("the {} days to answer the reviewers are", whole_days(within));
        Some(HistoryAnswer { left, window, since, is_known: noted.is_some(), violation })
    }
}

/// The time left, in words and with the verb.
pub(crate) fn days(left: SignedDuration) -> Message {
    match whole_days(left) {
        0 => "less than a day is".into(),
        1 => "1 day is".into(),
        days => message!("{} days are", days),
    }
}

/// Counts the whole days in a time; 0 if it has passed.
pub(crate) fn whole_days(time: SignedDuration) -> usize {
    usize::try_from(time.as_hours() / 24).unwrap_or_default()
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
    /// Describes how long ago something was; `None` if a time is unknown or in the future.
    pub(super) fn ago(&self, then: Option<Timestamp>) -> Option<Message> {
        let seconds = self.environment.facts.now?.duration_since(then?).as_secs();
        (seconds >= 0).then(|| match seconds / 86_400 {
            0 => "today".into(),
            1 => "1 day ago".into(),
            days => message!("{} days ago", usize::try_from(days).unwrap_or_default()),
        })
    }
}
