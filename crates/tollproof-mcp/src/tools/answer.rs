//! The tool `answer`: answers to a request, verified, stored for a file, and what they change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use tollproof_core::{
    AnswerProblem, DraftReading, Facts, ReadAnswer, ReadRequest, ReaderAnswer, ReaderAnswers, one_line,
};
use tollproof_history::name_of;
use tollproof_project::{InputRole, Overlay, ReadingsStore, StoredFacts};

use super::{ToolCall, ToolContext, ToolOutput};
use crate::draft_folder::DraftFolder;
use crate::error::{Result, ToolError};
use crate::report;
use crate::tool_draft::{OpenDraft, ToolDraft, value_or_text};

/// A draft's reader, in the store.
const READER: &str = "mcp";

/// The longest stored part of a client's name, in characters.
const MAX_CLIENT: usize = 80;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AnswerCall {
    #[serde(flatten)]
    draft: ToolDraft,
    /// The `id` of the request that is answered; needed if there are several drafts.
    id: Option<String>,
    /// The answers by the ids of the questions.
    #[serde(deserialize_with = "answers_within")]
    #[schemars(with = "BTreeMap<String, AnswerSchema>")]
    answers: BTreeMap<String, ReaderAnswer>,
}

/// An answer to a question: alone if it is sure and needs no quote.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnswerSchema {
    /// One of the `answers` of the question; a list if it has `several`.
    Plain(AnswerOneOrMany),
    Quoted {
        /// One of the `answers` of the question; a list if it has `several`.
        answer: AnswerOneOrMany,
        /// The shortest passage that decides, letter by letter; empty where something is missing.
        quote: String,
        /// Whether the words leave nothing open.
        sure: bool,
    },
}

#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum AnswerOneOrMany {
    One(String),
    Several(Vec<String>),
}

/// Answers by the ids of their questions, or the object that has them as `answers`, which requests ask for.
fn answers_within<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<BTreeMap<String, ReaderAnswer>, D::Error> {
    let mut written: Map<String, Value> = value_or_text(deserializer)?;
    if let Some(Value::Object(within)) = written.remove("answers") {
        written = within;
    }
    Ok(written.into_iter().map(|(question, answer)| (question, answer.into())).collect())
}

/// Outcome of the answers.
struct VerifiedAnswers {
    kept: BTreeMap<String, ReadAnswer>,
    /// The question, and what is wrong with its answer.
    refused: Vec<(String, String)>,
}

impl ToolCall for AnswerCall {
    fn run(self, context: &ToolContext<'_>) -> Result<ToolOutput> {
        let folder = context.folder;
        let draft = self.draft.open(folder)?;
        let (request, open) = request(&draft, self.id.as_deref())?;
        let answers = ReaderAnswers { id: None, reader: None, model: None, answers: self.answers };
        let VerifiedAnswers { kept, refused } = verified(&request, &answers);
        let names: Vec<String> = kept.keys().cloned().collect();
        let (mut stored, mut now) = (None, draft);
        if !kept.is_empty() {
            let reading = DraftReading {
                id: request.id,
                version: DraftReading::VERSION,
                at: Timestamp::now(),
                reader: READER.to_owned(),
                model: context.client.as_deref().and_then(client_name),
                answers: kept,
            };
            if now.file.path.is_some() {
                stored = Some(store(folder, &now, reading)?);
                now = self.draft.open(folder)?;
            } else {
                now = with_reading(folder, now, &reading)?;
            }
        }
        let (report, notes) = report::of_draft(&now)?;
        let refused: Vec<Value> =
            refused.into_iter().map(|(question, why)| json!({ "question": question, "why": why })).collect();
        let open: Vec<&String> = open.iter().filter(|question| !names.contains(question)).collect();
        let value =
            json!({ "kept": names, "refused": refused, "open": open, "stored": stored, "report": report });
        let output = ToolOutput::new(value).cut_list("/report/findings", self.draft.from);
        Ok(output.cut_list("/refused", 0).with_notes(notes))
    }
}

/// The request with an id, or the only one, with all questions; and which of them have no answer yet.
fn request(draft: &OpenDraft, id: Option<&str>) -> Result<(ReadRequest, BTreeSet<String>)> {
    let StoredFacts { seen, readings } = draft.session.stored_of(&draft.config)?.0;
    let facts = Facts { readings, seen, ..Facts::default() };
    let parsed = draft.parsed();
    let requests = |all| draft.linter.read_requests(&parsed, draft.hint(), &facts, all);
    let mut all = requests(true);
    let at = match id {
        Some(id) => all.iter().position(|it| it.id == id).ok_or_else(|| {
            ToolError::new(
                "no draft here has a request with this `id`; if a text was changed, ask `questions` again",
            )
        })?,
        None if all.len() == 1 => 0,
        None if all.is_empty() => return Err(ToolError::new("no draft of a request was found")),
        None => return Err(ToolError::new("there are several drafts; give the `id` of the request")),
    };
    let open = requests(false).swap_remove(at).questions.into_iter().map(|it| it.id).collect();
    Ok((all.swap_remove(at), open))
}

/// Sorts answers.
fn verified(request: &ReadRequest, answers: &ReaderAnswers) -> VerifiedAnswers {
    let (kept, problems) = request.verify(answers);
    let problems = problems.into_iter().filter(|(_, problem)| *problem != AnswerProblem::Missing);
    let mut refused: Vec<(String, String)> =
        problems.map(|(question, problem)| (question, problem.to_string())).collect();
    let is_unknown = |id: &&String| request.questions.iter().all(|question| question.id != **id);
    let unknown = answers.answers.keys().filter(is_unknown);
    refused.extend(unknown.map(|id| (id.clone(), "this question was not asked".to_owned())));
    VerifiedAnswers { kept, refused }
}

/// Returns a client's name for the store.
fn client_name(name: &str) -> Option<String> {
    let name: String = one_line(name.trim()).chars().take(MAX_CLIENT).collect();
    (!name.is_empty()).then_some(name)
}

/// Adds a reading to the store of a draft, which must be a file of the folder. Returns its name.
fn store(folder: &DraftFolder, draft: &OpenDraft, reading: DraftReading) -> Result<String> {
    let path = draft.session.readings_path(&draft.config);
    let name = name_of(&path);
    if !draft.config.is_own_readings() || !folder.takes(&path) {
        return Err(ToolError::new(format_args!(
            "`{name}` is outside of the folder of this server, so no answer can be stored"
        )));
    }
    draft.session.check_store_path([&draft.file], &path, InputRole::Readings)?;
    let _lock = ReadingsStore::lock(&path).map_err(ToolError::new)?;
    let mut store = ReadingsStore::read_to_write(&*folder.files(), &path).map_err(ToolError::new)?;
    store.add([reading]);
    store.write().map_err(ToolError::new)?;
    Ok(name)
}

/// The draft as it is with a reading that is not stored: in memory, it is in the store.
fn with_reading(folder: &DraftFolder, draft: OpenDraft, reading: &DraftReading) -> Result<OpenDraft> {
    let path = draft.session.readings_path(&draft.config);
    let known = ReadingsStore::read(&*folder.files(), &path).map_err(ToolError::new)?;
    let mut lines = String::new();
    for line in known.iter().chain([reading]) {
        lines += &serde_json::to_string(line).map_err(ToolError::new)?;
        lines.push('\n');
    }
    let files = Overlay::new(folder.files());
    files.open(&path, lines);
    let session = DraftFolder::session_over(Arc::new(files), draft.session.options().kind)?;
    OpenDraft::of_text(session, draft.source.text())
}
