//! Unified diffs of a text for `patch -p0` and `git apply -p0`.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use imara_diff::{Algorithm, Diff, InternedInput, Interner, Token, UnifiedDiffConfig, UnifiedDiffPrinter};
use owo_colors::{OwoColorize as _, Style};

use crate::terminal::filter::{Filter, Medium};
use crate::terminal::printable;

/// The appearance of a diff.
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
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    if diff.count_additions() + diff.count_removals() == 0 {
        return Ok(());
    }
    let mut shown = Filter::new(&mut *out, Medium::Screen { escapes: paint.colour });
    let out: &mut dyn Write = if paint.pictures { &mut shown } else { out };
    for sign in ["---", "+++"] {
        writeln!(out, "{}", paint.line(&format!("{sign} {}", header(name)), Style::new().bold()))?;
    }
    let printer = LinePrinter { lines: &input.interner, paint };
    write!(out, "{}", diff.unified_diff(&printer, UnifiedDiffConfig::default(), &input))
}

/// Prints the lines of a diff.
struct LinePrinter<'a> {
    lines: &'a Interner<&'a str>,
    paint: DiffStyle,
}

impl LinePrinter<'_> {
    fn print(&self, mut f: impl fmt::Write, sign: char, tokens: &[Token], style: Style) -> fmt::Result {
        for &token in tokens {
            let line = self.lines[token];
            let ends = line.strip_suffix('\n');
            writeln!(f, "{}", self.paint.line(&format!("{sign}{}", ends.unwrap_or(line)), style))?;
            if ends.is_none() {
                writeln!(f, "\\ No newline at end of file")?;
            }
        }
        Ok(())
    }
}

impl UnifiedDiffPrinter for LinePrinter<'_> {
    fn display_header(
        &self,
        mut f: impl fmt::Write,
        start_before: u32,
        start_after: u32,
        len_before: u32,
        len_after: u32,
    ) -> fmt::Result {
        // A part without lines is named by the line before it, and one of a single line without its length.
        let range = |start: u32, length: u32| match length {
            0 => format!("{start},0"),
            1 => format!("{}", start + 1),
            length => format!("{},{length}", start + 1),
        };
        let header = format!("@@ -{} +{} @@", range(start_before, len_before), range(start_after, len_after));
        writeln!(f, "{}", self.paint.line(&header, Style::new().cyan()))
    }

    fn display_context_token(&self, f: impl fmt::Write, token: Token) -> fmt::Result {
        self.print(f, ' ', &[token], Style::new())
    }

    fn display_hunk(&self, mut f: impl fmt::Write, before: &[Token], after: &[Token]) -> fmt::Result {
        self.print(&mut f, '-', before, Style::new().red())?;
        self.print(&mut f, '+', after, Style::new().green())
    }
}

impl DiffStyle {
    /// A line as it is shown.
    fn line(self, line: &str, style: Style) -> String {
        let shown = if self.pictures {
            line.trim_end_matches('\r').chars().map(printable).collect()
        } else {
            line.to_owned()
        };
        if self.colour { shown.style(style).to_string() } else { shown }
    }
}

/// A file name as these tools read it: a tab ends a name with spaces, and a name with other special characters is
/// quoted and escaped.
fn header(name: &str) -> String {
    if name.chars().any(|character| character.is_control() || matches!(character, '"' | '\\')) {
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
