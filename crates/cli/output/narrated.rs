//! The narrated report: the findings of the full report in words only, for screen readers and braille displays.

use std::fmt;
use std::io::{self, Write};

use tollproof_core::StrictError;

use super::finding_view::FindingView;
use super::rule_docs::url;
use super::snippet::{Frame, Label, Snippet, SnippetBlock};
use super::{Printer, ShownFinding};
use crate::terminal::{Look, one_line};

/// Longer lines are cut, because they would take minutes to read aloud.
const FRAME: Frame = Frame { width: 200, ellipsis: "…", wrap: false };

/// Prints each finding as sentences.
pub(super) struct Narrated;

impl Printer for Narrated {
    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        let view = FindingView::new(finding, places, checked.open_text, FRAME);
        write!(out, "{}", Narration(&view))?;
        writeln!(out, "rule: {}", one_line(&finding.rule))?;
        if let Some(url) = url(&finding.rule) {
            writeln!(out, "For more details, see:\n{url}")?;
        }
        writeln!(out)
    }
}

/// Describes an error in a rule file or configuration.
pub(super) fn strict(_: Look, error: &StrictError) -> String {
    format!("{}\n", Narration(&FindingView::strict(error, FRAME)))
}

/// A finding in words: what is wrong, the severity, the lines, and how to fix it.
struct Narration<'v>(&'v FindingView);

impl fmt::Display for Narration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FindingView { severity, message, help, snippet } = self.0;
        writeln!(f, "{message}\n    severity: {severity}")?;
        for block in &snippet.blocks {
            write_block(f, snippet, block)?;
        }
        match help {
            Some(help) => writeln!(f, "help: {help}"),
            None => Ok(()),
        }
    }
}

/// Writes consecutive lines, and after each the marks in it.
fn write_block(f: &mut fmt::Formatter<'_>, snippet: &Snippet, block: &SnippetBlock) -> fmt::Result {
    let first = block.line + 1;
    writeln!(f, "Begin snippet for {} starting at line {first}\n", one_line(&block.name))?;
    let mut start = block.range.start;
    for (number, line) in (first..).zip(snippet.text[block.range.clone()].split_inclusive('\n')) {
        let end = start + line.len();
        writeln!(f, "snippet line {number}: {}", line.trim_end_matches('\n'))?;
        for label in snippet.labels.iter().filter(|it| (start..end).contains(&it.range.start)) {
            write!(f, "    label at line {number}, {}", columns(&snippet.text[start..], start, label))?;
            if let Some(words) = &label.text {
                write!(f, ": {words}")?;
            }
            match label.shifted {
                true if label.text.is_some() => {
                    writeln!(f, ", column {} of the whole line", label.place.column)?
                }
                true => writeln!(f, ": column {} of the whole line", label.place.column)?,
                false => writeln!(f)?,
            }
        }
        start = end;
    }
    Ok(())
}

/// The columns of a mark in its line as shown, in characters; `start` is the offset of `line` in the snippet.
fn columns(line: &str, start: usize, label: &Label) -> String {
    let range = label.range.start - start..label.range.end - start;
    let first = line[..range.start].chars().count() + 1;
    match line[range].chars().count() {
        0 | 1 => format!("column {first}"),
        more => format!("columns {first} to {}", first + more - 1),
    }
}
