//! What a check may know beyond the document: handed in as plain data, never looked up.

use jiff::Timestamp;

/// The submission history and the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Earlier submissions.
    pub history: Vec<Submission>,
    /// The time of the check; without it nothing is said about how long ago something was.
    pub now: Option<Timestamp>,
}

/// An earlier submission, as far as a check needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The UUID of the number, in any case.
    pub number: String,
    /// The status as the interface returned it.
    pub status: String,
    /// When the record was last changed.
    pub updated_at: Option<Timestamp>,
}

impl Submission {
    /// Whether the submission has not ended: whatever is neither Verified nor Rejected is open, unknown words too.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let status = self.status.trim();
        !status.eq_ignore_ascii_case("Verified") && !status.eq_ignore_ascii_case("Rejected")
    }
}
