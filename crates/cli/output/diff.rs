//! Unified diffs of a text for `patch -p0` and `git apply -p0`.

use std::fmt::Write as _;
use std::io::{self, Write};

use owo_colors::{OwoColorize as _, Style};
use similar::{Algorithm, ChangeTag, TextDiff};

use crate::terminal::filter::{Filter, Medium};
use crate::terminal::printable;

/// How a diff may look.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiffStyle {
    /// Whether to use color.
    pub(crate) colour: bool,
    /// Whether people read the diff: control characters are shown as visible ones, so it cannot be applied.
    pub(crate) pictures: bool,
}

/// Writes the diff of a file, or nothing if both texts are equal. With `pictures`, characters that control a terminal
/// or a CI runner are replaced.
///
/// Only `\n` ends a line, as in these tools. A `\r` is part of its line and stays.
pub(crate) fn unified(
    out: &mut dyn Write,
    paint: DiffStyle,
    name: &str,
    old: &str,
    new: &str,
) -> io::Result<()> {
    let mut shown = Filter::new(&mut *out, Medium::Screen { escapes: paint.colour });
    let out: &mut dyn Write = if paint.pictures { &mut shown } else { out };
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let diff =
        TextDiff::configure().algorithm(Algorithm::Patience).newline_terminated(true).diff_slices(&old, &new);
    for (index, hunk) in diff.unified_diff().iter_hunks().enumerate() {
        if index == 0 {
            let name = header(name);
            paint.line(out, &format!("--- {name}"), Style::new().bold())?;
            paint.line(out, &format!("+++ {name}"), Style::new().bold())?;
        }
        paint.line(out, &hunk.header().to_string(), Style::new().cyan())?;
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                ChangeTag::Delete => Style::new().red(),
                ChangeTag::Insert => Style::new().green(),
                ChangeTag::Equal => Style::new(),
            };
            let line = change.value();
            let ends = line.strip_suffix('\n');
            paint.line(out, &format!("{}{}", change.tag(), ends.unwrap_or(line)), style)?;
            if ends.is_none() {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

impl DiffStyle {
    fn line(self, out: &mut dyn Write, line: &str, style: Style) -> io::Result<()> {
        let shown: String;
        let line = if self.pictures {
            shown = line.trim_end_matches('\r').chars().map(printable).collect();
            &shown
        } else {
            line
        };
        if self.colour { writeln!(out, "{}", line.style(style)) } else { writeln!(out, "{line}") }
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// A file name as these tools read it: a tab ends a name with spaces, and a name with other special characters is
/// quoted and escaped.
fn header(name: &str) -> String {
    if name.chars().any(|it| it.is_control() || matches!(it, '"' | '\\')) {
        let mut quoted = "\"".to_owned();
        for character in name.chars() {
            match character {
                '"' | '\\' => quoted.extend(['\\', character]),
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                _ if character.is_control() && character.is_ascii() => {
                    write!(quoted, "\\{:03o}", u32::from(character)).expect("a string takes any text");
                }
                _ => quoted.push(character),
            }
        }
        return quoted + "\"";
    }
    if name.contains(' ') { format!("{name}\t") } else { name.to_owned() }
}
