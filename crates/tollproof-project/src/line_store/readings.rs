//! The store of readings: what readers answered about the texts of drafts, one line for each draft and reader.

use std::collections::HashSet;

use jiff::Timestamp;
use tollproof_core::{DraftReading, Readings};

use super::LineStore;
use super::line::StoredLine;

/// The store's path, relative to the folder of the configuration, unless a setting says otherwise.
pub const READINGS_NAME: &str = ".tollproof/readings.ndjson";

/// A file of readers' answers.
pub type ReadingsStore = LineStore<DraftReading>;

impl StoredLine for DraftReading {
    const WHAT: &str = "readings";
    const VERSION: u32 = Self::VERSION;

    fn key(&self) -> String {
        format!("{} {} {}", self.id, self.reader, self.model.as_deref().unwrap_or_default())
    }

    fn at(&self) -> Timestamp {
        self.at
    }

    fn within_limits(self) -> Self {
        Self::within_limits(self)
    }
}

impl ReadingsStore {
    /// Adds readings in place of all answers to the same questions about the same texts, whoever gave them and whatever
    /// time they have.
    pub fn add(&mut self, readings: impl IntoIterator<Item = DraftReading>) {
        let readings: Vec<DraftReading> = readings.into_iter().map(DraftReading::within_limits).collect();
        let new = readings.iter().flat_map(|it| it.answers.values()).map(|it| it.asked.clone());
        let new: HashSet<String> = new.collect();
        self.retain(|line| {
            line.answers.retain(|_, answer| !new.contains(&answer.asked));
            !line.answers.is_empty()
        });
        for mut reading in readings {
            if let Some(known) = self.get(&reading.key()) {
                for (question, answer) in &known.answers {
                    reading.answers.entry(question.clone()).or_insert_with(|| answer.clone());
                }
            }
            self.renew(reading);
        }
    }

    /// All readings, for checks.
    pub fn readings(&self) -> Readings {
        Readings::new(self.iter().cloned())
    }
}
