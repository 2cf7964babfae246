//! The tool `check`: the findings of a draft, a file or a folder.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ToolCall, ToolContext, ToolOutput};
use crate::error::Result;
use crate::report;
use crate::tool_draft::{DraftPlace, OpenDraft, ToolDraft, find};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CheckCall {
    #[serde(flatten)]
    draft: ToolDraft,
}

impl ToolCall for CheckCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let folder = context.folder;
        let session = folder.session(self.draft.choice()?)?;
        let (report, notes) = match self.draft.place(folder)? {
            DraftPlace::Text(text) => report::of_draft(&OpenDraft::of_text(session, text)?)?,
            DraftPlace::Path(path, _) => {
                let found = find(&session, &*folder.files(), &path)?;
                report::of_files(&session, found)?
            }
        };
        let is_empty =
            report["summary"]["documents"] == 0 && report["findings"].as_array().is_some_and(Vec::is_empty);
        let nothing = is_empty.then(|| "note: nothing was checked; no draft was found".to_owned());
        let notes = notes.into_iter().chain(nothing);
        Ok(ToolOutput::new(report).cut_list("/findings", self.draft.from).with_notes(notes))
    }
}
