//! `--fix` and `--diff`: what becomes of the fixes that findings offer.

use std::io::{self, IsTerminal as _, Write};

use tollproof_core::Report as Checked;
use tollproof_core::{Mended, Mender, Parsed, Safety, Severity, Source};
use tollproof_project::{FoundFiles, InputFile, write_fixed};

use crate::args::{CheckArgs, Color, FixArgs};
use crate::errors::Failure;
use crate::output::diff::{self, Paint};
use crate::output::stderr::{self, say};
use crate::output::summary;
use crate::report::{Fixing, Report};
use crate::terminal::Look;

/// Mends the files of a run, or shows how it would.
pub(crate) struct Mending<'o> {
    mender: Mender,
    /// Whether nothing is written, and a diff printed.
    diff: bool,
    /// Where diffs go, and the text of standard input.
    out: Box<dyn Write + 'o>,
    paint: Paint,
}

/// What became of a text: the new one, where it was changed, and what is left to say.
type Judged = (Option<Source<'static>>, Checked);

/// What the options want to be done with fixes, and how far those may go.
pub(crate) fn fixing(args: &FixArgs) -> Fixing {
    let reach = if args.unsafe_fixes { Safety::Unsafe } else { Safety::Safe };
    match (args.fix, args.diff) {
        (true, _) => Fixing::Apply(reach),
        (_, true) => Fixing::Show(reach),
        _ => Fixing::Offer,
    }
}

/// Where a run prints what.
pub(crate) struct Streams<'o> {
    /// The report that goes to no file.
    pub(crate) reports: Box<dyn Write + 'o>,
    /// How that may look.
    pub(crate) look: Look,
    /// What becomes of fixes, if anything is to.
    pub(crate) mending: Option<Mending<'o>>,
}

/// Whether standard output is the log of a job, whose runner would run lines of a draft that look like its commands.
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

/// Hands out standard output: to the report, or to the text or diff that was asked for.
pub(crate) fn streams<'o>(
    args: &CheckArgs,
    color: Color,
    found: &FoundFiles,
    out: &'o mut dyn Write,
) -> Result<Streams<'o>, Failure> {
    let look = Look::of(&io::stdout(), color);
    let mending = |reach, diff, out| {
        let paint =
            Paint { colour: look.colour, pictures: look.colour || io::stdout().is_terminal() || is_log() };
        Some(Mending { mender: Mender { reach, least: args.min_severity }, diff, out, paint })
    };
    let has_stdin = found.files.iter().any(|file| file.path.is_none());
    Ok(match fixing(&args.fixes) {
        Fixing::Apply(reach) if has_stdin => {
            let (reports, look) = (Box::new(stderr::for_reports()), stderr::look(color));
            Streams { reports, look, mending: mending(reach, false, Box::new(out)) }
        }
        Fixing::Apply(reach) => {
            Streams { reports: Box::new(out), look, mending: mending(reach, false, Box::new(io::sink())) }
        }
        Fixing::Show(reach) => {
            refuse_other_reports(args)?;
            refuse_to_star(args)?;
            Streams { reports: Box::new(io::sink()), look, mending: mending(reach, true, Box::new(out)) }
        }
        Fixing::Never | Fixing::Offer => Streams { reports: Box::new(out), look, mending: None },
    })
}

/// A diff and a report in one place would be neither.
fn refuse_other_reports(args: &CheckArgs) -> Result<(), Failure> {
    let Some(target) = args.output_format.iter().find(|it| it.path.is_none()) else { return Ok(()) };
    let format = target.format.name;
    Err(Failure::new(format_args!(
        "`--diff` prints the diff alone on standard output; give the report a file: --output-format {format}=PATH"
    )))
}

/// A diff with stars in it would apply nowhere.
fn refuse_to_star(args: &CheckArgs) -> Result<(), Failure> {
    if !args.redact {
        return Ok(());
    }
    Err(Failure::new(
        "`--diff` prints lines of drafts as they are, with the persons in them, which `--redact` must not show; leave out \
         one of the two",
    ))
}

impl Mending<'_> {
    /// Says what a diff showed: on standard error, since standard output is for the diff alone.
    pub(crate) fn sum_up(&mut self, report: &Report, min: Severity) -> Result<(), Failure> {
        // On a terminal the sentence stands below the diff.
        self.out.flush().map_err(Failure::stdout)?;
        if let (true, Some(fixes)) = (self.diff, summary::fixes(report, min)) {
            say(&format!("{fixes}."));
        }
        Ok(())
    }

    /// Applies the fixes of one file, and counts them.
    pub(crate) fn mend(
        &mut self,
        file: &InputFile,
        parsed: &Parsed<'_>,
        checked: Checked,
        report: &mut Report,
        check: &mut dyn FnMut(&Parsed<'_>) -> Checked,
    ) -> Result<Judged, Failure> {
        let source = parsed.source();
        if !source.is_exact() {
            refuse_to_guess(file, report);
            return Ok((None, checked));
        }
        let mended = self.mender.mend(parsed, &checked, check);
        if self.diff {
            if let Some(Mended { source: new, fixed, .. }) = mended {
                report.fixed += fixed;
                report.changed += 1;
                diff::unified(&mut self.out, self.paint, &file.name, source.text(), new.text())
                    .map_err(Failure::stdout)?;
            }
            return Ok((None, checked));
        }
        let Some(path) = &file.path else {
            let text = mended.as_ref().map_or(source.text(), |it| it.source.text());
            let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
            written.map_err(Failure::stdout)?;
            return Ok(mended.map_or((None, checked), |it| taken(it, report)));
        };
        let Some(mended) = mended else { return Ok((None, checked)) };
        match write_fixed(path, source.text(), mended.source.text()) {
            Ok(()) => Ok(taken(mended, report)),
            Err(why) => {
                report.unwritten += 1;
                say(&format!("error: cannot fix `{}`: {why}", file.name));
                Ok((None, checked))
            }
        }
    }
}

fn taken(mended: Mended, report: &mut Report) -> Judged {
    report.fixed += mended.fixed;
    report.changed += 1;
    (Some(mended.source), mended.report)
}

/// What was made of bytes that are no text must not replace them.
fn refuse_to_guess(file: &InputFile, report: &mut Report) {
    match report.fixing {
        Fixing::Apply(_) if file.path.is_none() => {
            report.unwritten += 1;
            say(&format!(
                "error: cannot fix `{}`: not all of it is text in UTF-8, and nothing of it is printed",
                file.name
            ));
        }
        _ => say(&format!("note: `{}` is left as it is: not all of it is text in UTF-8", file.name)),
    }
}
