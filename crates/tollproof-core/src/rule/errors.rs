//! Strict decoding of the YAML files that users write for tollproof; errors point at the key.

use serde::de::DeserializeOwned;
use tollproof_data::pointer::unescaped;
use tollproof_data::suggest::nearest;

use crate::syntax::document::{Node, Value};
use crate::syntax::message_parts::{bounded, quoted};
use crate::syntax::source::{Source, Span};
use crate::syntax::yaml_decode::{DecodeError, DecodeErrorKind, FoundValue, from_node};
use crate::syntax::{Format, Parsed};

/// The maximum length of a file in bytes: the largest built-in one has a seventh of it. Each byte takes about 40 in memory.
const MAX_LENGTH: usize = 4 << 20;

/// A rule file or a config that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {message}")]
pub struct StrictError {
    /// The name of the file.
    pub file: String,
    /// The content of the file, for an excerpt; empty if the file is too large.
    pub text: String,
    /// The smallest span that is wrong.
    pub span: Option<Span>,
    /// The problem.
    pub message: String,
    /// The text to write instead.
    pub help: Option<String>,
}

impl StrictError {
    /// An error about the value at a pointer; if the value has several lines, its key is underlined.
    pub(crate) fn at(file: &str, text: &str, pointer: &str, message: impl Into<String>) -> Box<Self> {
        Self::new(file, text, parse_and_place(text, pointer, TextPart::Value), message.into(), None)
    }

    /// An error about the key at a pointer. If the key is missing, the nearest parent that exists is underlined.
    pub fn at_key(
        file: &str,
        text: &str,
        pointer: &str,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Box<Self> {
        Self::new(file, text, parse_and_place(text, pointer, TextPart::Key), message.into(), help)
    }

    /// The same error without text of the file, for a file that may be somebody else's. `what` is what it was read as,
    /// such as `settings`.
    pub fn without_quotes(self, what: &str) -> Box<Self> {
        let message = format!("this file cannot be read as {what}");
        let help = "The file is a link or outside of the repository, so its text is not shown. Copy it into the \
                    repository to see the error.";
        Self::new(&self.file, "", None, message, Some(help.to_owned()))
    }

    pub(super) fn new(
        file: &str,
        text: &str,
        span: Option<Span>,
        message: String,
        help: Option<String>,
    ) -> Box<Self> {
        let (message, help) = (bounded(message), help.map(bounded));
        Box::new(Self { file: file.to_owned(), text: text.to_owned(), span, message, help })
    }
}

/// Decodes one YAML document into `T`; unknown keys are errors wherever `T` denies them.
///
/// # Errors
///
/// The first error, with its span in `text`.
pub fn decode<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Box<StrictError>> {
    if text.len() > MAX_LENGTH {
        let message = format!(
            "it is larger than {} MiB, the limit for settings, rules, vocabularies and providers",
            MAX_LENGTH >> 20
        );
        let help = "A vocabulary can be divided into several files.".to_owned();
        return Err(StrictError::new(file, "", None, message, Some(help)));
    }
    let source = Source::new(file, text);
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let whole = parsed.whole();
    let documents: Vec<_> = whole.documents().map(|it| it.document()).collect();
    if let Some(syntax_error) = documents.iter().find_map(|document| document.syntax_errors.first()) {
        // This help explains how to write a draft, which is wrong for a config or a rule file.
        let help =
            syntax_error.help.as_ref().filter(|_| !syntax_error.message.ends_with("contains no document"));
        let help = help.map(ToString::to_string);
        return Err(StrictError::new(
            file,
            text,
            Some(syntax_error.span),
            syntax_error.message.to_string(),
            help,
        ));
    }
    if let Some(first) = documents.iter().find_map(|document| document.root.as_ref())
        && is_list(&text[..first.span.start as usize])
    {
        let message = "this must be an object (`key: value` lines), not a list".to_owned();
        return Err(StrictError::new(file, text, Some(first.opening()), message, None));
    }
    let mut roots = documents.iter().filter_map(|document| document.root.as_ref());
    let (Some(root), None) = (roots.next(), roots.next()) else {
        let message = "this file must contain one YAML document".to_owned();
        let second = documents.iter().filter_map(|document| document.root.as_ref()).nth(1);
        return Err(StrictError::new(file, text, second.map(Node::opening), message, None));
    };
    if !matches!(root.value, Value::Object(_)) {
        // Nothing is quoted: a file that is only a string, such as a key, was not written for tollproof.
        let message = "this must be an object (`key: value` lines)".to_owned();
        return Err(StrictError::new(file, "", None, message, None));
    }
    from_node(root).map_err(|error| {
        let (message, help) = explain(&error);
        let part = if error.is_key { TextPart::Key } else { TextPart::Value };
        let span = place_in(&source, root, &error.pointer, part);
        StrictError::new(file, text, span, message, help)
    })
}

/// Whether the first document is in a list: besides comments, directives, marks, anchors and tags, the text before it
/// contains `-` or `[`.
fn is_list(before: &str) -> bool {
    let words = before.lines().filter(|line| !line.starts_with('%')).flat_map(|line| {
        let comment = line.match_indices('#').find(|&(at, _)| at == 0 || line[..at].ends_with([' ', '\t']));
        line[..comment.map_or(line.len(), |(at, _)| at)].split_whitespace()
    });
    words.into_iter().any(|word| word == "-" || word.starts_with('['))
}

/// Keys that people write for a regular expression, as in JSON Schema and in other linters.
const PATTERN_KEYS: [&str; 5] = ["pattern", "regex", "regexp", "matches", "match"];

const PATTERN_HELP: &str = "`forbid: { matches: [...] }` reports what matches. If a value must match, write a JSON Schema \
                            and name it below `schemas:` in tollproof.yaml.";

/// The message and the help; for an unknown name, with the nearest known name.
fn explain(error: &DecodeError) -> (String, Option<String>) {
    let message = match &error.kind {
        DecodeErrorKind::Unknown { name, known } => {
            let what = if error.is_key { "key" } else { "value" };
            let near = tollproof_data::suggest::did_you_mean(nearest(name, known.iter().copied()));
            let message = format!("unknown {what} `{}`{near}", quoted(name));
            let is_check = error.is_key && error.pointer.starts_with("/check/");
            if is_check && PATTERN_KEYS.contains(&name.as_str()) {
                return (message, Some(PATTERN_HELP.to_owned()));
            }
            return (message, Some(format!("Expected one of {}.", known.join(", "))));
        }
        DecodeErrorKind::Missing { key } => format!("the key `{key}` is missing"),
        DecodeErrorKind::Type { found, expected } => {
            let message = format!("this must be {}, not {found}", expectation(expected, found));
            let help = match found {
                FoundValue::Text(text) if expected == "a sequence" => {
                    Some(format!("Write `[{}]`.", quoted(text)))
                }
                _ => None,
            };
            return (message, help);
        }
        DecodeErrorKind::Other(message) => message.clone(),
    };
    (message, None)
}

/// The expected type, for messages.
fn expectation(expected: &str, found: &FoundValue) -> String {
    match expected {
        "a map" => "an object (`key: value` lines)".to_owned(),
        name if name.starts_with("struct ") => "an object (`key: value` lines)".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" => {
            let is_whole = matches!(found, FoundValue::Integer { is_negative: false, .. });
            let more = if is_whole { "smaller than this" } else { "not negative" };
            format!("a whole number that is {more}")
        }
        name => name.replace("a sequence", "a list"),
    }
}

/// The part of a member that an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextPart {
    Key,
    Value,
}

fn parse_and_place(text: &str, pointer: &str, part: TextPart) -> Option<Span> {
    let source = Source::new("", text);
    place(&Parsed::of(&source, Some(Format::Yaml)), pointer, part)
}

/// The span of the key or the value at a pointer. If it does not exist, the nearest parent.
pub(super) fn place(parsed: &Parsed<'_>, pointer: &str, part: TextPart) -> Option<Span> {
    let whole = parsed.whole();
    let root = whole.documents().find_map(|file| file.document().root.as_ref())?;
    let place = |part| place_in(parsed.source(), root, pointer, part);
    place(part).or_else(|| place(TextPart::Value))
}

/// The span of the key or the value at a pointer. If it does not exist: `None` for a key, and the nearest parent for a
/// value.
fn place_in(source: &Source<'_>, root: &Node<'_>, pointer: &str, part: TextPart) -> Option<Span> {
    let mut pointer = pointer;
    loop {
        let (above, last) = pointer.rsplit_once('/').unwrap_or_default();
        let last = unescaped(last);
        let object: Option<&Node<'_>> = root.at(above);
        let member = object.filter(|_| !pointer.is_empty()).and_then(|object| object.member(&last));
        if let Some(member) = member {
            let value = member.value.span;
            let in_line = !value.is_empty() && !source.slice(value).contains('\n');
            return Some(if part == TextPart::Value && in_line { value } else { member.key_span });
        }
        if part == TextPart::Key {
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

    /// The message of an error about a changed built-in rule, and the underlined text.
    fn error_of(from: &str, to: &str) -> (String, String) {
        let (_, text) =
            crate::rule::builtin::files().find(|(id, _)| *id == "website/malformed-url").expect("built in");
        assert!(text.contains(from), "{from}");
        let text = text.replace(from, to);
        let error = decode::<RuleFile>("a.yaml", &text).expect_err(to);
        let span = error.span.expect("every error has a place");
        (error.message.clone(), text[span.range()].to_owned())
    }

    #[test]
    fn errors_point_to_the_key_or_the_value() {
        for (from, to, message, place) in [
            ("severity: error", "severity: eror", "unknown value `eror`; did you mean `error`?", "eror"),
            (
                "severity: error",
                "severty: error",
                "unknown key `severty`; did you mean `severity`?",
                "severty",
            ),
            (
                "url: { malformed: true }",
                "uri: { malformed: true }",
                "unknown key `uri`; did you mean `url`?",
                "uri",
            ),
            (
                "malformed: true",
                "malformd: true",
                "unknown key `malformd`; did you mean `malformed`?",
                "malformd",
            ),
            ("malformed: true", "malformed: 3", "this must be a boolean, not the integer `3`", "3"),
            (
                "url: { malformed: true }",
                "{ url: { malformed: true }, brand: {} }",
                "a rule has exactly one check",
                "{ url: { malformed: true }, brand: {} }",
            ),
            (
                "url: { malformed: true }",
                "handle",
                "this must be a check with its parameters, such as `{ length: { max: 500 } }` or `{ handle: {} }`, \
                 not the string \"handle\"",
                "handle",
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
        assert_eq!(wrong.message, "this must be a string, not the integer `42`");
        let empty = decode::<RuleFile>("a.yaml", "# nothing\n").expect_err("empty");
        assert_eq!(empty.help, None);
        for (list, first) in [
            ("# a [b] - c\n- title: A\n", "title"),
            ("--- &all # x\n[title: A, title: B]", "t"),
            ("%YAML 1.2\n---\n- - 1", "-"),
        ] {
            let wrong = decode::<RuleFile>("a.yaml", list).expect_err("a list");
            assert_eq!(wrong.message, "this must be an object (`key: value` lines), not a list", "{list}");
            assert!(wrong.span.is_some_and(|span| list[span.range()].starts_with(first)), "{list}");
        }
        let settings =
            decode::<std::collections::BTreeMap<String, String>>("a.yaml", "# - [x]\n--- # -\nvendor: A\n");
        assert_eq!(settings.map(|it| it["vendor"].clone()), Ok("A".to_owned()));
        let second = decode::<RuleFile>("a.yaml", "title: A\n---\ntitle: B\n").expect_err("two");
        assert_eq!(second.message, "this file must contain one YAML document");
        assert_eq!(second.span.map(|span| span.start), Some(13));
    }
}
