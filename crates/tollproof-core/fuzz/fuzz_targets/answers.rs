//! Any bytes as the answers of a reader to what it is asked about a draft of any text: what is kept is among the answers that
//! were offered, quotes the draft, and gives findings whose places are parts of the text.

#![no_main]

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use tollproof_core::{
    DraftReading, Facts, Kind, KindHint, KindRole, Linter, Parsed, ReadRequest, ReaderAnswers, Readings,
    Source, Translation,
};
use tollproof_core_fuzz::{Notation, TextRecipe, assert_places, content_fields, draft};

/// Longer texts are not asked about.
const MAX_TEXT: usize = 10_000;

#[derive(Arbitrary, Debug)]
struct AnswersInput {
    field: u8,
    notation: Notation,
    text: TextRecipe,
    /// Answers in the right shape.
    answers: Vec<AnswerRecipe>,
    /// The whole answer, if there are none in the right shape.
    bytes: Vec<u8>,
}

#[derive(Arbitrary, Debug)]
struct AnswerRecipe {
    question: u8,
    answers: Vec<u8>,
    /// The quoted part of the texts.
    quote: Option<(u16, u16)>,
    invented: String,
    sure: bool,
}

fuzz_target!(|input: AnswersInput| {
    static LINTER: OnceLock<Linter> = OnceLock::new();
    static FIELDS: OnceLock<Vec<String>> = OnceLock::new();
    let linter = LINTER.get_or_init(Linter::builtin);
    let kind = Kind::of(KindRole::Submit);
    let fields = FIELDS.get_or_init(|| content_fields(kind));
    let field = &fields[usize::from(input.field) % fields.len()];
    let (written, format) = draft(kind, field, &input.text.text(MAX_TEXT), input.notation);
    let source = Source::new("a", written);
    let parsed = Parsed::of(&source, Some(format));
    let hint = KindHint::Forced(kind.into());
    let mut requests = linter.read_requests(&parsed, hint, &Facts::default(), false);
    let Some(request) = requests.pop() else { return };
    let _ = (request.instructions(), request.answer_schema(), request.message(&Translation::default()));
    let bytes = if input.answers.is_empty() { input.bytes } else { answers(&request, &input.answers).into_bytes() };
    let _ = ReadRequest::answers_in(std::slice::from_ref(&request), &String::from_utf8_lossy(&bytes), &Translation::default());
    let Ok(answers) = serde_json::from_slice::<ReaderAnswers>(&bytes) else { return };
    let (kept, problems) = request.verify(&answers);
    assert_eq!(
        kept.len() + problems.len(),
        request.questions.len(),
        "each question has an answer or a problem"
    );
    for (id, answer) in &kept {
        let question = request.questions.iter().find(|it| it.id == *id).expect("it was asked");
        assert!(answer.answer.iter().all(|it| question.answers.contains(it)), "{answer:?}");
        assert!(question.several || answer.answer.len() == 1, "{answer:?}");
    }
    let (id, version, at) = (request.id.clone(), DraftReading::VERSION, Timestamp::UNIX_EPOCH);
    let reading =
        DraftReading { id, version, at, reader: "r".to_owned(), model: None, answers: kept.clone() };
    let readings = Readings::new([reading]);
    for readings in [readings.clone(), readings.lowering_errors()] {
        let facts = Facts { readings, ..Facts::default() };
        assert_places(&parsed, &linter.check(&parsed, hint, &facts), field, input.notation);
        // What was kept is believed again, so that it is not asked again.
        let open = linter.read_requests(&parsed, hint, &facts, false);
        let open = open.iter().flat_map(|it| &it.questions);
        assert!(open.into_iter().all(|it| !kept.contains_key(&it.id)), "{kept:?}");
    }
});

/// Answers in the right shape, which quote the draft or something else.
fn answers(request: &ReadRequest, recipes: &[AnswerRecipe]) -> String {
    let mut all = serde_json::Map::new();
    for recipe in recipes.iter().filter(|_| !request.questions.is_empty()) {
        let question = &request.questions[usize::from(recipe.question) % request.questions.len()];
        let offered = |choice: &u8| question.answers[usize::from(*choice) % question.answers.len()].clone();
        let answers: Vec<String> = recipe.answers.iter().map(offered).collect();
        let texts = || question.fields.iter().filter_map(|it| request.fields.get(it));
        let quote = recipe.quote.map(|(from, length)| {
            let from = usize::from(from);
            let texts = texts().flat_map(|it| it.chars());
            texts.skip(from).take(usize::from(length)).collect::<String>()
        });
        let quote = quote.unwrap_or_else(|| recipe.invented.clone());
        let answer = serde_json::json!({ "answer": answers, "quote": quote, "sure": recipe.sure });
        all.insert(question.id.clone(), answer);
    }
    serde_json::json!({ "answers": all }).to_string()
}
