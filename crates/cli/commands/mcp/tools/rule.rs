//! The tool `rule`: a rule with its reasons, examples and question.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::super::resources::{rule_titles, rules};
use super::super::tool_draft::provider;
use super::{Failure, ToolCall, ToolContext, ToolOutput};

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct RuleCall {
    /// The id of a rule, such as `opt-in/vague-description`, or a group, such as `opt-in`; without it, all are listed.
    #[serde(default)]
    id: Option<String>,
    /// The provider whose field names are used.
    #[serde(default)]
    provider: Option<String>,
}

impl ToolCall for RuleCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput, Failure> {
        let provider = self.provider.as_deref().map(provider).transpose()?;
        let value = match &self.id {
            None => json!({ "rules": rule_titles(&rules(context.folder, None, provider)?) }),
            Some(id) => json!({ "rules": rules(context.folder, Some(id), provider)? }),
        };
        Ok(ToolOutput::new(value).cut_list("/rules"))
    }
}
