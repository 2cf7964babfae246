//! YAML files that users write for tollproof itself, strictly decoded: errors point at the key.

use serde::de::DeserializeOwned;

use crate::document::Node;
use crate::input::{Format, read};
use crate::nearest::nearest;
use crate::source::{Source, Span};

/// A rule file or a config that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {message}")]
pub struct StrictError {
    /// The file's name.
    pub file: String,
    /// Its text, for an excerpt.
    pub text: String,
    /// The smallest place that is wrong.
    pub span: Option<Span>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl StrictError {
    /// An error about the value (or, for what no value has, the key) at a pointer.
    pub(crate) fn at(file: &str, text: &str, pointer: &str, message: impl Into<String>) -> Box<Self> {
        let span = place(text, pointer);
        Box::new(Self {
            file: file.to_owned(),
            text: text.to_owned(),
            span,
            message: message.into(),
            help: None,
        })
    }
}

/// Decodes one YAML document into `T`; unknown keys are errors wherever `T` denies them.
///
/// # Errors
///
/// The first thing that does not fit, with its place in `text`.
pub fn decode<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Box<StrictError>> {
    let source = Source::new(file, text);
    let faults = read(&source, Format::Yaml).find_map(|document| document.faults.into_iter().next());
    if let Some(fault) = faults {
        let (span, help) = (Some(fault.span), fault.help);
        return Err(Box::new(StrictError {
            file: file.to_owned(),
            text: text.to_owned(),
            span,
            message: fault.message,
            help,
        }));
    }
    serde_path_to_error::deserialize(serde_yaml::Deserializer::from_str(text)).map_err(|error| {
        let mut pointer = String::new();
        for segment in error.path() {
            use serde_path_to_error::Segment;
            match segment {
                Segment::Map { key } => crate::document::push_token(&mut pointer, key),
                Segment::Seq { index } => crate::document::push_token(&mut pointer, &index.to_string()),
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        explain(file, text, pointer, &error.into_inner().to_string())
    })
}

/// Serde's words in ours: where it says which keys it knows, the nearest is named.
fn explain(file: &str, text: &str, mut pointer: String, words: &str) -> Box<StrictError> {
    let words = words.rsplit_once(" at line ").map_or(words, |(words, _)| words);
    // What precedes the words is the path, which the span shows.
    let words =
        ["unknown field", "unknown variant", "missing field", "duplicate", "invalid type", "invalid value"]
            .iter()
            .find_map(|start| words.find(start).map(|at| &words[at..]))
            .unwrap_or(words);
    let mut quoted = words.split('`').skip(1).step_by(2);
    let unknown = words.starts_with("unknown field") || words.starts_with("unknown variant");
    let (Some(name), true) = (quoted.next(), unknown) else {
        return StrictError::at(file, text, &pointer, words);
    };
    let known: Vec<&str> = quoted.collect();
    let what = if words.starts_with("unknown field") { "key" } else { "value" };
    if what == "key" && !pointer.ends_with(&format!("/{name}")) {
        crate::document::push_token(&mut pointer, name);
    }
    let near = crate::nearest::did_you_mean(nearest(name, known.iter().copied()));
    let mut error =
        StrictError::at(file, text, &pointer, format!("`{name}` is no {what} that is known here{near}"));
    error.help = Some(format!("Known here: {}.", known.join(", ")));
    error
}

/// The span of the value at a pointer; of a key where the pointer's last step names one.
fn place(text: &str, pointer: &str) -> Option<Span> {
    let source = Source::new("", text);
    let root = read(&source, Format::Yaml).find_map(|document| document.root)?;
    let (above, last) = pointer.rsplit_once('/').unwrap_or_default();
    let object: Option<&Node<'_>> = root.at(above);
    let member = object.and_then(|object| object.member(last));
    member.map(|member| member.key_span).or_else(|| nearest_value(&root, pointer))
}

/// The value at the longest beginning of a pointer that leads somewhere; its first line.
fn nearest_value(root: &Node<'_>, pointer: &str) -> Option<Span> {
    let mut pointer = pointer;
    loop {
        if let Some(node) = root.at(pointer) {
            let first = node.members().first().map(|member| member.key_span);
            return Some(first.unwrap_or(node.span));
        }
        pointer = pointer.rsplit_once('/')?.0;
    }
}
