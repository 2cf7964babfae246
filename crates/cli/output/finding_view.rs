//! A finding with the lines that it concerns, cut to size and ready to be drawn or told.

use tollproof_core::{Finding, Severity, Source, StrictError};
use unicode_width::UnicodeWidthStr as _;

use super::OpenText;
use super::snippet::{Frame, Snippet, SnippetMark};
use crate::terminal::{one_line, printable, wrap};
use tollproof_core::LineIndex;

/// What is shown of a finding.
#[derive(Debug)]
pub(super) struct FindingView {
    pub(super) severity: Severity,
    /// One line, or as many as it takes where the frame wraps.
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Without marks where the finding is about a whole file.
    pub(super) snippet: Snippet,
}

impl FindingView {
    /// Cuts out the lines that the finding concerns, in its own text and in others.
    pub(super) fn new(
        finding: &Finding,
        places: &mut LineIndex<'_>,
        open_text: OpenText<'_>,
        frame: Frame,
    ) -> Self {
        let source = places.source();
        let mut marks = Vec::new();
        let mut notes: Vec<String> = finding.help.iter().map(ToString::to_string).collect();
        let elsewhere: Vec<Option<Source<'_>>> = finding
            .related
            .iter()
            .map(|related| related.file.as_deref().filter(|&it| it != source.name()).and_then(open_text))
            .collect();
        if let Some(span) = finding.span {
            let label = finding.label.as_deref().map(one_line);
            marks.push(SnippetMark { source, span, place: places.at(span.start), label, primary: true });
        }
        for (related, other) in finding.related.iter().zip(&elsewhere) {
            let label = Some(one_line(&related.message));
            let here = related.file.as_deref().is_none_or(|file| file == source.name());
            match (related.span, other) {
                (Some(span), None) if here => {
                    let place = places.at(span.start);
                    marks.push(SnippetMark { source, span, place, label, primary: false });
                }
                (Some(span), Some(source)) => {
                    let place = source.place(span.start);
                    marks.push(SnippetMark { source, span, place, label, primary: false });
                }
                _ => {
                    let file = related.file.as_deref().unwrap_or(source.name());
                    notes.push(one_line(&format!("{file}: {}", related.message)));
                }
            }
        }
        let message = match finding.span {
            Some(_) => one_line(&finding.message),
            None => one_line(&format!("{}: {}", source.name(), finding.message)),
        };
        Self {
            severity: finding.severity,
            message: fit(message, frame, 6),
            help: words(&notes, frame),
            snippet: Snippet::new(marks, frame),
        }
    }

    /// The same for a file that users write for tollproof itself.
    pub(super) fn strict(error: &StrictError, frame: Frame) -> Self {
        let source = Source::new(error.file.as_str(), error.text.as_str());
        let mark = error.span.map(|span| SnippetMark {
            source: &source,
            span,
            place: source.place(span.start),
            label: None,
            primary: true,
        });
        let message = match error.span {
            Some(_) => one_line(&error.message),
            None => one_line(&format!("{}: {}", error.file, error.message)),
        };
        Self {
            severity: Severity::Error,
            message: fit(message, frame, 6),
            help: words(error.help.as_slice(), frame),
            snippet: Snippet::new(mark.into_iter().collect(), frame),
        }
    }
}

/// Help over several lines keeps them.
fn words(notes: &[String], frame: Frame) -> Option<String> {
    let lines = notes.iter().flat_map(|note| note.lines());
    let lines: Vec<String> =
        lines.map(|line| fit(line.chars().map(printable).collect(), frame, 10)).collect();
    if lines.is_empty() { None } else { Some(lines.join("\n")) }
}

/// A line broken at blanks alone; miette would also break ids, options and addresses at their hyphens.
/// It keeps two columns free beside the indent.
fn fit(line: String, frame: Frame, indent: usize) -> String {
    let columns = frame.width.saturating_sub(indent);
    if frame.wrap && line.width() > columns { wrap(&line, columns) } else { line }
}
