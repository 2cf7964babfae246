//! `tollproof convert`: a draft of one provider as the payload of another.

use std::fs::File;
use std::io::Write;

use tollproof_core::convert::{Conversion, LeftOut};
use tollproof_core::document::Node;
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
    let source = source.with_columns(std::sync::Arc::clone(&config.columns));
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
    let json = |it: &Conversion<'_>| serde_json::to_string(&it.root);
    let text = match conversions {
        _ if is_sheet => return sheet(conversions),
        all if is_lines => all.iter().map(|it| json(it).map(|line| line + "\n")).collect(),
        [one] => serde_json::to_string_pretty(&one.root).map(|text| text + "\n"),
        all => {
            let all: Vec<&Node<'_>> = all.iter().map(|it| &it.root).collect();
            serde_json::to_string_pretty(&all).map(|text| text + "\n")
        }
    };
    text.map_err(Failure::new)
}

/// A sheet with all columns that the provider knows.
fn sheet(conversions: &[Conversion<'_>]) -> Result<String, Failure> {
    let Some(first) = conversions.first() else { return Ok(String::new()) };
    let rows = conversions.iter().map(|it| &it.root);
    tollproof_sheets::csv(first.kind, rows).map_err(Failure::new)
}

/// What was left out, and why.
pub(super) fn left_out(left: &LeftOut, conversion: &Conversion<'_>, file: &str) -> String {
    let field = quoted(&left.field);
    format!("{}: left out `{field}`: {}", one_line(file), left.why(conversion.kind.provider()))
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
