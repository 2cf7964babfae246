//! Earlier submissions, by number and by record id.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;

use super::Submission;
use super::batch::key;
use crate::syntax::message::Message;

/// The newest record of each earlier submission, and the reserved numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    submissions: Vec<Submission>,
    by_id: HashMap<String, usize>,
    by_number: HashMap<String, Vec<usize>>,
    /// The names of the numbers that have several.
    names: Vec<BTreeSet<String>>,
    /// The index in `names` of each of these names.
    by_name: HashMap<String, usize>,
    reservations: HashMap<String, Reservation>,
}

/// A reservation of a number that someone is about to submit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The time of the reservation.
    pub since: Timestamp,
    /// The expiry of the reservation if it is not confirmed; [`Timestamp::MAX`] if it lasts until the outcome of
    /// its submission is known.
    pub until: Timestamp,
}

impl Reservation {
    /// Whether the reservation has no limit, because its submission may have been sent.
    pub fn is_endless(&self) -> bool {
        self.until == Timestamp::MAX
    }

    /// Describes its end, in words that follow "until".
    pub fn end(&self) -> Message {
        if self.is_endless() {
            "its outcome is known; `tollproof status` shows it".into()
        } else {
            Message::name(format!("{:.0}", self.until))
        }
    }
}

impl History {
    /// Keeps one record per id: the one with the latest `updated_at`, and of equally recent ones the last. A record
    /// without `updated_at` is older than all others. Records without an id are identified by their numbers.
    #[must_use]
    pub fn new(records: impl IntoIterator<Item = Submission>) -> Self {
        let mut history = Self::default();
        for record in records {
            history.join(&record);
            let id = match record.id.trim() {
                "" => format!("#{}", record.numbers.iter().map(|it| key(it)).collect::<Vec<_>>().join(" ")),
                id => id_key(id),
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

    /// Joins the names of a number in a record that shows several: its id and its E.164 form.
    fn join(&mut self, record: &Submission) {
        if !record.names_one || record.numbers.len() < 2 {
            return;
        }
        let mut all: BTreeSet<String> = record.numbers.iter().map(|it| key(it)).collect();
        let known: BTreeSet<usize> = all.iter().filter_map(|name| self.by_name.get(name)).copied().collect();
        for at in known {
            all.append(&mut self.names[at]);
        }
        self.by_name.extend(all.iter().map(|name| (name.clone(), self.names.len())));
        self.names.push(all);
    }

    /// The keys of all known names of a number, its own among them.
    pub fn names(&self, number: &str) -> Vec<String> {
        let number = key(number);
        match self.by_name.get(&number) {
            Some(&at) => self.names[at].iter().cloned().collect(),
            None => vec![number],
        }
    }

    /// Adds reserved numbers.
    #[must_use]
    pub fn with_reservations(mut self, reserved: impl IntoIterator<Item = (String, Reservation)>) -> Self {
        self.reservations.extend(reserved.into_iter().map(|(number, it)| (key(&number), it)));
        self
    }

    /// The submissions of a number, whichever of its names they show, in any spelling.
    pub fn of_number(&self, number: &str) -> impl Iterator<Item = &Submission> {
        let names = if self.by_number.is_empty() { Vec::new() } else { self.names(number) };
        let mut found: Vec<usize> =
            names.iter().filter_map(|name| self.by_number.get(name)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| &self.submissions[at])
    }

    /// The open submission of a number. If there are several, the one that changed last.
    pub fn open(&self, number: &str) -> Option<&Submission> {
        self.of_number(number).filter(|it| it.is_open()).max_by_key(|it| it.updated_at)
    }

    /// The submission with a record id. The case of the UUID is ignored.
    pub fn of_id(&self, id: &str) -> Option<&Submission> {
        self.by_id.get(&id_key(id)).map(|&at| &self.submissions[at])
    }

    /// The reservation of a number, if there is one.
    pub fn reservation(&self, number: &str) -> Option<&Reservation> {
        let names = if self.reservations.is_empty() { Vec::new() } else { self.names(number) };
        let found = names.iter().filter_map(|name| self.reservations.get(name));
        found.max_by_key(|it| it.until)
    }

    /// All submissions, in the order in which they were added.
    pub fn submissions(&self) -> &[Submission] {
        &self.submissions
    }
}

/// The key for comparing the ids of records.
fn id_key(id: &str) -> String {
    id.trim().to_ascii_lowercase()
}

impl<I: IntoIterator<Item = Submission>> From<I> for History {
    fn from(records: I) -> Self {
        Self::new(records)
    }
}
