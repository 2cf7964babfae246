//! Submissions that were withdrawn: the provider may not have a record of them any more.

use jiff::{SignedDuration, Timestamp};
use tollproof_core::{Format, Parsed, Source};

use super::Store;
use crate::entry::{self, HistoryEntry, key};
use crate::error::{HistoryError, Result};
use crate::lookup::Query;

/// The status that a withdrawn submission gets.
const STATUS: &str = "DELETED";

impl Store {
    /// Notes that a submission was withdrawn: its last record is stored again with the status `DELETED`. If it was
    /// withdrawn from here, what another program read just before does not bring it back. Returns false if the store does
    /// not contain it.
    ///
    /// # Errors
    ///
    /// The store cannot be written to.
    pub fn end_submission(&mut self, id: &str, from_here: bool) -> Result<bool> {
        let query = Query { numbers: Vec::new(), ids: vec![id.to_owned()] };
        self.change(|transaction| {
            let Some(latest) = transaction.look_up(&query)?.records.pop() else { return Ok(false) };
            let Some(body) = ended(&latest.body) else { return Ok(false) };
            let source = Source::new("", body);
            let mut records = Vec::new();
            entry::each(&Parsed::of(&source, Some(Format::Json)), 1, |entry| {
                if let Ok(HistoryEntry::Record(_, record)) = entry {
                    records.push(record);
                }
                Ok::<_, HistoryError>(())
            })?;
            for record in &mut records {
                record.id = key(&latest.id);
                let just_after = |at: Timestamp| at.checked_add(SignedDuration::from_micros(1)).ok();
                if from_here {
                    record.updated_at = record.updated_at.and_then(just_after);
                }
                if record.numbers.is_empty() {
                    record.numbers.extend(latest.number.clone());
                }
            }
            transaction.add(&records)?;
            Ok(!records.is_empty())
        })
    }
}

/// A record with the status of a withdrawn submission.
fn ended(body: &str) -> Option<String> {
    let source = Source::new("", body);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let submission = tollproof_core::Submission::read(parsed.only()?).ok()?;
    let mut body = body.to_owned();
    body.replace_range(submission.written?.status.range(), &serde_json::Value::from(STATUS).to_string());
    Some(body)
}
