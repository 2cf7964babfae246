//! A reader's prompt, and its reply.

use std::fmt;

use serde_json::Value;

/// The prompt for one draft.
#[derive(Clone, PartialEq, Eq)]
pub struct ReaderPrompt {
    /// For servers: what the reader is to do, with the schema in words.
    pub instructions: String,
    /// For servers: the texts of the draft and the questions.
    pub material: String,
    /// For servers: the JSON schema of the answer.
    pub schema: Value,
    /// For programs: all of it as one line of JSON, without its line break.
    pub line: String,
}

/// A reader's answer.
#[derive(Clone, PartialEq, Eq)]
pub struct ReaderReply {
    /// The JSON object of the answer, as it was written. Nothing of it has been checked.
    pub text: String,
    /// The model that answered, as the server names it, or else as the settings do.
    pub model: Option<String>,
    /// The tokens that were read and written, if the server counts them.
    pub tokens: Option<(u64, u64)>,
}

/// Only lengths: the texts are those of a draft.
impl fmt::Debug for ReaderPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instructions, material, line, .. } = self;
        write!(f, "ReaderPrompt({} + {} bytes, {} bytes)", instructions.len(), material.len(), line.len())
    }
}

/// Without the text, which quotes a draft.
impl fmt::Debug for ReaderReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReaderReply")
            .field("length", &self.text.len())
            .field("model", &self.model)
            .field("tokens", &self.tokens)
            .finish_non_exhaustive()
    }
}
