//! `tollproof explain` without a draft: a code, a rule or the text of an answer.

use std::io::{self, Write};
use std::path::Path;

use tollproof_core::{Answer, Kind, KindHint, KnownReason, Linter, Parsed, Severity, Source, kind_of};
use tollproof_project::FailOn;

use super::rule;
use crate::args::{Color, ExplainArgs, PrintArgs, PrintFormat, RuleArgs};
use crate::counts::{Exit, RunCounts};
use crate::errors::{Failure, Result, failure};
use crate::input::read_named;
use crate::output::{Outputs, ReportOptions, sentence, stderr};
use crate::terminal::filter::Filter;
use crate::terminal::{Look, one_line, wrap};

/// Explains codes, or else the rule or the group with this id.
pub(super) fn code_or_rule(
    text: &str,
    args: &ExplainArgs,
    color: Color,
    out: &mut dyn Write,
) -> Result<Exit> {
    let reasons = KnownReason::all_in(text, args.provider, &Linter::builtin());
    if !reasons.is_empty() {
        return show(&reasons, &Source::new("--text", text), args, color, out);
    }
    let id = Some(text.to_owned());
    let (rules, size) = (args.rules.rules.clone(), args.history.size.clone());
    let json = args.output_format.iter().any(|target| target.format.name == "json");
    let print = PrintArgs { output_format: if json { PrintFormat::Json } else { PrintFormat::Full } };
    let explained = rule::run(&RuleArgs { id, rules, provider: None, print, size }, color, out);
    explained.map_err(|_| {
        let text = one_line(text);
        failure!("`{text}` is not a file, and not a known code or rule; use `tollproof explain DRAFT ANSWER`")
    })
}

/// Explains the reasons in a text.
pub(super) fn text(text: &str, args: &ExplainArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    answer(&Source::new("--text", text), args, color, out)
}

/// Explains the answer in a file without a draft.
pub(super) fn file(path: &Path, args: &ExplainArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let (_, source) = read_named(path)?;
    let parsed = Parsed::of(&source, None);
    let whole = parsed.whole();
    if whole
        .documents()
        .any(|document| kind_of(&document, KindHint::Discovered).is_some_and(Kind::is_request))
    {
        let what = "name the answer after the draft, or give it with `--text`";
        return Err(failure!("the answer is missing; {what}"));
    }
    answer(&source, args, color, out)
}

/// Prints the request to an assistant for the reasons in the answer.
pub(super) fn for_assistant(args: &ExplainArgs, out: &mut dyn Write) -> Result<Exit> {
    let read = match (&args.text, args.answer.last().or(args.draft.as_ref())) {
        (None, Some(path)) => read_answer(&read_named(path)?.1)?,
        (text, _) => read_answer(&Source::new("--text", text.as_deref().unwrap_or_default()))?,
    };
    let Some(request) = read.request() else {
        return Err(failure!("the answer names its reasons by codes; explain it without `--for-assistant`"));
    };
    write!(Filter::screen(out), "{request}").map_err(Failure::stdout)?;
    stderr::say!(
        "Then explain what the assistant answers: tollproof explain DRAFT FILE, or DRAFT --text TEXT"
    );
    Ok(Exit::Clean)
}

/// Says that an assistant understands an answer better, if it has only free words.
pub(super) fn say_who_reads(answer: &Answer) {
    if answer.request().is_some() {
        stderr::say!(
            "An assistant understands free words better: paste what `--for-assistant` prints into any chat"
        );
    }
}

fn read_answer(source: &Source<'_>) -> Result<Answer> {
    Answer::of_pasted(&Parsed::of(source, None), &[])
        .map_err(|error| failure!("cannot read the answer `{}`: {error}", one_line(source.name())))
}

fn answer(source: &Source<'_>, args: &ExplainArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let read = read_answer(source)?;
    say_who_reads(&read);
    let linter = Linter::builtin();
    let mut reasons = KnownReason::all_of_answer(&read, args.provider, &linter);
    let now = args.time.now().map_err(Failure::new)?;
    let is_understood = !reasons.is_empty() || !read.is_refusal();
    reasons.extend(KnownReason::of_deadline(&read, args.provider, now, &linter));
    match reasons.as_slice() {
        [] if !read.is_refusal() => {
            stderr::say!("The answer has no reason against the submission.");
            Ok(Exit::Clean)
        }
        reasons if is_understood => show(reasons, source, args, color, out),
        reasons => {
            if !reasons.is_empty() {
                show(reasons, source, args, color, out)?;
            }
            Err(Failure::new("the text has no reason that tollproof knows; ask your provider what it means"))
        }
    }
}

/// Prints reasons for people, or in the formats of reports, at their words in the answer.
fn show(
    reasons: &[KnownReason],
    source: &Source<'_>,
    args: &ExplainArgs,
    color: Color,
    out: &mut dyn Write,
) -> Result<Exit> {
    if args.output_format.is_empty() {
        return print(reasons, out);
    }
    let found = KnownReason::report(reasons, &Linter::builtin());
    let now = None;
    let mut report = RunCounts::of_run(args.redact, now);
    report.add(&found, FailOn::Never);
    let options = ReportOptions::of_findings(Severity::Info, args.redact, now);
    let mut outputs = Outputs::open(&args.output_format, out, Look::of(&io::stdout(), color), options)?;
    outputs.file(&Parsed::of(source, None), &found, &|_| None)?;
    outputs.end(&report, &[])?;
    outputs.keep()?;
    Ok(Exit::Clean)
}

fn print(reasons: &[KnownReason], out: &mut dyn Write) -> Result<Exit> {
    let out = &mut Filter::screen(out);
    let linter = Linter::builtin();
    let (unknown, reasons): (Vec<_>, Vec<_>) = reasons.iter().partition(|reason| reason.is_unknown);
    for (at, reason) in reasons.iter().enumerate() {
        let space = if at == 0 { "" } else { "\n" };
        let is_quote = reason.heading.as_str().starts_with('\u{201c}');
        let is_sentence = reason.is_deadline && !is_quote;
        let heading = if is_sentence { sentence(&reason.heading) } else { one_line(&reason.heading) };
        let advice = wrap(&reason.advice, 76).replace('\n', "\n  ");
        let mut rules: Vec<String> =
            reason.rules.iter().map(|rule| format!("\n  tollproof rule {rule}")).collect();
        rules.extend(reason.is_seen(&linter).then(|| "\n  tollproof look DRAFT".to_owned()));
        let printed = writeln!(out, "{space}{heading}\n  {advice}{}", rules.concat());
        printed.map_err(Failure::stdout)?;
    }
    if !unknown.is_empty() {
        let lines: String = unknown.iter().map(|line| format!("\n  {}", one_line(&line.heading))).collect();
        let printed = writeln!(out, "\nNot understood; read these lines yourself:{lines}");
        printed.map_err(Failure::stdout)?;
    }
    stderr::say!("To see it on your draft: tollproof explain DRAFT ANSWER, or DRAFT --text TEXT");
    Ok(Exit::Clean)
}
