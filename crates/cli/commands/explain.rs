//! `tollproof explain`: what came back for a draft, on the draft's own lines.

use std::io::{self, Write};
use std::sync::Arc;

use tollproof_core::document::{Fault, Problem};
use tollproof_core::{
    Answer, Document, Facts, History, KindSource, Names, Parsed, Severity, Source, SourceDocument,
};
use tollproof_core::{Kind, kind_of};
use tollproof_project::{Disk, FailOn, LinterCache, OutputGuard};

use super::{locations, open_histories, warn};
use crate::args::{Color, ExplainArgs};
use crate::errors::Failure;
use crate::input::read_named;
use crate::output::{Outputs, Shown};
use crate::report::{Exit, Report};
use crate::terminal::Look;

/// Explains one answer.
pub(super) fn run(args: &ExplainArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut linters = LinterCache::new(Arc::new(Disk), args.rules.options())?;
    let config = linters.configs().of(&args.draft)?;
    let mut guard = OutputGuard::default();
    guard.file(&args.draft, "a draft that this run reads");
    guard.file(&args.answer, "the answer that this run reads");
    guard.settings(&config, linters.rule_dirs(&config));
    guard.histories(locations(&args.history, &config)?);
    guard.check(args.output_format.iter().filter_map(|it| it.path.as_deref()))?;
    let (linter, rules) = linters.only_of(&config, &args.draft)?;
    warn(linters.warnings());
    let now = Some(args.time.now().map_err(Failure::new)?);
    let mut histories = open_histories(&args.history, &config)?;
    let (_, answer_source) = read_named(&args.answer)?;
    let answer = answer(&Parsed::of(&answer_source, None))?;
    // The history may know when the notification came.
    let mut facts = Facts { notified_at: args.time.notified_at, now, ..Facts::default() };
    let records = answer.record_id().into_iter().map(str::to_owned).collect();
    histories.tell(Names { records, ..Names::default() }, &mut facts)?;
    let noted = answer.record_id().and_then(|id| facts.history.of_id(id)?.notified_at);
    facts.notified_at = facts.notified_at.or(noted);
    let linter = linter.with_facts(Facts { history: History::default(), ..facts });

    let (_, source) = read_named(&args.draft)?;
    let parsed = Parsed::of(&source, None);
    let whole = parsed.whole();
    let all: Vec<SourceDocument<'_>> = whole.documents().collect();
    let document = sent(&all, &answer).map_err(|why| {
        Failure::new(format_args!("cannot tell which draft of `{}` was sent: {why}", source.name()))
    })?;
    let kind = match (args.kind, config.kind_of(&args.draft)) {
        (Some(kind), _) => KindSource::Forced(kind),
        (None, Some(kind)) => KindSource::Expected(kind),
        (None, None) => KindSource::Named,
    };
    let told = kind_of(&document, kind).filter(|kind| !Kind::REQUESTS.contains(kind));
    if let Some(other) = told {
        let name = source.name();
        return Err(Failure::new(format_args!(
            "`{name}` is no draft that an answer comes back for, but {}",
            other.noun()
        )));
    }
    let explained = linter.explain(document, kind, &answer);
    let mut report = Report::default();
    report.add(&explained, FailOn::Error);
    let shown =
        Shown { min: Severity::Info, statistics: false, quiet: false, limits: false, redact: args.redact };
    let mut outputs = Outputs::open(&args.output_format, out, Look::of(&io::stdout(), color), shown)?;
    let answer_text = answer_source.text().to_owned();
    outputs.file(&parsed, &explained, &|name| {
        (name == answer_source.name()).then(|| Source::new(name, answer_text.clone()))
    })?;
    outputs.end(&report, &rules)?;
    outputs.keep()?;
    let is_against = answer.is_refusal() || report.count(Severity::Error) > 0;
    Ok(if is_against { Exit::Findings } else { Exit::Clean })
}

/// The one answer that a file holds.
fn answer(parsed: &Parsed<'_>) -> Result<Answer, Failure> {
    let source = parsed.source();
    let name = source.name();
    let Some(document) = parsed.only() else {
        return Err(Failure::new(format_args!(
            "`{name}` must hold one answer, and holds several documents or none"
        )));
    };
    Answer::read(document).map_err(|error| {
        let place = error.at.map(|at| source.place(at.start));
        let place = place.map(|it| format!(" (line {}, column {})", it.line, it.column)).unwrap_or_default();
        Failure::new(format_args!("cannot read the answer `{name}`{place}: {error}"))
    })
}

/// The draft that an answer came back for: the only one, or the one with its number.
fn sent<'d>(all: &[SourceDocument<'d>], answer: &Answer) -> Result<SourceDocument<'d>, &'static str> {
    let readable = all.iter().copied().filter(|document| document.root.is_some());
    // Bytes that are not UTF-8 leave the rest of a draft as it is.
    let is_broken = |fault: &Fault| matches!(fault.problem, Problem::Syntax | Problem::Limit);
    if let &[only] = all {
        if only.root.is_none() || only.faults.iter().any(is_broken) {
            return Err("it cannot be read; `tollproof check` says why");
        }
        return match numbers(&only).is_empty() || answer.numbers().is_empty() || names(&only, answer) {
            true => Ok(only),
            false => Err("the answer is about another number"),
        };
    }
    let mut found = readable.filter(|document| names(document, answer));
    match (found.next(), found.next()) {
        (Some(document), None) => Ok(document),
        (Some(_), Some(_)) => Err("it holds several with the number of the answer"),
        _ => Err("it holds several, and none names the number of the answer"),
    }
}

/// The numbers that a draft names.
fn numbers<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
    let numbers = document.root.as_ref().and_then(|root| root.get("phoneNumbers"));
    let numbers = numbers.map(|numbers| numbers.items()).unwrap_or_default();
    numbers.iter().filter_map(|number| number.as_str()).collect()
}

/// Whether a draft names a number of the answer.
fn names(document: &Document<'_>, answer: &Answer) -> bool {
    let is_answered =
        |number: &&str| answer.numbers().iter().any(|it| it.eq_ignore_ascii_case(number.trim()));
    numbers(document).iter().any(is_answered)
}
