//! The tool `questions`: what a draft leaves open to a reader.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tollproof_core::{Facts, ReadRequest};

use super::{ToolCall, ToolContext, ToolOutput};
use crate::error::ToolError;
use crate::tool_draft::ToolDraft;

/// Where answers go, in place of the last paragraph of the task.
const HOW_TO_ANSWER: &str = "\
Give the answers to the tool `answer`: one call for each request, with its `id` and the same `text` or `path`.";

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct QuestionsCall {
    #[serde(flatten)]
    draft: ToolDraft,
}

impl ToolCall for QuestionsCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (drafts, mut notes) = self.draft.open_all(context.folder)?;
        let (mut requests, mut count) = (Vec::new(), 0);
        for draft in &drafts {
            let readings = draft.session.stored_of(&draft.config)?.0.readings;
            let facts = Facts { readings, ..Facts::default() };
            let all = draft.linter.read_requests(&draft.parsed(), draft.hint(), &facts, false);
            count += all.len();
            for request in all.iter().filter(|it| !it.questions.is_empty()) {
                let mut line = serde_json::to_value(request).map_err(ToolError::new)?;
                if let Some(path) = &draft.file.path {
                    line["path"] = path.to_string_lossy().into();
                }
                requests.push(line);
            }
        }
        if count == 0 {
            notes.push("note: no draft of a request was found".to_owned());
        } else if requests.is_empty() {
            notes.push("note: all questions have answers already".to_owned());
        } else {
            notes.push(HOW_TO_ANSWER.to_owned());
        }
        let value = json!({ "task": ReadRequest::task(), "requests": requests });
        Ok(ToolOutput::new(value).cut_list("/requests").with_notes(notes))
    }
}
