//! `tollproof explain`: explains a provider's answer to a draft, with the lines of the draft.

use std::io::{self, Write};
use std::path::Path;

use tollproof_core::document::{SyntaxError, SyntaxErrorKind};
use tollproof_core::{
    Answer, Document, Kind, KindHint, KindRole, NumberKey, Parsed, Report, Severity, Source, SourceDocument,
    kind_of,
};
use tollproof_project::{FailOn, InputFile, InputRole, RunEvent, Session, SessionOptions};

use super::{known, session};
use crate::args::{Color, ExplainArgs};
use crate::counts::{Exit, RunCounts};
use crate::errors::{Failure, event};
use crate::input::read_named;
use crate::output::{Outputs, ReportOptions, stderr};
use crate::terminal::Look;

pub(super) fn run(args: &ExplainArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    match (&args.draft, &args.answer, &args.text) {
        (None, _, text) => known::text(text.as_deref().unwrap_or_default(), args.provider, out),
        (Some(named), None, None) if is_stdin(named) || named.exists() => {
            let what = "name the answer after the draft, or give it with `--text`";
            Err(Failure::new(format_args!("the answer is missing; {what}")))
        }
        (Some(named), None, None) => known::code_or_rule(&named.to_string_lossy(), args, color, out),
        (Some(draft), ..) => on_draft(draft, args, color, out),
    }
}

fn on_draft(draft: &Path, args: &ExplainArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let options = session::options(&args.rules, &args.history, &args.time)?;
    let facts = args.seen.facts.clone();
    let session = session::open_with(SessionOptions { kind: args.choice(), facts, ..options })?;
    let file = InputFile::named(draft);
    let config = session.config_of(&file)?;
    let mut guard = session.output_guard([&file])?;
    if let Some(path) = &args.answer {
        guard.add(path, InputRole::Answer);
    }
    guard.check(args.output_format.iter().filter_map(|it| it.path.as_deref()))?;
    let skipped = session.open_histories(&config)?;
    if !skipped.is_empty() {
        stderr::say(&event(&RunEvent::NotRecords(skipped)));
    }
    session::read_stored(&session, &config)?;
    let (answer_source, pasted) = match (&args.answer, &args.text) {
        (Some(path), _) if path == draft && is_stdin(path) => {
            return Err(Failure::new("the draft and the answer cannot both be read from standard input"));
        }
        (Some(path), _) => (read_named(path)?.1, false),
        (None, text) => (Source::new("--text", text.clone().unwrap_or_default()), true),
    };
    let (_, source) = read_named(draft)?;
    let parsed = Parsed::of(&source, None);
    let answer_parsed = Parsed::of(&answer_source, None);
    let (answer, explained) = explained(&session, (&file, &parsed), &answer_parsed, pasted)?;
    let mut report = RunCounts::of_run(args.redact, session.options().now);
    report.add(&explained, FailOn::Error);
    let shown = ReportOptions {
        min: Severity::Info,
        statistics: Default::default(),
        quiet: false,
        limits: false,
        redact: args.redact,
        now: session.options().now,
    };
    let mut outputs = Outputs::open(&args.output_format, out, Look::of(&io::stdout(), color), shown)?;
    let answer_text = answer_source.text().to_owned();
    outputs.file(&parsed, &explained, &|related| {
        let name = related.file.as_deref().filter(|&it| it == answer_source.name())?;
        Some((Source::new(name, answer_text.clone()), related.span?))
    })?;
    outputs.end(&report, &session.own_rules())?;
    outputs.keep()?;
    let is_against = answer.is_refusal() || report.count(Severity::Error) > 0;
    Ok(if is_against { Exit::Findings } else { Exit::Clean })
}

/// What an answer says about the draft that it belongs to.
pub(super) fn explained(
    session: &Session,
    (file, parsed): (&InputFile, &Parsed<'_>),
    answer_parsed: &Parsed<'_>,
    pasted: bool,
) -> Result<(Answer, Report), Failure> {
    let name = parsed.source().name();
    if is_swapped(parsed, answer_parsed) {
        return Err(Failure::new(format_args!(
            "the draft comes first: `{name}` is an answer, and `{}` is a draft",
            answer_parsed.source().name()
        )));
    }
    let whole = parsed.whole();
    let all: Vec<SourceDocument<'_>> = whole.documents().collect();
    let of_drafts: Vec<&str> = all.iter().flat_map(|document| numbers(document)).collect();
    let answer = answer(answer_parsed, pasted, &of_drafts)?;
    let document = sent(&all, &answer)
        .map_err(|why| Failure::new(format_args!("cannot tell which draft of `{name}` was sent: {why}")))?;
    let kind = session.kind_of(&*session.config_of(file)?, file);
    let detected = kind_of(&document, kind).filter(|kind| !kind.is_request());
    if let Some(other) = detected {
        return Err(Failure::new(format_args!(
            "`{name}` is not a draft that a provider answers, but {}",
            other.noun()
        )));
    }
    let report = session.explain(file, document, &answer)?;
    Ok((answer, report))
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether the first file is an answer and the second one a draft.
fn is_swapped(first: &Parsed<'_>, second: &Parsed<'_>) -> bool {
    let is_request = |parsed: &Parsed<'_>| {
        let whole = parsed.whole();
        whole.documents().filter_map(|it| kind_of(&it, KindHint::Discovered)).any(Kind::is_request)
    };
    is_request(second) && !is_request(first) && Answer::of(first, &[]).is_ok()
}

/// The answer in a file, or a pasted text.
fn answer(parsed: &Parsed<'_>, pasted: bool, numbers: &[&str]) -> Result<Answer, Failure> {
    let source = parsed.source();
    let name = source.name();
    let read = if pasted { Answer::of_pasted(parsed, numbers) } else { Answer::of(parsed, numbers) };
    read.map_err(|error| {
        let place = error.at.map(|at| source.place(at.start));
        let place = place.map(|it| format!(" (line {}, column {})", it.line, it.column)).unwrap_or_default();
        Failure::new(format_args!("cannot read the answer `{name}`{place}: {error}"))
    })
}

/// The draft that an answer is about: the only draft, or the one with the answer's number.
fn sent<'d>(all: &[SourceDocument<'d>], answer: &Answer) -> Result<SourceDocument<'d>, &'static str> {
    let readable = all.iter().copied().filter(|document| document.root.is_some());
    // Invalid UTF-8 does not make the rest of a draft unreadable, so only other syntax errors count.
    let is_broken = |syntax_error: &SyntaxError| {
        matches!(syntax_error.problem, SyntaxErrorKind::Syntax | SyntaxErrorKind::Limit)
    };
    if let &[only] = all {
        if only.root.is_none() || only.syntax_errors.iter().any(is_broken) {
            return Err("it cannot be read; run `tollproof check` for the reason");
        }
        let numbers = numbers(&only);
        // Some answers name a number by another identifier than the draft, such as a UUID and +1 800 555 0100. Identifiers
        // of one kind have the same length.
        let length = |name: &str| NumberKey::of(name).as_str().len();
        let is_alike = |one: &str| answer.numbers().iter().any(|other| length(one) == length(other));
        return match !numbers.iter().any(|it| is_alike(it.trim())) || names(&only, answer) {
            true => Ok(only),
            false => Err("the answer is about another number"),
        };
    }
    let mut found = readable.filter(|document| names(document, answer));
    match (found.next(), found.next()) {
        (Some(document), None) => Ok(document),
        (Some(_), Some(_)) => Err("it contains several with the number of the answer"),
        _ => Err("it contains several, and none has the number of the answer"),
    }
}

fn numbers<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
    let kind = kind_of(document, KindHint::Explicit).unwrap_or_else(|| Kind::of(KindRole::Submit));
    let numbers = document.root.as_ref().map(|root| kind.numbers(root));
    numbers.unwrap_or_default().into_iter().filter_map(|number| number.as_str()).collect()
}

/// Whether a draft contains a number of the answer.
fn names(document: &Document<'_>, answer: &Answer) -> bool {
    let is_answered =
        |number: &&str| answer.numbers().iter().any(|it| NumberKey::of(it) == NumberKey::of(number));
    numbers(document).iter().any(is_answered)
}
