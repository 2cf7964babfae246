//! `--fix` and `--diff`: prints fixes that are applied or available.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write};

use tollproof_core::{Format, Safety, Severity};
use tollproof_project::{CheckedText, FixOptions, FixOutcome, InputFile, ProjectFiles};

use crate::args::{CheckArgs, Color, FixArgs};
use crate::counts::{FixMode, RunCounts};
use crate::errors::{Failure, Result, failure};
use crate::output::diff::{self, DiffStyle};
use crate::output::stderr::{self, say};
use crate::output::{refuse_binary, summary};
use crate::terminal::Look;

/// Prints diffs, and the fixed text of standard input.
pub(crate) struct FixPrinter<'o> {
    mode: FixMode,
    out: Box<dyn Write + 'o>,
    paint: DiffStyle,
    /// The file that was last said not to be changed.
    untouched: String,
}

/// Decides what to do with fixes, and up to which safety.
pub(crate) fn mode(args: &FixArgs) -> FixMode {
    let reach = if args.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    match (args.fix, args.diff) {
        (true, _) => FixMode::Apply(reach),
        (_, true) => FixMode::Show(reach),
        _ => FixMode::Offer,
    }
}

/// Unsafe fixes are either applied or shown.
pub(crate) fn refuse_without_mode(args: &FixArgs) -> Result<()> {
    if args.unsafe_fixes && mode(args) == FixMode::Offer {
        return Err(Failure::new(
            "`--unsafe-fixes` needs `--fix`, which applies fixes, or `--diff`, which shows them",
        ));
    }
    Ok(())
}

/// The fix options of a run; `None` if it neither applies nor shows fixes.
pub(crate) fn options(args: &CheckArgs) -> Option<FixOptions> {
    let least = args.min_severity;
    match mode(&args.fixes) {
        FixMode::Apply(reach) => Some(FixOptions { reach, least, write: true }),
        FixMode::Show(reach) => Some(FixOptions { reach, least, write: false }),
        FixMode::Never | FixMode::Offer => None,
    }
}

/// The outputs of a run.
pub(crate) struct Streams<'o> {
    /// The output of the report that is not written to a file.
    pub(crate) reports: Box<dyn Write + 'o>,
    /// The look of that output.
    pub(crate) look: Look,
    /// The printer of fixes, if they are applied or shown.
    pub(crate) fixes: Option<FixPrinter<'o>>,
}

/// Whether standard output is the log of a CI job, whose runner would execute lines of a draft that look like its
/// commands.
fn is_log() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    (is_set("GITHUB_ACTIONS") || is_set("TF_BUILD")) && !is_into_file()
}

#[cfg(unix)]
fn is_into_file() -> bool {
    use std::os::fd::AsFd as _;
    let out = io::stdout().as_fd().try_clone_to_owned().map(std::fs::File::from);
    out.and_then(|it| it.metadata()).is_ok_and(|it| it.is_file())
}

#[cfg(not(unix))]
fn is_into_file() -> bool {
    false
}

/// Assigns standard output to the report, or to the fixed text or diff.
pub(crate) fn streams<'o>(
    args: &CheckArgs,
    color: Color,
    found: &ProjectFiles,
    out: &'o mut dyn Write,
) -> Result<Streams<'o>> {
    let look = Look::of(&io::stdout(), color);
    let mode = mode(&args.fixes);
    let printer = |out| {
        let paint = DiffStyle {
            colour: look.colour,
            pictures: look.colour || io::stdout().is_terminal() || is_log(),
        };
        Some(FixPrinter { mode, out, paint, untouched: String::new() })
    };
    let has_stdin = found.checked.files.iter().any(|file| file.path.is_none());
    Ok(match mode {
        FixMode::Apply(_) if has_stdin => {
            refuse_binary(&args.output_format)?;
            let (reports, look) = (Box::new(stderr::for_reports()), stderr::look(color));
            Streams { reports, look, fixes: printer(Box::new(out)) }
        }
        FixMode::Apply(_) => Streams { reports: Box::new(out), look, fixes: printer(Box::new(io::sink())) },
        FixMode::Show(_) => {
            refuse_other_reports(args)?;
            refuse_to_redact(args)?;
            Streams { reports: Box::new(io::sink()), look, fixes: printer(Box::new(out)) }
        }
        FixMode::Never | FixMode::Offer => Streams { reports: Box::new(out), look, fixes: None },
    })
}

/// A diff and a report cannot share standard output.
fn refuse_other_reports(args: &CheckArgs) -> Result<()> {
    let Some(target) = args.output_format.iter().find(|it| it.path.is_none()) else { return Ok(()) };
    let format = target.format.name;
    Err(failure!("`--diff` uses standard output; write the report to a file: --output-format {format}=PATH"))
}

/// A diff with masked values could not be applied.
fn refuse_to_redact(args: &CheckArgs) -> Result<()> {
    if !args.redact {
        return Ok(());
    }
    Err(Failure::new(
        "`--diff` prints lines of drafts, with the personal data that `--redact` hides; use only one of them",
    ))
}

impl FixPrinter<'_> {
    /// Prints a summary of the diff on standard error, because standard output is for the diff alone.
    pub(crate) fn sum_up(&mut self, report: &RunCounts, min: Severity) -> Result<()> {
        // On a terminal, the summary must come after the diff.
        self.out.flush().map_err(Failure::stdout)?;
        if let (FixMode::Show(_), Some(fixes)) =
            (self.mode, summary::fixes(report, min, stderr::look(Color::Never)))
        {
            say!("{fixes}.");
        }
        Ok(())
    }

    /// Prints and counts the fixes of one text.
    pub(crate) fn print(&mut self, text: &CheckedText, report: &mut RunCounts) -> Result<()> {
        let (file, old) = (&text.file, text.source.text());
        let is_stdin = file.path.is_none() && matches!(self.mode, FixMode::Apply(_));
        match &text.report.fix {
            FixOutcome::Fixed { source, count } => {
                report.fixed += count;
                report.changed += 1;
                if is_stdin {
                    self.print_stdin(source.text())?;
                }
            }
            FixOutcome::Preview { source, count } => {
                report.fixed += count;
                report.changed += 1;
                diff::unified(&mut self.out, self.paint, &file.name, old, source.text())
                    .map_err(Failure::stdout)?;
            }
            FixOutcome::NotUtf8 if is_stdin => {
                report.unwritten += 1;
                let why = "it is not all UTF-8, so nothing is printed";
                say!("{}", cannot_fix(file, why));
            }
            // A workbook has a text for each sheet, and is named once.
            FixOutcome::NotText | FixOutcome::NotUtf8 if self.untouched == file.name => {}
            FixOutcome::NotText => {
                self.untouched.clone_from(&file.name);
                let why = match Format::of_path(file.place()) {
                    Some(_) => "it is compressed",
                    None => {
                        "it is a workbook; save the sheet as CSV UTF-8 and fix that, or write a marked copy with \
                         `--output-format xlsx=marked.xlsx`"
                    }
                };
                say!("note: `{}` is not changed: {why}", file.name);
            }
            FixOutcome::NotUtf8 => {
                self.untouched.clone_from(&file.name);
                say!("note: `{}` is not changed: it is not all UTF-8; save it as UTF-8 first", file.name);
            }
            FixOutcome::Failed(error) => {
                report.unwritten += 1;
                say!("{}", cannot_fix(file, error));
            }
            _ if is_stdin => self.print_stdin(old)?,
            _ => {}
        }
        Ok(())
    }

    /// Prints the text of standard input, fixed or not.
    fn print_stdin(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()).map_err(Failure::stdout)
    }
}

fn cannot_fix(file: &InputFile, why: impl Display) -> String {
    format!("error: cannot fix `{}`: {why}", file.name)
}
