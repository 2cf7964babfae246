//! Requests to servers that are compatible with OpenAI, and their answers.

use serde_json::{Value, json};

use super::certainty::measured;
use super::error::{ReaderError, Result};
use super::extras::Extras;
use super::object::outermost_object;
use super::prompt::{ReaderPrompt, ReaderReply};
use crate::settings::ReaderKind;

/// The path after the address of the server.
pub(super) const PATH: &str = "/chat/completions";

/// The longest answer, in tokens, unless the settings say it.
pub(super) const MAX_TOKENS: u32 = 4096;

/// The alternatives of a token that a server is asked for.
const ALTERNATIVES: u32 = 8;

/// The body of a request.
pub(super) fn body(
    prompt: &ReaderPrompt,
    model: Option<&str>,
    max_tokens: Option<u32>,
    extras: Extras,
) -> Value {
    let mut body = json!({
        "messages": [
            { "role": "system", "content": prompt.instructions },
            { "role": "user", "content": prompt.material },
        ],
        "stream": false,
    });
    if let Some(model) = model {
        body["model"] = model.into();
    }
    if extras.temperature {
        body["temperature"] = 0.into();
    }
    if let Some(limit) = extras.limit {
        body[limit] = max_tokens.unwrap_or(MAX_TOKENS).into();
    }
    if extras.no_thinking {
        // The first is for OpenAI and Ollama, the second for llama.cpp and vLLM.
        body["reasoning_effort"] = "none".into();
        body["chat_template_kwargs"] = json!({ "enable_thinking": false });
    }
    if extras.log_probabilities {
        body["logprobs"] = true.into();
        body["top_logprobs"] = ALTERNATIVES.into();
    }
    if extras.schema {
        let schema = json!({ "name": "answers", "strict": true, "schema": prompt.schema });
        body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
    }
    body
}

/// The answer of a server to a prompt.
pub(super) fn reply(answer: &Value, prompt: &ReaderPrompt) -> Result<ReaderReply> {
    let choice = &answer["choices"][0];
    let message = choice["message"].as_object().ok_or(ReaderError::Foreign(ReaderKind::OpenAi))?;
    let text = match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|it| it["text"].as_str()).collect(),
        _ => String::new(),
    };
    let Some(object) = outermost_object(&text) else {
        let is_declined = message.get("refusal").is_some_and(Value::is_string)
            || choice["finish_reason"] == "content_filter";
        return Err(match choice["finish_reason"] == "length" {
            true => ReaderError::CutShort,
            false if is_declined => ReaderError::Declined,
            false => ReaderError::NoObject,
        });
    };
    let usage = |name: &str| answer["usage"][name].as_u64();
    let tokens = choice["logprobs"]["content"].as_array();
    let measured = tokens.and_then(|tokens| measured(object, tokens, &prompt.schema));
    Ok(ReaderReply {
        text: measured.unwrap_or_else(|| object.to_owned()),
        model: answer["model"].as_str().map(str::to_owned),
        tokens: usage("prompt_tokens").zip(usage("completion_tokens")),
    })
}
