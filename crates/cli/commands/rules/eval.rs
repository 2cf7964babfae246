//! `tollproof rules eval`: measures rules on labelled drafts or sentences.

use std::io::{self, Write};

use tollproof_core::{Facts, Linter, Readings};
use tollproof_project::{Disk, ReadingsStore, RunEvent, linter_with_rules, read_user_rules};

use super::dataset::{self, LabelledDraft};
use super::kept_answers::KeptAnswers;
use super::metrics::{ConceptMetrics, ErrorCause, LabelMetrics, Metrics, RuleMetrics};
use super::readings::ReadingsMetrics;
use super::sentences::{self, SentenceRun};
use super::table::{paragraph, table};
use crate::args::{Color, EvalArgs};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::count;
use crate::terminal::{Look, one_line, wrap};

/// Checks every draft or sentence of the file and prints the counts.
pub(super) fn run(args: &EvalArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let linter = linter_with_rules(&read_user_rules(&Disk, &args.rules)?)?;
    let width = Look::of(&io::stdout(), color).width;
    if args.sentences {
        let mut run = SentenceRun::new(&linter);
        dataset::each_sentence(&args.file, args.split.as_deref(), |it, id| run.take(it, id))?;
        let metrics = run.finish(args.verbose);
        print_value(args.print.output_format, Look::PLAIN, out, &metrics, |out| {
            sentences::full(&metrics, width, out)
        })?;
    } else {
        let known = KnownReadings::of(args)?;
        let mut metrics = Metrics::new(linter.rules());
        let mut compared = known.is_some().then(|| ReadingsMetrics::new(&linter));
        dataset::each_draft(&args.file, |draft, id| {
            let facts = known.as_ref().map(|it| it.facts(&linter, draft, id)).unwrap_or_default();
            metrics.take(&linter, draft, id, &facts);
            compared.iter_mut().for_each(|it| it.take(&linter, draft, id, &facts));
        })?;
        metrics.compared = compared;
        metrics.finish(args.verbose);
        print_value(args.print.output_format, Look::PLAIN, out, &metrics, |out| full(&metrics, width, out))?;
    }
    Ok(Exit::Clean)
}

/// What readers answered about the drafts.
enum KnownReadings {
    Store(Readings),
    Kept(KeptAnswers),
}

impl KnownReadings {
    /// What the arguments name.
    fn of(args: &EvalArgs) -> Result<Option<Self>, Failure> {
        if let Some(path) = &args.answers {
            return Ok(Some(Self::Kept(KeptAnswers::read(path)?)));
        }
        let Some(path) = &args.readings else { return Ok(None) };
        let store = ReadingsStore::read(&Disk, path).map_err(Failure::new)?;
        if let Some(skipped) = store.skipped() {
            say(&RunEvent::SkippedLines(skipped).line());
        }
        if store.iter().next().is_none() {
            let name = one_line(&path.display().to_string());
            return Err(Failure::new(format_args!("`{name}` has no readings")));
        }
        Ok(Some(Self::Store(store.readings().lowering_errors())))
    }

    fn facts(&self, linter: &Linter, labelled: &LabelledDraft<'_>, id: &str) -> Facts {
        match self {
            Self::Store(readings) => Facts { readings: readings.clone(), ..Facts::default() },
            Self::Kept(answers) => answers.facts(linter, labelled, id),
        }
    }
}

fn full(metrics: &Metrics<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    metrics.compared.iter().try_for_each(|it| it.full(out))?;
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
        .map(|it| {
            let [good, bad, info] = [it.good, it.bad, it.info].map(|count| count.to_string());
            [it.rule.to_owned(), good, bad, info, it.precision.text(), it.recall.text()]
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
