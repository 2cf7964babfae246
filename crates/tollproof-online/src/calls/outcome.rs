//! The outcome of a draft, an update, a withdrawal or a purchase: the one type from the wire to the exit status.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use tollproof_core::{Outcome, Severity, Submission};
use tollproof_history::Decision;

use super::error::CallError;

/// The outcome of a call.
#[derive(Debug)]
pub enum CallOutcome {
    /// The provider has it.
    Accepted(Accepted),
    /// The gate refuses it; nothing was sent.
    RefusedByGate {
        /// The rules of the errors.
        rules: Vec<String>,
        /// The findings, if they were not reported before.
        decision: Option<Box<Decision>>,
        /// The text that they are about, if the number of the draft was replaced by its id.
        text: Option<String>,
    },
    /// The draft was submitted as it is earlier, and rejected. Nothing was sent.
    RejectedEarlier {
        /// The submission.
        accepted: Accepted,
        /// Whether its record says that it may not be sent again.
        is_final: bool,
    },
    /// The number has a submission under review that was not sent from here; it is in the history now. Nothing was sent.
    OpenElsewhere(Accepted),
    /// The provider refused it before any review. Its number is free again.
    Refused(Refusal),
    /// The provider refused the key or its role; nothing was submitted.
    BadKey(Refusal),
    /// The provider answered that there were too many requests; nothing was submitted.
    Limited {
        /// Time to try again, if the provider said so.
        retry_after: Option<Duration>,
    },
    /// It was not sent.
    NotFinished {
        /// Reason.
        why: String,
        /// The next step.
        next: NextStep,
    },
    /// Another program works on it. Nothing was sent.
    Busy {
        /// Until when only that program may go on, if that is known.
        until: Option<Timestamp>,
    },
    /// The provider does not have the submission, and no withdrawal from here removed it. Nothing was sent.
    Gone {
        /// The id of the submission.
        id: String,
        /// Its number, if that is known.
        number: String,
        /// The server and the account that were asked.
        asked: String,
    },
    /// An earlier attempt was sent to another server or account, so that this one cannot be asked about it. Nothing was
    /// sent.
    OtherAccount {
        /// The attempt.
        token: String,
        /// The server and the account that it was sent to.
        sent_to: String,
        /// The server and the account of this session.
        asked: String,
    },
    /// Of several numbers to buy, one before it was not bought. Nothing was sent.
    NotTried,
    /// It may have arrived: the number stays reserved until that is known.
    Unknown {
        /// The attempt.
        token: String,
        /// The reason.
        why: String,
        /// Time from which a look is final, if the provider can be asked.
        until: Option<Timestamp>,
        /// Whether the provider can be asked.
        can_ask: bool,
    },
    /// Of an order, this is bought, and the rest was not sent yet. Nothing is unknown.
    BoughtInPart {
        /// The amount, and the next step, for people.
        why: String,
    },
    /// The provider took it earlier, and cannot be asked about it.
    NotFollowed {
        /// The attempt.
        token: String,
        /// The id of the submission, if it is known.
        id: Option<String>,
        /// The next step, for people.
        why: String,
    },
    /// Nothing arrived of what was sent earlier; the number is free again.
    NothingArrived {
        /// The attempt.
        token: String,
    },
    /// The call could not be made.
    Failed(Box<CallError>),
}

/// The thing that was asked for, or the outcome of asking: the provider did not answer, or does not have it.
pub type OrOutcome<T> = Result<T, Box<CallOutcome>>;

/// The next step for a call that was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NextStep {
    /// The same command again: it goes on where it ended.
    RunAgain,
    /// Another address, proxy or certificate: the same command would end in the same way.
    CheckConnection,
    /// The account that has the number, or a key that may read it.
    CheckAccount,
    /// The text of the reason.
    AsSaid,
}

impl NextStep {
    /// The names of all steps.
    pub const NAMES: [&str; 4] = ["run-again", "check-connection", "check-account", "as-said"];

    /// The name, as programs read it.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl CallOutcome {
    /// The names of all outcomes, in the order in which people read them.
    pub const NAMES: [&str; 19] = [
        "done",
        "found",
        "done-earlier",
        "rejected-earlier",
        "open-elsewhere",
        "refused-by-gate",
        "refused-by-provider",
        "key-refused",
        "rate-limited",
        "not-finished",
        "busy",
        "not-tried",
        "gone",
        "other-account",
        "bought-in-part",
        "not-followed",
        "unknown",
        "nothing-arrived",
        "failed",
    ];

    /// The name, as programs read it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Accepted(accepted) => match accepted.by {
                AcceptedBy::Answer => "done",
                AcceptedBy::Look => "found",
                AcceptedBy::Earlier => "done-earlier",
            },
            Self::RejectedEarlier { .. } => "rejected-earlier",
            Self::OpenElsewhere(_) => "open-elsewhere",
            Self::RefusedByGate { .. } => "refused-by-gate",
            Self::Refused(_) => "refused-by-provider",
            Self::BadKey(_) => "key-refused",
            Self::Limited { .. } => "rate-limited",
            Self::NotFinished { .. } => "not-finished",
            Self::Busy { .. } => "busy",
            Self::NotTried => "not-tried",
            Self::Gone { .. } => "gone",
            Self::OtherAccount { .. } => "other-account",
            Self::BoughtInPart { .. } => "bought-in-part",
            Self::NotFollowed { .. } => "not-followed",
            Self::Unknown { .. } => "unknown",
            Self::NothingArrived { .. } => "nothing-arrived",
            Self::Failed(error) => error.result(),
        }
    }

    /// Whether a later look may end otherwise without anything that a person does.
    pub(crate) fn may_change(&self) -> bool {
        matches!(
            self,
            Self::NotFinished { next: NextStep::RunAgain, .. }
                | Self::Unknown { can_ask: true, .. }
                | Self::Busy { .. }
                | Self::Limited { .. }
        )
    }

    /// The outcome of what the gate refuses.
    pub(crate) fn refused(decision: Decision) -> Self {
        let findings = decision.report.findings.iter();
        let errors = findings.filter(|found| found.suppressed.is_none() && found.severity == Severity::Error);
        let rules: BTreeSet<String> = errors.map(|found| found.rule.to_string()).collect();
        Self::RefusedByGate {
            rules: rules.into_iter().collect(),
            decision: Some(Box::new(decision)),
            text: None,
        }
    }

    /// The outcome of a draft that was submitted earlier, by what became of it since.
    pub(crate) fn earlier(accepted: Accepted, submission: Option<&Submission>) -> Self {
        match submission.filter(|submission| submission.outcome() == Outcome::Rejected) {
            Some(rejected) => {
                Self::RejectedEarlier { accepted, is_final: rejected.may_resubmit() == Some(false) }
            }
            None => Self::Accepted(accepted),
        }
    }

    /// The outcome of a call that was not sent.
    pub(crate) fn unsent(why: impl Into<String>, next: NextStep) -> Self {
        Self::NotFinished { why: why.into(), next }
    }
}

/// The accepted item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The id of the submission or number, if the provider shows one.
    pub id: Option<String>,
    /// The status of the submission, if it was read.
    pub status: Option<String>,
    /// The number.
    pub number: String,
    /// Evidence for it.
    pub by: AcceptedBy,
}

/// Evidence that the provider has something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedBy {
    /// It was sent now, and the provider answered.
    Answer,
    /// It was sent earlier, and a look found it.
    Look,
    /// It was sent earlier, and the provider answered then; nothing was sent now.
    Earlier,
}

/// A refusal of the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the answer.
    pub status: u16,
    /// Its text, for people; may be empty.
    pub message: String,
    /// The whole body.
    pub body: String,
    /// The step that was refused, if there are several.
    pub step: Option<String>,
}
