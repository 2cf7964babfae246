//! Reports: one file a format, and the one list of formats.

mod concise;
pub(crate) mod diff;
mod fold;
mod full;
mod json;
pub(crate) mod look;
mod narrated;
pub(crate) mod pipe;
mod places;
mod snippet;
pub(crate) mod summary;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use tollproof_core::Report as Found;
use tollproof_core::Source;
use tollproof_core::StrictError;
use tollproof_core::{Finding, Severity, UserRule};

use self::look::Look;
use crate::args::Target;
use crate::files::{name_of, reason};
use crate::replacement::Replacement;
use crate::report::{Failure, Report};

/// A way to print findings.
#[derive(Debug)]
pub(crate) struct Format {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Whether people read it: such a report folds findings, leaves out what does not count and ends in a summary.
    human: bool,
    make: fn(Look) -> Box<dyn Printer>,
    /// How a rule file or a configuration that cannot be used is reported.
    strict: fn(Look, &StrictError) -> String,
}

/// All formats; the first is the default.
pub(crate) const FORMATS: [Format; 4] = [
    Format { name: "full", human: true, make: full::Full::boxed, strict: full::strict },
    Format { name: "narrated", human: true, make: narrated::Narrated::boxed, strict: narrated::strict },
    Format { name: "concise", human: true, make: concise::Concise::boxed, strict: concise::strict },
    Format { name: "json", human: false, make: json::Json::boxed, strict: concise::strict },
];

impl Format {
    /// The format of a name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// Prints findings as they come, file by file.
pub(crate) trait Printer {
    /// Prints the findings of one file.
    fn file(&mut self, out: &mut dyn Write, checked: &Checked<'_>) -> io::Result<()>;

    /// Prints what stands behind the last finding; the summary for people is not its business. `own` are the user's
    /// rules of this run.
    fn end(&mut self, out: &mut dyn Write, report: &Report, own: &[UserRule]) -> io::Result<()>;
}

/// Finds another text that a finding points into.
pub(crate) type Others<'a> = &'a dyn Fn(&str) -> Option<Source<'static>>;

/// One file and its findings, as they are to be shown.
pub(crate) struct Checked<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) findings: &'a [Cow<'a, Finding>],
    pub(crate) others: Others<'a>,
}

/// What is shown of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The least severity.
    pub(crate) min: Severity,
    /// Whether the findings of each rule are counted.
    pub(crate) statistics: bool,
    /// Whether the summary line stands alone.
    pub(crate) quiet: bool,
    /// Whether people are told what could not be checked.
    pub(crate) limits: bool,
}

/// The reports of one run.
pub(crate) struct Outputs<'o> {
    outputs: Vec<Output<'o>>,
    shown: Shown,
}

struct Output<'o> {
    format: &'static Format,
    printer: Box<dyn Printer>,
    out: Out<'o>,
    path: Option<&'o Path>,
    width: usize,
}

/// Where a report goes.
enum Out<'o> {
    Stdout(&'o mut dyn Write),
    File(Replacement),
}

impl Out<'_> {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stdout) => stdout,
            Self::File(file) => file,
        }
    }
}

impl<'o> Outputs<'o> {
    /// Opens the reports that were asked for; without a wish, the default on standard output.
    pub(crate) fn open(
        targets: &'o [Target],
        stdout: &'o mut dyn Write,
        look: Look,
        shown: Shown,
    ) -> Result<Self, Failure> {
        refuse_clashes(targets)?;
        let mut stdout = Some(stdout);
        let mut outputs = Vec::new();
        let wanted = targets.iter().map(|it| (it.format, it.path.as_deref()));
        let default = targets.is_empty().then_some((&FORMATS[0], None));
        for (format, path) in wanted.chain(default) {
            let (out, look) = match path {
                Some(path) => {
                    let file = Replacement::create(path).map_err(|error| lost(Some(path), error))?;
                    (Out::File(file), Look::PLAIN)
                }
                None => match stdout.take() {
                    Some(stdout) => (Out::Stdout(stdout), look),
                    None => continue,
                },
            };
            outputs.push(Output { format, printer: (format.make)(look), out, path, width: look.width });
        }
        Ok(Self { outputs, shown })
    }

    /// Prints the findings of one file, as far as they are to be shown.
    pub(crate) fn file(
        &mut self,
        source: &Source<'_>,
        found: &Found,
        others: Others<'_>,
    ) -> Result<(), Failure> {
        let Shown { min, quiet, .. } = self.shown;
        let shown: Vec<&Finding> = found.findings.iter().filter(|it| it.severity >= min).collect();
        if shown.is_empty() {
            return Ok(());
        }
        let counting: Vec<&Finding> = shown.iter().copied().filter(|it| it.suppressed.is_none()).collect();
        for output in &mut self.outputs {
            if output.format.human && (quiet || counting.is_empty()) {
                continue;
            }
            let findings = match output.format.human {
                true => fold::fold(&counting),
                false => shown.iter().map(|&it| Cow::Borrowed(it)).collect(),
            };
            let checked = Checked { source, findings: &findings, others };
            let printed = output.printer.file(output.out.writer(), &checked);
            printed.map_err(|error| lost(output.path, error))?;
        }
        Ok(())
    }

    /// Ends all reports; `own` are the user's rules of this run.
    pub(crate) fn end(&mut self, report: &Report, own: &[UserRule]) -> Result<(), Failure> {
        for output in &mut self.outputs {
            let out = output.out.writer();
            let ended = output
                .printer
                .end(out, report, own)
                .and_then(|()| match output.format.human && !report.is_empty() {
                    true => sum_up(out, report, self.shown, output.width),
                    false => Ok(()),
                })
                .and_then(|()| out.flush());
            ended.map_err(|error| lost(output.path, error))?;
        }
        Ok(())
    }

    /// Puts the reports that go to files in their places.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        for output in self.outputs {
            if let Out::File(file) = output.out {
                file.keep().map_err(|error| lost(output.path, error))?;
            }
        }
        Ok(())
    }
}

/// Lays out why rule files or the configuration cannot be used, in the way of a report.
pub(crate) fn strict(format: &Format, look: Look, errors: &[StrictError]) -> Failure {
    Failure(errors.iter().map(|error| (format.strict)(look, error)).collect())
}

fn sum_up(out: &mut dyn Write, report: &Report, shown: Shown, width: usize) -> io::Result<()> {
    if shown.statistics {
        summary::statistics(out, report)?;
    }
    summary::line(out, report, shown.min)?;
    if shown.quiet || !shown.limits { Ok(()) } else { summary::not_checked(out, report, width) }
}

/// Two reports in one place would be none.
fn refuse_clashes(targets: &[Target]) -> Result<(), Failure> {
    for (at, target) in targets.iter().enumerate() {
        if !targets[..at].iter().any(|earlier| earlier.path == target.path) {
            continue;
        }
        let place = match &target.path {
            Some(path) => format!("`{}`", name_of(path)),
            None => "standard output".to_owned(),
        };
        let format = target.format.name;
        return Err(Failure::new(format_args!(
            "only one report can go to {place}; give the other a file: --output-format {format}=PATH"
        )));
    }
    Ok(())
}

fn lost(path: Option<&Path>, error: io::Error) -> Failure {
    let Some(path) = path else { return Failure::stdout(error) };
    Failure::new(format_args!("cannot write the report `{}`: {}", name_of(path), reason(&error)))
}
