//! Reads labelled drafts and sentences, one JSON object per line.

use std::borrow::Cow;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tollproof_core::{Kind, KindRole, bounded, did_you_mean, nearest, quoted, schema};
use tollproof_history::{name_of, open_stream, read_line};

use super::error::EvaluationError;

/// The value of `field` that means the whole draft. It is also the default.
pub(super) const WHOLE: &str = "all";

/// The place of labelled drafts or sentences.
#[derive(Clone, Copy, Debug)]
pub enum Labelled<'l> {
    /// In a file.
    File(&'l Path),
    /// In a text with a name.
    Text(&'l str, &'l str),
}

impl Labelled<'_> {
    fn name(&self) -> String {
        match self {
            Self::File(path) => name_of(path),
            Self::Text(name, _) => (*name).to_owned(),
        }
    }
}

/// A draft with its known outcome.
#[derive(Debug, Deserialize)]
pub(super) struct LabelledDraft<'l> {
    /// `good`, `bad` or any other word.
    #[serde(borrow)]
    pub(super) label: Cow<'l, str>,
    /// The field that the label is about, or [`WHOLE`].
    #[serde(borrow, default = "whole")]
    pub(super) field: Cow<'l, str>,
    /// The name of the draft in reports.
    id: Option<Value>,
    /// Concepts, one of which should be reported.
    #[serde(default)]
    pub(super) expect_any_of: Vec<String>,
    /// Concepts that may be reported.
    #[serde(default)]
    pub(super) tolerate: Vec<String>,
    /// The draft as JSON.
    #[serde(borrow)]
    draft: &'l RawValue,
}

impl LabelledDraft<'_> {
    /// The draft as JSON.
    pub(super) fn draft(&self) -> &str {
        self.draft.get()
    }
}

/// Whether a concept of a rule is in a list.
pub(super) fn shares_a_name(concepts: &[impl AsRef<str>], list: &[String]) -> bool {
    concepts.iter().any(|concept| list.iter().any(|name| name == concept.as_ref()))
}

/// A sentence with what a reviewer would say about it.
#[derive(Debug, Deserialize)]
pub(super) struct LabelledSentence {
    /// The name of the sentence in reports.
    id: Option<Value>,
    /// The group in which it is counted, for example a way to get consent.
    pub(super) mechanism: String,
    /// The language, for example `en`.
    pub(super) lang: String,
    /// The field that contains the sentence.
    pub(super) field: String,
    pub(super) text: String,
    scope: Option<String>,
    /// Concepts, one of which should be reported. Without any, the sentence is a near miss.
    pub(super) concepts: Vec<String>,
    /// Concepts that may be reported on a near miss.
    pub(super) tolerate: Option<Vec<String>>,
    /// Other fields of the draft.
    pub(super) context: Option<Map<String, Value>>,
    pub(super) roles: Option<SentenceRoles>,
    /// The part of the file that it belongs to.
    split: Option<String>,
}

/// Words of the sentence whose role is known.
#[derive(Debug, Deserialize)]
pub(super) struct SentenceRoles {
    /// The names of the business.
    #[serde(default)]
    pub(super) brand: Vec<String>,
}

impl LabelledSentence {
    /// Whether the text is the whole field, and not one sentence of it.
    pub(super) fn is_whole_field(&self) -> bool {
        self.scope.as_deref() == Some("field")
    }

    fn check(&self) -> Result<(), String> {
        if let Some(scope) = self.scope.as_deref().filter(|scope| !["clause", "field"].contains(scope)) {
            return Err(format!("`{}` is not a scope; use `clause` or `field`", quoted(scope)));
        }
        let fields = || schema::field_names(Kind::of(KindRole::Submit));
        for field in self.context.iter().flat_map(Map::keys).chain([&self.field]) {
            if !fields().any(|known| known == field) {
                let meant = did_you_mean(nearest(field, fields()));
                return Err(format!("`{}` is not a field of a submit request{meant}", quoted(field)));
            }
        }
        Ok(())
    }
}

/// Calls `take` for each draft of a file with its name in reports.
pub(super) fn each_draft(
    labelled: Labelled<'_>,
    mut take: impl FnMut(&LabelledDraft<'_>, &str),
) -> Result<(), EvaluationError> {
    let fields = || Kind::all().flat_map(schema::field_names);
    let mut is_empty = true;
    each_line(labelled, |number, line| {
        let draft: LabelledDraft<'_> = serde_json::from_str(line).map_err(|error| words(&error))?;
        if !draft.draft().starts_with('{') {
            return Err("`draft` is not an object".to_owned());
        }
        let field = draft.field.as_ref();
        // A draft may also have a field that is not in any schema.
        let is_known =
            || fields().any(|known| known == field) || draft.draft().contains(&format!("\"{field}\""));
        if field != WHOLE && !is_known() {
            let meant = did_you_mean(nearest(field, fields()));
            return Err(format!("`{}` is not a field of any document{meant}", quoted(field)));
        }
        is_empty = false;
        take(&draft, &name(draft.id.as_ref(), number));
        Ok(())
    })?;
    if is_empty {
        Err(EvaluationError::Empty { name: labelled.name(), what: "labelled draft" })
    } else {
        Ok(())
    }
}

/// Calls `take` for each sentence of a file, or of a split of it, with its name in reports.
pub(super) fn each_sentence(
    path: &Path,
    split: Option<&str>,
    mut take: impl FnMut(&LabelledSentence, &str),
) -> Result<(), EvaluationError> {
    let (mut is_empty, mut has_sentences) = (true, false);
    let mut splits: Vec<String> = Vec::new();
    each_line(Labelled::File(path), |number, line| {
        let sentence: LabelledSentence = serde_json::from_str(line).map_err(|error| words(&error))?;
        sentence.check()?;
        has_sentences = true;
        if split.is_none() || split == sentence.split.as_deref() {
            is_empty = false;
            take(&sentence, &name(sentence.id.as_ref(), number));
        }
        splits.extend(sentence.split.filter(|it| !splits.contains(it)));
        Ok(())
    })?;
    if !is_empty {
        return Ok(());
    }
    let name = name_of(path);
    Err(match split {
        Some(split) if !splits.is_empty() => {
            EvaluationError::UnknownSplit { name, split: split.to_owned(), known: splits }
        }
        Some(_) if has_sentences => EvaluationError::Empty { name, what: "sentence with a `split`" },
        _ => EvaluationError::Empty { name, what: "labelled sentence" },
    })
}

/// Calls `take` for each line of a file with its number, from 1. Empty lines are skipped.
fn each_line(
    labelled: Labelled<'_>,
    mut take: impl FnMut(usize, &str) -> Result<(), String>,
) -> Result<(), EvaluationError> {
    let name = labelled.name();
    let cannot_open = |error| EvaluationError::Unreadable { name: name.clone(), error };
    let mut file: Box<dyn BufRead> = match labelled {
        Labelled::File(path) => Box::new(BufReader::new(open_stream(path).map_err(cannot_open)?)),
        Labelled::Text(_, text) => Box::new(text.as_bytes()),
    };
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if read_line(&mut file, &mut bytes).map_err(cannot_open)? == 0 {
            break;
        }
        let wrong = |why: String| EvaluationError::Line { name: name.clone(), number, why };
        let line = std::str::from_utf8(&bytes).map_err(|_| wrong("the line is not UTF-8".to_owned()))?;
        let line = line.trim_start_matches('\u{feff}').trim();
        if !line.is_empty() {
            take(number, line).map_err(wrong)?;
        }
    }
    Ok(())
}

/// The name in reports; `line` is used if there is no id.
fn name(id: Option<&Value>, line: usize) -> String {
    match id {
        Some(Value::String(id)) => id.clone(),
        Some(id) => id.to_string(),
        None => format!("line {line}"),
    }
}

fn whole() -> Cow<'static, str> {
    Cow::Borrowed(WHOLE)
}

/// The error without serde's line number, which is always 1 because each line is parsed alone.
fn words(error: &serde_json::Error) -> String {
    let text = bounded(error.to_string());
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    if let Some(key) = what.strip_prefix("missing field ") {
        return format!("the key {key} is missing");
    }
    // The column alone locates the error, because each object is on one line.
    format!("{what} at column {}", error.column())
}
