//! The second yes before something that costs money or cannot be undone.

use tollproof_history::reason;

use crate::args::YesArgs;
use crate::errors::{Failure, Result, failure};
use crate::output::stderr;

/// Says what is about to be done, and asks whether to do it. Without a terminal, `--yes` is needed.
///
/// # Errors
///
/// A terminal is missing, and so is `--yes`.
pub(crate) fn confirmed(about: &[String], question: &str, yes: YesArgs) -> Result<bool> {
    about.iter().for_each(|line| stderr::say!("{line}"));
    if yes.yes {
        return Ok(true);
    }
    let answer = stderr::asks_yes(question)
        .map_err(|error| failure!("cannot ask: {}; nothing was sent", reason(&error)))?;
    match answer {
        Some(true) => Ok(true),
        Some(false) => {
            stderr::say!("Nothing was sent.");
            Ok(false)
        }
        None => Err(Failure::new(
            "nothing was sent: confirmation is required, and there is no terminal; use `--yes`",
        )),
    }
}
