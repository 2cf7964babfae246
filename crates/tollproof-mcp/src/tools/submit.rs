//! The tool `submit`: sends a draft to its provider, where the user's own settings permit that.

use schemars::JsonSchema;
use serde::Deserialize;
use tollproof_project::FileKind;

use super::{ToolCall, ToolContext, ToolOutput};
use crate::error::{Result, ToolError};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SubmitCall {
    /// The file with the draft, relative to the folder of this server.
    path: String,
}

impl ToolCall for SubmitCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let submit = context.submit.ok_or_else(|| ToolError::new("the user has not permitted that"))?;
        match context.folder.path(&self.path)? {
            (path, FileKind::File) => submit(&path).map(ToolOutput::new).map_err(ToolError::new),
            _ => Err(ToolError::new("`path` is a folder; name a file in it")),
        }
    }
}
