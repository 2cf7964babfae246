//! Facts for checks besides the document. The caller passes them as plain data; checks do no I/O.

mod batch;
mod history;
mod outcome;
pub(crate) mod readings;
pub(crate) mod record_time;
mod references;
pub mod seen;
mod submission;

use jiff::Timestamp;

pub use self::batch::{Batch, Mention};
pub use self::history::{History, Reservation};
pub use self::outcome::Outcome;
pub(crate) use self::outcome::waits_for_answer;
use self::readings::Readings;
pub use self::references::References;
use self::seen::SeenFacts;
pub(crate) use self::submission::{ANSWER_WITHIN, business_data, record_kind};
pub use self::submission::{NoRecord, Submission, Written};

/// The submission history, the other drafts of the run, what was seen of pages, and the current time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Earlier submissions.
    pub history: History,
    /// The record that update requests change. It overrides a record id in their comments.
    pub record: Option<Submission>,
    /// The id of the record that update requests change, if their comment does not contain one.
    pub record_id: Option<String>,
    /// The time you received the authority's notification that the update requests answer.
    pub notified_at: Option<Timestamp>,
    /// The numbers in drafts that were checked earlier in this run.
    pub batch: Batch,
    /// Facts about the pages, pictures and mail domains that drafts name.
    pub seen: SeenFacts,
    /// Readers' understanding of the texts in drafts.
    pub readings: Readings,
    /// The time of the check. Without it, no finding depends on the current time.
    pub now: Option<Timestamp>,
}
