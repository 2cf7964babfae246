//! `tollproof convert`: a draft of one provider as the payload of another.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};

use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use tollproof_core::convert::{Conversion, LeftOut, LeftOutReason};
use tollproof_core::document::{Node, Value};
use tollproof_core::schema;
use tollproof_core::{
    Facts, Format, KindHint, Linter, Parsed, Severity, Source, SourceDocument, kind_of, quoted,
};
use tollproof_project::{InputFile, SessionOptions};

use super::session;
use crate::args::ConvertArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::input::read_named;
use crate::output::stderr;
use crate::terminal::{count, one_line};

/// Converts the drafts of a file, says what was left out, and checks the result.
pub(super) fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let session = session::open_with(SessionOptions { kind: args.choice(), ..SessionOptions::default() })?;
    let file = InputFile::named(&args.file);
    let config = session.config_of(&file)?;
    let linter = session.linter_of(&config, &file)?;
    let hint = session.kind_of(&config, &file);
    let (_, source) = read_named(&args.file)?;
    let parsed = Parsed::of(&source, None);
    let whole = parsed.whole();
    let mut conversions = Vec::new();
    for document in whole.documents() {
        conversions.push(converted(document, hint, args)?);
    }
    let text = written(&conversions, parsed.format(), args)?;
    let mut is_whole = true;
    for conversion in &conversions {
        is_whole &= conversion.left_out.is_empty();
        conversion.left_out.iter().for_each(|left| stderr::say(&left_out(left, conversion, source.name())));
    }
    match &args.output {
        None => out.write_all(text.as_bytes()).map_err(Failure::stdout)?,
        Some(path) => {
            let mut file = File::create_new(path)
                .map_err(|error| Failure::new(format_args!("cannot write {}: {error}", path.display())))?;
            file.write_all(text.as_bytes())
                .map_err(|error| Failure::new(format_args!("cannot write {}: {error}", path.display())))?;
        }
    }
    let errors = check(&linter, &text, &conversions, args);
    Ok(if is_whole && errors == 0 { Exit::Clean } else { Exit::Findings })
}

/// Converts one draft.
fn converted<'d>(
    document: SourceDocument<'d>,
    hint: KindHint,
    args: &ConvertArgs,
) -> Result<Conversion<'d>, Failure> {
    let name = document.source().name();
    let place = format!("{}: document {}", one_line(name), document.index + 1);
    if !document.syntax_errors.is_empty() {
        return Err(Failure::new(format_args!("{place} cannot be read; `tollproof check` shows where")));
    }
    let kind = kind_of(&document, hint).filter(|kind| kind.is_request());
    let (Some(kind), Some(root)) = (kind, &document.document().root) else {
        return Err(Failure::new(format_args!("{place} is not a draft")));
    };
    if kind.provider() == args.to {
        return Err(Failure::new(format_args!("{place} is a draft for {} already", args.to)));
    }
    kind.convert(root, args.to).ok_or_else(|| {
        Failure::new(format_args!("{place} is {}, which tollproof does not know of {}", kind.noun(), args.to))
    })
}

/// The new drafts as text: a table for a sheet, lines for lines, else JSON.
fn written(conversions: &[Conversion<'_>], format: Format, args: &ConvertArgs) -> Result<String, Failure> {
    let is_sheet = args.to.is_sheet();
    let named = args.output.as_deref().and_then(Format::of_path);
    let is_lines = match named {
        Some(named) => named == Format::Ndjson,
        None => matches!(format, Format::Ndjson | Format::Csv),
    };
    let json = |it: &Conversion<'_>| serde_json::to_string(&Ordered(&it.root));
    let text = match conversions {
        _ if is_sheet => return sheet(conversions).map_err(Failure::stdout),
        all if is_lines => all.iter().map(|it| json(it).map(|line| line + "\n")).collect(),
        [one] => serde_json::to_string_pretty(&Ordered(&one.root)).map(|text| text + "\n"),
        all => {
            let all: Vec<Ordered<'_, '_>> = all.iter().map(|it| Ordered(&it.root)).collect();
            serde_json::to_string_pretty(&all).map(|text| text + "\n")
        }
    };
    text.map_err(Failure::new)
}

/// A sheet with all columns that the provider knows.
fn sheet(conversions: &[Conversion<'_>]) -> io::Result<String> {
    let Some(first) = conversions.first() else { return Ok(String::new()) };
    let columns: Vec<&str> = schema::field_names(first.kind).collect();
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(&columns)?;
    for conversion in conversions {
        table.write_record(
            columns.iter().map(|column| conversion.root.get(column).map(cell).unwrap_or_default()),
        )?;
    }
    let bytes = table.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// The content of a cell; the items of a list with semicolons between them.
fn cell(node: &Node<'_>) -> String {
    match &node.value {
        Value::String(text) => text.to_string(),
        Value::Number(text) => (*text).to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(";"),
        Value::Null | Value::Object(_) => String::new(),
    }
}

/// What was left out, and why.
pub(super) fn left_out(left: &LeftOut, conversion: &Conversion<'_>, file: &str) -> String {
    let provider = conversion.kind.provider();
    let field = quoted(&left.field);
    let mut text = format!("{}: left out `{field}`: ", one_line(file));
    let _ = match &left.reason {
        LeftOutReason::NoField => write!(text, "{provider} has no field for it"),
        LeftOutReason::NoValue(name, nearest) => {
            let _ = write!(text, "`{name}` at {provider} has no value with this meaning");
            match nearest.as_slice() {
                [] => Ok(()),
                some => write!(text, "; the nearest: {}", some.join(", ")),
            }
        }
        LeftOutReason::NoForm(name) => {
            write!(
                text,
                "`{name}` takes {provider}'s own identifier or notation, which this value does not tell"
            )
        }
        LeftOutReason::NoRoom(name) => write!(text, "`{name}` at {provider} takes one value only"),
        _ => Ok(()),
    };
    text
}

/// Checks the result, and says which of its fields have errors and warnings. Returns the number of errors.
fn check(linter: &Linter, text: &str, conversions: &[Conversion<'_>], args: &ConvertArgs) -> usize {
    let Some(first) = conversions.first() else { return 0 };
    let name = if args.to.is_sheet() { "result.csv" } else { "result.json" };
    let source = Source::new(name, text);
    let parsed = Parsed::of(&source, None);
    let report = linter.check(&parsed, KindHint::Forced(first.kind.into()), &Facts::default());
    for finding in report.findings.iter().filter(|it| it.severity > Severity::Info) {
        let (severity, rule) = (finding.severity.name(), &finding.rule);
        let place = if conversions.len() > 1 {
            format!("document {}: ", finding.document + 1)
        } else {
            String::new()
        };
        stderr::say(&format!("result: {place}{severity}[{rule}] at {}", one_line(&finding.pointer)));
    }
    let of = |severity: Severity| report.findings.iter().filter(|it| it.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    stderr::say(&format!(
        "{} converted to {}; the result has {} and {}.",
        count(conversions.len(), "draft"),
        args.to,
        count(errors, "error"),
        count(warnings, "warning"),
    ));
    errors
}

/// A value as JSON with its fields in their order.
struct Ordered<'n, 's>(&'n Node<'s>);

impl Serialize for Ordered<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(text) => match text.parse::<serde_json::Number>() {
                Ok(number) => number.serialize(serializer),
                Err(_) => serializer.serialize_str(text),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(&Ordered(item)))?;
                list.end()
            }
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|it| map.serialize_entry(&it.key, &Ordered(&it.value)))?;
                map.end()
            }
        }
    }
}
