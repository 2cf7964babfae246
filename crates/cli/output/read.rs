//! JSON output of `read`; `schemas/read.schema.json` is generated from the struct in this file.

use std::io::{self, Write};

use serde::Serialize;

use crate::terminal::{count, one_line};

/// The version of the format. It changes when an older reader would misread it.
const VERSION: u32 = 1;

/// The output of `read`: how many drafts have a reading now.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(deny_unknown_fields, title = "Output of tollproof read"))]
pub(crate) struct JsonRead {
    /// The version of this format, 1.
    version: u32,
    /// The number of drafts.
    drafts: usize,
    /// The number of different draft texts without an answer to some question.
    pub(crate) open: usize,
    /// The number of unanswered questions about them.
    open_questions: usize,
    /// The files with the readings.
    files: Vec<String>,
}

impl JsonRead {
    pub(crate) fn new(drafts: usize, open: usize, open_questions: usize, files: Vec<String>) -> Self {
        Self { version: VERSION, drafts, open, open_questions, files }
    }

    /// Prints it for people.
    pub(crate) fn full(&self, out: &mut dyn Write) -> io::Result<()> {
        let drafts = count(self.drafts, "draft");
        match self.open {
            0 => writeln!(out, "{drafts}: all read")?,
            open => writeln!(
                out,
                "{drafts}: {open} not read completely, {} open",
                count(self.open_questions, "question")
            )?,
        }
        self.files.iter().try_for_each(|file| writeln!(out, "stored in {}", one_line(file)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::json_schema::validator_of;
    use super::*;

    #[test]
    fn json_of_readings_keeps_its_promise() {
        let validator = validator_of::<JsonRead>("read");
        let document = serde_json::to_value(JsonRead::new(3, 1, 4, Vec::new())).expect("it is JSON");
        assert!(validator.is_valid(&document), "{document}");
        assert!(!validator.is_valid(&serde_json::json!({ "version": 1 })));
    }
}
