//! Texts read once: sources and spans, the tree of a document, one file or folder a format.

pub mod document;
pub(crate) mod edit;
pub(crate) mod encoding;
mod errors;
mod json;
mod limits;
pub(crate) mod line_index;
pub(crate) mod message;
pub(crate) mod message_parts;
mod ndjson;
mod parsed;
pub(crate) mod source;
pub(crate) mod string_map;
mod yaml;
pub(crate) mod yaml_decode;

#[cfg(test)]
mod tests;

use std::path::Path;

pub(crate) use self::limits::MAX_STRING;
pub use self::parsed::{Block, Parsed, SourceDocument};

/// The notation of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// JSON: one document, or a list of them.
    Json,
    /// JSON, one document a line.
    Ndjson,
    /// YAML 1.2: documents separated by `---`, each one document or a list of them.
    Yaml,
}

/// File name endings and what they promise.
const EXTENSIONS: [(&str, Format); 5] = [
    ("json", Format::Json),
    ("ndjson", Format::Ndjson),
    ("jsonl", Format::Ndjson),
    ("yaml", Format::Yaml),
    ("yml", Format::Yaml),
];

impl Format {
    /// The format that a file's name promises, if it promises one.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        EXTENSIONS.iter().find(|(it, _)| extension.eq_ignore_ascii_case(it)).map(|&(_, it)| it)
    }

    /// The format that a text looks like: JSON where it starts like JSON, NDJSON where its first line is
    /// a whole object and another follows, else YAML.
    pub(crate) fn of_text(text: &str) -> Self {
        let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        if !text.starts_with(['{', '[']) {
            return Self::Yaml;
        }
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let whole = first.starts_with('{') && first.trim_end().ends_with('}');
        if whole && rest.trim_start().starts_with('{') { Self::Ndjson } else { Self::Json }
    }
}

/// Where a text begins: behind its byte order mark, if it has one.
fn beginning(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}
