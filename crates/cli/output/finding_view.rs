//! A finding with the lines around it, shortened to fit, for the full and narrated reports.

use tollproof_core::{FilePlace, Finding, LineIndex, Position, Related, Severity, Source, Span, StrictError};
use unicode_width::UnicodeWidthStr as _;

use super::OpenText;
use super::snippet::{Frame, Snippet, SnippetMark};
use crate::terminal::{one_line, wrap_in_frame};

/// The parts of a finding that are shown.
#[derive(Debug)]
pub(super) struct FindingView {
    pub(super) severity: Severity,
    /// One line, or several if the frame wraps.
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// Has no marks if the finding is about a whole file.
    pub(super) snippet: Snippet,
}

impl FindingView {
    /// Prepares a finding with its lines in this text and in related ones.
    pub(super) fn new(
        finding: &Finding,
        places: &mut LineIndex<'_>,
        open_text: OpenText<'_>,
        frame: Frame,
    ) -> Self {
        let source = places.source();
        let mut marks = Vec::new();
        let mut notes: Vec<String> = finding.help.iter().map(ToString::to_string).collect();
        let is_elsewhere = |related: &&Related| {
            related.place.is_some() || related.file.as_deref().is_some_and(|file| file != source.name())
        };
        let open = |related| Some(related).filter(is_elsewhere).and_then(open_text);
        let elsewhere: Vec<Option<(Source<'_>, Span)>> = finding.related.iter().map(open).collect();
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
                (_, Some((source, span))) => {
                    let place = related.place.map_or_else(|| source.place(span.start), |it| it.position);
                    marks.push(SnippetMark { source, span: *span, place, label, primary: false });
                }
                _ => {
                    let mut file = related.file.as_deref().unwrap_or(source.name()).to_owned();
                    if let Some(FilePlace { position: Position { line, column }, .. }) = related.place {
                        file += &format!(":{line}:{column}");
                    }
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
            message: fit(&message, frame, 6),
            help: words(&notes, frame),
            snippet: Snippet::new(marks, frame),
        }
    }

    /// Prepares an error in a rule file or configuration.
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
            message: fit(&message, frame, 6),
            help: words(error.help.as_slice(), frame),
            snippet: Snippet::new(mark.into_iter().collect(), frame),
        }
    }
}

/// The notes as one text; line breaks in them stay.
fn words(notes: &[String], frame: Frame) -> Option<String> {
    let lines = notes.iter().flat_map(|note| note.lines());
    let lines: Vec<String> = lines.map(|line| fit(&one_line(line), frame, 10)).collect();
    if lines.is_empty() { None } else { Some(lines.join("\n")) }
}

/// Wraps a line here, because miette would also wrap ids, options and addresses at hyphens. `indent` is the width that
/// miette needs before the line, and two columns of margin.
fn fit(line: &str, frame: Frame, indent: usize) -> String {
    let columns = frame.width.saturating_sub(indent);
    if frame.wrap && line.width() > columns {
        wrap_in_frame(line, columns)
    } else {
        line.trim_end().to_owned()
    }
}
