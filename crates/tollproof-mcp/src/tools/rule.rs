//! The tool `rule`: a rule with its reasons, examples and question.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{ToolCall, ToolContext, ToolOutput};
use crate::error::Result;
use crate::resources::{rule_titles, rules};
use crate::tool_draft::{provider, provider_names};

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RuleCall {
    /// The id of a rule, such as `opt-in/vague-description`, or a group, such as `opt-in`; without it, all are listed.
    id: Option<String>,
    /// The place where a list that was cut goes on: the number that its note names.
    #[serde(default)]
    from: usize,
    /// The provider whose field names are used.
    #[schemars(extend("enum" = provider_names()))]
    provider: Option<String>,
}

impl ToolCall for RuleCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let provider = self.provider.as_deref().map(provider).transpose()?;
        let value = match &self.id {
            None => json!({ "rules": rule_titles(&rules(context.folder, None, provider)?) }),
            Some(id) => json!({ "rules": rules(context.folder, Some(id), provider)? }),
        };
        Ok(ToolOutput::new(value).cut_list("/rules", self.from))
    }
}
