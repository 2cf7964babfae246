//! Labelled drafts: one JSON object a line, read one after the other.

use std::borrow::Cow;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tollproof_core::{Kind, bounded, did_you_mean, nearest, quoted, schema};
use tollproof_history::{name_of, reason};
use tollproof_history::{open_stream, read_line};

use crate::errors::Failure;

/// The value of `field` that means the whole draft, as its absence does.
pub(super) const WHOLE: &str = "all";

/// A draft and what is known of it.
#[derive(Debug, Deserialize)]
pub(super) struct LabelledDraft<'l> {
    /// `good`, `bad` or any other word.
    #[serde(borrow)]
    pub(super) label: Cow<'l, str>,
    /// The field that the label is about, or [`WHOLE`].
    #[serde(borrow, default = "whole")]
    pub(super) field: Cow<'l, str>,
    /// What reports call the draft.
    #[serde(default)]
    id: Option<Value>,
    /// Concepts of which one should be found.
    #[serde(default)]
    pub(super) expect_any_of: Vec<String>,
    /// Concepts that are fair to report.
    #[serde(default)]
    pub(super) tolerate: Vec<String>,
    /// The draft, as it is written.
    #[serde(borrow)]
    draft: &'l RawValue,
}

impl LabelledDraft<'_> {
    /// What the report calls the draft that stands in a line.
    pub(super) fn id(&self, line: usize) -> String {
        match &self.id {
            Some(Value::String(id)) => id.clone(),
            Some(id) => id.to_string(),
            None => format!("line {line}"),
        }
    }

    /// The text of the draft.
    pub(super) fn draft(&self) -> &str {
        self.draft.get()
    }
}

/// Hands over the drafts of a file with the number of their line, from 1; blank lines are passed over.
pub(super) fn each(path: &Path, mut take: impl FnMut(usize, &LabelledDraft<'_>)) -> Result<(), Failure> {
    let name = name_of(path);
    let cannot_open = |error| Failure::new(format_args!("cannot open `{name}`: {}", reason(&error)));
    let mut file = BufReader::new(open_stream(path).map_err(cannot_open)?);
    let mut bytes = Vec::new();
    let fields = || Kind::ALL.into_iter().flat_map(schema::field_names);
    let mut drafts = 0_usize;
    for number in 1.. {
        bytes.clear();
        if read_line(&mut file, &mut bytes).map_err(cannot_open)? == 0 {
            break;
        }
        let wrong = |why: &str| Failure::new(format_args!("cannot use line {number} of `{name}`: {why}"));
        let line = std::str::from_utf8(&bytes).map_err(|_| wrong("the line is not UTF-8"))?;
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let labelled: LabelledDraft<'_> =
            serde_json::from_str(line).map_err(|error| wrong(&words(&error)))?;
        if !labelled.draft().starts_with('{') {
            return Err(wrong("`draft` is not an object"));
        }
        let field = labelled.field.as_ref();
        // A draft may also have a field that no schema has.
        let is_known =
            || fields().any(|it| it == field) || labelled.draft().contains(&format!("\"{field}\""));
        if field != WHOLE && !is_known() {
            let meant = did_you_mean(nearest(field, fields()));
            return Err(wrong(&format!("`{}` is not a field of any document{meant}", quoted(field))));
        }
        drafts += 1;
        take(number, &labelled);
    }
    if drafts == 0 {
        return Err(Failure::new(format_args!("`{name}` contains no labelled draft")));
    }
    Ok(())
}

fn whole() -> Cow<'static, str> {
    Cow::Borrowed(WHOLE)
}

/// What is wrong with a line, without the line that serde counts: it sees one alone.
fn words(error: &serde_json::Error) -> String {
    let text = bounded(error.to_string());
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    if let Some(key) = what.strip_prefix("missing field ") {
        return format!("the key {key} is missing");
    }
    // Where the object ends says nothing, where a value stands says which.
    format!("{what} at column {}", error.column())
}
