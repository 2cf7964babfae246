//! The options of the gate.

use jiff::{SignedDuration, Timestamp};
use tollproof_core::{Readings, SeenFacts, Submission};

use crate::error::HistoryError;

/// The shortest time for which a number can be reserved.
pub const MIN_TTL: SignedDuration = SignedDuration::from_secs(1);

/// The longest time for which a number can be reserved: 7 days.
pub const MAX_TTL: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The options of [`Gate::decide`](crate::Gate::decide).
#[derive(Clone, Debug)]
pub struct GateOptions {
    /// The time the number stays reserved unless it is confirmed or released before, from [`MIN_TTL`] to [`MAX_TTL`].
    pub ttl: SignedDuration,
    /// The current time; by default from the clock of the store.
    pub now: Option<Timestamp>,
    /// The record that an update request changes.
    pub record: Option<Submission>,
    /// The id of that record, if the draft does not contain it in a comment.
    pub record_id: Option<String>,
    /// The receipt time of the authority's notification that asked for an update request.
    pub notified_at: Option<Timestamp>,
    /// Facts seen on the pages that drafts name.
    pub seen: SeenFacts,
    /// The readers' answers about the texts. No reading lowers an error here.
    pub readings: Readings,
    /// The number of a draft that does not contain it.
    pub number: Option<String>,
    /// Writes down an attempt to send the draft. Its numbers are then reserved without a limit, and `ttl` is not used.
    pub attempt: Option<AttemptOptions>,
}

/// The sender and the server of a draft to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptOptions {
    /// All names of the draft's number, as far as the provider was asked: they are reserved together.
    pub names: Vec<String>,
    /// The authority of the server that the request goes to.
    pub address: String,
    /// The process that makes the attempt.
    pub holder: String,
    /// The holder's exclusive time for the attempt.
    pub lease: SignedDuration,
}

impl Default for GateOptions {
    /// A reservation of 15 minutes.
    fn default() -> Self {
        let ttl = SignedDuration::from_mins(15);
        Self {
            ttl,
            now: None,
            record: None,
            record_id: None,
            notified_at: None,
            seen: SeenFacts::default(),
            readings: Readings::default(),
            number: None,
            attempt: None,
        }
    }
}

/// The error for a reservation or an attempt whose end cannot be expressed.
pub(super) fn too_late() -> HistoryError {
    HistoryError::Usage(
        "the reservation would end after the latest supported time; use a shorter time".to_owned(),
    )
}
