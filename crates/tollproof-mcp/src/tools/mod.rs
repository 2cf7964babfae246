//! The tools that assistants call, as one table.

mod answer;
mod check;
mod convert;
mod explain;
mod preview;
mod questions;
mod rule;
mod submit;

use std::path::Path;
use std::sync::Arc;

use rmcp::handler::server::tool::schema_for_input;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::draft_folder::DraftFolder;
use super::tool_output::{ToolOutput, failed};
use crate::error::{Result, ToolError};

/// A tool's caller and folder.
pub(crate) struct ToolContext<'s> {
    pub(crate) folder: &'s DraftFolder,
    /// The name that the client gave when it connected.
    pub(crate) client: Option<String>,
    /// The program that submits a file of the folder, if the user permits that.
    pub(crate) submit: Option<&'s SubmitFile>,
}

/// Submits a file, and returns what became of it, as `tollproof submit` prints it as JSON.
pub type SubmitFile = dyn Fn(&Path) -> Result<Value, String> + Send + Sync;

/// A tool, as clients see it and as it is called.
struct ToolRow {
    name: &'static str,
    title: &'static str,
    /// Use cases for assistants.
    about: &'static str,
    /// Whether it writes nothing.
    reads_only: bool,
    schema: fn() -> Arc<JsonObject>,
    call: fn(&ToolContext<'_>, JsonObject) -> Result<ToolOutput>,
}

const TOOLS: [ToolRow; 7] = [
    ToolRow {
        name: "check",
        title: "Check a submission",
        about: "Checks drafts of toll-free verification submissions: what the provider's API would refuse, and what \
                reviewers are likely to reject. Use it for a draft in the conversation (`text`), or for a file or folder \
                (`path`), before it is submitted and after every change; then call `questions`. Returns findings with \
                severity, place, message and help, a summary, and what could not be checked. Fix what the draft says; \
                never invent facts about the business.",
        reads_only: true,
        schema: schema::<check::CheckCall>,
        call: call::<check::CheckCall>,
    },
    ToolRow {
        name: "questions",
        title: "Questions about a submission",
        about: "Returns what rules ask about the meaning of a draft and what has no answer yet: the texts, with personal \
                data replaced by placeholders, and questions with the answers that are offered. Read the texts as `task` \
                says, and give your answers to the tool `answer`. Use it after every `check`: words alone find about four of ten \
                reasons of reviewers, and only what changed is asked again.",
        reads_only: true,
        schema: schema::<questions::QuestionsCall>,
        call: call::<questions::QuestionsCall>,
    },
    ToolRow {
        name: "answer",
        title: "Answer questions about a submission",
        about: "Takes your answers to one request of the tool `questions`, for the same `text` or `path`. Each answer is \
                verified: it must be one of those offered, and its quote must be in the draft letter by letter. Answers \
                about a file are stored beside it for later checks; those about a text count in this call only. Returns \
                what was kept, what was refused and why, which questions are still open, and the findings of the draft now. Fix \
                what they name without inventing facts, then `check` again.",
        reads_only: false,
        schema: schema::<answer::AnswerCall>,
        call: call::<answer::AnswerCall>,
    },
    ToolRow {
        name: "explain",
        title: "Explain a rejection",
        about: "Explains what a provider answered to a draft: an error of its API, a status with reasons, or the text of \
                an e-mail. Use it when a submission was refused or rejected. Returns each reason as a finding in the \
                draft, and what to do next. If there is a `task`, the reasons are in free words, which you understand \
                better: do the task, and call `explain` again with what it asks for as `answer`.",
        reads_only: true,
        schema: schema::<explain::ExplainCall>,
        call: call::<explain::ExplainCall>,
    },
    ToolRow {
        name: "convert",
        title: "Convert a submission",
        about: "Writes a draft as the payload of another provider. Use it to submit the same text elsewhere. Returns the \
                payload, what had to be left out and why, and the findings of the payload. No file is written.",
        reads_only: true,
        schema: schema::<convert::ConvertCall>,
        call: call::<convert::ConvertCall>,
    },
    ToolRow {
        name: "preview",
        title: "Preview sample messages",
        about: "Shows the length and cost of the sample messages of a draft, or of the plain text of one message: \
                encoding, segments, the characters that make it longer, and a shorter form. Use it when you write or \
                change a sample message.",
        reads_only: true,
        schema: schema::<preview::PreviewCall>,
        call: call::<preview::PreviewCall>,
    },
    ToolRow {
        name: "rule",
        title: "Explain a rule",
        about: "Explains a rule by its id, as findings name it: what it is about, why it matters, good and bad examples, \
                and the question that a reader is asked. Use it to understand a finding before you change a draft. \
                Without an id, it lists all rules.",
        reads_only: true,
        schema: schema::<rule::RuleCall>,
        call: call::<rule::RuleCall>,
    },
];

/// The tool that sends something: only where the user's own settings permit it.
const SUBMIT: ToolRow = ToolRow {
    name: "submit",
    title: "Submit a draft",
    about: "Sends the draft in a file to its provider for review, at most once: errors and numbers that are taken stop it. \
            Use it only when the user asks to submit this draft now, after `check` finds no error: it cannot be undone. \
            Returns the outcome; after `unknown`, call it again later, and it finds out.",
    reads_only: false,
    schema: schema::<submit::SubmitCall>,
    call: call::<submit::SubmitCall>,
};

/// The arguments of a tool, and what it does with them.
trait ToolCall: DeserializeOwned + JsonSchema + 'static {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput>;
}

/// All tools that there are for a client.
pub(crate) fn list(can_submit: bool) -> Vec<Tool> {
    rows(can_submit).map(ToolRow::tool).collect()
}

fn rows(can_submit: bool) -> impl Iterator<Item = &'static ToolRow> {
    TOOLS.iter().chain(can_submit.then_some(&SUBMIT))
}

/// Calls a tool; `None` if there is none with this name.
pub(crate) fn call_named(
    name: &str,
    arguments: JsonObject,
    context: &ToolContext<'_>,
) -> Option<CallToolResult> {
    let tool = rows(context.submit.is_some()).find(|tool| tool.name == name)?;
    Some((tool.call)(context, arguments).map_or_else(failed, ToolOutput::into_result))
}

impl ToolRow {
    fn tool(&self) -> Tool {
        // No other tool sends anything; answering again replaces the same answers, and what was sent is not sent again.
        let sends = self.name == SUBMIT.name;
        let annotations = ToolAnnotations::with_title(self.title)
            .read_only(self.reads_only)
            .destructive(sends)
            .idempotent(true)
            .open_world(sends);
        Tool::new(self.name, self.about, (self.schema)()).with_title(self.title).with_annotations(annotations)
    }
}

fn schema<T: ToolCall>() -> Arc<JsonObject> {
    schema_for_input::<T>().expect("arguments are an object")
}

fn call<T: ToolCall>(context: &ToolContext<'_>, arguments: JsonObject) -> Result<ToolOutput> {
    let schema = schema::<T>();
    let known = || schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|all| all.keys());
    if let Some(unknown) = arguments.keys().find(|name| known().all(|known| known != *name)) {
        let known: Vec<String> = known().map(|name| format!("`{name}`")).collect();
        let known = known.join(", ");
        return Err(ToolError::new(format_args!("unknown argument `{unknown}`; this tool takes {known}")));
    }
    let arguments: T = serde_json::from_value(Value::Object(arguments))
        .map_err(|error| ToolError::new(format_args!("invalid arguments: {error}")))?;
    arguments.run(context)
}
