//! Prints requests that were not sent, as text and as commands of curl.

use std::io::Write;

use tollproof_online::ShownRequest;

use crate::errors::Failure;
use crate::terminal::filter::Filter;

/// Prints the requests of a draft. The key is masked in them.
pub(in crate::commands) fn print(
    name: &str,
    requests: &[ShownRequest],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let out = &mut Filter::screen(out);
    for ShownRequest { step, text, curl } in requests {
        let step = step.as_ref().map(|it| format!(", {it}")).unwrap_or_default();
        writeln!(out, "# {name}{step}\n\n{}\n\n{}\n", text.trim_end(), curl.trim_end())
            .map_err(Failure::stdout)?;
    }
    Ok(())
}
