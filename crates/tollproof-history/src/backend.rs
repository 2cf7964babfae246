//! The traits that a database implements to be a store: a connection, and the operations of one transaction.

use jiff::Timestamp;
use tollproof_core::{Format, Parsed, Reservation, Source, Submission, role};

use crate::entry::{Note, Record, key, shown_of};
use crate::error::HistoryError;
use crate::lookup::{LatestRecord, Lookup, Query};

/// The access mode of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Reads a consistent snapshot.
    Read,
    /// Changes the store, all or nothing.
    Write,
}

/// A connection to the database of a store.
pub(crate) trait Backend: std::fmt::Debug + Send {
    /// Runs `work` in one transaction, which is rolled back if `work` fails.
    fn transact(&mut self, mode: Mode, work: Work<'_>) -> Result<(), HistoryError>;

    /// The current time, from the clock that all users of the store share.
    fn now(&mut self) -> Result<Timestamp, HistoryError>;

    /// Replaces a lost connection.
    fn reconnect(&mut self) -> Result<(), HistoryError>;
}

/// The operations to run in a transaction.
pub(crate) type Work<'w> = &'w mut dyn FnMut(&mut dyn StoreTransaction) -> Result<(), HistoryError>;

/// A number and one of its submissions, for a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionSummary {
    /// The number; empty if the submission has none.
    pub number: String,
    /// The id of the submission.
    pub id: String,
    /// The status of its newest record.
    pub status: String,
    /// When the newest record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification was received, if there is a note.
    pub notified_at: Option<Timestamp>,
    /// The name of the business, if the newest record has one.
    pub name: Option<String>,
    /// Whether the review has not ended.
    pub is_open: bool,
}

impl SubmissionSummary {
    /// The summary of the newest record of a submission, which is one line of JSON.
    pub(crate) fn new(number: String, newest: Version) -> Self {
        let submission = newest.submission();
        let Version { id, status, updated_at, notified_at, .. } = newest;
        let number = shown_of(&number, &submission.numbers);
        let id = if key(&submission.id) == id { submission.id.clone() } else { id };
        let name = submission.data.get(role::BUSINESS_NAME).and_then(|texts| texts.first()).cloned();
        Self { number, id, status, updated_at, notified_at, name, is_open: submission.is_open() }
    }
}

impl Version {
    /// The submission that the record describes.
    pub(crate) fn submission(&self) -> Submission {
        let source = Source::new("", self.body.as_str());
        let parsed = Parsed::of(&source, Some(Format::Json));
        parsed.only().and_then(|it| Submission::of_record(it).ok()).unwrap_or_default()
    }
}

/// One version of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The id of the submission, in lower case.
    pub id: String,
    /// The status as the provider's API returned it.
    pub status: String,
    /// When the record was last changed.
    pub updated_at: Option<Timestamp>,
    /// When the authority's notification of the submission was received, if there is a note.
    pub notified_at: Option<Timestamp>,
    /// The complete record as one line of JSON.
    pub body: String,
}

/// Which note to keep if a submission already has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnConflict {
    /// The one with the later time, so that the order of imports makes no difference.
    KeepLatest,
    /// The new one, so that it can correct the old one.
    Replace,
}

/// A value of a column, or a parameter of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SqlValue {
    Null,
    Integer(i64),
    Text(String),
}

/// A row of a query.
pub(crate) struct SqlRow(pub(crate) Vec<SqlValue>);

impl SqlRow {
    /// Takes the text of a column; NULL is empty.
    pub(crate) fn text(&mut self, column: usize) -> String {
        self.optional_text(column).unwrap_or_default()
    }

    fn optional_text(&mut self, column: usize) -> Option<String> {
        match std::mem::replace(&mut self.0[column], SqlValue::Null) {
            SqlValue::Text(text) => Some(text),
            _ => None,
        }
    }

    fn time(&self, column: usize) -> Option<Timestamp> {
        match self.0[column] {
            SqlValue::Integer(microseconds) => Timestamp::from_microsecond(microseconds).ok(),
            _ => None,
        }
    }

    /// The times of a reservation in a column and the one after it.
    pub(crate) fn reservation(&self, column: usize) -> Reservation {
        let time = |column| self.time(column).unwrap_or_default();
        Reservation { since: time(column), until: time(column + 1) }
    }

    /// A record with its columns in the order id, time of the note, body, number.
    pub(crate) fn latest_record(&mut self) -> LatestRecord {
        let (notified_at, number) = (self.time(1), self.optional_text(3));
        LatestRecord { id: self.text(0), notified_at, body: self.text(2), number }
    }

    /// A version with its columns in the order id, status, time of the change, time of the note, body.
    fn version(&mut self) -> Version {
        let (updated_at, notified_at) = (self.time(2), self.time(3));
        Version { id: self.text(0), status: self.text(1), updated_at, notified_at, body: self.text(4) }
    }
}

fn text(text: &str) -> SqlValue {
    SqlValue::Text(text.to_owned())
}

fn microseconds(time: Timestamp) -> SqlValue {
    SqlValue::Integer(time.as_microsecond())
}

/// The operations of one transaction. Ids are in lower case and numbers are keys, except in a [`Query`].
///
/// SQL that is given to `execute` and `rows` is the same for all databases, with `?1` for the first parameter.
pub(crate) trait StoreTransaction {
    /// Runs a statement and returns the number of rows that it changed.
    fn execute(&mut self, sql: &str, parameters: &[SqlValue]) -> Result<usize, HistoryError>;

    /// Runs a query and calls `visit` for each row as it arrives.
    fn rows(
        &mut self,
        sql: &str,
        parameters: &[SqlValue],
        visit: &mut dyn FnMut(SqlRow) -> Result<(), HistoryError>,
    ) -> Result<(), HistoryError>;

    /// SQL that joins `r`, the newest record of the submission `s`. A record without a time is older than all others.
    fn newest(&self) -> &'static str;

    /// The newest record of each submission with one of the ids, or that ever contained one of the numbers.
    fn look_up(&mut self, query: &Query) -> Result<Lookup, HistoryError>;

    /// Adds records, which are sorted by id, and returns how many of them are new.
    fn add(&mut self, records: &[Record]) -> Result<usize, HistoryError>;

    /// Updates the statistics of the query planner after many records were added.
    fn analyze(&mut self) -> Result<(), HistoryError>;

    /// Locks names, mostly numbers, until the end of the transaction. They are sorted, so that callers cannot deadlock.
    fn lock(&mut self, names: &[String]) -> Result<(), HistoryError>;

    /// All versions of all submissions that ever contained a number, by submission, the oldest version first.
    fn versions(&mut self, number: &str) -> Result<Vec<Version>, HistoryError> {
        let sql = "SELECT s.id, r.status, r.updated_at, s.notified_at, r.body \
            FROM number n JOIN submission s ON s.key = n.submission JOIN record r ON r.submission = s.key \
            WHERE n.number = ?1 ORDER BY s.key, r.updated_at NULLS FIRST, r.key";
        let mut versions = Vec::new();
        self.rows(sql, &[text(number)], &mut |mut row| {
            versions.push(row.version());
            Ok(())
        })?;
        Ok(versions)
    }

    /// All submissions, sorted by number and id; those without a number come last.
    fn list(&mut self, visit: Visit<'_, SubmissionSummary>) -> Result<(), HistoryError> {
        let columns = "SELECT s.id, r.status, r.updated_at, s.notified_at, r.body";
        let newest = self.newest();
        let with_number = format!(
            "{columns}, n.number FROM number n JOIN submission s ON s.key = n.submission {newest} \
             ORDER BY n.number, s.id"
        );
        let without_number = format!(
            "{columns}, '' FROM submission s {newest} \
             WHERE NOT EXISTS (SELECT 1 FROM number n WHERE n.submission = s.key) ORDER BY s.id"
        );
        for sql in [with_number, without_number] {
            self.rows(&sql, &[], &mut |mut row| {
                let number = row.text(5);
                visit(&SubmissionSummary::new(number, row.version()))
            })?;
        }
        Ok(())
    }

    /// The bodies of all records, sorted by id, the oldest version first.
    fn records(&mut self, visit: Visit<'_, str>) -> Result<(), HistoryError> {
        let sql = "SELECT r.body FROM submission s JOIN record r ON r.submission = s.key \
            ORDER BY s.id, r.updated_at NULLS FIRST, r.key";
        self.rows(sql, &[], &mut |mut row| visit(&row.text(0)))
    }

    /// All notes, sorted by id.
    fn notes(&mut self, visit: Visit<'_, Note>) -> Result<(), HistoryError> {
        let sql = "SELECT id, notified_at FROM submission WHERE notified_at IS NOT NULL ORDER BY id";
        self.rows(sql, &[], &mut |mut row| {
            let notified_at = row.time(1).unwrap_or_default();
            visit(&Note { id: row.text(0), notified_at })
        })
    }

    /// Adds a note. Returns whether its submission exists.
    fn note(&mut self, note: &Note, on_conflict: OnConflict) -> Result<bool, HistoryError> {
        let sql = match on_conflict {
            OnConflict::Replace => "UPDATE submission SET notified_at = ?2 WHERE id = ?1",
            OnConflict::KeepLatest => {
                "UPDATE submission SET notified_at = CASE WHEN notified_at > ?2 THEN notified_at ELSE ?2 END \
                 WHERE id = ?1"
            }
        };
        Ok(self.execute(sql, &[text(&note.id), microseconds(note.notified_at)])? > 0)
    }

    /// The numbers that are or were reserved, and the times, sorted by number.
    fn all_reservations(&mut self) -> Result<Vec<(String, Reservation)>, HistoryError> {
        let mut found = Vec::new();
        self.rows("SELECT number, since, until FROM reservation ORDER BY number", &[], &mut |mut row| {
            found.push((row.text(0), row.reservation(1)));
            Ok(())
        })?;
        Ok(found)
    }

    /// The token and the times of a reservation.
    fn reservation(&mut self, number: &str) -> Result<Option<(String, Reservation)>, HistoryError> {
        let sql = "SELECT token, since, until FROM reservation WHERE number = ?1";
        let mut found = None;
        self.rows(sql, &[text(number)], &mut |mut row| {
            found = Some((row.text(0), row.reservation(1)));
            Ok(())
        })?;
        Ok(found)
    }

    /// Reserves a number and replaces an earlier reservation.
    fn reserve(&mut self, number: &str, token: &str, times: Reservation) -> Result<(), HistoryError> {
        let sql = "INSERT INTO reservation (number, token, since, until) VALUES (?1, ?2, ?3, ?4) \
            ON CONFLICT (number) DO UPDATE SET token = ?2, since = ?3, until = ?4";
        let (since, until) = (microseconds(times.since), microseconds(times.until));
        self.execute(sql, &[text(number), text(token), since, until]).map(drop)
    }

    /// Deletes a reservation. Returns whether there was one.
    fn delete_reservation(&mut self, number: &str) -> Result<bool, HistoryError> {
        Ok(self.execute("DELETE FROM reservation WHERE number = ?1", &[text(number)])? > 0)
    }

    /// Deletes all reservations under a token.
    fn delete_reservations_of(&mut self, token: &str) -> Result<(), HistoryError> {
        self.execute("DELETE FROM reservation WHERE token = ?1", &[text(token)]).map(drop)
    }
}

/// A callback for each item.
pub(crate) type Visit<'t, T> = &'t mut dyn FnMut(&T) -> Result<(), HistoryError>;
