//! Drafts as Python passes them: values, or texts of files.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};

use crate::errors;
use crate::json_text::json_text;

/// A draft as a text.
pub(crate) struct PassedDraft {
    pub(crate) text: Vec<u8>,
    /// Whether the text was written from a value, so that the caller does not know its places.
    pub(crate) is_value: bool,
}

/// Reads a dictionary or a list as JSON, and a string or bytes as the text of a file.
pub(crate) fn read_draft(draft: &Bound<'_, PyAny>) -> PyResult<PassedDraft> {
    if let Ok(text) = draft.cast::<PyString>() {
        let text = text.to_cow().map_err(|_| {
            errors::invalid(
                "the text of the draft has a lone surrogate, which is not text",
                "Pass bytes instead.",
            )
        })?;
        return Ok(PassedDraft { text: text.as_bytes().to_vec(), is_value: false });
    }
    if let Ok(bytes) = draft.cast::<PyBytes>() {
        return Ok(PassedDraft { text: bytes.as_bytes().to_vec(), is_value: false });
    }
    let is_value =
        [draft.cast::<PyDict>().is_ok(), draft.cast::<PyList>().is_ok(), draft.cast::<PyTuple>().is_ok()];
    if is_value.contains(&true) {
        return Ok(PassedDraft { text: json_text(draft, "the draft")?.into_bytes(), is_value: true });
    }
    let name = draft.get_type().name()?;
    if draft.hasattr("__fspath__").unwrap_or(false) {
        let message =
            format!("only `check` and `fix` read files: pass the text of the {name}, or what is in it");
        return Err(errors::wrong_type(message));
    }
    Err(errors::wrong_type(format!(
        "a draft must be a dict, a list, a str, bytes or a path object, not {name}"
    )))
}
