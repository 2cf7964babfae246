//! `tollproof rules eval`: measures rules on labelled drafts or sentences.

use std::collections::BTreeMap;
use std::io::{self, Write};

#[cfg(feature = "online")]
use jiff::Timestamp;
use tollproof_core::Linter;
#[cfg(feature = "online")]
use tollproof_core::{AnswerProblem, DraftReading, ReadRequest, ReaderAnswers, Readings};
#[cfg(feature = "online")]
use tollproof_project::evaluation::questions_about;
use tollproof_project::evaluation::{
    ConceptMetrics, ErrorCause, KeptAnswers, KnownAnswers, LabelMetrics, Labelled, Metrics, ReadingsMetrics,
    RuleMetrics, SentenceCounts, SentenceMetrics, Share, SourceMetrics, WrongSentence, measure_drafts,
    measure_sentences,
};
use tollproof_project::{Disk, ReadingsStore, RunEvent, linter_with_rules, read_user_rules};

#[cfg(feature = "online")]
use super::super::read::{AnswerSink, AnsweredBy, NamedReader};
use super::table::{paragraph, table};
use crate::args::{Color, EvalArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, count, one_line, wrap};

/// Labelled drafts that measure a reader: half of them good, for four providers, by authors who saw no rule.
const SIXTY: &str = include_str!("sixty.ndjson");

/// Checks every draft or sentence of the file and prints the counts.
pub(super) fn run(args: &EvalArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let linter = linter_with_rules(&read_user_rules(&Disk, &args.rules)?)?;
    let width = Look::of(&io::stdout(), color).width;
    let format = args.print.output_format;
    let labelled = args.file.as_deref().map_or(Labelled::Text("the sixty drafts", SIXTY), Labelled::File);
    if let (true, Some(file)) = (args.sentences, &args.file) {
        let metrics = measure_sentences(&linter, file, args.split.as_deref(), args.verbose);
        let metrics = metrics.map_err(Failure::new)?;
        print_value(format, Look::PLAIN, out, &metrics, |out| sentences(&metrics, width, out))?;
    } else {
        let answers = match answered(args, &linter, labelled)? {
            Some(answers) => Some(answers),
            None => known_answers(args)?,
        };
        let metrics = measure_drafts(&linter, labelled, answers.as_ref(), args.verbose);
        let metrics = metrics.map_err(Failure::new)?;
        print_value(format, Look::PLAIN, out, &metrics, |out| full(&metrics, width, out))?;
    }
    Ok(Exit::Clean)
}

/// The answers of a reader that is asked now; `None` if none is to be asked.
#[cfg(feature = "online")]
fn answered(args: &EvalArgs, linter: &Linter, labelled: Labelled<'_>) -> Result<Option<KnownAnswers>> {
    let Some(choice) = args.reader() else { return Ok(None) };
    let requests = questions_about(linter, labelled).map_err(Failure::new)?;
    let mut answers = MeasuredAnswers { requests: requests.iter().collect(), readings: Vec::new() };
    NamedReader::find(&choice)?.measure(&answers.requests.clone(), &mut answers)?;
    Ok(Some(KnownAnswers::Readings(Readings::new(answers.readings).lowering_errors())))
}

#[cfg(not(feature = "online"))]
fn answered(_: &EvalArgs, _: &Linter, _: Labelled<'_>) -> Result<Option<KnownAnswers>> {
    Ok(None)
}

/// The answers about labelled drafts, which are stored nowhere.
#[cfg(feature = "online")]
struct MeasuredAnswers<'r> {
    requests: Vec<&'r ReadRequest>,
    readings: Vec<DraftReading>,
}

#[cfg(feature = "online")]
impl AnswerSink for MeasuredAnswers<'_> {
    fn keep(&mut self, at: usize, answers: &ReaderAnswers, by: &AnsweredBy) -> Vec<(String, AnswerProblem)> {
        let (answers, problems) = self.requests[at].verify(answers);
        let AnsweredBy { reader, model } = by.clone();
        let (id, at, version) = (self.requests[at].id.clone(), Timestamp::now(), DraftReading::VERSION);
        self.readings.push(DraftReading { id, version, at, reader, model, answers });
        problems
    }
}

/// The readings that the arguments name.
fn known_answers(args: &EvalArgs) -> Result<Option<KnownAnswers>> {
    if let Some(path) = &args.answers {
        return KeptAnswers::read(path).map(KnownAnswers::Kept).map(Some).map_err(Failure::new);
    }
    let Some(path) = &args.readings else { return Ok(None) };
    let store = ReadingsStore::read(&Disk, path).map_err(Failure::new)?;
    if let Some(skipped) = store.skipped() {
        say!("{}", RunEvent::SkippedLines(skipped).line());
    }
    if store.iter().next().is_none() {
        let name = one_line(&path.display().to_string());
        return Err(failure!("`{name}` has no readings"));
    }
    Ok(Some(KnownAnswers::Readings(store.readings().lowering_errors())))
}

fn full(metrics: &Metrics<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    metrics.compared.iter().try_for_each(|compared| comparison(compared, out))?;
    rules(&metrics.rules, out)?;
    for (label, group) in &metrics.labels {
        writeln!(out, "\n{}: {}", one_line(label), count(group.drafts, "draft"))?;
        if label != "good" {
            line(out, "found on the field", &group.detected.text())?;
            line(out, "for the right reason", &group.right_reason.text())?;
            line(out, "and on any field", &group.right_reason_anywhere.text())?;
        }
        if label == "bad" {
            ids(out, "nothing found", &group.undetected, width)?;
            ids(out, "for another reason", &group.other_reason, width)?;
            concepts(group, out)?;
            continue;
        }
        line(out, "with false errors", &group.with_errors.text())?;
        if label == "good" {
            causes(&group.error_causes, width, out)?;
        }
        line(out, "with false warnings", &group.with_warnings.text())?;
        let tolerated = group.tolerated_warnings;
        line(out, "warnings", &format!("{}, of which tolerated: {tolerated}", group.warnings))?;
        if label == "good" {
            for (rule, drafts) in &group.untolerated_warnings {
                writeln!(out, "    {rule}: {}", count(drafts.len(), "draft"))?;
            }
        }
    }
    Ok(())
}

/// A table of the rules that reported something or should have, one per line.
fn rules(rules: &[RuleMetrics<'_>], out: &mut dyn Write) -> io::Result<()> {
    let is_silent = |rule: &&RuleMetrics<'_>| rule.good + rule.bad + rule.info + rule.recall.of == 0;
    let (silent, shown): (Vec<_>, Vec<_>) = rules.iter().partition(is_silent);
    let rows: Vec<[String; 6]> = shown
        .into_iter()
        .map(|metrics| {
            let [good, bad, info] = [metrics.good, metrics.bad, metrics.info].map(|count| count.to_string());
            [metrics.rule.to_string(), good, bad, info, metrics.precision.text(), metrics.recall.text()]
        })
        .collect();
    table(0, ["rule", "good", "bad", "info", "precision", "recall"], &rows, out)?;
    if !silent.is_empty() {
        writeln!(
            out,
            "{} reported nothing, and no bad draft expects their concepts",
            count(silent.len(), "other rule")
        )?;
    }
    Ok(())
}

/// A table of the faults that drafts were expected to have.
fn concepts(group: &LabelMetrics, out: &mut dyn Write) -> io::Result<()> {
    let row = |(concept, it): (&String, &ConceptMetrics)| {
        [one_line(concept), it.detected.text(), it.right_reason.text()]
    };
    let rows: Vec<_> = group.concepts.iter().map(row).collect();
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    table(2, ["expected concept", "on the field", "right reason"], &rows, out)
}

/// The distinct causes of errors on good drafts.
fn causes(causes: &[ErrorCause], width: usize, out: &mut dyn Write) -> io::Result<()> {
    if causes.is_empty() {
        return Ok(());
    }
    line(out, "distinct causes", &causes.len().to_string())?;
    for ErrorCause { rule, field, words, drafts } in causes {
        let place = if field.is_empty() { String::new() } else { format!(" on {}", one_line(field)) };
        let ids: Vec<_> = drafts.iter().map(|id| one_line(id)).collect();
        let text = format!("{rule}{place}: {} ({})", count(drafts.len(), "draft"), ids.join(", "));
        paragraph(&text, 4, width, out)?;
        if let Some(words) = words {
            paragraph(&format!("\"{}\"", one_line(words)), 6, width, out)?;
        }
    }
    Ok(())
}

fn line(out: &mut dyn Write, what: &str, value: &str) -> io::Result<()> {
    writeln!(out, "  {what:22}  {value}")
}

fn ids(out: &mut dyn Write, what: &str, ids: &[String], width: usize) -> io::Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = ids.iter().map(|id| one_line(id)).collect();
    let text = wrap(&ids.join(", "), width.saturating_sub(26));
    line(out, what, &text.replace('\n', &format!("\n{:26}", "")))
}

/// Prints how words and readings compare, and the questions.
fn comparison(compared: &ReadingsMetrics<'_>, out: &mut dyn Write) -> io::Result<()> {
    let row = |name: &str, get: fn(&SourceMetrics) -> Share| {
        let all = [compared.words, compared.readings, compared.both].map(|totals| get(&totals).text());
        let [words, readings, both] = all;
        [name.to_owned(), words, readings, both]
    };
    let rows = [
        row("bad, right reason", |totals| totals.right_reason),
        row("good, false errors", |totals| totals.with_errors),
        row("good, false warnings", |totals| totals.with_warnings),
    ];
    table(0, ["drafts", "words", "readings", "both"], &rows, out)?;
    match compared.unread {
        0 => writeln!(out)?,
        unread => writeln!(out, "not read completely: {unread}\n")?,
    }
    let rows: Vec<[String; 4]> = compared
        .questions
        .iter()
        .map(|(question, it)| {
            [(*question).to_owned(), it.right.text(), it.wrong.text(), it.unsure.to_string()]
        })
        .collect();
    table(0, ["question", "right", "wrong on good", "unsure on good"], &rows, out)?;
    writeln!(out)
}

/// Prints the results of sentences.
fn sentences(metrics: &SentenceMetrics, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let rows = |by: &BTreeMap<String, SentenceCounts>| -> Vec<_> {
        by.iter().map(|(name, counts)| row(name, *counts)).collect()
    };
    let head = |name| [name, "right reason", "false errors", "false warnings"];
    table(0, head("mechanism"), &rows(&metrics.mechanisms), out)?;
    let mut languages = rows(&metrics.languages);
    languages.push(row("all", metrics.total));
    writeln!(out)?;
    table(0, head("language"), &languages, out)?;
    list("missed", &metrics.missed, width, out)?;
    list("falsely reported", &metrics.false_reports, width, out)
}

/// The sentences whose texts may be printed.
fn list(what: &str, sentences: &[WrongSentence], width: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut shown =
        sentences.iter().filter_map(|sentence| Some((sentence, sentence.text.as_ref()?))).peekable();
    if shown.peek().is_some() {
        writeln!(out, "\n{what}: {}", count(sentences.len(), "sentence"))?;
    }
    for (sentence, text) in shown {
        let mut about = one_line(&sentence.id);
        if !sentence.expected.is_empty() {
            about += &format!(", expected {}", one_line(&sentence.expected.join(" or ")));
        }
        if let Some(severity) = sentence.severity {
            let rules: Vec<_> = sentence.rules.iter().map(String::as_str).collect();
            about += &format!(", {severity} of {}", rules.join(", "));
        }
        paragraph(&about, 2, width, out)?;
        paragraph(&one_line(text), 4, width, out)?;
    }
    Ok(())
}

/// A row of the tables of sentences.
fn row(name: &str, counts: SentenceCounts) -> [String; 4] {
    let SentenceCounts { right_reason, false_errors, false_warnings } = counts;
    [one_line(name), right_reason.text(), false_errors.text(), false_warnings.text()]
}
