//! Parsing: sources and spans, the syntax tree of a document, and one file or folder per format.

mod column_names;
pub(crate) mod csv;
pub mod document;
pub(crate) mod edit;
pub(crate) mod encoding;
mod envelope;
mod errors;
mod form;
mod json;
mod limits;
pub(crate) mod line_index;
pub(crate) mod message;
pub(crate) mod message_parts;
pub(crate) mod message_template;
mod message_translation;
mod ndjson;
mod parsed;
pub(crate) mod part_start;
mod parts;
pub(crate) mod pointer;
pub(crate) mod printable;
pub(crate) mod source;
mod span;
pub(crate) mod string_map;
mod syntax_error;
mod yaml;
pub(crate) mod yaml_decode;

#[cfg(test)]
mod tests;

use std::path::Path;

pub use self::column_names::ColumnNames;
pub(crate) use self::limits::MAX_STRING;
pub use self::parsed::{Block, Parsed, SourceDocument};

/// The file format of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// JSON: one document, or a list of documents.
    Json,
    /// NDJSON: one JSON document per line.
    Ndjson,
    /// YAML 1.2: documents separated by `---`, each one document or a list of documents.
    Yaml,
    /// CSV: a row of field names, and one document per row.
    Csv,
}

/// File extensions and their formats.
const EXTENSIONS: [(&str, Format); 7] = [
    ("json", Format::Json),
    ("ndjson", Format::Ndjson),
    ("jsonl", Format::Ndjson),
    ("yaml", Format::Yaml),
    ("yml", Format::Yaml),
    ("csv", Format::Csv),
    ("tsv", Format::Csv),
];

/// Extensions of compressed files. The extension before it is that of the content, which is read in parts.
const COMPRESSED: [&str; 2] = ["gz", "zst"];

impl Format {
    /// The name of the format, which is also its usual extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Yaml => "yaml",
            Self::Csv => "csv",
        }
    }

    /// The format of a file by its extension, if that is known. For `drafts.csv.gz`, that is CSV.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        if COMPRESSED.iter().any(|it| extension.eq_ignore_ascii_case(it)) {
            return Self::of_path(Path::new(path.file_stem()?)).filter(|it| it.has_parts());
        }
        EXTENSIONS.iter().find(|(it, _)| extension.eq_ignore_ascii_case(it)).map(|&(_, it)| it)
    }

    /// The format of a file by its extension, or else by its content, of which the beginning is enough.
    #[must_use]
    pub fn detect(path: &Path, text: &str) -> Self {
        Self::of_path(path).unwrap_or_else(|| Self::of_text(text))
    }

    /// Guesses the format from the content: NDJSON if the first line is a complete object and another one follows, JSON
    /// if the text starts like JSON, perhaps with a comment, CSV if the first line is a row of names, else YAML.
    pub(crate) fn of_text(text: &str) -> Self {
        let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        if form::seems_form(text) {
            return Self::Json;
        }
        // JSON of settings and editors may begin with a comment, which its reader reports.
        let begins = ["{", "[", "//", "/*"].iter().any(|it| text.starts_with(it));
        if !begins {
            return if csv::seems_csv(text) { Self::Csv } else { Self::Yaml };
        }
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let whole = first.starts_with('{') && first.trim_end().ends_with('}');
        if whole && rest.trim_start().starts_with('{') { Self::Ndjson } else { Self::Json }
    }
}

/// The offset at which the content of a text begins: after the byte order mark, if there is one.
fn beginning(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}
