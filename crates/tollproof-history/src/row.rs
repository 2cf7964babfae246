//! Values, parameters and rows of SQL, the same for all databases.

use jiff::Timestamp;
use tollproof_core::Reservation;

use crate::lookup::LatestRecord;
use crate::version::Version;

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

    /// Takes the text of a column that may be NULL.
    pub(crate) fn optional_text(&mut self, column: usize) -> Option<String> {
        match std::mem::replace(&mut self.0[column], SqlValue::Null) {
            SqlValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Takes the time of a column.
    pub(crate) fn time(&self, column: usize) -> Option<Timestamp> {
        match self.0[column] {
            // The last moment is the end of what has no end, and is more precise than microseconds.
            SqlValue::Integer(last) if last == Timestamp::MAX.as_microsecond() => Some(Timestamp::MAX),
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
    pub(crate) fn version(&mut self) -> Version {
        let (updated_at, notified_at) = (self.time(2), self.time(3));
        Version { id: self.text(0), status: self.text(1), updated_at, notified_at, body: self.text(4) }
    }
}

/// A text as a parameter.
pub(crate) fn text(text: &str) -> SqlValue {
    SqlValue::Text(text.to_owned())
}

/// A time as a parameter.
pub(crate) fn microseconds(time: Timestamp) -> SqlValue {
    SqlValue::Integer(time.as_microsecond())
}

/// A text that may be missing as a parameter.
pub(crate) fn optional(text: Option<&str>) -> SqlValue {
    text.map_or(SqlValue::Null, |text| SqlValue::Text(text.to_owned()))
}
