//! Questions to a reader about drafts, and its answers, as `tollproof read --export` and `--import` have it.

use serde::Serialize;
use serde_json::json;
use tollproof_core::{AnswerProblem, DraftReading, Format, Parsed, ReadRequest, ReaderAnswers, Source};

use crate::options::CheckOptions;

/// Answers that were sorted, in the shape of `Answers` in `npm/src/types.ts`.
#[derive(Debug, Default, Serialize)]
struct SortedAnswers {
    readings: Vec<DraftReading>,
    refused: Vec<RefusedAnswer>,
    /// The count of sets of answers about texts that no draft has.
    strange: usize,
}

/// An answer that cannot be believed.
#[derive(Debug, Serialize)]
struct RefusedAnswer {
    question: String,
    why: String,
}

/// The questions that are not answered yet, one draft a line, after a line with what to do; empty if none is open.
pub(crate) fn questions(value: &str, options: &CheckOptions) -> Result<String, String> {
    let requests = requests(value, options, false)?;
    let open = requests.iter().filter(|request| !request.questions.is_empty());
    let mut lines: Vec<String> =
        open.map(|request| serde_json::to_string(request).expect("a request has JSON")).collect();
    if !lines.is_empty() {
        lines.insert(0, json!({ "version": ReadRequest::VERSION, "task": ReadRequest::task() }).to_string());
    }
    Ok(lines.join("\n"))
}

/// The answers in a text that can be believed, as readings, and what is wrong with the others.
pub(crate) fn answers(text: &str, value: &str, options: &CheckOptions) -> Result<String, String> {
    let requests = requests(value, options, true)?;
    let at = options.facts()?.now.ok_or("`now` is missing")?;
    let mut sorted = SortedAnswers::default();
    for answers in answers_in(text) {
        let is_asked = |it: &&ReadRequest| answers.id.as_ref().map_or(requests.len() == 1, |id| *id == it.id);
        let Some(request) = requests.iter().find(is_asked) else {
            sorted.strange += 1;
            continue;
        };
        let (kept, problems) = request.verify(&answers);
        let refused = problems.into_iter().filter(|(_, problem)| *problem != AnswerProblem::Missing);
        sorted
            .refused
            .extend(refused.map(|(question, problem)| RefusedAnswer { question, why: problem.to_string() }));
        if !kept.is_empty() {
            let reading = DraftReading {
                id: request.id.clone(),
                version: DraftReading::VERSION,
                at,
                reader: answers.reader.unwrap_or_else(|| "assistant".to_owned()),
                model: answers.model,
                answers: kept,
            };
            sorted.readings.push(reading.within_limits());
        }
    }
    Ok(serde_json::to_string(&sorted).expect("readings have JSON"))
}

fn requests(value: &str, options: &CheckOptions, all: bool) -> Result<Vec<ReadRequest>, String> {
    let source = Source::new("draft", value);
    let parsed = Parsed::of(&source, Some(Format::Json));
    Ok(options.linter().read_requests(&parsed, options.hint(), &options.facts()?, all))
}

/// The answers in what an assistant wrote: objects on one line or several, in a list, in a block of code, between sentences.
fn answers_in(text: &str) -> Vec<ReaderAnswers> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find('{') {
        rest = &rest[start..];
        let mut objects = serde_json::Deserializer::from_str(rest).into_iter::<ReaderAnswers>();
        let end = match objects.next() {
            Some(Ok(answers)) => {
                found.push(answers);
                objects.byte_offset()
            }
            _ => 1,
        };
        rest = &rest[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const DRAFT: &str = r#"{"useCaseSummary": "Acme Tires texts customers whose tires are ready, which they asked for at the counter.", "productionMessageContent": "Acme Tires: your tires are ready. Reply STOP to opt out.", "optInWorkflowDescription": "Customers say at the counter that they want a text."}"#;

    fn options() -> CheckOptions {
        CheckOptions::read(r#"{"now": "2026-11-29T08:00:00Z"}"#).expect("they are options")
    }

    #[test]
    fn an_answer_between_sentences_is_a_reading_and_a_wrong_quote_is_not() {
        let asked = questions(DRAFT, &options()).expect("it is JSON");
        let (first, request) = asked.split_once('\n').expect("there is a request");
        assert!(first.contains("\"task\":"), "{first}");
        let request: Value = serde_json::from_str(request).expect("it is JSON");
        let groups = request["questions"].as_array().expect("there are questions").iter();
        let all: Vec<&Value> =
            groups.flat_map(|group| group["ask"].as_array().expect("it has questions")).collect();
        let one = |question: &Value| {
            let first = question["answers"].get(0).cloned().unwrap_or_else(|| "yes".into());
            let answer = json!({ "answer": first, "quote": "not in the draft", "sure": true });
            (question["id"].as_str().expect("it has an id").to_owned(), answer)
        };
        let wrong: serde_json::Map<String, Value> = all.iter().map(|question| one(question)).collect();
        let text = format!("Here:\n```json\n{:#}\n```\nDone {{ok}}.", json!({ "answers": wrong }));
        let sorted = |text: &str| -> Value {
            serde_json::from_str(&answers(text, DRAFT, &options()).expect("it is JSON")).expect("it is JSON")
        };
        let refused = sorted(&text);
        assert_eq!(refused["refused"].as_array().map(Vec::len), Some(all.len()), "{refused}");
        let right = text.replace("not in the draft", "");
        assert_eq!(sorted(&right)["readings"][0]["reader"], "assistant");
        assert_eq!(sorted(&right.replacen("{\n", "{\n\"id\": \"0\",\n", 1))["strange"], 1);
        assert_eq!(sorted("no { answer")["readings"].as_array().map(Vec::len), Some(0));
    }
}
