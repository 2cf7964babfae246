//! An attempt: one intended submission, purchase, update or withdrawal, which is written down before it is sent.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

/// The action of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttemptOperation {
    /// Submits a draft for review.
    Submission,
    /// Changes a submission.
    Update,
    /// Buys one number or several.
    Purchase,
    /// Withdraws a submission.
    Withdrawal,
}

/// The knowledge about the outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttemptState {
    /// It is written down, and nothing was sent in the current step.
    Prepared,
    /// A request may have been sent, and its outcome is unknown.
    Sent,
    /// The provider accepted it.
    Accepted,
    /// The provider refused it.
    Refused,
    /// Nothing arrived, or a person said so: the number is free again.
    Withdrawn,
}

/// An attempt to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAttempt {
    /// The attempt's action.
    pub operation: AttemptOperation,
    /// The provider.
    pub provider: String,
    /// The number as people see it; empty for a purchase of any number.
    pub number: String,
    /// The names to reserve. Empty for an update or a purchase that reserves nothing.
    pub names: Vec<String>,
    /// The SHA-256 of the body of the request in hexadecimal, as [`digest_of`](crate::digest_of) returns it.
    pub digest: String,
    /// The authority of the server that the request goes to.
    pub address: String,
    /// The process that makes the attempt.
    pub holder: String,
    /// Until when only the holder continues the attempt.
    pub until: Timestamp,
    /// The id of the submission that is changed or withdrawn.
    pub record: Option<String>,
    /// The values that are known before the first step, by names of steps.
    pub steps: BTreeMap<String, String>,
}

/// An attempt as stored. Times are precise to microseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Identifies the attempt and its reservations: 128 random bits in hexadecimal.
    pub token: String,
    /// The attempt's action.
    pub operation: AttemptOperation,
    /// The provider.
    pub provider: String,
    /// The number as people see it; empty for a purchase of any number.
    pub number: String,
    /// The SHA-256 of the body of the request in hexadecimal.
    pub digest: String,
    /// The authority of the server that the request goes to.
    pub address: String,
    /// The knowledge about its outcome.
    pub state: AttemptState,
    /// The process that makes the attempt; empty if it has let it go.
    pub holder: String,
    /// Until when only the holder continues the attempt, and what it sent may arrive.
    pub until: Timestamp,
    /// The id of the submission, or of the number that was bought, once it is known.
    pub id: Option<String>,
    /// The ids that earlier steps of the attempt returned, by the name of the step.
    pub steps: BTreeMap<String, String>,
    /// The reason for refusal or withdrawal.
    pub why: Option<String>,
    /// The id of the submission that is changed or withdrawn.
    pub record: Option<String>,
    /// The time it was recorded.
    pub created_at: Timestamp,
    /// The time its holder, state or outcome was last changed.
    pub updated_at: Timestamp,
    /// The time its last request was about to be sent; `None` if no request was.
    pub sent_at: Option<Timestamp>,
}

/// The longest time that a program holds an attempt: three times the longest time-out, and room for clocks that differ.
const LONGEST_LEASE: SignedDuration = SignedDuration::from_hours(1);

impl Attempt {
    /// Whether it is held longer than any program holds one: the clock was ahead when it began.
    #[must_use]
    pub fn is_held_too_long(&self, now: Timestamp) -> bool {
        self.until.duration_since(now) > LONGEST_LEASE
    }
}

impl AttemptOperation {
    const ALL: [Self; 4] = [Self::Submission, Self::Update, Self::Purchase, Self::Withdrawal];

    /// The name of its command: `submit`, `update`, `buy` or `cancel`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Submission => "submit",
            Self::Update => "update",
            Self::Purchase => "buy",
            Self::Withdrawal => "cancel",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

impl AttemptState {
    const ALL: [Self; 5] = [Self::Prepared, Self::Sent, Self::Accepted, Self::Refused, Self::Withdrawn];

    /// Its name: `prepared`, `sent`, `accepted`, `refused` or `withdrawn`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prepared => "prepared",
            Self::Sent => "sent",
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Whether the outcome is still to come.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Prepared | Self::Sent)
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}
