//! What `read` prints as JSON; `schemas/read.schema.json` is generated from the struct in this file.

use std::io::{self, Write};

use serde::Serialize;

use crate::terminal::{count, one_line};

/// The version of the format. It changes when an older reader would misread it.
const VERSION: u32 = 1;

/// The output of `read`: how many drafts have a reading now.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, title = "Output of tollproof read")
)]
pub(crate) struct JsonRead {
    /// The version of this format, 1.
    version: u32,
    /// How many drafts there are.
    drafts: usize,
    /// How many different texts of drafts have no answer to some question.
    pub(crate) open: usize,
    /// How many questions about them have no answer.
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
    use super::*;

    #[test]
    fn json_of_readings_keeps_its_promise() {
        let generated = schemars::generate::SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<JsonRead>();
        let schema = serde_json::to_value(&generated).expect("a schema is JSON");
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/read.schema.json");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &text).expect("the schemas can be written");
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(kept, text, "schemas/read.schema.json is stale: run UPDATE=1 cargo test");

        let validator = jsonschema::validator_for(&schema).expect("the schema is one");
        let document = serde_json::to_value(JsonRead::new(3, 1, 4, Vec::new())).expect("it is JSON");
        assert!(validator.is_valid(&document), "{document}");
        assert!(!validator.is_valid(&serde_json::json!({ "version": 1 })));
    }
}
