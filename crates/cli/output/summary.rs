//! The end of reports for people: what was checked, what was found and what could not be checked.

use std::collections::BTreeSet;
use std::io::{self, Write};

use tollproof_core::{Message, Provider, Safety, Severity, SuppressedBy};

use crate::counts::{FixMode, RunCounts};
use crate::statistics::{Statistics, StatisticsBy};
use crate::terminal::{Look, one_line, wrap};

/// Whether a report for people shows any finding.
fn shows_any(report: &RunCounts, min: Severity) -> bool {
    Severity::ALL.iter().any(|&severity| severity >= min && report.shown(severity) > 0)
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
    write!(out, "{}", checked(report, look))?;
    verdict(out, report, min, look)?;
    hidden(out, report, min, look)?;
    write!(out, ".")?;
    counted(out, report, look)?;
    if report.totals.incomplete > 0 {
        write!(out, " {}", incomplete(report, look))?;
    }
    if !report.assumed.is_empty() {
        let words =
            "No provider is named in {files}, so Bird's fields are assumed; name yours with `--provider`.";
        write!(out, " {}", look.with(words, &[("files", named(&report.assumed, look).into())]))?;
    }
    if let Some(age) = report.age_of_pages() {
        let seen = "Pages seen {age} (`tollproof look --again` renews them).";
        write!(out, " {}", look.with(seen, &[("age", age)]))?;
    }
    if report.totals.read.read > 0 {
        read(out, report, look)?;
    }
    if report.totals.seen.count_unseen() > 0 {
        let (one, others) = ("{count} address was not seen.", "{count} addresses were not seen.");
        write!(out, " {}", look.counted(report.totals.seen.count_unseen(), one, others))?;
    }
    if let Some(fixes) = fixes(report, min, look) {
        write!(out, " {fixes}.")?;
    }
    if let Some(by_words) = report.totals.read.by_words() {
        write!(out, " {}", look.message(&by_words))?;
    }
    writeln!(out)
}

/// The findings by their severity, or words for none.
fn verdict(out: &mut dyn Write, report: &RunCounts, min: Severity, look: Look) -> io::Result<()> {
    if shows_any(report, min) {
        let found = [Severity::Error, Severity::Warning, Severity::Info].into_iter().filter(|&severity| {
            severity >= min && (severity != Severity::Info || report.shown(severity) > 0)
        });
        for (at, severity) in found.enumerate() {
            write!(out, "{}", if at == 0 { look.say(": ") } else { ", " })?;
            let found = of_severity(report.shown(severity), severity, look);
            match report.shown(severity) {
                0 => write!(out, "{found}")?,
                _ => look.paint(out, severity, found)?,
            }
        }
    } else {
        let nothing = match report.totals.read.unread {
            // Known findings are findings all the same.
            _ if report.suppressed_by(SuppressedBy::Baseline) > 0 => "nothing new",
            // Notes and programs need not have all of a draft.
            _ if report.totals.incomplete > 0 => "incomplete",
            0 => "nothing found",
            _ => "nothing found by words",
        };
        write!(out, ", {}", look.praise(look.say(nothing)))?;
    }
    Ok(())
}

/// The findings that are not shown, and the option that shows them.
fn hidden(out: &mut dyn Write, report: &RunCounts, min: Severity, look: Look) -> io::Result<()> {
    let hidden: Vec<_> = [Severity::Warning, Severity::Info]
        .into_iter()
        .filter(|&severity| severity < min && report.shown(severity) > 0)
        .map(|severity| (severity, of_severity(report.shown(severity), severity, look)))
        .collect();
    if let Some((least, _)) = hidden.last() {
        let parts = hidden.iter().map(|(_, part)| Message::own(part.as_str())).collect::<Vec<_>>();
        let counts = match parts.as_slice() {
            [one, other] => look.with("{one} and {other}", &[("one", one.clone()), ("other", other.clone())]),
            parts => Message::join(parts.iter().cloned()).to_string(),
        };
        let parts = [("counts", counts.into()), ("least", Message::from(least.name().to_owned()))];
        write!(out, " {}", look.with("({counts} hidden, --min-severity {least} shows all)", &parts))?;
    }
    Ok(())
}

/// The counts of ignored findings, and of files and documents that were not checked.
fn counted(out: &mut dyn Write, report: &RunCounts, look: Look) -> io::Result<()> {
    let known = report.suppressed_by(SuppressedBy::Baseline);
    let ignored = report.suppressed() - known;
    let stale = report.stale.unwrap_or_default();
    let counts = [
        (ignored, "{count} finding ignored.", "{count} findings ignored."),
        (known, "{count} finding known from the baseline.", "{count} findings known from the baseline."),
        (
            stale,
            "{count} finding of the baseline is gone (`tollproof baseline prune` removes them).",
            "{count} findings of the baseline are gone (`tollproof baseline prune` removes them).",
        ),
        (report.skipped, "{count} document skipped: not a draft.", "{count} documents skipped: not a draft."),
        (
            report.excluded,
            "{count} file excluded by tollproof.yaml.",
            "{count} files excluded by tollproof.yaml.",
        ),
        (report.unopened, "{count} file could not be read.", "{count} files could not be read."),
        (report.unwritten, "{count} file could not be fixed.", "{count} files could not be fixed."),
    ];
    let skipped = counts[3].1;
    for (number, one, others) in counts.into_iter().filter(|(number, ..)| *number > 0) {
        let sentence = look.counted(number, one, others);
        let named = if one == skipped { with_names(&sentence, &report.not_drafts, look) } else { sentence };
        write!(out, " {named}")?;
    }
    Ok(())
}

/// The drafts that a reader has read.
fn read(out: &mut dyn Write, report: &RunCounts, look: Look) -> io::Result<()> {
    let read = look.counted(
        report.totals.read.read,
        "{count} draft read by a reader",
        "{count} drafts read by a reader",
    );
    write!(out, " {read}")?;
    report.age_of_readings().map_or(Ok(()), |age| write!(out, " {}", look.message(&age)))?;
    match report.totals.read.taken_back {
        0 => write!(out, ".")?,
        count => {
            let denied = look.counted(count, "who denies 1 finding.", "who denies {count} findings.");
            write!(out, ", {denied}")?;
        }
    }
    Ok(())
}

/// The most files with an incomplete draft that are named.
const NAMED: usize = 5;

/// The count of drafts in notes and programs that are incomplete, and their files.
fn incomplete(report: &RunCounts, look: Look) -> String {
    let (one, others) = (
        "{count} draft in notes or a program is incomplete.",
        "{count} drafts in notes and programs are incomplete.",
    );
    let sentence = look.counted(report.totals.incomplete, one, others);
    let sentence = with_names(&sentence, &report.incomplete, look);
    match report.incomplete.first().filter(|_| report.incomplete.len() == 1) {
        Some(name) if report.shown(Severity::Error) == 0 => {
            let next = "`tollproof new draft.yaml --from {file}` writes it to a file, with the missing fields to fill in.";
            format!("{sentence} {}", look.with(next, &[("file", one_line(name).into())]))
        }
        _ => sentence,
    }
}

/// A sentence with the names of files at its end.
fn with_names(sentence: &str, files: &BTreeSet<String>, look: Look) -> String {
    if files.is_empty() {
        sentence.to_owned()
    } else {
        format!("{} ({}).", sentence.trim_end_matches('.'), named(files, look))
    }
}

/// The names of files; of many, the first.
fn named(files: &BTreeSet<String>, look: Look) -> String {
    let mut names: Vec<String> = files.iter().take(NAMED).map(|name| one_line(name)).collect();
    if let Some(more @ 1..) = files.len().checked_sub(NAMED) {
        names.push(look.counted(more, "and 1 more", "and {count} more"));
    }
    names.join(", ")
}

/// A number of findings.
pub(crate) fn of_severity(number: usize, severity: Severity, look: Look) -> String {
    let (one, others) = match severity {
        Severity::Error => ("{count} error", "{count} errors"),
        Severity::Warning => ("{count} warning", "{count} warnings"),
        Severity::Info => ("{count} info", "{count} infos"),
    };
    look.counted(number, one, others)
}

/// Reports the number of checked documents, and their providers.
fn checked(report: &RunCounts, look: Look) -> String {
    let all = report.totals.documents;
    let others: usize = report.providers.values().sum();
    let with_providers = |one, others, providers: String| {
        let template = if all == 1 { one } else { others };
        look.with(template, &[("count", all.into()), ("providers", providers.into())])
    };
    match report.providers.iter().collect::<Vec<_>>().as_slice() {
        [] => look.counted(all, "{count} document checked", "{count} documents checked"),
        [(provider, _)] if others == report.totals.documents => with_providers(
            "{count} document for {providers} checked",
            "{count} documents for {providers} checked",
            provider.to_string(),
        ),
        several => {
            let ours = report.totals.documents.saturating_sub(others);
            let of_provider = |documents: usize, provider: String| {
                let parts = [("documents", documents.into()), ("provider", provider.into())];
                look.with("{documents} for {provider}", &parts)
            };
            let ours = (ours > 0).then(|| of_provider(ours, Provider::default().to_string()));
            let parts: Vec<String> = several
                .iter()
                .map(|(provider, documents)| of_provider(**documents, provider.to_string()))
                .chain(ours)
                .collect();
            with_providers(
                "{count} document checked ({providers})",
                "{count} documents checked ({providers})",
                parts.join(", "),
            )
        }
    }
}

/// The number of fixes, and the option that applies more; `None` without fixes.
pub(crate) fn fixes(report: &RunCounts, min: Severity, look: Look) -> Option<String> {
    let [safe, daring] = [Safety::Safe, Safety::Unsafe].map(|it| report.fixable(min, it));
    let more = |reach| match reach {
        Safety::Safe if daring > 0 && report.fixed > 0 => ", {unsafe} more fixable with --unsafe-fixes",
        Safety::Safe if daring > 0 => ", {unsafe} fixable with --unsafe-fixes",
        _ => "",
    };
    let parts = |template: &'static str| {
        let counts = [("safe", safe.into()), ("unsafe", daring.into()), ("fixed", report.fixed.into())];
        if template.is_empty() { String::new() } else { look.with(template, &counts) }
    };
    match report.fix_mode {
        FixMode::Never => None,
        FixMode::Offer if safe + daring == 0 => None,
        FixMode::Offer if safe == 0 => Some(parts("{unsafe} fixable with --fix --unsafe-fixes")),
        FixMode::Offer if daring == 0 => Some(parts("{safe} fixable with --fix")),
        FixMode::Offer => Some(parts("{safe} fixable with --fix, {unsafe} more with --unsafe-fixes")),
        FixMode::Apply(reach) => Some(parts("{fixed} fixed") + &parts(more(reach))),
        FixMode::Show(reach) if report.fixed == 0 => Some(parts("nothing to fix") + &parts(more(reach))),
        FixMode::Show(reach) => {
            let fixes = look.counted(report.fixed, "{count} fix", "{count} fixes");
            let files = look.counted(report.changed, "{count} file", "{count} files");
            let fixes = look.with("{fixes} in {files}", &[("fixes", fixes.into()), ("files", files.into())]);
            Some(fixes + &parts(more(reach)))
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
    let all = report.not_checked();
    let all: Vec<String> = all.iter().map(|item| look.message(&item.with_option())).collect();
    let text = look.with("Not checked: {list}.", &[("list", all.join(", ").into())]);
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
