//! The words of a server that refuses a request, without those of the request.

use serde_json::Value;

use super::prompt::ReaderPrompt;
use crate::client::Authentication;

/// The longest message that is shown, in characters.
const MAX_LENGTH: usize = 200;

/// The letters and digits of a request in a row that are not shown again.
const MAX_REPEATED: usize = 24;

/// A server's error message: one line, with nothing of the prompt and the key. `None` if it says nothing that can be
/// shown.
pub(super) fn message(body: &[u8], prompt: &ReaderPrompt, key: &Authentication) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let message = [
        &body["error"]["message"],
        &body["error"],
        &body["message"],
        &body["detail"],
        &body["detail"][0]["msg"],
    ]
    .into_iter()
    .find_map(Value::as_str)?;
    if key.is_shown_in(message) {
        return None;
    }
    let schema = prompt.schema.to_string();
    let texts = [&prompt.material, &prompt.instructions, &schema, &prompt.line];
    // Twice the length is enough, whatever is cut of it.
    let message = texts.into_iter().fold(one_line(message, 2 * MAX_LENGTH), |it, text| without(&it, text));
    Some(one_line(&message, MAX_LENGTH)).filter(|it| !it.is_empty())
}

/// The beginning of a text in one line of visible characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let is_shown = |character: &char| {
        !character.is_control()
            && !matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    let words: Vec<String> =
        text.split_whitespace().map(|word| word.chars().filter(is_shown).collect()).take(most).collect();
    let line = words.join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// A message with `…` in place of what it repeats of a text, whatever is between the letters.
fn without(message: &str, text: &str) -> String {
    let text: String = text.chars().filter(|it| it.is_alphanumeric()).collect();
    let letters: Vec<(usize, char)> = message.char_indices().filter(|(_, it)| it.is_alphanumeric()).collect();
    let mut result = String::new();
    let (mut kept, mut at) = (0, 0);
    while at + MAX_REPEATED <= letters.len() {
        let repeats = |end: usize| {
            let part: String = letters[at..end].iter().map(|(_, it)| *it).collect();
            text.contains(&part)
        };
        let mut end = at + MAX_REPEATED;
        if !repeats(end) {
            at += 1;
            continue;
        }
        while end < letters.len() && repeats(end + 1) {
            end += 1;
        }
        result.push_str(&message[kept..letters[at].0]);
        result.push('…');
        let (last, letter) = letters[end - 1];
        kept = last + letter.len_utf8();
        at = end;
    }
    result + &message[kept..]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const MATERIAL: &str = "We text \"order updates\" to customers\nof Ada's bakery in Springfield.";

    fn said(body: &Value) -> Option<String> {
        let prompt = ReaderPrompt {
            instructions: "Answer each question by itself, from the words alone.".to_owned(),
            material: MATERIAL.to_owned(),
            schema: json!({ "type": "object", "properties": { "consent-required": {} } }),
            line: "{}".to_owned(),
        };
        let key = Authentication::Header {
            name: "Authorization".to_owned(),
            prefix: "Bearer ".to_owned(),
            secret: "moonstone-opal-4711".into(),
        };
        message(body.to_string().as_bytes(), &prompt, &key)
    }

    #[test]
    fn the_words_of_servers_are_found() {
        for body in [
            json!({ "error": { "message": "no such model" } }),
            json!({ "error": "no such model" }),
            json!({ "message": "no such model" }),
            json!({ "detail": "no such model" }),
            json!({ "detail": [{ "loc": ["body"], "msg": "no such\n\u{1b}model" }] }),
        ] {
            assert_eq!(said(&body).as_deref(), Some("no such model"), "{body}");
        }
        assert_eq!(said(&json!({ "detail": {} })), None);
        let long = said(&json!({ "error": "é".repeat(1_000) })).expect("it is shown");
        assert_eq!(long.chars().count(), MAX_LENGTH + 1);
    }

    #[test]
    fn nothing_of_the_prompt_or_the_key_is_shown() {
        let escaped = MATERIAL.replace('\n', "\\n");
        for echo in [
            MATERIAL,
            &escaped,
            "We text order updates to customers",
            "to customers of Ada's bakery in Spring",
        ] {
            let said = said(&json!({ "error": format!("bad input: {echo} (code 7)") })).expect("it is shown");
            assert!(said.starts_with("bad input: ") && said.ends_with("(code 7)"), "{said}");
            assert!(!said.contains("customers") && said.contains('…'), "{said}");
        }
        for key in ["key moonstone-opal-4711", "key moonston*******", "key ***opal-4711"] {
            assert_eq!(said(&json!({ "error": key })), None, "{key}");
        }
    }
}
