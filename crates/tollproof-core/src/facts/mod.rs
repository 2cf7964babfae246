//! What a check may know beyond the document: handed in as plain data, never looked up.

mod batch;
mod history;
mod references;
mod submission;

use jiff::Timestamp;

pub use self::batch::{Batch, Mention};
pub use self::history::{History, Reservation};
pub use self::references::References;
pub(crate) use self::submission::business_data;
pub use self::submission::{NoRecord, Outcome, Submission, Written};

/// The submission history, the drafts of the same run, and the time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Earlier submissions.
    pub history: History,
    /// The record that update requests change, whatever they say of it themselves.
    pub record: Option<Submission>,
    /// The id of the record that update requests change, where they do not name one in a comment.
    pub record_id: Option<String>,
    /// When the authority's notification was received that update requests answer.
    pub notified_at: Option<Timestamp>,
    /// The numbers that drafts of the same run name, in texts that were checked before.
    pub batch: Batch,
    /// The time of the check; without it nothing is said about how long ago something was.
    pub now: Option<Timestamp>,
}
