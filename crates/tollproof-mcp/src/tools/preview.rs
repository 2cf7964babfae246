//! The tool `preview`: the length and the cost of sample messages.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tollproof_project::sample_messages;

use super::{ToolCall, ToolContext, ToolOutput};
use crate::error::{Result, ToolError};
use crate::tool_draft::ToolDraft;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PreviewCall {
    #[serde(flatten)]
    draft: ToolDraft,
}

impl ToolCall for PreviewCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let draft = self.draft.open(context.folder)?;
        let (messages, notes) = sample_messages(&draft.parsed(), draft.hint()).map_err(ToolError::new)?;
        let output = ToolOutput::new(json!({ "messages": messages }));
        Ok(output.cut_list("/messages", self.draft.from).with_notes(notes))
    }
}
