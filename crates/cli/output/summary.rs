//! The end of reports for people: what was checked, what was found and what could not be checked.

use std::io::{self, Write};

use tollproof_core::{Provider, Safety, Severity, SuppressedBy};

use crate::counts::{FixMode, RunCounts};
use crate::statistics::{Statistics, StatisticsBy};
use crate::terminal::{Look, count, one_line, wrap};

/// Whether a report for people shows any finding.
fn shows_any(report: &RunCounts, min: Severity) -> bool {
    Severity::ALL.iter().any(|&it| it >= min && report.shown(it) > 0)
}

/// Writes the summary, broken at the width of a terminal. In a log it stays one line, which is easy to search for.
pub(crate) fn wrapped_line(
    out: &mut dyn Write,
    report: &RunCounts,
    min: Severity,
    look: Look,
) -> io::Result<()> {
    if !look.is_terminal {
        return line(out, report, min, look);
    }
    let mut text = Vec::new();
    line(&mut text, report, min, look)?;
    let text = wrap(&String::from_utf8_lossy(&text), look.width.saturating_sub(2));
    writeln!(out, "{}", text.replace('\n', "\n  "))
}

/// Writes the summary line, with counts in the colors of their severities.
pub(crate) fn line(out: &mut dyn Write, report: &RunCounts, min: Severity, look: Look) -> io::Result<()> {
    write!(out, "{}", checked(report))?;
    if shows_any(report, min) {
        let found = [Severity::Error, Severity::Warning, Severity::Info]
            .into_iter()
            .filter(|&it| it >= min && (it != Severity::Info || report.shown(it) > 0));
        for (at, severity) in found.enumerate() {
            write!(out, "{}", if at == 0 { ": " } else { ", " })?;
            let found = count(report.shown(severity), severity.name());
            match report.shown(severity) {
                0 => write!(out, "{found}")?,
                _ => look.paint(out, severity, found)?,
            }
        }
    } else {
        // Known findings are findings all the same.
        let nothing =
            if report.suppressed_by(SuppressedBy::Baseline) > 0 { "nothing new" } else { "nothing found" };
        write!(out, ", {}", look.praise(nothing))?;
    }
    let hidden: Vec<_> = [Severity::Warning, Severity::Info]
        .into_iter()
        .filter(|&it| it < min && report.shown(it) > 0)
        .map(|it| (it, count(report.shown(it), it.name())))
        .collect();
    if let Some((least, _)) = hidden.last() {
        let parts: Vec<_> = hidden.iter().map(|(_, part)| part.as_str()).collect();
        write!(out, " ({} hidden, --min-severity {least} shows all)", parts.join(" and "))?;
    }
    write!(out, ".")?;
    let known = report.suppressed_by(SuppressedBy::Baseline);
    let ignored = report.suppressed() - known;
    counts(out, [(ignored, "finding", "ignored"), (known, "finding", "known from the baseline")])?;
    if let Some(stale) = report.stale.filter(|&it| it > 0) {
        let (findings, are) = (count(stale, "finding"), if stale == 1 { "is" } else { "are" });
        write!(out, " {findings} of the baseline {are} gone (`tollproof baseline prune` removes them).")?;
    }
    counts(
        out,
        [
            (report.skipped, "document", "skipped: not a draft"),
            (report.excluded, "file", "excluded by tollproof.yaml"),
            (report.unopened, "file", "could not be read"),
            (report.unwritten, "file", "could not be fixed"),
        ],
    )?;
    if let Some(age) = report.age_of_pages() {
        write!(out, " Pages seen {age} (`tollproof look --again` renews them).")?;
    }
    if report.read.read > 0 {
        write!(out, " {} read by a reader", count(report.read.read, "draft"))?;
        report.age_of_readings().map_or(Ok(()), |age| write!(out, " {age}"))?;
        match report.read.taken_back {
            0 => write!(out, ".")?,
            taken_back => write!(out, ", who denies {}.", count(taken_back, "finding"))?,
        }
    }
    match report.read.unread {
        0 => {}
        unread => write!(out, " {} not read completely (use `tollproof read`).", count(unread, "draft"))?,
    }
    match report.seen.unseen() {
        0 => {}
        1 => write!(out, " 1 address was not seen.")?,
        unseen => write!(out, " {unseen} addresses were not seen.")?,
    }
    if let Some(fixes) = fixes(report, min) {
        write!(out, " {fixes}.")?;
    }
    writeln!(out)
}

/// Writes a sentence about each number that is not 0.
fn counts<const N: usize>(out: &mut dyn Write, counts: [(usize, &str, &str); N]) -> io::Result<()> {
    let mut shown = counts.into_iter().filter(|(number, ..)| *number > 0);
    shown.try_for_each(|(number, noun, what)| write!(out, " {} {what}.", count(number, noun)))
}

/// How many documents were checked, and for which providers.
fn checked(report: &RunCounts) -> String {
    let all = count(report.documents, "document");
    let others: usize = report.providers.values().sum();
    match report.providers.iter().collect::<Vec<_>>().as_slice() {
        [] => format!("{all} checked"),
        [(provider, _)] if others == report.documents => format!("{all} for {provider} checked"),
        several => {
            let ours = report.documents.saturating_sub(others);
            let ours = (ours > 0).then(|| format!("{ours} for {}", Provider::default()));
            let parts: Vec<String> = several
                .iter()
                .map(|(provider, documents)| format!("{documents} for {provider}"))
                .chain(ours)
                .collect();
            format!("{all} checked ({})", parts.join(", "))
        }
    }
}

/// The number of fixes, and the option that applies more; `None` without fixes.
pub(crate) fn fixes(report: &RunCounts, min: Severity) -> Option<String> {
    let [safe, daring] = [Safety::Safe, Safety::Unsafe].map(|it| report.fixable(min, it));
    let more = |reach| match reach {
        Safety::Safe if daring > 0 && report.fixed > 0 => {
            format!(", {daring} more fixable with --unsafe-fixes")
        }
        Safety::Safe if daring > 0 => format!(", {daring} fixable with --unsafe-fixes"),
        _ => String::new(),
    };
    match report.fix_mode {
        FixMode::Never => None,
        FixMode::Offer if safe + daring == 0 => None,
        FixMode::Offer if safe == 0 => Some(format!("{daring} fixable with --fix --unsafe-fixes")),
        FixMode::Offer if daring == 0 => Some(format!("{safe} fixable with --fix")),
        FixMode::Offer => Some(format!("{safe} fixable with --fix, {daring} more with --unsafe-fixes")),
        FixMode::Apply(reach) => Some(format!("{} fixed{}", report.fixed, more(reach))),
        FixMode::Show(reach) if report.fixed == 0 => Some(format!("nothing to fix{}", more(reach))),
        FixMode::Show(reach) => {
            let fixes =
                if report.fixed == 1 { "1 fix".to_owned() } else { format!("{} fixes", report.fixed) };
            Some(format!("{fixes} in {}{}", count(report.changed, "file"), more(reach)))
        }
    }
}

/// Writes what could not be checked, so that a clean report does not look like an approval.
pub(crate) fn not_checked(
    out: &mut dyn Write,
    report: &RunCounts,
    min: Severity,
    look: Look,
) -> io::Result<()> {
    if shows_any(report, min) {
        return Ok(());
    }
    let text = format!("Not checked from here: {}.", report.not_checked().join(", "));
    writeln!(out, "{}", wrap(&text, look.width.saturating_sub(2)).replace('\n', "\n  "))
}

/// Writes how many findings there are by rule, severity, use case or file, the most frequent first.
pub(crate) fn statistics(out: &mut dyn Write, report: &RunCounts, shown: Statistics) -> io::Result<()> {
    for (by, _) in StatisticsBy::ALL.into_iter().zip(shown).filter(|(_, is_shown)| *is_shown) {
        let rows = report.statistics(by);
        let width = rows.iter().map(|(count, _)| count.to_string().len()).max().unwrap_or(0);
        for (count, name) in rows.iter().take(MAX_ROWS) {
            writeln!(out, "{count:width$}  {}", one_line(name))?;
        }
        if rows.len() > MAX_ROWS {
            writeln!(out, "{:width$}  and {} more", "", rows.len() - MAX_ROWS)?;
        }
        if !rows.is_empty() {
            writeln!(out)?;
        }
    }
    Ok(())
}

/// The maximum number of rows of a statistic.
const MAX_ROWS: usize = 1_000;
