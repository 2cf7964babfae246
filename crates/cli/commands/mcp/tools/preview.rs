//! The tool `preview`: the length and the cost of sample messages.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::super::tool_draft::ToolDraft;
use super::{Failure, ToolCall, ToolContext, ToolOutput};
use crate::commands::preview::samples;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PreviewCall {
    #[serde(flatten)]
    draft: ToolDraft,
}

impl ToolCall for PreviewCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput, Failure> {
        let draft = self.draft.open(context.folder)?;
        let (messages, notes) = samples(&draft.parsed(), draft.hint())?;
        Ok(ToolOutput::new(json!({ "messages": messages })).cut_list("/messages").with_notes(notes))
    }
}
