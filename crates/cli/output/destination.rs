//! Report destinations: standard output, its own file, or a file that others write to.

use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

use tollproof_history::{name_of, reason};
use tollproof_project::{AtomicFile, Disk, is_one_place};

use super::appended::Appended;
use super::{ReportFormat, ReportTarget};
use crate::errors::{Failure, Result, failure};
use crate::terminal::Look;
use crate::terminal::filter::Filter;

/// The destination of a report.
pub(super) enum Out<'o> {
    Stdout(&'o mut dyn Write),
    File(AtomicFile),
    /// A file that other programs also write to.
    Shared(Appended),
}

impl Out<'_> {
    /// A writer that replaces characters which control the reader's terminal or CI runner.
    pub(super) fn writer(&mut self, format: &ReportFormat, look: Look) -> Filter<&mut dyn Write> {
        let out: &mut dyn Write = match self {
            Self::Stdout(stdout) => stdout,
            Self::File(file) => file,
            Self::Shared(file) => file,
        };
        Filter::new(out, format.medium(look))
    }
}

fn is_in_place_of(one: &ReportTarget, other: &ReportTarget) -> bool {
    match (&one.path, &other.path) {
        (Some(one), Some(other)) => is_one_place(&Disk, one, other),
        (one, other) => one == other,
    }
}

/// Rejects two reports with the same destination.
pub(super) fn refuse_clashes(targets: &[ReportTarget]) -> Result<()> {
    for (at, target) in targets.iter().enumerate() {
        if !targets[..at].iter().any(|earlier| is_in_place_of(earlier, target)) {
            continue;
        }
        let place = match &target.path {
            Some(path) => format!("`{}`", name_of(path)),
            None => "standard output".to_owned(),
        };
        let format = target.format.name;
        return Err(failure!(
            "only one report can go to {place}; write the other to a file: --output-format {format}=PATH"
        ));
    }
    Ok(())
}

pub(super) fn lost(path: Option<&Path>, error: io::Error) -> Failure {
    let Some(path) = path else { return Failure::stdout(error) };
    failure!("cannot write the report `{}`: {}", name_of(path), reason(&error))
}

/// Rejects a report that is not text for a stream that people read.
pub(crate) fn refuse_binary(targets: &[ReportTarget]) -> Result<()> {
    let Some(target) = targets.iter().find(|target| target.path.is_none() && target.format.is_binary())
    else {
        return Ok(());
    };
    let format = target.format.name;
    Err(failure!("`{format}` is not text; write it to a file: --output-format {format}=report.{format}"))
}

/// Rejects a report that is not text if standard output is a terminal.
pub(super) fn refuse_binary_on_terminal(targets: &[ReportTarget]) -> Result<()> {
    refuse_binary(targets).or_else(|failure| if io::stdout().is_terminal() { Err(failure) } else { Ok(()) })
}
