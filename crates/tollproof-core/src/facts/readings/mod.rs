//! Readers' understanding of the texts in drafts, as plain data.

mod draft_reading;

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

pub use self::draft_reading::{DraftReading, ReadAnswer};

/// The readings of a store, by what was asked. A clone shares them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    index: Option<Arc<HashMap<String, KnownAnswer>>>,
    lower_errors: bool,
}

/// An answer, who gave it, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KnownAnswer {
    pub(crate) answer: ReadAnswer,
    /// The reader and its model.
    pub(crate) reader: Arc<str>,
    pub(crate) at: Timestamp,
}

impl Readings {
    /// Collects readings. Of several answers to the same question about the same texts, the newest counts, and of equally
    /// new ones the last.
    #[must_use]
    pub fn new(readings: impl IntoIterator<Item = DraftReading>) -> Self {
        let mut index: HashMap<String, KnownAnswer> = HashMap::new();
        for reading in readings {
            let model = reading.model.map(|it| format!(" {it}")).unwrap_or_default();
            let (reader, at): (Arc<str>, _) = ((reading.reader + &model).into(), reading.at);
            for answer in reading.answers.into_values() {
                if index.get(&answer.asked).is_none_or(|known| known.at <= at) {
                    let key = answer.asked.clone();
                    index.insert(key, KnownAnswer { answer, reader: Arc::clone(&reader), at });
                }
            }
        }
        Self { index: (!index.is_empty()).then(|| Arc::new(index)), lower_errors: false }
    }

    /// Lets a reading turn an error of words into a warning where it quotes what shows that the words are harmless. Nothing
    /// that decides whether a draft is sent may use this.
    #[must_use]
    pub fn lowering_errors(self) -> Self {
        Self { lower_errors: true, ..self }
    }

    /// The same without [`Readings::lowering_errors`].
    #[must_use]
    pub fn keeping_errors(self) -> Self {
        Self { lower_errors: false, ..self }
    }

    /// Whether a reading may turn an error of words into a warning.
    pub(crate) fn lower_errors(&self) -> bool {
        self.lower_errors
    }

    /// The answer to a question about texts, by their hash.
    pub(crate) fn answer(&self, asked: &str) -> Option<&KnownAnswer> {
        self.index.as_ref()?.get(asked)
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.index.is_none()
    }
}
