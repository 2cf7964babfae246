//! `tollproof explain`: explains a provider's answer to a draft, with the lines of the draft.

use std::io::{self, Write};
use std::path::Path;

use tollproof_core::{KnownReason, Linter, Parsed, Severity, Source};
use tollproof_project::{FailOn, InputFile, InputRole, RunEvent, SessionOptions};

use super::{known, session};
use crate::args::{Color, ExplainArgs};
use crate::counts::{Exit, RunCounts};
use crate::errors::{Failure, Result, failure};
use crate::input::read_named;
use crate::output::{Outputs, ReportOptions, stderr};
use crate::terminal::{Look, one_line};

pub(super) fn run(args: &ExplainArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    if args.for_assistant {
        return known::for_assistant(args, out);
    }
    let is_file = |path: &Path| is_stdin(path) || path.exists();
    let Some(named) = &args.draft else {
        return known::text(args.text.as_deref().unwrap_or_default(), args, color, out);
    };
    let all = || args.answer.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>().join(", ");
    match (args.answer.as_slice(), &args.text) {
        (_, Some(text)) => on_draft(named, &Source::new("--text", text.as_str()), args, color, out),
        ([], None) if is_file(named) => known::file(named, args, color, out),
        ([], None) => known::code_or_rule(&named.to_string_lossy(), args, color, out),
        (_, None) if !is_file(named) && args.answer.iter().all(|path| !is_file(path)) => {
            known::code_or_rule(&format!("{}, {}", named.to_string_lossy(), all()), args, color, out)
        }
        ([answer], None) if answer == named && is_stdin(answer) => {
            Err(Failure::new("the draft and the answer cannot both be read from standard input"))
        }
        ([answer], None) if is_file(answer) || !is_code(answer) => {
            on_draft(named, &read_named(answer)?.1, args, color, out)
        }
        (codes, None) => match codes.iter().find(|code| !is_code(code)) {
            Some(other) => Err(failure!(
                "`{}` is not a code; use `tollproof explain DRAFT ANSWER`, or codes after the draft",
                one_line(&other.to_string_lossy())
            )),
            None => on_draft(named, &Source::new("--text", all()), args, color, out),
        },
    }
}

fn on_draft(
    draft: &Path,
    answer_source: &Source<'_>,
    args: &ExplainArgs,
    color: Color,
    out: &mut dyn Write,
) -> Result<Exit> {
    let options = session::options(&args.rules, &args.history, &args.time)?;
    let facts = args.seen.facts.clone();
    let session = session::open_with(SessionOptions { kind: args.choice(), facts, ..options })?;
    let file = InputFile::named(draft);
    let config = session.config_of(&file)?;
    let mut guard = session.output_guard([&file])?;
    let pasted = answer_source.name() == "--text";
    for path in args.answer.iter().filter(|_| !pasted) {
        guard.add(path, InputRole::Answer);
    }
    guard.check(args.output_format.iter().filter_map(|it| it.path.as_deref()))?;
    let skipped = session.open_histories(&config)?;
    if !skipped.is_empty() {
        stderr::say!("{}", RunEvent::NotRecords(skipped).line());
    }
    session::read_stored(&session, &config)?;
    let source = session.configured(read_named(draft)?.1, &config, &file);
    let parsed = Parsed::of(&source, None);
    let answer_parsed = Parsed::of(answer_source, None);
    let (answer, explained) = session.explain_text(&file, &parsed, &answer_parsed, pasted)?;
    let mut report = RunCounts::of_run(args.redact, session.options().now);
    report.add(&explained, FailOn::Error);
    let shown = ReportOptions::of_findings(Severity::Info, args.redact, session.options().now);
    let mut outputs = Outputs::open(&args.output_format, out, Look::of(&io::stdout(), color), shown)?;
    let answer_text = answer_source.text().to_owned();
    outputs.file(&parsed, &explained, &|related| {
        let name = related.file.as_deref().filter(|&it| it == answer_source.name())?;
        Some((Source::new(name, answer_text.clone()), related.span?))
    })?;
    outputs.end(&report, &session.own_rules())?;
    outputs.keep()?;
    known::say_who_reads(&answer);
    let is_against = answer.is_refusal() || report.count(Severity::Error) > 0;
    Ok(if is_against { Exit::Findings } else { Exit::Clean })
}

/// Whether an argument is a code of a provider, and not the name of a file that is not there.
fn is_code(path: &Path) -> bool {
    !KnownReason::all_in(&path.to_string_lossy(), None, &Linter::builtin()).is_empty()
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
