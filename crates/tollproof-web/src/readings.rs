//! Questions to a reader about drafts, and its answers, as `tollproof read --export` and `--import` have it.

use std::collections::BTreeMap;

use serde::Serialize;
use tollproof_core::{AnswerProblem, DraftReading, Format, Parsed, ReadRequest, RequestedQuestion, Source};

use crate::language::{chosen, say};
use crate::options::CheckOptions;

/// The open questions, in the shape of `Questions` in `npm/src/types.ts`.
#[derive(Debug, Serialize)]
struct OpenQuestions {
    message: String,
    requests: Vec<OpenRequest>,
}

#[derive(Debug, Serialize)]
struct OpenRequest {
    id: String,
    questions: Vec<OpenQuestion>,
}

#[derive(Debug, Serialize)]
struct OpenQuestion {
    id: String,
    ask: String,
    roles: Vec<String>,
    answers: Vec<OfferedAnswer>,
    several: bool,
}

#[derive(Debug, Serialize)]
struct OfferedAnswer {
    value: String,
    words: String,
    #[serde(rename = "needsQuote")]
    needs_quote: bool,
}

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

/// The questions that are not answered yet: as a message to paste, and one by one.
pub(crate) fn questions(value: &str, options: &CheckOptions) -> Result<String, String> {
    let mut requests = requests(value, options, false)?;
    requests.retain(|request| !request.questions.is_empty());
    requests.iter_mut().for_each(|request| give_texts_once(&mut request.fields));
    let messages: Vec<String> = requests.iter().map(|request| request.message(&chosen())).collect();
    let requests = requests.into_iter().map(|request| OpenRequest {
        id: request.id,
        questions: request.questions.iter().map(open_question).collect(),
    });
    let open = OpenQuestions { message: messages.join("\n\n"), requests: requests.collect() };
    Ok(serde_json::to_string(&open).expect("questions have JSON"))
}

/// The length from which a text is not given twice, in bytes.
const LONG: usize = 40;

/// Gives a text once that several fields have, under the names of all. At a provider without a field for a role, its words are
/// those of others, one after another.
fn give_texts_once(fields: &mut BTreeMap<String, String>) {
    let mut given = BTreeMap::new();
    for (role, text) in fields.iter() {
        let (mut names, mut rest) = (role.clone(), text.as_str());
        let is_other = |other: &String, part: &String| other != role && text.len().min(part.len()) >= LONG;
        for (other, part) in fields.iter().filter(|(other, part)| is_other(other, part)) {
            // Of equal texts, the first has the names.
            if text.len() > part.len() || text == part && role > other {
                rest = without(rest, part).unwrap_or(rest);
            } else if without(part, text).is_some() {
                names.push_str(", ");
                names.push_str(other);
            }
        }
        if !rest.is_empty() {
            given.insert(names, rest.to_owned());
        }
    }
    *fields = given;
}

/// A text without the lines at its beginning or end; `None` if it does not have them there.
fn without<'t>(text: &'t str, lines: &str) -> Option<&'t str> {
    let after = text
        .strip_prefix(lines)
        .and_then(|rest| if rest.is_empty() { Some(rest) } else { rest.strip_prefix('\n') });
    after.or_else(|| text.strip_suffix(lines)?.strip_suffix('\n'))
}

fn open_question(question: &RequestedQuestion) -> OpenQuestion {
    let quoted: Vec<&String> = question.quoted_answers().collect();
    let answers = question.answers.iter().map(|answer| OfferedAnswer {
        value: answer.clone(),
        words: say(answer),
        needs_quote: quoted.contains(&answer),
    });
    OpenQuestion {
        id: question.id.clone(),
        ask: say(&question.ask),
        roles: question.fields.clone(),
        answers: answers.collect(),
        several: question.several,
    }
}

/// The answers in a text that can be believed, as readings, and what is wrong with the others.
pub(crate) fn answers(text: &str, value: &str, options: &CheckOptions) -> Result<String, String> {
    let requests = requests(value, options, true)?;
    let at = options.facts()?.now.ok_or("`now` is missing")?;
    let mut sorted = SortedAnswers::default();
    for (request, answers) in ReadRequest::answers_in(&requests, text, &chosen()) {
        let Some(request) = request else {
            sorted.strange += 1;
            continue;
        };
        let (kept, problems) = request.verify(&answers);
        let refused = problems.into_iter().filter(|(_, problem)| *problem != AnswerProblem::Missing);
        sorted.refused.extend(
            refused.map(|(question, problem)| RefusedAnswer { question, why: say(&problem.to_string()) }),
        );
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

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;

    const DRAFT: &str = r#"{"useCaseSummary": "Acme Tires texts customers whose tires are ready, which they asked for at the counter.", "productionMessageContent": "Acme Tires: your tires are ready. Reply STOP to opt out.", "optInWorkflowDescription": "Customers say at the counter that they want a text."}"#;

    fn options() -> CheckOptions {
        CheckOptions::read(r#"{"now": "2026-11-29T08:00:00Z"}"#).expect("they are options")
    }

    fn value(json: Result<String, String>) -> Value {
        serde_json::from_str(&json.expect("it is JSON")).expect("it is JSON")
    }

    #[test]
    fn a_text_of_two_fields_is_given_once() {
        let said = "Customers say at the counter that they want a text.";
        let draft = DRAFT.replace('}', &format!(r#", "additionalInformation": "{said}"}}"#));
        let asked = value(questions(&draft, &options()));
        let message = asked["message"].as_str().unwrap_or_default();
        assert!(
            message.contains(&format!("[Additional information, opt in workflow description]\n> {said}")),
            "{message}"
        );
        assert_eq!(message.matches(said).count(), 1);
    }

    #[test]
    fn a_text_that_another_contains_is_given_once() {
        let [one, two] = [
            "Customers say at the counter that they want a text.",
            "Acme texts customers whose tires are ready.",
        ];
        let own = |role: &str, text: &str| (role.to_owned(), text.to_owned());
        let mut fields = BTreeMap::from([
            own("all", &format!("{one}\n{two}")),
            own("more", &format!("STOP\n{two}")),
            own("one", one),
            own("stop", "STOP"),
            own("two", two),
        ]);
        give_texts_once(&mut fields);
        let given =
            [own("more", "STOP"), own("one, all", one), own("stop", "STOP"), own("two, all, more", two)];
        assert_eq!(fields.into_iter().collect::<Vec<_>>(), given);
    }

    #[test]
    fn an_answer_between_sentences_is_a_reading_and_a_wrong_quote_is_not() {
        let asked = value(questions(DRAFT, &options()));
        assert!(
            asked["message"]
                .as_str()
                .is_some_and(|message| message.contains("[Use case summary]\n> Acme Tires")),
            "{asked}"
        );
        let request = &asked["requests"][0];
        let all = request["questions"].as_array().expect("there are questions");
        let answered = |quote: &str| -> Value {
            let one = |question: &Value| {
                let answer =
                    json!({ "answer": question["answers"][0]["value"], "quote": quote, "sure": true });
                (question["id"].as_str().expect("it has an id").to_owned(), answer)
            };
            let answers: Map<String, Value> = all.iter().map(one).collect();
            json!({ "id": request["id"], "reader": "a person", "answers": answers })
        };
        let sorted = |text: &str| value(answers(text, DRAFT, &options()));
        let refused =
            sorted(&format!("Here:\n```json\n{:#}\n```\nDone {{ok}}.", answered("not in the draft")));
        assert_eq!(refused["refused"].as_array().map(Vec::len), Some(all.len()), "{refused}");
        assert_eq!(sorted(&answered("").to_string())["readings"][0]["reader"], "a person");
        assert_eq!(sorted("disclosure: rates")["readings"][0]["reader"], "assistant");
        assert_eq!(sorted("draft 0123456789ab\ndisclosure: rates")["strange"], 1);
        assert_eq!(sorted("no { answer")["readings"].as_array().map(Vec::len), Some(0));
    }
}
