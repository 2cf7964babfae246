//! The tool `check`: the findings of a draft, a file or a folder.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::report;
use super::super::tool_draft::{DraftPlace, OpenDraft, ToolDraft, find};
use super::{Failure, ToolCall, ToolContext, ToolOutput};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CheckCall {
    #[serde(flatten)]
    draft: ToolDraft,
}

impl ToolCall for CheckCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput, Failure> {
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
        Ok(ToolOutput::new(report).cut_list("/findings").with_notes(notes.into_iter().chain(nothing)))
    }
}
