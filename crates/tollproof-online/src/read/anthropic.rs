//! Requests to the API of Anthropic, and its answers. The answer is the input of a tool that must be called.

use serde_json::{Value, json};

use super::error::{ReaderError, Result};
use super::extras::Extras;
use super::openai::MAX_TOKENS;
use super::prompt::{ReaderPrompt, ReaderReply};
use crate::settings::ReaderKind;

/// The path after the address of the server.
pub(super) const PATH: &str = "/v1/messages";

/// The version of the API.
pub(super) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// The tool.
const TOOL: &str = "answer";

/// The body of a request.
pub(super) fn body(
    prompt: &ReaderPrompt,
    model: Option<&str>,
    max_tokens: Option<u32>,
    extras: Extras,
) -> Value {
    let mut body = json!({
        "model": model,
        "max_tokens": max_tokens.unwrap_or(MAX_TOKENS),
        "system": prompt.instructions,
        "messages": [{ "role": "user", "content": prompt.material }],
        "tools": [{ "name": TOOL, "description": "Gives the answers.", "input_schema": prompt.schema }],
        "tool_choice": { "type": "tool", "name": TOOL },
    });
    if extras.temperature {
        body["temperature"] = 0.into();
    }
    body
}

/// Reads an answer.
pub(super) fn reply(answer: &Value) -> Result<ReaderReply> {
    let parts = answer["content"].as_array().ok_or(ReaderError::Foreign(ReaderKind::Anthropic))?;
    // The input of a call that was cut is not whole.
    match answer["stop_reason"].as_str() {
        Some("max_tokens" | "model_context_window_exceeded") => return Err(ReaderError::CutShort),
        Some("refusal") => return Err(ReaderError::Declined),
        _ => {}
    }
    let call = parts.iter().find(|part| part["type"] == "tool_use" && part["name"] == TOOL);
    let input = call.map(|it| &it["input"]).filter(|it| it.is_object()).ok_or(ReaderError::NoObject)?;
    let usage = |name: &str| answer["usage"][name].as_u64();
    Ok(ReaderReply {
        text: input.to_string(),
        model: answer["model"].as_str().map(str::to_owned),
        tokens: usage("input_tokens").zip(usage("output_tokens")),
    })
}
