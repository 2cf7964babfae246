//! Questions to a reader about one draft, and its answers.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::asked::{AskedQuestion, AskedText, in_hexadecimal};
use super::mask::Placeholders;
use super::verdict::{AnswerProblem, AnswerVerdict, MAX_QUOTE};
use crate::facts::readings::ReadAnswer;
use crate::redact::PersonalData;
use crate::rule::RuleQuestion;

/// A request to a reader about one draft: its texts without personal data, and questions about them. Serialized, it is one
/// line of `tollproof read --export`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadRequest {
    /// The version of this shape, [`ReadRequest::VERSION`].
    pub version: u32,
    /// A hash of the draft's texts, and of all questions about it.
    pub id: String,
    /// The texts by their roles, whoever's payload it is.
    pub fields: BTreeMap<String, String>,
    /// The questions that are not answered yet. Serialized, those about the same fields stand together.
    #[serde(serialize_with = "serialize_by_fields")]
    pub questions: Vec<RequestedQuestion>,
    #[serde(skip)]
    placeholders: Placeholders,
    /// The texts of each role as they are in the draft.
    #[serde(skip)]
    originals: BTreeMap<String, Vec<String>>,
}

/// A question of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequestedQuestion {
    /// The name of the question.
    pub id: String,
    /// The fields that it is about, by their roles.
    #[serde(skip)]
    pub fields: Vec<String>,
    /// The question.
    pub ask: String,
    /// The answers that are offered. In JSON, "yes" and "no" are left out.
    #[serde(skip_serializing_if = "is_yes_or_no")]
    pub answers: Vec<String>,
    /// Whether several answers may be given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub several: bool,
    /// Whether words found an error that is lowered only by an answer which quotes what shows that nothing is wrong.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub quote: bool,
    /// Whether a rule of the user's own or of the project asks it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
    #[serde(skip)]
    key: String,
    /// Consequences that the rules which ask it draw from the answers.
    #[serde(skip)]
    pub(super) judged: Vec<JudgedAnswers>,
}

/// Consequences that a rule draws from the answers to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JudgedAnswers {
    pub(super) defects: Vec<String>,
    at_least: u8,
    pub(super) is_absence: bool,
}

/// Questions about the same fields, as they are serialized.
#[derive(Serialize)]
pub(super) struct QuestionsOfFields<'r> {
    pub(super) fields: &'r [String],
    pub(super) ask: Vec<&'r RequestedQuestion>,
}

pub(super) fn by_fields(questions: &[RequestedQuestion]) -> Vec<QuestionsOfFields<'_>> {
    let mut groups: Vec<QuestionsOfFields<'_>> = Vec::new();
    for question in questions {
        match groups.iter_mut().find(|group| group.fields == question.fields) {
            Some(group) => group.ask.push(question),
            None => groups.push(QuestionsOfFields { fields: &question.fields, ask: vec![question] }),
        }
    }
    groups
}

fn serialize_by_fields<S: Serializer>(
    questions: &[RequestedQuestion],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    by_fields(questions).serialize(serializer)
}

/// A reader's answers to a request, not verified yet.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReaderAnswers {
    /// The id of the request. A reader that answers one request at a time may leave it out.
    pub id: Option<String>,
    /// The reader's name.
    pub reader: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
    /// The answers by the names of the questions.
    pub answers: BTreeMap<String, ReaderAnswer>,
}

/// An answer, not verified yet. One that is written as a text, as a list of several, or as `true` or `false`, is sure and has no
/// quote. Any other value is refused alone, as an answer that is not offered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Value")]
pub struct ReaderAnswer {
    /// The answer, or several.
    pub answer: Vec<String>,
    /// The words that decide.
    pub quote: String,
    /// Whether the reader is sure.
    pub sure: bool,
}

impl From<Value> for ReaderAnswer {
    fn from(written: Value) -> Self {
        let is_yes = |value: &Value| texts(value).first().is_some_and(|text| text == YES_OR_NO[0]);
        match &written {
            Value::Object(members) => Self {
                answer: members.get("answer").map(texts).unwrap_or_default(),
                quote: members.get("quote").and_then(Value::as_str).unwrap_or_default().to_owned(),
                sure: members.get("sure").is_some_and(is_yes),
            },
            written => Self { answer: texts(written), quote: String::new(), sure: true },
        }
    }
}

/// The answers in a value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(is_so) => vec![YES_OR_NO[usize::from(!is_so)].to_owned()],
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        other => vec![other.to_string()],
    }
}

/// The answers to most questions.
pub(super) const YES_OR_NO: [&str; 2] = ["yes", "no"];

fn is_yes_or_no(answers: &[String]) -> bool {
    answers == YES_OR_NO
}

impl ReadRequest {
    /// The version of the shape.
    pub const VERSION: u32 = 1;

    /// The questions `open` of all that are `asked` about a document; `is_quoted` says which need a quote in any case.
    pub(crate) fn new(
        asked: &[AskedQuestion<'_>],
        open: impl Fn(&AskedQuestion<'_>) -> bool,
        is_quoted: impl Fn(&AskedQuestion<'_>) -> bool,
        personal: &PersonalData,
    ) -> Self {
        let mut request = Self {
            version: Self::VERSION,
            id: id(asked),
            fields: BTreeMap::new(),
            questions: Vec::new(),
            placeholders: Placeholders::beside(
                asked.iter().flat_map(AskedQuestion::texts).map(AskedText::shown),
            ),
            originals: BTreeMap::new(),
        };
        // All texts in one order, so that a placeholder is the same whichever questions are open.
        let fields = asked.iter().flat_map(|it| &it.fields).map(|it| (it.role.as_str(), it));
        for (role, field) in fields.collect::<BTreeMap<_, _>>() {
            let texts: Vec<String> = field.texts.iter().map(|text| text.shown().to_owned()).collect();
            let masked = field.texts.iter().map(|text| request.placeholders.mask(&text.named(), personal));
            request.fields.insert(role.to_owned(), masked.collect::<Vec<_>>().join("\n"));
            request.originals.insert(role.to_owned(), texts);
        }
        for question in asked.iter().filter(|question| open(question)) {
            let new = RequestedQuestion { quote: is_quoted(question), ..RequestedQuestion::of(question) };
            // Two rules may ask the same, each for another answer.
            match request.questions.iter_mut().find(|known| known.key == new.key && known.id == new.id) {
                Some(known) => known.judged.extend(new.judged),
                None => request.questions.push(new),
            }
        }
        request.retain_asked();
        request
    }

    /// The same request without the questions in `asked`, which is about the same texts in another draft; the others are added
    /// to it.
    #[must_use]
    pub fn without_asked(mut self, asked: &mut BTreeSet<String>) -> Self {
        self.questions.retain(|question| asked.insert(question.key.clone()));
        self.retain_asked();
        self
    }

    fn retain_asked(&mut self) {
        let is_asked = |role: &String| self.questions.iter().any(|question| question.fields.contains(role));
        self.fields.retain(|role, _| is_asked(role));
    }

    /// The answers that can be believed, by the names of their questions, and what is wrong with the others.
    pub fn verify(
        &self,
        answers: &ReaderAnswers,
    ) -> (BTreeMap<String, ReadAnswer>, Vec<(String, AnswerProblem)>) {
        let (mut verified, mut problems) = (BTreeMap::new(), Vec::new());
        for question in &self.questions {
            match answers.answers.get(&question.id).ok_or(AnswerProblem::Missing) {
                Err(problem) => problems.push((question.id.clone(), problem)),
                Ok(answer) => match self.verify_one(question, answer) {
                    Ok(answer) => drop(verified.insert(question.id.clone(), answer)),
                    Err(problem) => problems.push((question.id.clone(), problem)),
                },
            }
        }
        (verified, problems)
    }

    pub(super) fn verify_one(
        &self,
        question: &RequestedQuestion,
        answer: &ReaderAnswer,
    ) -> Result<ReadAnswer, AnswerProblem> {
        let quote = answer.quote.trim();
        if quote.len() > MAX_QUOTE {
            return Err(AnswerProblem::QuoteNotFound);
        }
        let answer = ReadAnswer {
            asked: question.key.clone(),
            answer: question.offered(&answer.answer),
            quote: self.placeholders.unmask(quote),
            sure: answer.sure,
        };
        let texts = || question.fields.iter().filter_map(|role| self.originals.get(role)).flatten();
        for judged in &question.judged {
            AnswerVerdict::of(&question.judged_by(judged), &answer, texts().map(String::as_str))?;
        }
        Ok(answer)
    }
}

impl RequestedQuestion {
    fn of(asked: &AskedQuestion<'_>) -> Self {
        let owned = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect();
        let question = &asked.question;
        let mut fields: Vec<String> = asked.fields.iter().map(|field| field.role.clone()).collect();
        fields.sort_unstable();
        Self {
            id: question.id.to_owned(),
            fields,
            ask: question.ask.to_owned(),
            answers: owned(&question.answers),
            several: question.is_many,
            quote: false,
            own: asked.rule.is_own,
            key: asked.key().to_owned(),
            judged: vec![JudgedAnswers {
                defects: owned(&question.defects),
                at_least: question.at_least,
                is_absence: question.is_absence,
            }],
        }
    }

    pub(super) fn is_yes_or_no(&self) -> bool {
        is_yes_or_no(&self.answers)
    }

    /// Answers in the spelling in which they were offered, each once. A reader may write several with commas.
    fn offered(&self, answers: &[String]) -> Vec<String> {
        let spelled = |answer: &str| {
            let known = self.answers.iter().find(|known| known.eq_ignore_ascii_case(answer.trim()));
            known.map_or_else(|| answer.to_owned(), Clone::clone)
        };
        let several = self.several && answers.iter().all(|it| !self.answers.contains(it));
        let all: Box<dyn Iterator<Item = &str>> = if several {
            Box::new(answers.iter().flat_map(|answer| answer.split(',')))
        } else {
            Box::new(answers.iter().map(String::as_str))
        };
        // More than were offered cannot all be known.
        let mut offered: Vec<String> = Vec::new();
        for answer in all.map(spelled) {
            if offered.len() <= self.answers.len() && !offered.contains(&answer) {
                offered.push(answer);
            }
        }
        offered
    }

    fn judged_by<'q>(&'q self, judged: &'q JudgedAnswers) -> RuleQuestion<'q> {
        fn borrowed(texts: &[String]) -> Vec<&str> {
            texts.iter().map(String::as_str).collect()
        }
        RuleQuestion {
            id: &self.id,
            ask: &self.ask,
            at: borrowed(&self.fields),
            answers: borrowed(&self.answers),
            is_many: self.several,
            defects: borrowed(&judged.defects),
            at_least: judged.at_least,
            is_absence: judged.is_absence,
            ..RuleQuestion::default()
        }
    }
}

/// A hash of everything that is asked about a document.
fn id(asked: &[AskedQuestion<'_>]) -> String {
    let mut keys: Vec<&str> = asked.iter().map(AskedQuestion::key).collect();
    keys.sort_unstable();
    in_hexadecimal(&Sha256::digest(keys.concat()))
}
