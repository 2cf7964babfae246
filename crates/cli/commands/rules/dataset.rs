//! Reads labelled drafts, one JSON object per line.

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

/// The value of `field` that means the whole draft. It is also the default.
pub(super) const WHOLE: &str = "all";

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
    #[serde(default)]
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
    /// The name of the draft in reports; `line` is used if it has none.
    pub(super) fn id(&self, line: usize) -> String {
        match &self.id {
            Some(Value::String(id)) => id.clone(),
            Some(id) => id.to_string(),
            None => format!("line {line}"),
        }
    }

    /// The draft as JSON.
    pub(super) fn draft(&self) -> &str {
        self.draft.get()
    }
}

/// Calls `take` for each draft of a file with its line number, from 1. Empty lines are skipped.
pub(super) fn each(path: &Path, mut take: impl FnMut(usize, &LabelledDraft<'_>)) -> Result<(), Failure> {
    let name = name_of(path);
    let cannot_open = |error| Failure::new(format_args!("cannot open `{name}`: {}", reason(&error)));
    let mut file = BufReader::new(open_stream(path).map_err(cannot_open)?);
    let mut bytes = Vec::new();
    let fields = || Kind::all().flat_map(schema::field_names);
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
        // A draft may also have a field that is not in any schema.
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
