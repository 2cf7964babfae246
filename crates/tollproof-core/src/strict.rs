//! YAML files that users write for tollproof itself, strictly decoded: errors point at the key.

use serde::de::DeserializeOwned;

use crate::document::Node;
use crate::input::{Format, Parsed};
use crate::nearest::nearest;
use crate::quoted::{bounded, quoted};
use crate::rule::check::Check;
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
    /// An error about the value at a pointer; of a value of several lines, its key is shown.
    pub(crate) fn at(file: &str, text: &str, pointer: &str, message: impl Into<String>) -> Box<Self> {
        Self::new(file, text, place(text, pointer, Part::Value), message.into(), None)
    }

    /// An error about the key at a pointer, or where there is none, about the longest beginning that leads somewhere.
    #[must_use]
    pub fn at_key(
        file: &str,
        text: &str,
        pointer: &str,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Box<Self> {
        let span = place(text, pointer, Part::Key).or_else(|| place(text, pointer, Part::Value));
        Self::new(file, text, span, message.into(), help)
    }

    fn new(file: &str, text: &str, span: Option<Span>, message: String, help: Option<String>) -> Box<Self> {
        let (message, help) = (bounded(message), help.map(bounded));
        Box::new(Self { file: file.to_owned(), text: text.to_owned(), span, message, help })
    }
}

/// Decodes one YAML document into `T`; unknown keys are errors wherever `T` denies them.
///
/// # Errors
///
/// The first thing that does not fit, with its place in `text`.
pub fn decode<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Box<StrictError>> {
    let source = Source::new(file, text);
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let fault = parsed.whole().documents().find_map(|document| document.faults.first().cloned());
    if let Some(fault) = fault {
        // What a draft would need is no help here.
        let help = fault.help.filter(|_| !fault.message.ends_with("holds no document")).map(String::from);
        return Err(StrictError::new(file, text, Some(fault.span), fault.message.into(), help));
    }
    // A tree of values is strict where the text is not: it gives no `42` to who asks for a text.
    let tree: serde_yaml::Value = serde_yaml::from_str(text)
        .map_err(|error| StrictError::at(file, text, "", plain(&error.to_string())))?;
    serde_path_to_error::deserialize(tree).map_err(|error| {
        let mut pointer = String::new();
        for segment in error.path() {
            use serde_path_to_error::Segment;
            match segment {
                Segment::Map { key } => crate::document::push_token(&mut pointer, key),
                Segment::Seq { index } => crate::document::push_token(&mut pointer, &index.to_string()),
                Segment::Enum { variant } => crate::document::push_token(&mut pointer, variant),
                Segment::Unknown => {}
            }
        }
        explain(file, text, pointer, &error.into_inner().to_string())
    })
}

/// Serde's words in ours: where it says which keys it knows, the nearest is named.
fn explain(file: &str, text: &str, mut pointer: String, words: &str) -> Box<StrictError> {
    // What precedes the words is the path, which the span shows.
    let words =
        ["unknown field", "unknown variant", "missing field", "duplicate", "invalid type", "invalid value"]
            .iter()
            .find_map(|start| words.find(start).map(|at| &words[at..]))
            .unwrap_or(words);
    let mut names = words.split('`').skip(1).step_by(2);
    let (what, part) = if words.starts_with("unknown field") {
        ("key", Part::Key)
    } else if words.starts_with("unknown variant") {
        ("value", Part::Value)
    } else {
        return StrictError::at(file, text, &pointer, plain(words));
    };
    let name = names.next().unwrap_or_default();
    // Nobody is told to use a check that only built-in rules have.
    let is_system = |name: &&str| pointer.starts_with("/check") && Check::SYSTEM.contains(name);
    let known: Vec<&str> = names.filter(|name| !is_system(name)).collect();
    // The name of a check is a key, though serde takes it for the variant of an enum.
    if !pointer.ends_with(&format!("/{name}")) {
        let mut below = pointer.clone();
        crate::document::push_token(&mut below, name);
        pointer = if place(text, &below, Part::Key).is_some() { below } else { pointer };
    }
    let is_key = pointer.ends_with(&format!("/{name}"));
    let (what, part) = if is_key { ("key", Part::Key) } else { (what, part) };
    let near = crate::nearest::did_you_mean(nearest(name, known.iter().copied()));
    let span = place(text, &pointer, part).or_else(|| place(text, "", part));
    let message = format!("`{}` is no {what} that is known here{near}", quoted(name));
    StrictError::new(file, text, span, message, Some(format!("Known here: {}.", known.join(", "))))
}

/// Serde's words for a value of the wrong type in ours.
fn plain(words: &str) -> String {
    let words = words.rsplit_once(" at line ").map_or(words, |(words, _)| words);
    let wrong = ["invalid type: ", "invalid value: "].iter().find_map(|start| words.strip_prefix(start));
    if let Some((found, expected)) = wrong.and_then(|words| words.split_once(", expected ")) {
        let text = |name: &str| {
            let name = name.replace("a string", "a text").replace("a sequence", "a list");
            match name {
                name if name.starts_with("struct ") || name == "a map" => "keys with values".to_owned(),
                name if name.ends_with(" enum") => "a name".to_owned(),
                name if matches!(name.as_str(), "u8" | "u16" | "u32" | "u64" | "usize") => {
                    let is_whole = found.starts_with("integer `") && !found.contains("`-");
                    let more = if is_whole { "smaller than this" } else { "not negative" };
                    format!("a whole number that is {more}")
                }
                name => name,
            }
        };
        let found = match found {
            "map" => "keys with values".to_owned(),
            "sequence" => "a list".to_owned(),
            "unit value" => "nothing".to_owned(),
            found => format!("the {}", found.replace("string \"", "text \"")),
        };
        return format!("this must be {}, not {found}", text(expected));
    }
    match words.strip_prefix("missing field ") {
        Some(name) => format!("the key {name} is missing"),
        None => words.to_owned(),
    }
}

/// Which part of a member an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Key,
    Value,
}

/// The span of the key or the value at a pointer; where it leads nowhere, of the longest beginning that does.
fn place(text: &str, pointer: &str, part: Part) -> Option<Span> {
    let source = Source::new("", text);
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let whole = parsed.whole();
    let root = whole.documents().find_map(|it| it.document().root.as_ref())?;
    let mut pointer = pointer;
    loop {
        let (above, last) = pointer.rsplit_once('/').unwrap_or_default();
        let last = last.replace("~1", "/").replace("~0", "~");
        let object: Option<&Node<'_>> = root.at(above);
        let member = object.filter(|_| !pointer.is_empty()).and_then(|object| object.member(&last));
        if let Some(member) = member {
            let value = member.value.span;
            let in_line = !value.is_empty() && !source.slice(value).contains('\n');
            return Some(if part == Part::Value && in_line { value } else { member.key_span });
        }
        if part == Part::Key {
            return None;
        }
        if let Some(node) = root.at(pointer) {
            let first = node.members().first().map(|member| member.key_span);
            return Some(first.unwrap_or(node.span));
        }
        pointer = pointer.rsplit_once('/')?.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::RuleFile;

    /// The words of an error about a changed built-in rule, and the text that is underlined.
    fn error_of(from: &str, to: &str) -> (String, String) {
        let (_, text) =
            crate::builtin::files().find(|(id, _)| *id == "website/malformed-url").expect("built in");
        assert!(text.contains(from), "{from}");
        let text = text.replace(from, to);
        let error = decode::<RuleFile>("a.yaml", &text).expect_err(to);
        let span = error.span.expect("every error has a place");
        (error.message.clone(), text[span.range()].to_owned())
    }

    #[test]
    fn errors_point_to_the_key_or_the_value() {
        for (from, to, message, place) in [
            (
                "severity: error",
                "severity: eror",
                "`eror` is no value that is known here; did you mean `error`?",
                "eror",
            ),
            (
                "severity: error",
                "severty: error",
                "`severty` is no key that is known here; did you mean `severity`?",
                "severty",
            ),
            (
                "url: { malformed: true }",
                "uri: { malformed: true }",
                "`uri` is no key that is known here; did you mean `url`?",
                "uri",
            ),
            (
                "malformed: true",
                "malformd: true",
                "`malformd` is no key that is known here; did you mean `malformed`?",
                "malformd",
            ),
            ("malformed: true", "malformed: 3", "this must be a boolean, not the integer `3`", "3"),
            (
                "url: { malformed: true }",
                "{ url: { malformed: true }, brand: {} }",
                "a rule has exactly one check",
                "{ url: { malformed: true }, brand: {} }",
            ),
            ("severity: error", "severity: 3", "this must be a name, not the integer `3`", "3"),
        ] {
            assert_eq!(error_of(from, to), (message.to_owned(), place.to_owned()), "{to}");
        }
    }

    #[test]
    fn a_text_is_no_number_and_an_empty_file_no_draft() {
        let wrong = decode::<std::collections::BTreeMap<String, String>>("a.yaml", "vendor: 42\n")
            .expect_err("a number");
        assert_eq!(wrong.message, "this must be a text, not the integer `42`");
        let empty = decode::<RuleFile>("a.yaml", "# nothing\n").expect_err("empty");
        assert_eq!(empty.help, None);
    }
}
