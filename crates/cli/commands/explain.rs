//! `tollproof explain`: explains a provider's answer to a draft, with the lines of the draft.

use std::io::{self, Write};
use std::path::Path;

use tollproof_core::{Parsed, Severity, Source};
use tollproof_project::{FailOn, InputFile, InputRole, RunEvent, SessionOptions};

use super::{known, session};
use crate::args::{Color, ExplainArgs};
use crate::counts::{Exit, RunCounts};
use crate::errors::Failure;
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
        stderr::say(&RunEvent::NotRecords(skipped).line());
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
    let (answer, explained) = session.explain_text(&file, &parsed, &answer_parsed, pasted)?;
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

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
