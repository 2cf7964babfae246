//! `tollproof rules eval`: measures how often each rule reports findings on good and on bad drafts.

use std::io::{self, Write};

use tollproof_project::linter_with_rules;

use super::super::{json, user_rules};
use super::dataset;
use super::metrics::{Metrics, RuleMetrics, Share};
use crate::args::{Color, EvalArgs, PrintFormat};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::terminal::count;
use crate::terminal::filter::Filter;
use crate::terminal::{Look, one_line, wrap};

/// Checks every draft of the file and prints the counts.
pub(super) fn run(args: &EvalArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let linter = linter_with_rules(&user_rules(&args.rules)?)?;
    let mut metrics = Metrics::new(linter.rules());
    dataset::each(&args.labelled, |line, draft| metrics.take(&linter, draft, &draft.id(line)))?;
    let printed = match args.output_format {
        PrintFormat::Full => full(&metrics, Look::of(&io::stdout(), color).width, &mut Filter::screen(out)),
        PrintFormat::Json => json(&metrics, out),
    };
    printed.map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}

fn full(metrics: &Metrics<'_>, width: usize, out: &mut dyn Write) -> io::Result<()> {
    table(&metrics.rules, out)?;
    for (label, group) in &metrics.labels {
        writeln!(out, "\n{}: {}", one_line(label), count(group.drafts, "draft"))?;
        if label != "good" {
            line(out, "found on the field", &share(group.detected))?;
            line(out, "by an expected concept", &share(group.named))?;
        }
        if label == "bad" {
            ids(out, "nothing found", &group.undetected, width)?;
            ids(out, "found by others only", &group.misnamed, width)?;
        } else {
            line(out, "errors, not tolerated", &group.errors.len().to_string())?;
        }
        if label == "good" {
            for same in group.errors.chunk_by(|a, b| (&a.id, &a.rule) == (&b.id, &b.rule)) {
                let times = if same.len() > 1 { format!(", {} times", same.len()) } else { String::new() };
                writeln!(out, "    {}  {}{times}", one_line(&same[0].id), same[0].rule)?;
            }
        }
        if label != "bad" {
            let tolerated = group.warnings - group.untolerated_warnings.len();
            line(out, "warnings", &format!("{}, of which tolerated: {tolerated}", group.warnings))?;
        }
    }
    Ok(())
}

/// A table of the rules that reported something or should have, one per line.
fn table(rules: &[RuleMetrics<'_>], out: &mut dyn Write) -> io::Result<()> {
    let is_silent = |rule: &&RuleMetrics<'_>| rule.good + rule.bad + rule.info + rule.recall.of == 0;
    let (silent, shown): (Vec<_>, Vec<_>) = rules.iter().partition(is_silent);
    let rows: Vec<[String; 6]> = shown
        .into_iter()
        .map(|it| {
            let [good, bad, info] = [it.good, it.bad, it.info].map(|count| count.to_string());
            [it.rule.to_owned(), good, bad, info, share(it.precision), share(it.recall)]
        })
        .collect();
    let head = ["rule", "good", "bad", "info", "precision", "recall"].map(str::to_owned);
    let mut widths = [0; 6];
    for row in rows.iter().chain([&head]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.len().max(*width);
        }
    }
    for [rule, numbers @ ..] in [&head].into_iter().chain(&rows) {
        write!(out, "{rule:0$}", widths[0])?;
        for (number, width) in numbers.iter().zip(&widths[1..]) {
            write!(out, "  {number:>width$}")?;
        }
        writeln!(out)?;
    }
    if !silent.is_empty() {
        writeln!(
            out,
            "{} reported nothing, and no bad draft expects their concepts",
            count(silent.len(), "other rule")
        )?;
    }
    Ok(())
}

/// `3/4  75 %`, or a dash if there is nothing to count.
fn share(share: Share) -> String {
    match share.percent() {
        Some(percent) => format!("{}/{} {percent:3} %", share.count, share.of),
        None => "-".to_owned(),
    }
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
