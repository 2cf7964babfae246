//! A reader that is a program: a line of JSON on its standard input, JSON on its standard output.

use std::time::Duration;

use super::error::{ReaderError, Result};
use super::object::outermost_object;
use super::server::MAX_ANSWER;
use crate::program::UserProgram;
use crate::running::{RunError, run};

/// Runs a program with a line on its standard input, and returns the JSON object that it prints. What it writes to
/// standard error is shown. A program that takes too long is ended, with all that it started.
pub(super) fn ask(
    program: &UserProgram,
    line: &str,
    timeout: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<String> {
    let name = || program.name().to_owned();
    let ran = run(program.command(), format!("{line}\n").into_bytes(), (timeout, MAX_ANSWER), stop);
    let (output, status) = ran.map_err(|error| match error {
        RunError::Stopped => ReaderError::Stopped,
        RunError::TimedOut => ReaderError::TimedOut(timeout),
        RunError::TooLong => ReaderError::TooLong,
        RunError::Failed(error) => ReaderError::Start { program: name(), error },
    })?;
    if !status.success() {
        return Err(ReaderError::Failed { program: name(), status });
    }
    let text = str::from_utf8(&output).ok().and_then(outermost_object);
    text.map(str::to_owned).ok_or(ReaderError::NoObject)
}
