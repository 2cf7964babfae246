//! The tool `questions`: what a draft leaves open to a reader.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tollproof_core::{Facts, ReadRequest};
use tollproof_project::StoredFacts;

use super::{ToolCall, ToolContext, ToolOutput};
use crate::error::Result;
use crate::tool_draft::ToolDraft;

/// Tool for answers, in place of the last paragraph of the task.
const HOW_TO_ANSWER: &str = "\
Give the answers to the tool `answer`: one call for each request, with its `id` and the same `text` or `path`.";

/// The bytes of requests that are returned, and one request more.
const MAX_LIST: usize = 60_000;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct QuestionsCall {
    #[serde(flatten)]
    draft: ToolDraft,
}

impl ToolCall for QuestionsCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let (drafts, mut notes) = self.draft.open_all(context.folder)?;
        let (mut requests, mut count, mut open, mut size) = (Vec::new(), 0, 0, 0);
        let from = self.draft.from;
        for draft in &drafts {
            let StoredFacts { seen, readings } = draft.session.stored_of(&draft.config)?.0;
            let facts = Facts { readings, seen, ..Facts::default() };
            draft.linter.each_read_request(&draft.parsed(), draft.hint(), &facts, false, &mut |request| {
                count += 1;
                if request.questions.is_empty() {
                    return;
                }
                open += 1;
                if open <= from || size > MAX_LIST {
                    return;
                }
                let mut line = serde_json::to_value(&request).expect("a request has JSON");
                if let Some(path) = &draft.file.path {
                    line["path"] = path.to_string_lossy().into();
                }
                size += line.to_string().len();
                requests.push(line);
            });
        }
        if count == 0 {
            notes.push("note: no draft of a request was found".to_owned());
        } else if requests.is_empty() {
            notes.push("note: all questions have answers already".to_owned());
        } else {
            notes.push(HOW_TO_ANSWER.to_owned());
        }
        let next = from + requests.len();
        if next < open {
            notes.push(format!(
                "note: {} of {open} requests; call again with `from`: {next} for more",
                requests.len()
            ));
        }
        let value = json!({ "task": ReadRequest::task(), "requests": requests });
        Ok(ToolOutput::new(value).with_notes(notes))
    }
}
