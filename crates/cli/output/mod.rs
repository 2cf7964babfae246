//! Reports: each format has its own file, and `formats.rs` lists them all.

mod appended;
#[cfg(feature = "online")]
pub(crate) mod calls;
pub(crate) mod concise;
mod destination;
pub(crate) mod diff;
mod finding_view;
mod formats;
mod full;
mod github;
mod gitlab;
mod html;
#[cfg(test)]
mod injection_tests;
mod json;
#[cfg(test)]
pub(crate) mod json_schema;
mod jsonl;
mod junit;
#[cfg(feature = "online")]
pub(crate) mod look;
mod markdown;
mod narrated;
mod options;
mod other_drafts;
#[cfg(feature = "online")]
pub(crate) mod read;
mod rule_docs;
mod sarif;
mod snippet;
pub(crate) mod stderr;
pub(crate) mod stdout;
pub(crate) mod summary;
mod tally;
#[cfg(test)]
mod tests;
mod uri;
pub(crate) mod value;
#[cfg(test)]
mod withheld;
mod xlsx;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use tollproof_core::{
    ColumnUnit, Finding, Format, KindHint, LineIndex, Parsed, Redaction, Related, Report, ReportLanguage,
    Severity, Source, Span, StrictError, UserRule, without_secrets,
};

use self::appended::Appended;
pub(crate) use self::destination::refuse_binary;
use self::destination::{Out, lost, refuse_binary_on_terminal, refuse_clashes};
pub(crate) use self::formats::{FORMAT_HELP, FORMAT_LONG_HELP, FORMATS, ReportFormat};
use self::formats::{JOB_SUMMARY, ReportReader};
pub(crate) use self::options::{PrintFormat, ReportTarget};
#[cfg(feature = "lsp")]
pub(crate) use self::rule_docs::url as rule_url;
pub(crate) use self::tally::sentence;
use crate::counts::RunCounts;
use crate::errors::{ErrorText, Failure, Result};
use crate::statistics::Statistics;
use crate::terminal::Look;
use crate::terminal::filter::Medium;
use tollproof_project::{AtomicFile, CellPlace, CheckedText, FileReport, TextDrafts, merge_missing};

/// Prints the findings of a run, file by file.
pub(crate) trait Printer {
    /// The unit in which it counts columns.
    fn columns(&self) -> ColumnUnit {
        ColumnUnit::CodePoints
    }

    /// Begins the findings of a file.
    fn begin(&mut self, _checked: &FileFindings<'_>) {}

    /// Prints a finding of a file.
    fn finding(&mut self, _: &mut dyn Write, _: ShownFinding<'_, '_>) -> io::Result<()> {
        Ok(())
    }

    /// Prints the findings of a file: the one loop over them, but for formats that need them all at once.
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        self.begin(checked);
        let mut places = LineIndex::counting(self.columns(), checked.source);
        checked
            .findings
            .iter()
            .try_for_each(|finding| self.finding(out, ShownFinding { finding, places: &mut places, checked }))
    }

    /// Prints the end of the report, except the summary for people. `own` contains the user's rules of this run.
    fn end(&mut self, _: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        Ok(())
    }

    /// A message about findings that the report or its reader omits, for standard error.
    fn notice(&self) -> Option<String> {
        None
    }
}

/// Opens another text that a finding points into, with the place in it.
pub(crate) type OpenText<'a> = &'a dyn Fn(&Related) -> Option<(Source<'static>, Span)>;

/// A file and the findings to show.
pub(crate) struct FileFindings<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) findings: &'a [Cow<'a, Finding>],
    pub(crate) open_text: OpenText<'a>,
    pub(crate) text: ShownText<'a>,
}

/// A finding to print, with what its places are read from.
pub(crate) struct ShownFinding<'a, 'f> {
    pub(crate) finding: &'f Finding,
    pub(crate) places: &'a mut LineIndex<'f>,
    pub(crate) checked: &'a FileFindings<'a>,
}

/// A text as reports that show drafts get it.
#[derive(Clone, Copy)]
pub(crate) struct ShownText<'a> {
    /// The name of the file; that of the source may name a cell in it.
    pub(crate) file: &'a str,
    /// The drafts, if a report shows them.
    pub(crate) drafts: &'a Arc<TextDrafts>,
    /// Whether a reader has read them.
    #[cfg_attr(
        not(feature = "workbooks"),
        expect(dead_code, reason = "workbooks alone say it beside a draft")
    )]
    pub(crate) is_read: bool,
    /// The cell of a workbook that the source is the content of.
    pub(crate) cell: Option<CellPlace>,
}

/// The content of reports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportOptions {
    /// The lowest severity to show.
    pub(crate) min: Severity,
    /// The keys to count findings by.
    pub(crate) statistics: Statistics,
    /// Whether to print only the summary line.
    pub(crate) quiet: bool,
    /// Whether to tell people what could not be checked.
    pub(crate) limits: bool,
    /// Whether to mask personal data.
    pub(crate) redact: bool,
    /// The time of the check.
    pub(crate) now: Option<Timestamp>,
}

impl ReportOptions {
    /// A report of findings alone, without counts and without what could not be checked.
    pub(crate) fn of_findings(min: Severity, redact: bool, now: Option<Timestamp>) -> Self {
        Self { min, statistics: Statistics::default(), quiet: false, limits: false, redact, now }
    }
}

/// The reports of one run.
pub(crate) struct Outputs<'o> {
    outputs: Vec<Output<'o>>,
    shown: ReportOptions,
    /// Whether another part of the same file follows.
    is_partial: bool,
    /// The earlier parts of the file.
    parts: PartsShown,
}

/// The printed part of a file that is read in parts.
#[derive(Clone, Copy, Debug, Default)]
struct PartsShown {
    documents: usize,
    shown: bool,
}

struct Output<'o> {
    format: &'static ReportFormat,
    printer: Box<dyn Printer>,
    out: Out<'o>,
    /// `None` for standard output.
    path: Option<Cow<'o, Path>>,
    look: Look,
}

impl<'o> Outputs<'o> {
    /// Opens the requested reports, or the default report on standard output.
    pub(crate) fn open(
        targets: &'o [ReportTarget],
        stdout: &'o mut dyn Write,
        look: Look,
        shown: ReportOptions,
    ) -> Result<Self> {
        refuse_clashes(targets)?;
        refuse_binary_on_terminal(targets)?;
        let mut stdout = Some(stdout);
        let mut outputs = Vec::new();
        let wanted = targets.iter().map(|it| (it.format, it.path.as_deref()));
        let default = targets.is_empty().then_some((&FORMATS[0], None));
        for (format, path) in wanted.chain(default) {
            let (out, look) = match path {
                Some(path) => {
                    let file = AtomicFile::create(path).map_err(|error| lost(Some(path), error))?;
                    (Out::File(file), Look::of_file())
                }
                None => match stdout.take() {
                    Some(stdout) => (Out::Stdout(stdout), look),
                    None => continue,
                },
            };
            let (printer, path) = ((format.make)(look, shown), path.map(Cow::Borrowed));
            outputs.push(Output { format, printer, out, path, look });
        }
        if outputs.iter().any(|it| it.format.name == JOB_SUMMARY.name)
            && let Some(path) = std::env::var_os(github::STEP_SUMMARY).filter(|path| !path.is_empty())
        {
            let path = PathBuf::from(path);
            let file = Appended::open(&path).map_err(|error| lost(Some(&path), error))?;
            let look = Look::of_file();
            let (printer, out) = ((JOB_SUMMARY.make)(look, shown), Out::Shared(file));
            let path = Some(Cow::Owned(path));
            outputs.push(Output { format: &JOB_SUMMARY, printer, out, path, look });
        }
        Ok(Self { outputs, shown, is_partial: false, parts: PartsShown::default() })
    }

    /// Prints the findings of one draft.
    pub(crate) fn file(
        &mut self,
        parsed: &Parsed<'_>,
        found: &Report,
        open_text: OpenText<'_>,
    ) -> Result<()> {
        self.print(parsed, found, open_text, Redaction::of, true)
    }

    /// Prints the findings of one text of a run.
    pub(crate) fn text(&mut self, text: &CheckedText) -> Result<()> {
        let (source, FileReport { report, related, .. }) = (text.shown(), &text.report);
        self.is_partial = !text.is_last;
        if text.is_config {
            return self.settings(source, report);
        }
        let is_read = report.read.unread == 0;
        let shown = ShownText { file: &text.file.name, drafts: &text.drafts, is_read, cell: text.cell };
        let open_text = |place: &Related| related.open_place(source.name(), place);
        match &text.redaction {
            Some(redaction) => self.print_masked(source, report, &open_text, redaction, shown),
            None => self.print_shown(source, report, &open_text, shown),
        }
    }

    /// Prints the findings of a configuration. Passwords are masked.
    pub(crate) fn settings(&mut self, source: &Source<'_>, found: &Report) -> Result<()> {
        let shown = Source::new(source.name(), without_secrets(source.text()));
        let shown = shown.known_as(Some(source.identity().to_owned()));
        self.print(&Parsed::of(&shown, Some(Format::Yaml)), found, &|_| None, Redaction::of_settings, false)
    }

    fn print(
        &mut self,
        parsed: &Parsed<'_>,
        found: &Report,
        open_text: OpenText<'_>,
        redaction: fn(&Parsed<'_>) -> Redaction,
        has_drafts: bool,
    ) -> Result<()> {
        let source = parsed.source();
        let has_drafts = has_drafts && self.outputs.iter().any(|it| it.format.takes_drafts());
        let masks = self.shown.redact && (has_drafts || !found.findings.is_empty());
        let redaction = masks.then(|| redaction(parsed));
        let drafts = if has_drafts {
            Arc::new(TextDrafts::of(parsed, KindHint::Explicit, found, redaction.as_ref()))
        } else {
            Arc::default()
        };
        let is_read = found.read.unread == 0;
        let shown = ShownText { file: source.name(), drafts: &drafts, is_read, cell: None };
        match &redaction {
            Some(redaction) => self.print_masked(source, found, open_text, redaction, shown),
            None => self.print_shown(source, found, open_text, shown),
        }
    }

    fn print_masked(
        &mut self,
        source: &Source<'_>,
        found: &Report,
        open_text: OpenText<'_>,
        redaction: &Redaction,
        text: ShownText<'_>,
    ) -> Result<()> {
        let findings = found.findings.iter().map(|it| redaction.finding(source, it)).collect();
        let found = Report { findings, documents: found.documents, ..Report::default() };
        let open_text = |related: &Related| {
            let (other, span) = open_text(related)?;
            Some((redaction.beside(&Parsed::of(&other, None)).source(&other), span))
        };
        self.print_shown(&redaction.source(source), &found, &open_text, text)
    }

    fn print_shown(
        &mut self,
        source: &Source<'_>,
        found: &Report,
        open_text: OpenText<'_>,
        text: ShownText<'_>,
    ) -> Result<()> {
        // Keys stand beside the draft in notes and programs.
        let hidden = (!found.findings.is_empty()).then(|| source.without_keys()).flatten();
        let source = hidden.as_ref().unwrap_or(source);
        let open_text: OpenText<'_> = &|related| {
            let (other, span) = open_text(related)?;
            Some((other.without_keys().unwrap_or(other), span))
        };
        let ReportOptions { min, quiet, .. } = self.shown;
        let shown: Vec<&Finding> = found.findings.iter().filter(|it| it.severity >= min).collect();
        let counting: Vec<&Finding> = shown.iter().copied().filter(|it| it.suppressed.is_none()).collect();
        // Of a file that is read in parts, at most the last part is shown without findings.
        let documents = self.parts.documents + found.documents;
        let is_clean_file = !self.is_partial && !self.parts.shown && documents > 0;
        for output in &mut self.outputs {
            let reader = output.format.reader;
            let findings = if reader == ReportReader::Program { &shown } else { &counting };
            let is_due = match reader {
                _ if !findings.is_empty() => reader != ReportReader::Screen || !quiet,
                ReportReader::Runner => is_clean_file,
                _ => reader.takes_drafts() && !text.drafts.is_empty(),
            };
            if !is_due {
                continue;
            }
            let mut findings = if reader.merges_missing() {
                merge_missing(findings)
            } else {
                findings.iter().map(|&finding| Cow::Borrowed(finding)).collect()
            };
            if reader.is_person() && output.look.language != ReportLanguage::English {
                findings = findings.iter().map(|finding| Cow::Owned(output.look.finding(finding))).collect();
            }
            let checked = FileFindings { source, findings: &findings, open_text, text };
            let mut out = output.out.writer(output.format, output.look);
            let printed = output.printer.file(&mut out, &checked);
            printed.map_err(|error| lost(output.path.as_deref(), error))?;
        }
        self.parts = if self.is_partial {
            PartsShown { documents, shown: self.parts.shown || !counting.is_empty() }
        } else {
            PartsShown::default()
        };
        Ok(())
    }

    /// Writes what is buffered for standard output.
    pub(crate) fn flush(&mut self) -> Result<()> {
        for output in &mut self.outputs {
            if let Out::Stdout(stdout) = &mut output.out {
                stdout.flush().map_err(Failure::stdout)?;
            }
        }
        Ok(())
    }

    /// Ends all reports; `own` contains the user's rules of this run.
    pub(crate) fn end(&mut self, report: &RunCounts, own: &[UserRule]) -> Result<()> {
        for output in &mut self.outputs {
            let mut out = output.out.writer(output.format, output.look);
            let ended = output
                .printer
                .end(&mut out, report, own)
                .and_then(|()| {
                    if output.format.reader == ReportReader::Screen && !report.is_empty() {
                        sum_up(&mut out, report, self.shown, output.look)
                    } else {
                        Ok(())
                    }
                })
                .and_then(|()| out.flush());
            ended.map_err(|error| lost(output.path.as_deref(), error))?;
            if let Some(notice) = output.printer.notice() {
                // Errors are ignored, because the report contains the notice too.
                stderr::say!("note: {notice}");
            }
        }
        Ok(())
    }

    /// Moves reports to their files.
    pub(crate) fn keep(self) -> Result<()> {
        for output in self.outputs {
            let kept = match output.out {
                Out::Stdout(_) => Ok(()),
                Out::File(file) => file.commit(),
                Out::Shared(file) => file.keep(),
            };
            kept.map_err(|error| lost(output.path.as_deref(), error))?;
        }
        Ok(())
    }
}

/// The format for errors in rules or settings: that of the first report.
pub(crate) fn first_format(targets: &[ReportTarget]) -> &'static ReportFormat {
    targets.first().map_or(&FORMATS[0], |target| target.format)
}

/// Renders errors in rule files or the configuration in a report format.
pub(crate) fn strict(format: &ReportFormat, look: Look, errors: &[StrictError]) -> ErrorText {
    // Only GitHub's workflow commands are escaped already; other formats print lines for people here.
    let medium = match format.medium {
        Medium::Escaped if format.name == JOB_SUMMARY.name => Medium::Escaped,
        _ => Medium::Screen { escapes: look.escapes() },
    };
    ErrorText { text: errors.iter().map(|error| (format.strict)(look, error)).collect(), medium }
}

fn sum_up(out: &mut dyn Write, report: &RunCounts, shown: ReportOptions, look: Look) -> io::Result<()> {
    summary::statistics(out, report, shown.statistics)?;
    summary::wrapped_line(out, report, shown.min, look)?;
    if shown.quiet || !shown.limits { Ok(()) } else { summary::not_checked(out, report, shown.min, look) }
}
