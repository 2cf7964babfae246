//! The one way to standard error. No other file writes there, so that no text gets there unfiltered.

use std::io::{self, BufRead, IsTerminal as _, Write as _};

use crate::errors::ErrorText;
use crate::terminal::Color;
use crate::terminal::filter::Filter;
use crate::terminal::{Look, one_line};

/// Writes one line for people. Where standard error is closed, the exit status still tells.
pub(crate) fn say(line: &str) {
    let _ = writeln!(Filter::screen(io::stderr().lock()), "{}", one_line(line));
}

/// Writes why a run could not start or go on.
pub(crate) fn fail(error: &ErrorText) {
    let _ = Filter::new(io::stderr().lock(), error.medium).write_all(error.text.as_bytes());
}

/// Asks for an answer, and reads the line.
pub(crate) fn ask(question: &str, answers: &mut dyn BufRead) -> io::Result<String> {
    let mut out = Filter::screen(io::stderr().lock());
    out.write_all(question.as_bytes())?;
    out.flush()?;
    let mut answer = String::new();
    if answers.read_line(&mut answer)? == 0 {
        // The line of the question is still open.
        writeln!(out)?;
    }
    Ok(answer)
}

/// Whether a person sees it.
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// How texts may look there.
pub(crate) fn look(color: Color) -> Look {
    Look::of(&io::stderr(), color)
}

/// The stream itself, for reports: `Outputs` filters what goes there, each format in its own way.
pub(crate) fn for_reports() -> io::Stderr {
    io::stderr()
}
