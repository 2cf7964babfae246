//! Standard error. Only this file writes to it, so that all text is filtered.

use std::io::{self, BufRead, IsTerminal as _, Write as _};

use crate::errors::ErrorText;
use crate::terminal::filter::{Filter, Medium};
use crate::terminal::{Color, Look, one_line};

/// Writes one line for people. Errors are ignored, because the exit status still reports the result.
pub(crate) fn say_line(line: &str) {
    let _ = writeln!(Filter::screen(io::stderr().lock()), "{}", one_line(line));
}

/// Writes one line for people, as `format!` writes it.
macro_rules! say {
    ($($part:tt)*) => { $crate::output::stderr::say_line(&format!($($part)*)) };
}
pub(crate) use say;

/// Writes the error that prevented or stopped a run.
pub(crate) fn fail(error: &ErrorText) {
    let _ = Filter::new(io::stderr().lock(), error.medium).write_all(error.text.as_bytes());
}

/// Writes text for people that was laid out with this look. Errors are ignored, as for a line.
pub(crate) fn show(text: &str, look: Look) {
    let medium = Medium::Screen { escapes: look.colour };
    let _ = Filter::new(io::stderr().lock(), medium).write_all(text.as_bytes());
}

/// Draws a prompt: escape sequences that move the cursor, and text whose characters are printable already.
pub(crate) fn draw(prompt: &str) -> io::Result<()> {
    let mut out = io::stderr().lock();
    out.write_all(prompt.as_bytes())?;
    out.flush()
}

/// Like [`show`], on a terminal that does not begin a new line by itself.
pub(crate) fn show_raw(text: &str, look: Look) {
    let mut shown = Vec::new();
    let medium = Medium::Screen { escapes: look.colour };
    let _ = Filter::new(&mut shown, medium).write_all(text.as_bytes());
    let _ = draw(&String::from_utf8_lossy(&shown).replace('\n', "\r\n"));
}

/// Asks a question and reads one line.
pub(crate) fn ask(question: &str, answers: &mut dyn BufRead) -> io::Result<String> {
    let mut out = Filter::screen(io::stderr().lock());
    out.write_all(question.as_bytes())?;
    out.flush()?;
    let mut answer = String::new();
    if answers.read_line(&mut answer)? == 0 {
        // At the end of input, the line of the question is still open.
        writeln!(out)?;
    }
    Ok(answer)
}

/// Asks a question to which `y` or `yes` is a yes. `None` if it cannot be asked, because this does not run in a terminal.
pub(crate) fn asks_yes(question: &str) -> io::Result<Option<bool>> {
    if !io::stdin().is_terminal() || !is_terminal() {
        return Ok(None);
    }
    ask(&format!("{question} [y/N] "), &mut io::stdin().lock()).map(|answer| Some(is_yes(&answer)))
}

/// Whether an answer means yes.
fn is_yes(answer: &str) -> bool {
    ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

/// Whether standard error is a terminal.
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// The look of text on standard error.
pub(crate) fn look(color: Color) -> Look {
    Look::of(&io::stderr(), color)
}

/// The unfiltered stream for reports: `Outputs` filters it for each format.
pub(crate) fn for_reports() -> io::Stderr {
    io::stderr()
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_a_yes_is_one() {
        for (typed, wanted) in [
            ("y\n", true),
            (" YES \n", true),
            ("\n", false),
            ("n\n", false),
            ("yesterday\n", false),
            ("", false),
        ] {
            assert_eq!(is_yes(typed), wanted, "{typed:?}");
        }
    }
}
