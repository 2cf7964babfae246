//! What to do after an answer: whether the draft may be sent again, how, and until when.

use jiff::SignedDuration;

use super::Sent;
use crate::checks::history::{ANSWER_WITHIN, days};
use crate::checks::{AnswerPart, Place, Violation};
use crate::facts::{Outcome, Submission};
use crate::finding::{Finding, Related};
use crate::lint::render;
use crate::syntax::message::{Message, message};

impl Sent<'_> {
    /// One finding at the draft's beginning that says what comes next.
    pub(super) fn next_step(&self) -> Option<Finding> {
        let rule = self.rule_of(AnswerPart::NextStep);
        let (message, help) = match &self.answer.record {
            Some(record) => self.after_review(record),
            None => self.after_refusal(),
        };
        let root = self.context.root;
        let related = Related {
            file: Some(self.answer.file.clone()),
            span: Some(self.answer.at),
            message: "the answer".into(),
        };
        let violation = Violation {
            message: Some(message),
            help: Some(help),
            related: vec![related],
            ..Violation::at(root.opening())
        };
        let place = Place { node: None, pointer: String::new(), field: "" };
        Some(render::finding(rule, violation, &place, self.document, Some(self.context)))
    }

    fn after_refusal(&self) -> (Message, Message) {
        let (code, message) = &self.answer.refusal;
        let code = if code.is_empty() { Message::default() } else { message!(" (code `{}`)", code) };
        let said =
            if message.is_empty() { Message::default() } else { message!(": {}", super::quote(message)) };
        let help = "Nobody has reviewed the draft. Mend what is named, run `tollproof check`, and send it again; after a 404 \
                    the id in the request's path is wrong, not the draft.";
        (message!("the service refused the request{}{}", code, said), help.into())
    }

    fn after_review(&self, record: &Submission) -> (Message, Message) {
        let status = match record.status.trim() {
            "" => "no status".into(),
            status => message!("`{}`", status),
        };
        match (record.outcome(), record.may_resubmit()) {
            (Outcome::Verified, _) => {
                (message!("the submission ended as {}", status), "Nothing is left to do: the number may send.".into())
            }
            (Outcome::Rejected, Some(true)) | (Outcome::Open, _) if self.is_over(record) => (
                message!("the 7 days for an answer are over{}", Message::own(self.estimate(record))),
                "Ask your provider whether an update is still read before you send one.".into(),
            ),
            (Outcome::Rejected, Some(true)) => (
                message!("the submission was rejected, and may be sent again{}", self.time_left(record)),
                "Mend what is named and send an update of the submission.".into(),
            ),
            (Outcome::Rejected, Some(false)) => (
                message!("the submission was rejected for good: `ResubmitAllowed` is `{}`", record.resubmit_allowed),
                "Ask your provider before you send anything for this number.".into(),
            ),
            (Outcome::Rejected, None) => (
                match record.resubmit_allowed.as_str() {
                    "" => "the submission was rejected, and its record does not say whether it may be sent again".into(),
                    word => message!("the submission was rejected, and `ResubmitAllowed` says `{}`, which is no word that tollproof knows", word),
                },
                "After a rejection the same number may be submitted again: mend what is named and send a new \
                 submit request."
                    .into(),
            ),
            (Outcome::Open, _) if record.is_asked() || self.linter.facts().notified_at.is_some() => (
                message!("the submission is open ({}), and the reviewers wait for an answer{}", status, self.time_left(record)),
                "Send an update of the submission; a second submission of the number would be refused.".into(),
            ),
            (Outcome::Open, _) => (
                message!("the submission is open ({}), and the reviewers ask for nothing", status),
                "Wait for the review; an update may be sent of your own accord.".into(),
            ),
        }
    }

    /// How much time is left to answer, where the time of the notification or of the last change is known.
    fn left(&self, record: &Submission) -> Option<SignedDuration> {
        let facts = self.linter.facts();
        let now = facts.now?;
        let since = facts.notified_at.or(record.notified_at).or(record.updated_at)?.min(now);
        Some(ANSWER_WITHIN - now.duration_since(since) - SignedDuration::from_nanos(1))
    }

    /// Whether the authority has asked, and no time is left.
    fn is_over(&self, record: &Submission) -> bool {
        let is_asked = record.is_asked() || !record.is_open() || self.linter.facts().notified_at.is_some();
        is_asked && self.left(record).is_some_and(|left| left.is_negative())
    }

    /// How long the authority waits.
    fn time_left(&self, record: &Submission) -> Message {
        match self.left(record) {
            Some(left) => Message::own(format!(": {} left{}", days(left), self.estimate(record))),
            None => ": an answer is due within 7 days of the notification".into(),
        }
    }

    /// Words for a time that stands in for the one that counts.
    fn estimate(&self, record: &Submission) -> &'static str {
        match self.linter.facts().notified_at.or(record.notified_at) {
            Some(_) => "",
            None => {
                ", by an estimate: 7 days from the last change of the record, since the time of the notification is \
                 not known (`--notified-at` says it)"
            }
        }
    }
}
