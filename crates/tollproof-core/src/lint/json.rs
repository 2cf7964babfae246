//! A finding as the JSON report and the engine in a page write it: with lines, columns and the role of its field.

use serde::Serialize;

use crate::finding::{Edit, Finding, Fix, Prevents, Related};
use crate::provider::kind::Kind;
use crate::syntax::Format;
use crate::syntax::line_index::LineIndex;
use crate::syntax::source::{FilePlace, Source, Span};

/// One problem with one value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, rename = "Finding"))]
pub struct JsonFinding<'f> {
    /// The rule that reports it: `group/name`.
    rule: &'f str,
    /// The severity: `error`, `warning` or `info`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["error", "warning", "info"])))]
    severity: &'static str,
    /// The problem.
    message: &'f str,
    /// The way to fix it.
    help: Option<&'f str>,
    /// The file, as it was named or found in a folder; `<stdin>` for standard input without a name.
    file: &'f str,
    /// The index of the document in the file, from 0.
    document: usize,
    /// The format in which it was read, `notes` and `program` too; absent for what is not about a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["json", "ndjson", "yaml", "csv", "notes", "program"])))]
    format: Option<&'static str>,
    /// The provider that the document is for; null if it is unknown.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = providers())))]
    provider: Option<&'static str>,
    /// The kind of the document; null if it is unknown.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = kinds())))]
    kind: Option<&'static str>,
    /// The value, as an RFC 6901 pointer into its document. For a missing field, the pointer that it would have.
    /// Pointers are cut to 4096 bytes.
    pointer: &'f str,
    /// The meaning of the field at this place, whatever the provider calls it: the name of the field in Bird's API, or
    /// another name for what only other providers ask; null if the place is not in such a field.
    role: Option<&'static str>,
    /// The smallest part of the file that is wrong; null if it has no location.
    span: Option<JsonSpan>,
    /// Other locations that explain the finding.
    related: Vec<JsonRelated<'f>>,
    /// The fix, if there is one.
    fix: Option<JsonFix<'f>>,
    /// The rejection codes of reviewers that fixing this finding prevents.
    prevents: &'f [Prevents],
    /// Identifies the same finding in other versions of the file.
    fingerprint: &'f str,
    /// The reader and its model whose answer this is; absent if a rule found it by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    read_by: Option<&'f str>,
    /// The reason it does not count; absent if it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<JsonSuppressed<'f>>,
}

/// The reason a finding does not count.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, rename = "Suppressed"))]
struct JsonSuppressed<'f> {
    /// The source: a `comment` in the file, the `config`, or a `baseline` that contains it.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["comment", "config", "baseline"])))]
    by: &'static str,
    /// The reason given there; a baseline has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'f str>,
}

/// A part of a file. Ends are exclusive.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Span"))]
struct JsonSpan {
    /// The offset of the first byte, from 0.
    start: u64,
    /// The offset after the last byte.
    end: u64,
    /// The line of the start, from 1.
    line: usize,
    /// The column of the start in code points, from 1.
    column: usize,
    /// The line of the end, from 1.
    end_line: usize,
    /// The column of the end in code points, from 1.
    end_column: usize,
}

/// Another location that explains a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, rename = "Related"))]
struct JsonRelated<'f> {
    /// The file.
    file: &'f str,
    /// The location; null if there is none.
    span: Option<JsonSpan>,
    /// A note about this location.
    message: &'f str,
}

/// A change that fixes a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Fix"))]
struct JsonFix<'f> {
    /// Whether it can be applied without review: `safe` or `unsafe`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["safe", "unsafe"])))]
    safety: &'static str,
    /// Replacements in the file, sorted and not overlapping.
    edits: Vec<JsonEdit<'f>>,
}

/// One replacement.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Edit"))]
struct JsonEdit<'f> {
    /// The offset of the first byte to remove, from 0.
    start: u64,
    /// The offset after the last byte to remove.
    end: u64,
    /// The replacement.
    text: &'f str,
}

impl<'f> JsonFinding<'f> {
    /// A finding in the text of `places`. `open` opens another text that the finding refers to, with the place in it.
    pub fn new(
        found: &'f Finding,
        places: &mut LineIndex<'f>,
        open: &dyn Fn(&Related) -> Option<(Source<'static>, Span)>,
    ) -> Self {
        let source = places.source();
        let here = source.name();
        let related = |it: &'f Related, places: &mut LineIndex<'_>| {
            let file = it.file.as_deref().unwrap_or(here);
            let span = match (&it.place, it.span) {
                (Some(place), _) => Some(JsonSpan::of_place(place)),
                (None, Some(span)) if file == here => Some(JsonSpan::new(span, places)),
                (None, _) => open(it).map(|(source, span)| JsonSpan::in_source(span, &source)),
            };
            JsonRelated { file, span, message: &it.message }
        };
        Self {
            rule: &found.rule,
            severity: found.severity.name(),
            message: &found.message,
            help: found.help.as_deref(),
            file: here,
            document: found.document,
            format: found.format.map(Format::name),
            provider: found.kind.map(|kind| kind.provider().name()),
            kind: found.kind.map(Kind::name),
            pointer: found.pointer.bounded(),
            role: found.kind.and_then(|kind| kind.role_of(&found.pointer)),
            span: found.span.map(|span| JsonSpan::new(span, places)),
            related: found.related.iter().map(|it| related(it, places)).collect(),
            fix: found.fix.as_ref().map(|fix| JsonFix::new(fix, source)),
            prevents: &found.prevents,
            fingerprint: &found.fingerprint,
            read_by: found.read_by.as_deref(),
            suppressed: found.suppressed.as_ref().map(|suppression| JsonSuppressed {
                by: suppression.by.name(),
                reason: suppression.reason.as_deref(),
            }),
        }
    }
}

impl JsonSpan {
    fn new(span: Span, places: &mut LineIndex<'_>) -> Self {
        let (start, end) = places.of(span);
        let offset = |offset| places.source().start().file_offset(offset);
        Self {
            start: offset(span.start),
            end: offset(span.end),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    fn of_place(place: &FilePlace) -> Self {
        let FilePlace { offset, bytes, columns, position } = place;
        Self {
            start: *offset,
            end: offset + u64::from(*bytes),
            line: position.line,
            column: position.column,
            end_line: position.line,
            end_column: position.column + *columns as usize,
        }
    }

    fn in_source(span: Span, source: &Source<'_>) -> Self {
        Self::new(span, &mut LineIndex::new(source))
    }
}

impl<'f> JsonFix<'f> {
    fn new(fix: &'f Fix, source: &Source<'_>) -> Self {
        let safety = fix.safety.name();
        let edit = |edit: &'f Edit| JsonEdit {
            start: source.start().file_offset(edit.span.start),
            end: source.start().file_offset(edit.span.end),
            text: &edit.text,
        };
        Self { safety, edits: fix.edits.iter().map(edit).collect() }
    }
}

#[cfg(feature = "schema")]
fn providers() -> Vec<Option<&'static str>> {
    crate::provider::kind::Provider::all()
        .iter()
        .map(|provider| Some(provider.name()))
        .chain([None])
        .collect()
}

#[cfg(feature = "schema")]
fn kinds() -> Vec<Option<&'static str>> {
    Kind::all().map(|kind| Some(kind.name())).chain([None]).collect()
}
