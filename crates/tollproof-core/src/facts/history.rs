//! Earlier submissions, by number and by record id.

use std::collections::HashMap;

use jiff::Timestamp;

use super::Submission;
use super::batch::key;

/// The newest record of each earlier submission, and the reserved numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    submissions: Vec<Submission>,
    by_id: HashMap<String, usize>,
    by_number: HashMap<String, Vec<usize>>,
    reservations: HashMap<String, Reservation>,
}

/// A reservation of a number that someone is about to submit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// When the number was reserved.
    pub since: Timestamp,
    /// When the reservation expires if it is not confirmed.
    pub until: Timestamp,
}

impl History {
    /// Keeps one record per id: the one with the latest `updated_at`, and of equally recent ones the last. A record
    /// without `updated_at` is older than all others. Records without an id are identified by their numbers.
    #[must_use]
    pub fn new(records: impl IntoIterator<Item = Submission>) -> Self {
        let mut history = Self::default();
        for record in records {
            let id = match record.id.trim() {
                "" => format!("#{}", record.numbers.iter().map(|it| key(it)).collect::<Vec<_>>().join(" ")),
                id => key(id),
            };
            match history.by_id.get(&id) {
                None => {
                    history.by_id.insert(id, history.submissions.len());
                    history.submissions.push(record);
                }
                Some(&at) if history.submissions[at].updated_at <= record.updated_at => {
                    history.submissions[at] = record;
                }
                Some(_) => {}
            }
        }
        for (at, submission) in history.submissions.iter().enumerate() {
            for number in &submission.numbers {
                history.by_number.entry(key(number)).or_default().push(at);
            }
        }
        history
    }

    /// Adds reserved numbers.
    #[must_use]
    pub fn with_reservations(mut self, reserved: impl IntoIterator<Item = (String, Reservation)>) -> Self {
        self.reservations.extend(reserved.into_iter().map(|(number, it)| (key(&number), it)));
        self
    }

    /// The submissions of a number. The case of its UUID is ignored.
    pub fn of_number(&self, number: &str) -> impl Iterator<Item = &Submission> {
        let found = if self.by_number.is_empty() { None } else { self.by_number.get(&key(number)) };
        found.into_iter().flatten().map(|&at| &self.submissions[at])
    }

    /// The open submission of a number. If there are several, the one that changed last.
    #[must_use]
    pub fn open(&self, number: &str) -> Option<&Submission> {
        self.of_number(number).filter(|it| it.is_open()).max_by_key(|it| it.updated_at)
    }

    /// The submission with a record id. The case of the UUID is ignored.
    #[must_use]
    pub fn of_id(&self, id: &str) -> Option<&Submission> {
        self.by_id.get(&key(id)).map(|&at| &self.submissions[at])
    }

    /// The reservation of a number, if there is one.
    #[must_use]
    pub fn reservation(&self, number: &str) -> Option<&Reservation> {
        if self.reservations.is_empty() { None } else { self.reservations.get(&key(number)) }
    }

    /// All submissions, in the order in which they were added.
    #[must_use]
    pub fn submissions(&self) -> &[Submission] {
        &self.submissions
    }
}

impl<I: IntoIterator<Item = Submission>> From<I> for History {
    fn from(records: I) -> Self {
        Self::new(records)
    }
}
