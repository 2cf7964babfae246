//! The step after an answer: whether and how the draft may be sent again, and by when.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use tollproof_data::code_table::{AnsweringProvider, CodeEntry, Resubmit};

use super::answer_reason::{AnswerReason, MAX_REASONS, ReviewResult, quote};
use super::deadline::{Deadline, Unit};
use super::parse::Answer;
use super::saying::Saying;
use super::step::asks_for_another;
use super::{SentDraft, codes, pasted};
use crate::checks::history::{days, whole_days};
use crate::checks::{AnswerPart, Place, Trail, Violation};
use crate::facts::{ANSWER_WITHIN, Outcome, Submission, record_time};
use crate::finding::{Finding, Related};
use crate::lint::render;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::provider::role;
use crate::syntax::message::{Message, message};

impl SentDraft<'_> {
    /// The finding `answer/next-step`, at the start of the draft.
    pub(super) fn next_step(&self) -> Option<Finding> {
        let rule = self.rule_of(AnswerPart::NextStep);
        let (message, help) = match &self.answer.record {
            Some(record) => self.after_review(record),
            None => match (&self.answer.verdict, self.answer.provider) {
                (Some(verdict), Some(provider)) => self.after_verdict(verdict, provider),
                _ if self.answer.is_receipt => self.after_receipt(),
                _ if self.answer.pasted.is_some() => self.after_text(),
                _ => self.after_refusal(),
            },
        };
        let root = self.context.root;
        let related = Related {
            file: Some(self.answer.file.clone()),
            span: Some(self.answer.at),
            place: None,
            message: "the answer".into(),
        };
        let violation = Violation {
            message: Some(message),
            help: Some(help),
            related: vec![related],
            ..Violation::at(root.opening())
        };
        let place = Place { node: None, trail: Trail::ROOT, field: "", role: "" };
        Some(render::finding(rule, violation, &place, self.document, Some(self.context)))
    }

    fn after_receipt(&self) -> (Message, Message) {
        let message = quote(&self.answer.refusal.1);
        let help =
            "The request arrived, and its review is still to come. Fetch the record later to see its status.";
        (message!("{} accepted the request: {}", self.api(), message), help.into())
    }

    fn after_refusal(&self) -> (Message, Message) {
        let (code, message) = &self.answer.refusal;
        let code = if code.is_empty() { Message::default() } else { message!(" (code `{}`)", code) };
        let message = if message.is_empty() { Message::default() } else { message!(": {}", quote(message)) };
        let help = "The request was refused before review. Fix what the answer names, run `tollproof check`, and send it again. After a 404 \
                    the id in the path of the request is wrong, not the draft.";
        (message!("{} refused the request{}{}", self.api(), code, message), help.into())
    }

    fn after_review(&self, record: &Submission) -> (Message, Message) {
        let status = match record.status.trim() {
            "" => "no status".into(),
            status => message!("`{}`", status),
        };
        let resubmit_allowed = || {
            let name = self.record_kind().field_name(role::RESUBMIT_ALLOWED);
            Message::name(name.rsplit('.').next().unwrap_or_default())
        };
        match (record.outcome(), record.may_resubmit()) {
            (Outcome::Verified, _) => {
                (message!("the submission ended as {}", status), Message::own(NOTHING_LEFT))
            }
            (Outcome::Ended, _) => (
                message!("the submission ended without a result ({})", status),
                "Fix what the answer names and send a new submit request.".into(),
            ),
            (Outcome::Rejected, Some(true)) | (Outcome::Open, _) if self.is_over(record) => (
                message!("the {} days for an answer are over{}", days_to_answer(record), self.estimate(record)),
                Message::own(ASK_FIRST),
            ),
            (Outcome::Rejected, Some(true)) => (
                message!("the submission was rejected, and may be sent again{}", self.time_left(record)),
                "Fix what the answer names and send an update of the submission.".into(),
            ),
            (Outcome::Rejected, Some(false)) => (
                message!("the submission was rejected for good: `{}` is `{}`", resubmit_allowed(), record.resubmit_allowed),
                ASK_BEFORE.into(),
            ),
            (Outcome::Rejected, None) => (
                match record.resubmit_allowed.as_str() {
                    "" => "the submission was rejected, and its record does not say whether it may be sent again".into(),
                    word => message!("the submission was rejected, and its `{}` has the unknown value `{}`", resubmit_allowed(), word),
                },
                "The same number may be submitted again after a rejection. Fix what the answer names and send a new \
                 submit request."
                    .into(),
            ),
            (Outcome::Open, _) if record.is_asked() || self.facts.notified_at.is_some() => (
                message!("the submission is open ({}), and the reviewers are waiting for an answer{}", status, self.time_left(record)),
                "Send an update of the submission. A second submission of the number would be refused.".into(),
            ),
            (Outcome::Open, _) => (
                message!("the submission is open ({}), and the reviewers have asked for nothing", status),
                "Wait for the review. You may also send an update with better information.".into(),
            ),
        }
    }

    /// Repeats what another provider says about editing, but not if the time for it is over.
    fn after_verdict(&self, verdict: &ReviewResult, provider: &str) -> (Message, Message) {
        let status = match verdict.status.as_str() {
            "" => "no status".into(),
            status => message!("`{}`", status),
        };
        let next = codes::table().providers.get(provider);
        let help = |pick: fn(&AnsweringProvider) -> &String| {
            Message::own(next.map(pick).cloned().unwrap_or_default())
        };
        let until = match &verdict.until {
            Some((name, time)) => message!(" until {} (`{}`)", time, name),
            None => Message::default(),
        };
        let blocked = next.and_then(|it| it.blocked.clone()).filter(|_| verdict.is_blocked);
        if let (Outcome::Verified, Some(help)) = (verdict.outcome, &blocked) {
            let message = message!(
                "the submission ended as {}, but the number is blocked: it cannot send messages",
                status
            );
            return (message, Message::own(help.clone()));
        }
        let is_rejected = verdict.outcome == Outcome::Rejected;
        let over = is_rejected.then(|| self.over(verdict, provider)).flatten();
        let is_silent = || verdict.may_edit.is_none() && !self.says(Saying::Editable);
        let listed = self.listed_as_final().filter(|_| is_rejected && is_silent());
        let (message, help) = match (verdict.outcome, &verdict.may_edit) {
            (Outcome::Rejected, None) if self.says(Saying::Final) => {
                (NOT_AGAIN.into(), help(|steps| &steps.is_final))
            }
            _ if listed.is_some() => listed.unwrap_or_default(),
            (_, None | Some((_, true))) if over.is_some() => over.unwrap_or_default(),
            (Outcome::Verified, _) => {
                (message!("the submission ended as {}", status), Message::own(NOTHING_LEFT))
            }
            (Outcome::Ended, _) if self.reasons.is_empty() => (
                message!("the submission ended as {}", status),
                "Submit a new one if the number should send messages.".into(),
            ),
            (Outcome::Ended, _) => (
                message!("the submission is {}, but the answer gives reasons against it", status),
                help(|steps| &steps.unknown),
            ),
            (Outcome::Rejected, Some((_, true))) => (
                message!("the submission was rejected, and may be sent again{}", until),
                help(|it| &it.may_edit),
            ),
            (Outcome::Rejected, Some((name, false))) => (
                message!("the submission was rejected, and cannot be edited: `{}` is `false`", name),
                help(AnsweringProvider::is_over),
            ),
            (Outcome::Rejected, None) if verdict.until.is_some() => {
                (message!("the submission was rejected, and may be edited{}", until), help(|it| &it.may_edit))
            }
            (Outcome::Rejected, None) => (
                "the submission was rejected, and the answer does not say whether it may be sent again"
                    .into(),
                help(|it| &it.unknown),
            ),
            (Outcome::Open, _) if self.reasons.is_empty() && !verdict.is_asked => (
                message!("the submission is open ({}), and the reviewers have asked for nothing", status),
                "Wait for the review.".into(),
            ),
            (Outcome::Open, _) => (
                message!(
                    "the submission is open ({}), and the reviewers are waiting for an answer{}",
                    status,
                    until
                ),
                match verdict.is_asked {
                    true if self.reasons.is_empty() => {
                        let title = Message::name(super::shapes::title(provider));
                        message!(
                            "Open the submission at {} to see what the reviewers ask for, and update it.",
                            title
                        )
                    }
                    true => help(|it| &it.may_edit),
                    false => help(|it| &it.unknown),
                },
            ),
        };
        match blocked {
            Some(blocked) => (
                message!("{}; the number is also blocked, and cannot send messages", message),
                message!("{} {}", help, Message::own(blocked)),
            ),
            None => (message, help),
        }
    }

    /// Whether a sentence of the answer says something other than a reason.
    fn says(&self, saying: Saying) -> bool {
        let reasons = self.answer.reasons.iter().map(|reason| reason.text.as_str());
        reasons.chain(self.answer.pasted.as_deref()).any(|text| pasted::says(text, &self.wordings, saying))
    }

    /// The next step if a reason is in the list of those that are not to be sent again, of the provider that answered.
    fn listed_as_final(&self) -> Option<(Message, Message)> {
        let reasons = self.reasons.iter().take(MAX_REASONS);
        let entry = reasons.filter_map(|reason| self.meaning(reason, None).is_final()).next()?;
        let next = codes::table().providers.get(&entry.provider)?;
        let (title, reason) = (Message::name(&next.title), Message::name(&entry.title));
        let message = message!("{} lists \u{201c}{}\u{201d} as final", title, reason);
        Some((message, Message::own(next.is_final.clone())))
    }

    /// The next step if the time to edit a rejected submission is over, by the time in its record or the days of its provider.
    fn over(&self, verdict: &ReviewResult, provider: &str) -> Option<(Message, Message)> {
        let now = self.facts.now?;
        if let Some((message, is_over)) = time_of(verdict, now) {
            let help = codes::table().providers.get(provider).map(|next| next.is_over().clone());
            return is_over.then(|| (message, Message::own(help.unwrap_or_default())));
        }
        let since = self.facts.notified_at.or(verdict.updated_at)?;
        let within = provider.parse::<Provider>().ok()?.answer_within()?;
        let message = message!("the {} days for an answer are over", whole_days(within));
        (now.duration_since(since) > within).then(|| (message, Message::own(ASK_FIRST)))
    }

    /// A text may say until when the submission can be edited, and a provider's list of codes whether it can.
    fn after_text(&self) -> (Message, Message) {
        if self.answer.is_approval {
            return ("the answer says that the number is verified".into(), Message::own(NOTHING_LEFT));
        }
        let text = self.answer.pasted.as_deref().unwrap_or_default();
        let sending = pasted::sending_in(text, &self.wordings).map(|(_, saying)| saying);
        if sending == Some(Saying::Unchanged) {
            return (UNCHANGED.into(), SEND_AS_IT_IS.into());
        }
        if sending.is_none() && asks_for_another(text) {
            return (
                "the answer asks for a new submission".into(),
                "The answer asks for this. Do it as it is written.".into(),
            );
        }
        let says_again = matches!(sending, Some(Saying::Editable | Saying::ByWriter));
        if let Some(listed) = self.listed_as_final().filter(|_| !says_again) {
            return listed;
        }
        let entries: Option<Vec<&CodeEntry>> = self
            .reasons
            .iter()
            .take(MAX_REASONS)
            .map(|reason| self.meaning(reason, None).certain())
            .collect();
        let entries = entries.unwrap_or_default();
        // Several providers have the same titles and short codes.
        let is_known = |(reason, entry): &(&AnswerReason, &&CodeEntry)| {
            let has_code = entry.code.len() == 5 && reason.code.as_ref() == Some(&entry.code);
            has_code || codes::is_title_of_one(entry) && codes::has_title(&reason.text, entry)
        };
        let of_entry = self.reasons.iter().zip(&entries).find(is_known).map(|it| it.1.provider.as_str());
        let of_draft = self.context.kind.provider().name();
        let provider = self.answer.provider.or(of_entry).unwrap_or(of_draft);
        let next = codes::table().providers.get(provider);
        if sending == Some(Saying::Final) {
            return (NOT_AGAIN.into(), Message::own(next.map_or(ASK_BEFORE, |next| &next.is_final)));
        }
        if sending == Some(Saying::ByWriter) {
            let time = time_in(self.answer, self.facts.now).map(|time| message!("; {}", time.0));
            let message = "the answer says that its writer sends the submission again";
            return (
                message!("{}{}", Message::own(message), time.unwrap_or_default()),
                GIVE_TO_WRITER.into(),
            );
        }
        let Some(next) = next else {
            return (
                "the answer does not say whether the submission may be sent again".into(),
                "Look it up at your provider. If you may send it again, fix what the answer names and send an update.".into(),
            );
        };
        if let Some((message, is_over)) = time_in(self.answer, self.facts.now) {
            return (message, Message::own(if is_over { next.is_over() } else { &next.may_edit }));
        }
        if sending == Some(Saying::Editable) {
            let message = "the answer says that the submission may be sent again";
            return (message.into(), Message::own(next.may_edit.clone()));
        }
        if self.reasons.iter().all(|reason| reason.is_aside) && self.says(Saying::InReview) {
            return (
                "the answer says that the submission is in review".into(),
                "Wait for the review.".into(),
            );
        }
        let is_open = !entries.is_empty()
            && entries.iter().all(|entry| entry.resubmit == Resubmit::Yes && entry.provider == provider);
        let until = entries.iter().find_map(|it| it.until.as_deref());
        let until = until.map(|time| message!(", until {}", Message::own(time))).unwrap_or_default();
        let message = if is_open {
            message!(
                "according to {}, these reasons can be fixed and the submission can be sent again{}",
                Message::name(&next.title),
                until
            )
        } else {
            "the answer does not say whether the submission may be sent again".into()
        };
        (message, Message::own(next.unknown.clone()))
    }

    /// The kind of the records of this provider.
    fn record_kind(&self) -> Kind {
        let kind = self.context.kind.provider().kind(KindRole::Record);
        kind.unwrap_or_else(|| Kind::of(KindRole::Record))
    }

    /// The time left to answer, from the notification or the last change of the record. `None` if these or the current
    /// time are unknown.
    fn left(&self, record: &Submission) -> Option<SignedDuration> {
        let facts = self.facts;
        let now = facts.now?;
        if let Some(until) = record.edit_until {
            return Some(until.duration_since(now) - SignedDuration::from_nanos(1));
        }
        let since = facts.notified_at.or(record.notified_at).or(record.updated_at)?.min(now);
        Some(
            record.answer_within().unwrap_or(ANSWER_WITHIN)
                - now.duration_since(since)
                - SignedDuration::from_nanos(1),
        )
    }

    /// Whether the authority has asked for an answer and the time to give it is over.
    fn is_over(&self, record: &Submission) -> bool {
        let is_asked = record.is_asked() || !record.is_open() || self.facts.notified_at.is_some();
        is_asked && self.left(record).is_some_and(|left| left.is_negative())
    }

    /// The end of a message: how much time is left to answer.
    fn time_left(&self, record: &Submission) -> Message {
        match self.left(record) {
            Some(left) => message!(": {} left{}", days(left), self.estimate(record)),
            None => message!(": you must answer within {} days of the notification", days_to_answer(record)),
        }
    }

    /// A note that the time left is an estimate, if the time of the notification is unknown.
    fn estimate(&self, record: &Submission) -> Message {
        match self.facts.notified_at.or(record.notified_at).or(record.edit_until) {
            Some(_) => Message::default(),
            None => message!(
                " (estimated as {} days from the last change of the record; give the time of the notification with \
                 `--notified-at`)",
                days_to_answer(record)
            ),
        }
    }
}

/// The time to edit a submission that an answer gives, and whether it is over.
pub(super) fn time_in(answer: &Answer, now: Option<Timestamp>) -> Option<(Message, bool)> {
    let Some(text) = &answer.pasted else { return time_of(answer.verdict.as_ref()?, now?) };
    match Deadline::of(text, now)? {
        Deadline::Day(day) => {
            let left = day.duration_since(now?.to_zoned(TimeZone::UTC).date());
            let day = day.to_string();
            Some(if left.is_negative() {
                (message!("the time to edit the submission is over: the answer says {}", day), true)
            } else {
                (message!("the last day that the answer gives is {}: {} left", day, days(left)), false)
            })
        }
        Deadline::Within(written, length) => {
            let time =
                length.map_or_else(|| Message::value(written), |(number, unit)| length_of(number, unit));
            Some((message!("the answer gives this time to edit the submission: {}", time), false))
        }
    }
}

/// A length of time, in the language of the report.
fn length_of(number: usize, unit: Unit) -> Message {
    match (unit, number) {
        (Unit::Hours, 1) => "1 hour".into(),
        (Unit::Hours, _) => message!("{} hours", number),
        (Unit::Days, 1) => "1 day".into(),
        (Unit::Days, _) => message!("{} days", number),
        (Unit::WorkingDays, 1) => "1 business day".into(),
        (Unit::WorkingDays, _) => message!("{} business days", number),
        (Unit::Weeks, 1) => "1 week".into(),
        (Unit::Weeks, _) => message!("{} weeks", number),
    }
}

/// The same of a rejection in a record.
fn time_of(verdict: &ReviewResult, now: Timestamp) -> Option<(Message, bool)> {
    let (name, written) = verdict.until.as_ref().filter(|_| verdict.outcome == Outcome::Rejected)?;
    Some(match record_time::of(written) {
        Some(until) if until < now => (
            message!(
                "the submission was rejected, and the time to edit it is over since {} (`{}`)",
                written,
                name
            ),
            true,
        ),
        _ => {
            let until = message!(" until {} (`{}`)", written, name);
            (message!("the submission was rejected, and may be edited{}", until), false)
        }
    })
}

const NOTHING_LEFT: &str = "There is nothing left to do: the number can send messages.";
/// The next step after a rejection for good.
pub(super) const ASK_BEFORE: &str = "Ask your provider before you send anything for this number.";
pub(super) const SEND_AS_IT_IS: &str = "Change nothing. Wait as long as the answer says, and send it again.";
pub(super) const GIVE_TO_WRITER: &str = "Fix what the answer names, and give its writer what is asked for.";
pub(super) const FIX_AND_SEND: &str = "Fix what the answer names, and send the submission again.";
const UNCHANGED: &str = "the answer says that the submission is to be sent again as it is";
const NOT_AGAIN: &str = "the answer says that the submission is not to be sent again";
const ASK_FIRST: &str = "Before you send an update, ask your provider whether it still accepts one.";

/// The days that the reviewers wait for an answer.
fn days_to_answer(record: &Submission) -> usize {
    whole_days(record.answer_within().unwrap_or(ANSWER_WITHIN))
}
