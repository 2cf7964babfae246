//! The JSON object in an answer that may have more around it: thoughts, a fence, a sentence.

use serde_json::{Deserializer, Value};

/// The tag after a model's thoughts.
const END_OF_THOUGHTS: &str = "</think>";

/// More beginnings than this are not tried.
const MAX_TRIES: usize = 1_000;

/// The longest JSON object of a text that is in no other one, after the thoughts.
pub(super) fn outermost_object(text: &str) -> Option<&str> {
    let after = text.rfind(END_OF_THOUGHTS).map(|it| &text[it + END_OF_THOUGHTS.len()..]);
    // An answer may quote the end of a thought.
    after.and_then(longest).or_else(|| longest(text))
}

fn longest(text: &str) -> Option<&str> {
    let mut found = "";
    let mut start = 0;
    for _ in 0..MAX_TRIES {
        let Some(next) = text[start..].find('{') else { break };
        start += next;
        // The parser has a limit of depth, so that each beginning ends soon.
        let mut values = Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let length = match values.next() {
            Some(Ok(_)) => values.byte_offset(),
            _ => 0,
        };
        if length > found.len() {
            found = &text[start..start + length];
        }
        start += length.max(1);
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn the_object_is_found_whatever_is_around_it() {
        let object = r#"{"answers": {"a": {"quote": "} </b> {"}}}"#;
        for text in [
            object.to_owned(),
            format!("```json\n{object}\n```"),
            format!("Here it is:\n\n{object}\n\nAnything else? {{}} {{\"a\": 1}}"),
            format!("<think>\n{{\"answers\": \"{}\"}}\n</think>\n{object}", "x".repeat(80)),
            format!("{{ is a brace, and {{x}} too: {object}"),
        ] {
            assert_eq!(outermost_object(&text), Some(object), "{text}");
        }
        let quoting = r#"{"quote": "</think>"}"#;
        assert_eq!(outermost_object(quoting), Some(quoting));
        for text in ["", "none", "{", "{\"a\": ", "[1, 2]", "{a: 1}", "{'a': 1}"] {
            assert_eq!(outermost_object(text), None, "{text}");
        }
    }

    #[test]
    fn no_text_takes_long() {
        let started = Instant::now();
        for part in ["{", "{\"a\":", "{\"a\":[", "{\"a\":\"", "[{", "{}", "</think>{\"a\":[1,"] {
            outermost_object(&part.repeat((1 << 20) / part.len()));
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    }
}
