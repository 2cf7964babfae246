//! Requests to servers that are compatible with OpenAI, and their answers.

use serde_json::{Value, json};

use super::error::ReaderError;
use super::extras::Extras;
use super::object::outermost_object;
use super::prompt::{ReaderPrompt, ReaderReply};
use crate::settings::ReaderKind;

/// The path after the address of the server.
pub(super) const PATH: &str = "/chat/completions";

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
    if let Some(max_tokens) = max_tokens.filter(|_| extras.max_tokens) {
        body["max_tokens"] = max_tokens.into();
    }
    if extras.schema {
        let schema = json!({ "name": "answers", "strict": true, "schema": prompt.schema });
        body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
    }
    body
}

/// What an answer says.
pub(super) fn reply(answer: &Value) -> Result<ReaderReply, ReaderError> {
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
    Ok(ReaderReply {
        text: object.to_owned(),
        model: answer["model"].as_str().map(str::to_owned),
        tokens: usage("prompt_tokens").zip(usage("completion_tokens")),
    })
}
