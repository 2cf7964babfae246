//! `tollproof convert`: a draft of one provider as the payload of another.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use jiff::Timestamp;
use tollproof_core::document::Node;
use tollproof_core::{Finding, Format, KindHint, Parsed, Severity, Source, kind_of, quoted};
use tollproof_project::{
    AtomicFile, ConvertedDraft, FailOn, InputFile, SessionOptions, converted_text, form_text, merge_missing,
};
use tollproof_sheets::{CellProblem, WrittenTable};

use super::session;
use crate::args::{BodyEncoding, ConvertArgs};
use crate::counts::{Exit, RunCounts};
use crate::errors::{Failure, Result, failure};
use crate::input::read_texts;
use crate::output::stderr;
use crate::terminal::{count, one_line};

/// Converts the drafts of a file, says what was left out, and checks the result.
pub(super) fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<Exit> {
    let output = args.output.as_deref();
    if let Some(path) = output.filter(|path| path.exists()) {
        let path = one_line(&path.display().to_string());
        return Err(failure!("`{path}` exists already and is not changed; use another name"));
    }
    let session = session::open_with(SessionOptions { kind: args.choice(), ..SessionOptions::default() })?;
    let file = InputFile::named(&args.file);
    let config = session.config_of(&file)?;
    let hint = session.kind_hint(&config, &file);
    let texts = read_texts(&args.file, &|source| session.configured(source, &config, &file))?;
    let parsed: Vec<Parsed<'_>> = texts.iter().map(|it| Parsed::of(&it.source, None)).collect();
    let wholes: Vec<_> = parsed.iter().map(Parsed::whole).collect();
    let mut drafts = Vec::new();
    let has_drafts: Vec<bool> = wholes
        .iter()
        .map(|whole| whole.documents().any(|document| kind_of(&document, hint).is_some()))
        .collect();
    for ((text, whole), has_draft) in texts.iter().zip(&wholes).zip(&has_drafts) {
        // A workbook has sheets of other things, too.
        if !has_draft && has_drafts.contains(&true) {
            stderr::say!("{}: not converted, because it has no drafts", one_line(text.source.name()));
            continue;
        }
        let count = whole.documents().count();
        for document in whole.documents() {
            let place = text.place(&document, count);
            drafts.push(ConvertedDraft::of(document, place, hint, args.to).map_err(Failure::new)?);
        }
    }
    let is_listed =
        parsed.first().is_some_and(|input| matches!(input.format(), Format::Ndjson | Format::Csv));
    let (text, format) = written(&drafts, is_listed, args)?;
    let name = one_line(&file.name);
    let left = drafts.iter().flat_map(|draft| draft.notes().map(|text| (text, draft.place.as_str())));
    say_grouped(left, drafts.len(), &format!("{name}: "));
    let mut is_whole = drafts.iter().all(|it| it.conversion.left_out.is_empty());
    let problems = text.notes.iter().filter_map(|note| {
        is_whole &= note.problem != CellProblem::Separator;
        Some((format!("`{}` {}", quoted(&note.field), note.problem), drafts.get(note.draft)?.place.as_str()))
    });
    say_grouped(problems, drafts.len(), &format!("{name}: "));
    match output {
        None => out.write_all(text.text.as_bytes()).map_err(Failure::stdout)?,
        Some(path) => write(path, &text.text)?,
    }
    let errors = check((&text.text, format), &drafts, args)?;
    Ok(if is_whole && errors == 0 { Exit::Clean } else { Exit::Findings })
}

/// The new drafts as text, with its format.
fn written(
    drafts: &[ConvertedDraft<'_>],
    is_listed: bool,
    args: &ConvertArgs,
) -> Result<(WrittenTable, Format)> {
    let written = if args.body == BodyEncoding::Form && !args.to.is_sheet() {
        let bodies = drafts.iter().map(|draft| form_text(&draft.conversion.root, draft.conversion.kind));
        bodies.collect::<Result<_, _>>().map(|text| (WrittenTable::of(text), Format::Json))
    } else {
        converted_text(drafts, is_listed, args.output.as_deref().and_then(Format::of_path))
    };
    written.map_err(Failure::new)
}

/// Writes a new file, completely or not at all.
fn write(path: &Path, text: &str) -> Result<()> {
    let written = AtomicFile::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.commit()
    });
    written.map_err(|error| failure!("cannot write {}: {error}", path.display()))
}

/// Says once what is the same in several drafts, with their places; of many, only how many they are.
fn say_grouped<'p>(said: impl Iterator<Item = (String, &'p str)>, drafts: usize, before: &str) {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (text, place) in said {
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, places)) if places.last() != Some(&place) => places.push(place),
            Some(_) => {}
            None => groups.push((text, vec![place])),
        }
    }
    for (text, places) in groups {
        let place = match places.as_slice() {
            _ if drafts == 1 => String::new(),
            [one] => format!("{one}: "),
            some if some.len() <= FEW => format!("{}: ", some.join(", ")),
            many => format!("{} drafts: ", many.len()),
        };
        stderr::say!("{before}{place}{text}");
    }
}

/// As many places are named.
const FEW: usize = 3;

/// Checks the result as `check` does, and says which of its fields have errors and warnings. Returns the number of errors.
fn check((text, format): (&str, Format), drafts: &[ConvertedDraft<'_>], args: &ConvertArgs) -> Result<usize> {
    let Some(ConvertedDraft { conversion: first, .. }) = drafts.first() else { return Ok(0) };
    // A form is not read again: the same values are checked as JSON.
    let json;
    let text = match args.body {
        BodyEncoding::Json => text,
        BodyEncoding::Form => {
            let roots: Vec<&Node<'_>> = drafts.iter().map(|it| &it.conversion.root).collect();
            json = serde_json::to_string(&roots).unwrap_or_default();
            &json
        }
    };
    let source = Source::new("result", text);
    let parsed = Parsed::of(&source, Some(format));
    let now = Some(Timestamp::now());
    let session =
        session::open_with(SessionOptions { kind: first.kind.into(), now, ..SessionOptions::default() })?;
    let file = InputFile::named(args.output.as_ref().unwrap_or(&args.file));
    let report = session.check(&file, &parsed)?.report;
    let mut counts = RunCounts::default();
    counts.add(&report, FailOn::Never);
    let counting: Vec<&Finding> =
        report.findings.iter().filter(|finding| finding.suppressed.is_none()).collect();
    let merged = merge_missing(&counting);
    let found = merged.iter().filter(|finding| finding.severity > Severity::Info).map(|finding| {
        let about = match finding {
            Cow::Owned(several) => format!(": {}", one_line(&several.message)),
            Cow::Borrowed(one) => format!(" at {}", one_line(&one.pointer)),
        };
        let text = format!("{}[{}]{about}", finding.severity.name(), finding.rule);
        (text, drafts.get(finding.document).map_or("", |it| it.place.as_str()))
    });
    say_grouped(found, drafts.len(), "result: ");
    let whole = parsed.whole();
    let is_unknown =
        whole.documents().any(|document| kind_of(&document, KindHint::Explicit) != Some(first.kind));
    if is_unknown {
        let (provider, kind) = (args.to.name(), first.kind.name());
        stderr::say!(
            "result: too few fields to recognize a draft for {}; check it with `--provider {provider} --kind {kind}`",
            args.to
        );
    }
    let (errors, warnings) = (counts.shown(Severity::Error), counts.shown(Severity::Warning));
    stderr::say!(
        "{} converted to {}; the result has {} and {}.",
        count(drafts.len(), "draft"),
        args.to,
        count(errors, "error"),
        count(warnings, "warning"),
    );
    Ok(errors + usize::from(is_unknown))
}
