//! The concise report: one line per finding, in the form that editors and terminals turn into links.

use std::io::{self, Write};

use tollproof_core::{Finding, Source, StrictError};

use super::{Printer, ShownFinding, other_drafts};
use crate::terminal::{Look, one_line};

/// `file:line:column: severity[rule] message`.
pub(super) struct Concise {
    pub(super) look: Look,
}

impl Printer for Concise {
    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        write!(out, "{}:", path(places.source().name()))?;
        if let Some(span) = finding.span {
            let place = places.at(span.start);
            write!(out, "{}:{}:", place.line, place.column)?;
        }
        let Finding { rule, severity, .. } = finding;
        write!(out, " ")?;
        self.look.paint(out, *severity, format_args!("{severity}[{}]", one_line(rule)))?;
        writeln!(out, " {}", other_drafts::message(finding, checked, places))
    }
}

/// A path for the start of a line, where CI runners look for commands such as `::error::` and `##[error]`.
fn path(name: &str) -> String {
    let name = one_line(name);
    let is_command = ["::", "##"].iter().any(|prefix| name.trim_start().starts_with(prefix));
    if is_command { format!("./{name}") } else { name }
}

/// One line about an error in a rule file or configuration.
pub(super) fn strict(_: Look, error: &StrictError) -> String {
    let mut line = format!("{}:", path(&error.file));
    if let Some(span) = error.span {
        let place = Source::new(error.file.as_str(), error.text.as_str()).place(span.start);
        line += &format!("{}:{}:", place.line, place.column);
    }
    line += &format!(" error: {}", one_line(&error.message));
    if let Some(help) = &error.help {
        line += &format!(" ({})", one_line(help));
    }
    line + "\n"
}
