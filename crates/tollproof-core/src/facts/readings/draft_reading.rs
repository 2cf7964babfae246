//! A reader's answers about the texts of one draft: a line of the store of readings.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::syntax::printable::is_mark;

/// The longest name of a reader or a model, in characters. A server's own is cut to a little less.
const MAX_NAME: usize = 120;

/// A reader's answers about the texts of one draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftReading {
    /// A hash of the draft's texts, and of the questions that were asked.
    pub id: String,
    /// The version of this shape, [`DraftReading::VERSION`].
    pub version: u32,
    /// The time of reading.
    pub at: Timestamp,
    /// The reader: `openai`, `anthropic`, the name of a program, or what an imported file says.
    pub reader: String,
    /// The model, if the reader has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The answers by the names of the questions.
    pub answers: BTreeMap<String, ReadAnswer>,
}

impl DraftReading {
    /// The version of the shape.
    pub const VERSION: u32 = 1;

    /// The same reading with names of reader and model that fit on a line of a terminal: they come from files and servers.
    #[must_use]
    pub fn within_limits(mut self) -> Self {
        self.reader = name(&self.reader);
        self.model = self.model.map(|it| name(&it)).filter(|it| !it.is_empty());
        self
    }
}

/// The beginning of a name without control characters and marks that change how a line is shown.
fn name(text: &str) -> String {
    text.chars().filter(|shown| !is_mark(*shown)).take(MAX_NAME).collect()
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadAnswer {
    /// A hash of the question and of the texts that it is about: the answer is valid for no others.
    pub asked: String,
    /// The answer, or several.
    #[serde(serialize_with = "one_or_many", deserialize_with = "from_one_or_many")]
    pub answer: Vec<String>,
    /// The words of the draft that decide, letter by letter; empty where nothing is quoted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// Whether the reader is sure.
    pub sure: bool,
}

fn one_or_many<S: Serializer>(answers: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    match answers {
        [answer] => serializer.serialize_str(answer),
        several => several.serialize(serializer),
    }
}

/// A string or a list of strings.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum WrittenAnswers {
    One(String),
    Many(Vec<String>),
}

impl From<WrittenAnswers> for Vec<String> {
    fn from(written: WrittenAnswers) -> Self {
        match written {
            WrittenAnswers::One(answer) => vec![answer],
            WrittenAnswers::Many(answers) => answers,
        }
    }
}

fn from_one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(WrittenAnswers::deserialize(deserializer)?.into())
}
