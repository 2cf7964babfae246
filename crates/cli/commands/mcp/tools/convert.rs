//! The tool `convert`: a draft as the payload of another provider.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tollproof_core::{Format, KindChoice};

use super::super::draft_folder::DraftFolder;
use super::super::report;
use super::super::tool_draft::{OpenDraft, ToolDraft, provider};
use super::{Failure, ToolCall, ToolContext, ToolOutput};
use crate::args::BodyEncoding;
use crate::commands::convert::{ConversionTarget, converted, left_out, written};

/// The largest payload that is returned, in bytes.
const MAX_PAYLOAD: usize = 200_000;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ConvertCall {
    #[serde(flatten)]
    draft: ToolDraft,
    /// The provider whose payload to write, such as `twilio` or `aws`.
    to: String,
}

impl ToolCall for ConvertCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput, Failure> {
        let to = provider(&self.to)?;
        let draft = self.draft.open(context.folder)?;
        let parsed = draft.parsed();
        let whole = parsed.whole();
        let drafts = whole.documents().map(|document| {
            let place = format!("document {}", document.index + 1);
            converted(document, place, draft.hint(), to)
        });
        let drafts = drafts.collect::<Result<Vec<_>, _>>()?;
        let Some(first) = drafts.first() else {
            return Err(Failure::new("no draft to convert was found"));
        };
        let is_listed = matches!(parsed.format(), Format::Ndjson | Format::Csv);
        let target = ConversionTarget { to, body: BodyEncoding::Json, format: None };
        let (table, _) = written(&drafts, is_listed, target)?;
        if table.text.len() > MAX_PAYLOAD {
            return Err(Failure::new("the result is too long for this tool; use `tollproof convert`"));
        }
        let left: Vec<String> = drafts
            .iter()
            .flat_map(|it| it.conversion.left_out.iter().map(|left| left_out(left, &it.conversion)))
            .collect();
        let kind: KindChoice = first.conversion.kind.into();
        let session = DraftFolder::session_over(context.folder.files(), kind)?;
        let payload = OpenDraft::of_text(Arc::clone(&session), &table.text)?;
        let (report, notes) = report::of_draft(&payload)?;
        let value = json!({ "payload": table.text, "leftOut": left, "report": report });
        Ok(ToolOutput::new(value).cut_list("/report/findings").cut_list("/leftOut").with_notes(notes))
    }
}
