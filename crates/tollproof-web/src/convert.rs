//! A draft as another provider's, and a provider's answer explained on a draft.

use serde::Serialize;
use serde_json::value::RawValue;
use tollproof_core::{
    Answer, Format, KindChoice, KindHint, KindRole, KnownReason, Parsed, Provider, SmsLength, Source,
    json_of, kind_of, payload,
};

use crate::check::{ValueFinding, findings};
use crate::language;
use crate::options::CheckOptions;

/// A conversion, in the shape of `Conversion` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
struct ConvertedValue {
    value: Box<RawValue>,
    left: Vec<LeftValue>,
}

/// A value that has no place in the new draft.
#[derive(Debug, Serialize)]
struct LeftValue {
    pointer: String,
    name: String,
    role: Option<&'static str>,
    reason: String,
}

/// Converts a draft; an empty `from` is what its field names show.
pub(crate) fn convert(value: &str, from: &str, to: &str) -> Result<String, String> {
    let (to, from) = (provider(to)?, Some(from).filter(|it| !it.is_empty()).map(provider).transpose()?);
    let source = Source::new("draft", value);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().ok_or("the value must be one draft")?;
    let kind =
        kind_of(&document, hint(from)).filter(|kind| kind.is_request()).ok_or("the value is not a draft")?;
    let root = document.document().root.as_ref().ok_or("the value is not a draft")?;
    let converted = if kind.provider() == to {
        ConvertedValue { value: raw(&json_of(root)), left: Vec::new() }
    } else {
        let no_kind = || format!("tollproof does not know {} of {to}", kind.noun());
        let conversion = kind.convert(root, to).ok_or_else(no_kind)?;
        let left = conversion.left_out.iter().chain(&conversion.guessed).map(|left| LeftValue {
            role: kind.role_of(&left.pointer),
            reason: language::chosen().message(&left.why(to)).into(),
            pointer: left.pointer.clone(),
            name: left.field.clone(),
        });
        ConvertedValue { left: left.collect(), value: raw(&payload(&conversion.root, conversion.kind)) }
    };
    Ok(serde_json::to_string(&converted).expect("its keys are strings"))
}

/// An answer's meaning, in the shape of `Explanation` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
struct Explanation<'r> {
    /// Whether the answer refuses the draft.
    refused: bool,
    advice: Vec<ValueFinding<'r>>,
    /// For an assistant, if the reasons are in free words.
    request: Option<String>,
}

/// Explains an answer: the body of a response, a record, or the text of an e-mail. Without a draft (`null`), it says what the
/// reasons mean, as the program does.
pub(crate) fn explain(answer: &str, value: &str, options: &CheckOptions) -> Result<String, String> {
    let answer_source = Source::new("the answer", answer);
    let source = Source::new("draft", value);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().ok_or("the value must be one draft")?;
    let root = document.document().root.as_ref().filter(|_| value.trim() != "null");
    let numbers = kind_of(&document, options.hint()).zip(root).map(|(kind, root)| kind.numbers(root));
    let numbers: Vec<&str> = numbers.unwrap_or_default().into_iter().filter_map(|it| it.as_str()).collect();
    let read = Answer::of_pasted(&Parsed::of(&answer_source, None), &numbers);
    let answer = read.map_err(|error| format!("the answer cannot be read: {error}"))?;
    let linter = options.linter();
    let report = match root {
        Some(_) => linter.explain(document, options.hint(), &answer, &options.facts()?),
        None => {
            KnownReason::report(&KnownReason::all_of_answer(&answer, options.provider(), &linter), &linter)
        }
    };
    let report = language::report(report);
    let advice = findings(&linter, &parsed, &report);
    let explanation = Explanation { refused: answer.is_refusal(), advice, request: answer.request() };
    Ok(serde_json::to_string(&explanation).expect("its keys are strings"))
}

/// The length of a sample message, in the shape of `Sample` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
struct SampleLength<'t> {
    encoding: &'static str,
    units: usize,
    segments: usize,
    room: usize,
    longer: Vec<LongerCharacter<'t>>,
}

/// A character that makes the message longer.
#[derive(Debug, Serialize)]
struct LongerCharacter<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    plain: Option<String>,
}

/// The segments of a text message.
pub(crate) fn sample(text: &str) -> String {
    let length = SmsLength::of(text);
    let (mut at, mut units) = (0, 0);
    let longer = length.longer.iter().filter_map(|longer| {
        let character = text.get(longer.range.clone())?;
        units += text.get(at..longer.range.start)?.encode_utf16().count();
        let start = units;
        units += character.encode_utf16().count();
        at = longer.range.end;
        let plain = longer.plain.as_deref().map(str::to_owned);
        Some(LongerCharacter { text: character, start, end: units, plain })
    });
    let sample = SampleLength {
        longer: longer.collect(),
        encoding: length.encoding(),
        units: length.units,
        segments: length.segments,
        room: length.room,
    };
    serde_json::to_string(&sample).expect("its keys are strings")
}

fn provider(name: &str) -> Result<Provider, String> {
    name.parse().map_err(|error| format!("{error}"))
}

/// A submit request of a provider, or what the keys show.
fn hint(provider: Option<Provider>) -> KindHint {
    match provider {
        Some(_) => KindHint::Forced(KindChoice { provider, role: None::<KindRole> }),
        None => KindHint::Explicit,
    }
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).expect("it was written as JSON")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::explain;
    use crate::options::CheckOptions;

    #[test]
    fn an_answer_without_a_draft_is_explained_as_the_program_does() {
        let options = CheckOptions::read(r#"{"provider": "twilio"}"#).expect("they are options");
        let answer = "- The box is pre-checked\n- No privacy policy was found\n- The moon is full";
        let told = explain(answer, "null", &options).expect("it is an answer");
        let told: Value = serde_json::from_str(&told).expect("it is JSON");
        let advice = told["advice"].as_array().expect("it is a list");
        let rules: Vec<&str> = advice.iter().filter_map(|reason| reason["rule"].as_str()).collect();
        assert_eq!(rules, ["opt-in/prechecked", "answer/unforeseen", "answer/unforeseen"]);
        assert!(advice[1]["help"].to_string().contains("Publish both pages"), "{told}");
        assert_eq!((&told["refused"], &advice[2]["severity"]), (&Value::Bool(true), &"info".into()));
    }
}
