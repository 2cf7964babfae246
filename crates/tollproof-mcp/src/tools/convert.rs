//! The tool `convert`: a draft as the payload of another provider.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tollproof_core::{Format, KindChoice};
use tollproof_project::{ConvertedDraft, converted_text};

use super::{ToolCall, ToolContext, ToolOutput};
use crate::draft_folder::DraftFolder;
use crate::error::{Result, ToolError};
use crate::report;
use crate::tool_draft::{OpenDraft, ToolDraft, provider, provider_names};

/// The largest payload that is returned, in bytes.
const MAX_PAYLOAD: usize = 200_000;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ConvertCall {
    #[serde(flatten)]
    draft: ToolDraft,
    /// The provider whose payload to write.
    #[schemars(extend("enum" = provider_names()))]
    to: String,
}

impl ToolCall for ConvertCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let to = provider(&self.to)?;
        let draft = self.draft.open(context.folder)?;
        let parsed = draft.parsed();
        let whole = parsed.whole();
        let drafts = whole.documents().map(|document| {
            let place = format!("document {}", document.index + 1);
            ConvertedDraft::of(document, place, draft.hint(), to)
        });
        let drafts = drafts.collect::<Result<Vec<_>, _>>().map_err(ToolError::new)?;
        let Some(first) = drafts.first() else {
            return Err(ToolError::new("no draft to convert was found"));
        };
        let is_listed = matches!(parsed.format(), Format::Ndjson | Format::Csv);
        let (table, _) = converted_text(&drafts, is_listed, None).map_err(ToolError::new)?;
        if table.text.len() > MAX_PAYLOAD {
            return Err(ToolError::new("the result is too long for this tool; convert fewer drafts"));
        }
        let left: Vec<String> = drafts.iter().flat_map(ConvertedDraft::notes).collect();
        let kind: KindChoice = first.conversion.kind.into();
        let session = DraftFolder::session_over(context.folder.files(), kind)?;
        let payload = OpenDraft::of_text(Arc::clone(&session), &table.text)?;
        let (report, notes) = report::of_draft(&payload)?;
        let value = json!({ "payload": table.text, "leftOut": left, "report": report });
        let output = ToolOutput::new(value).cut_list("/report/findings", self.draft.from);
        Ok(output.cut_list("/leftOut", 0).with_notes(notes))
    }
}
