//! The certainty of a model of its answers, measured from the log probabilities of those that were offered.

use std::ops::Range;

use serde_json::{Value, json};

/// From this share of the probability of all offered answers on, an answer counts as sure. It was chosen, not calibrated: no
/// model of a useful size was at hand.
const SURE: f64 = 0.8;

/// The object of an answer, with `sure` only where the model also chose the answer clearly. `tokens` are those of the whole
/// text with their alternatives, `schema` is that of the answers. `None` if the tokens are not those of the object.
pub(super) fn measured(object: &str, tokens: &[Value], schema: &Value) -> Option<String> {
    let mut answers: Value = serde_json::from_str(object).ok()?;
    let mut text = String::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    for token in tokens {
        let start = text.len();
        text.push_str(token["token"].as_str()?);
        places.push(start..text.len());
    }
    let begin = text.find(object)?;
    for (id, answer) in answers["answers"].as_object_mut()? {
        let mut shape = &schema["properties"]["answers"]["properties"][id.as_str()];
        if let Some(shared) = shape["$ref"].as_str() {
            shape = schema.pointer(shared.trim_start_matches('#'))?;
        }
        let chosen = answer.as_str().or(answer["answer"].as_str()).map(str::to_owned);
        let (Some(offered), Some(chosen)) = (shape["anyOf"][0]["enum"].as_array(), chosen) else { continue };
        let offered: Vec<&str> = offered.iter().filter_map(Value::as_str).collect();
        let Some(at) = value_of(object, id).map(|at| begin + at) else { continue };
        let Some(token) = places.iter().position(|place| place.contains(&at)) else { continue };
        let before = &text[places[token].start..at];
        let share = share_of(&chosen, &offered, before, &tokens[token]["top_logprobs"]);
        if share.is_some_and(|share| share < SURE) {
            let quote = answer["quote"].as_str().unwrap_or_default();
            *answer = json!({ "answer": chosen, "quote": quote, "sure": false });
        }
    }
    Some(answers.to_string())
}

/// The begin of the answer to a question in an object, after its quotation mark. It is alone, or in an object.
fn value_of(object: &str, id: &str) -> Option<usize> {
    let mut at = 0;
    let mut skip = |part: &str| {
        at += object[at..].find(part)? + part.len();
        Some(at)
    };
    skip(&format!("\"{id}\""))?;
    let colon = skip(":")?;
    if object[colon..].trim_start().starts_with('{') {
        skip("\"answer\"")?;
        skip(":")?;
    }
    skip("\"")
}

/// The share that an answer has in the probability of all that were offered, by the alternatives of the token with which it
/// begins after `before`. `None` if no alternative is an offered answer.
fn share_of(chosen: &str, offered: &[&str], before: &str, alternatives: &Value) -> Option<f64> {
    let (mut own, mut all) = (0.0, 0.0);
    for alternative in alternatives.as_array()? {
        let (token, probability) = (alternative["token"].as_str()?, alternative["logprob"].as_f64()?.exp());
        let Some(begin) = token.strip_prefix(before).filter(|begin| !begin.is_empty()) else { continue };
        let begins = |answer: &&str| answer.starts_with(begin) || begin.starts_with(&format!("{answer}\""));
        if offered.iter().any(begins) {
            all += probability;
            own += if begins(&chosen) { probability } else { 0.0 };
        }
    }
    (all > 0.0).then(|| own / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The certainty of an answer `no` whose token has these alternatives, and what is before it in the token.
    fn sure(told: bool, before: &str, alternatives: &[(&str, f64)]) -> Option<bool> {
        let answer = format!(r#"{{"answer": "no", "quote": "\"a\"", "sure": {told}}}"#);
        sure_of(&answer, before, alternatives)?["sure"].as_bool()
    }

    /// The same for an answer as it is written.
    fn sure_of(answer: &str, before: &str, alternatives: &[(&str, f64)]) -> Option<Value> {
        let object = format!(r#"{{"answers":{{"a": {answer}}}}}"#);
        let (head, tail) = object.split_once("no\"").expect("it has the answer");
        let head = head.strip_suffix(before).expect("it is before the answer");
        let alternatives: Vec<Value> = alternatives
            .iter()
            .map(|(token, share)| json!({ "token": token, "logprob": share.ln() }))
            .collect();
        let own = format!("{before}no");
        let tokens = [
            json!({ "token": "<think>\n</think>" }),
            json!({ "token": head }),
            json!({ "token": own, "logprob": -0.1, "top_logprobs": alternatives }),
            json!({ "token": format!("\"{tail}") }),
        ];
        let schema = json!({
            "properties": { "answers": { "properties": { "a": { "$ref": "#/$defs/yes-or-no" } } } },
            "$defs": { "yes-or-no": { "anyOf": [{ "type": "string", "enum": ["yes", "no"] }] } },
        });
        let measured: Value =
            serde_json::from_str(&measured(&object, &tokens, &schema)?).expect("it is JSON");
        Some(measured["answers"]["a"].clone())
    }

    #[test]
    fn an_answer_is_sure_if_no_other_was_likely() {
        assert_eq!(sure(true, "", &[("no", 0.9), ("yes", 0.05), ("maybe", 0.05)]), Some(true));
        assert_eq!(sure(true, "", &[("no", 0.5), ("n", 0.1), ("y", 0.4)]), Some(false));
        assert_eq!(sure(true, "\"", &[("\"no", 0.55), ("\"yes", 0.45)]), Some(false));
        assert_eq!(
            sure(true, "", &[("no", 0.2), ("perhaps", 0.8)]),
            Some(true),
            "only what was offered counts"
        );
        assert_eq!(sure(false, "", &[("no", 1.0)]), Some(false), "a doubt stays one");
        assert_eq!(sure(true, "", &[]), Some(true), "as it was told, where nothing was measured");
    }

    #[test]
    fn an_answer_alone_is_measured_too() {
        assert_eq!(sure_of("\"no\"", "", &[("no", 0.9), ("yes", 0.1)]), Some(json!("no")));
        let doubted = json!({ "answer": "no", "quote": "", "sure": false });
        assert_eq!(sure_of("\"no\"", "", &[("no", 0.6), ("yes", 0.4)]), Some(doubted));
    }

    #[test]
    fn tokens_of_another_text_measure_nothing() {
        let tokens = [json!({ "token": "yes", "logprob": -0.1, "top_logprobs": [] })];
        assert_eq!(measured("{\"answers\":{}}", &tokens, &json!({})), None);
        assert_eq!(measured("{\"answers\":{}}", &[json!({})], &json!({})), None);
    }
}
