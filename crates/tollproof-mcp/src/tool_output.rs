//! What a tool returns: JSON of a limited size, and notes for the assistant.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::error::ToolError;

/// How many bytes of a list are returned. Assistants can take little more at once.
const MAX_LIST: usize = 100_000;

/// The result of a tool.
#[derive(Debug)]
pub(crate) struct ToolOutput {
    value: Value,
    notes: Vec<String>,
}

impl ToolOutput {
    pub(crate) fn new(value: Value) -> Self {
        Self { value, notes: Vec::new() }
    }

    pub(crate) fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes.into_iter().map(|it| it.trim_end().to_owned()));
        self
    }

    /// Cuts the list at a pointer if it is too long, and says so.
    pub(crate) fn cut_list(mut self, pointer: &str) -> Self {
        let Some(Value::Array(list)) = self.value.pointer_mut(pointer) else { return self };
        let (all, mut size) = (list.len(), 0);
        let fitting = list.iter().take_while(|it| {
            size += it.to_string().len();
            size <= MAX_LIST
        });
        let fitting = fitting.count();
        list.truncate(fitting);
        if fitting < all {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            self.notes.push(format!(
                "note: {fitting} of {all} {name} are shown, because the output is limited; name a single file"
            ));
        }
        self
    }

    pub(crate) fn into_result(self) -> CallToolResult {
        let mut result = CallToolResult::structured(self.value);
        result.content.extend(self.notes.into_iter().map(ContentBlock::text));
        result
    }
}

/// The result of a tool that could not do what was asked.
pub(crate) fn failed(error: ToolError) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_string())])
}
