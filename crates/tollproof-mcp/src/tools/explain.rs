//! The tool `explain`: what a provider answered to a draft.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tollproof_core::{Answer, KnownReason, Linter, Parsed, Provider, Source};

use super::{ToolCall, ToolContext, ToolOutput};
use crate::error::{Result, ToolError};
use crate::report;
use crate::tool_draft::{ToolDraft, text_of};

/// The name of the answer in findings.
const ANSWER: &str = "answer";

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ExplainCall {
    #[serde(flatten)]
    draft: ToolDraft,
    /// The answer of the provider: the body of an answer of its API, or the text of an e-mail or console.
    #[schemars(with = "String")]
    answer: Value,
}

impl ToolCall for ExplainCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let answer = text_of(self.answer);
        if self.draft.text.is_none() && self.draft.path.is_none() {
            return known(&answer, self.draft.choice()?.provider);
        }
        let draft = self.draft.open(context.folder)?;
        let answer_source = Source::new(ANSWER, answer.clone());
        let answer_parsed = Parsed::of(&answer_source, None);
        let parsed = draft.parsed();
        let (reasons, report) = draft.session.explain_text(&draft.file, &parsed, &answer_parsed, true)?;
        let mut report = report::of_findings(&draft, &report, &|related| {
            let name = related.file.as_deref().filter(|it| *it == ANSWER)?;
            Some((Source::new(name, answer.clone()), related.span?))
        })?;
        report["task"] = reasons.request().into();
        Ok(ToolOutput::new(report).cut_list("/findings", self.draft.from))
    }
}

/// The meaning of codes and words of an answer without a draft.
fn known(answer: &str, provider: Option<Provider>) -> Result<ToolOutput> {
    let reason = |reason: &KnownReason| json!({ "reason": reason.heading.as_str(), "advice": reason.advice.as_str(), "rules": reason.rules });
    let linter = Linter::builtin();
    let mut reasons = KnownReason::all_in(answer, provider, &linter);
    let read = Answer::of_text(&Source::new(ANSWER, answer)).ok();
    let deadline = read.as_ref().filter(|_| !reasons.is_empty());
    reasons.extend(
        deadline.and_then(|read| KnownReason::of_deadline(read, provider, Timestamp::now(), &linter)),
    );
    let reasons: Vec<Value> = reasons.iter().map(reason).collect();
    let task = read.and_then(|answer| answer.request());
    if reasons.is_empty() && task.is_none() {
        return Err(ToolError::new(
            "the answer has no reason that is known; pass the draft as `text` or `path`",
        ));
    }
    Ok(ToolOutput::new(json!({ "reasons": reasons, "task": task })).cut_list("/reasons", 0))
}
