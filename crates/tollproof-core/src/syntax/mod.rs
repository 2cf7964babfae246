//! Parsing: sources and spans, the syntax tree of a document, and one file or folder per format.

mod align;
mod column_names;
pub(crate) mod csv;
pub mod document;
mod drafts;
pub(crate) mod edit;
pub(crate) mod encoding;
pub(crate) mod envelope;
mod errors;
pub(crate) mod field_names;
mod form;
mod json;
pub(crate) mod label_words;
mod language;
mod limits;
pub(crate) mod line_index;
pub(crate) mod message;
pub(crate) mod message_parts;
pub(crate) mod message_template;
mod message_translation;
mod ndjson;
mod notes;
mod parsed;
pub(crate) mod part_start;
mod parts;
pub(crate) mod pointer;
pub(crate) mod printable;
mod program;
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
pub use self::language::Language;
pub(crate) use self::limits::{MAX_STRING, MAX_WRITTEN};
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
    /// Notes: Markdown or plain text, with labels and values.
    Notes,
    /// A program or a command, with literals beside the names of fields.
    Program,
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

/// Extensions of notes.
const NOTES: [&str; 13] = [
    "md",
    "markdown",
    "txt",
    "eml",
    "html",
    "htm",
    "adoc",
    "asciidoc",
    "org",
    "rst",
    "wiki",
    "mediawiki",
    "textile",
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
            Self::Notes => "notes",
            Self::Program => "program",
        }
    }

    /// The format of data by the extension of a file, if that is known. For `drafts.csv.gz`, that is CSV.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        if COMPRESSED.iter().any(|it| extension.eq_ignore_ascii_case(it)) {
            return Self::of_path(Path::new(path.file_stem()?)).filter(|it| it.has_parts());
        }
        let known = EXTENSIONS.iter().find(|(it, _)| extension.eq_ignore_ascii_case(it)).map(|&(_, it)| it);
        known.filter(|_| !Language::is_collection(path))
    }

    /// The format of a file by its extension, if that is one of data, of notes or of a language of programs.
    pub fn of_any_path(path: &Path) -> Option<Self> {
        let is_notes = || {
            let extension = path.extension()?.to_str()?;
            NOTES.iter().any(|notes| extension.eq_ignore_ascii_case(notes)).then_some(Self::Notes)
        };
        Self::of_path(path).or_else(is_notes).or_else(|| Language::of_path(path).map(|_| Self::Program))
    }

    /// Whether a file of notes or a program may have a draft: it names fields, or what a form asks for. This costs less than
    /// reading it.
    pub fn may_have_draft(self, text: &[u8]) -> bool {
        drafts::may_have_draft(text, self)
    }

    /// Whether drafts are the whole content of such files, not a part of what people wrote.
    pub fn is_data(self) -> bool {
        !matches!(self, Self::Notes | Self::Program)
    }

    /// The format of a file by its extension, or else by its content, of which the beginning is enough.
    #[must_use]
    pub fn detect(path: &Path, text: &str) -> Self {
        // Data is saved as text too, and notes look like YAML.
        let is_text = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
        let is_workflow = || text.contains("run: ") && text.contains("curl ");
        let has_commands = || is_workflow() && Self::Program.may_have_draft(text.as_bytes());
        match Self::of_any_path(path).filter(|_| !is_text).unwrap_or_else(|| Self::of_text(text)) {
            Self::Yaml if is_text => Self::Notes,
            // A workflow is not a draft, but its commands may have one.
            Self::Yaml if has_commands() => Self::Program,
            format => format,
        }
    }

    /// Notes or a program, if the text is written as one of them and has a draft.
    fn written_in(text: &str) -> Option<Self> {
        let may_have = || Self::Notes.may_have_draft(text.as_bytes()) || notes::has_labels(text);
        if text.len() > limits::MAX_WRITTEN || !may_have() || seems_yaml(text) {
            return None;
        }
        let has_draft = |documents: &[document::Document<'_>]| {
            let roots = documents.iter().filter_map(|document| document.root.as_ref());
            roots.into_iter().any(|root| !root.members().is_empty())
        };
        if has_draft(&program::read(text, None).0) {
            return Some(Self::Program);
        }
        has_draft(&notes::read(text, Path::new(""), None)).then_some(Self::Notes)
    }

    /// Guesses the format from the content: NDJSON if the first line is a complete object and another one follows, JSON
    /// if the text starts like JSON, perhaps with a comment, CSV if the first line is a row of names, notes or a program if
    /// they have a draft and most lines are not YAML, else YAML.
    pub(crate) fn of_text(text: &str) -> Self {
        let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        if form::seems_form(text) {
            return Self::Json;
        }
        if encoding::seems_program(text.as_bytes()) {
            return Self::Program;
        }
        if notes::seems_notes(text) {
            return Self::Notes;
        }
        // JSON of settings and editors may begin with a comment, which its reader reports.
        let content = after_comments(text);
        // The number of a ticket or a time in brackets is none: `[OPS-12] Toll-free number`.
        let is_list = |rest: &str| {
            let first = rest.lines().next().unwrap_or_default();
            let after = first.split_once("] ").map_or("", |(_, after)| after);
            let is_said = after.starts_with(|c: char| c.is_alphabetic() || c == '\u{200e}');
            !rest.starts_with(char::is_alphabetic) && !is_said
        };
        let is_value = content.starts_with('{') || content.strip_prefix('[').is_some_and(is_list);
        let is_json = is_value || content.len() < text.len();
        // A greeting may have commas.
        if !is_json && csv::seems_csv(text) && !notes::has_labels(text) {
            return Self::Csv;
        }
        if !is_value && let Some(format) = Self::written_in(text) {
            return format;
        }
        if !is_json {
            return Self::Yaml;
        }
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let whole = first.starts_with('{') && first.trim_end().ends_with('}');
        if whole && rest.trim_start().starts_with('{') { Self::Ndjson } else { Self::Json }
    }
}

/// A text without the comments at its beginning.
fn after_comments(text: &str) -> &str {
    let mut text = text;
    while let Some(end) = [("//", "\n"), ("/*", "*/")]
        .iter()
        .find_map(|(open, close)| Some(text.strip_prefix(open)?.split_once(close)?.1))
    {
        text = end.trim_start();
    }
    text
}

/// Whether most lines of a text that are not indented look like YAML: a key of one word, perhaps in a list. A key is written as
/// programs write names; notes have labels of one word too.
fn seems_yaml(text: &str) -> bool {
    let is_key = |key: &str| {
        let key = key.trim_matches(['"', '\'']);
        !key.is_empty() && !key.contains(|c: char| c.is_whitespace() || "*`|".contains(c))
    };
    let fits = |line: &&str| {
        let item = line.trim_start_matches("- ");
        let key = item.split_once(": ").map(|(key, _)| key).or_else(|| item.trim_end().strip_suffix(':'));
        key.map_or(item.len() < line.len() || line.starts_with("---"), is_key)
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with([' ', '\t', '#']));
    let (yaml, others): (Vec<&str>, Vec<&str>) = lines.partition(fits);
    let is_name = |line: &str| {
        let key = line.trim_start_matches([' ', '\t', '-', '"', '\'']).split([':', '"', '\'']).next();
        key.is_some_and(|key| {
            field_names::has_words(key) && key.contains(|c: char| c.is_ascii_lowercase()) && is_key(key)
        })
    };
    yaml.len() >= others.len() && text.lines().any(is_name)
}

/// The offset at which the content of a text begins: after the byte order mark, if there is one.
fn beginning(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}
