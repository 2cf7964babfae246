//! The full report: miette's drawing of the lines concerned. No other file but the narrated report knows miette.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::io::{self, Write};

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};
use owo_colors::Style;
use tollproof_core::Source;
use tollproof_core::StrictError;
use tollproof_core::{Finding, Severity, UserRule};
use unicode_width::UnicodeWidthStr as _;

use super::docs::link;
use super::look::{Look, one_line, printable, wrap};
use super::places::Places;
use super::snippet::{Block, Frame, Label, Mark, Snippet};
use super::{Checked, Others, Printer, Shown as Wanted};
use crate::report::Report;

/// Draws each finding; a clean run has nothing to draw, and makes no handler for it.
#[derive(Debug)]
pub(super) struct Full {
    look: Look,
    handler: OnceCell<GraphicalReportHandler>,
    /// The pages of rules that were asked for.
    links: HashMap<String, Option<String>>,
}

impl Full {
    pub(super) fn boxed(look: Look, _: Wanted) -> Box<dyn Printer> {
        Box::new(Self::new(look))
    }

    fn new(look: Look) -> Self {
        Self { look, handler: OnceCell::new(), links: HashMap::new() }
    }

    /// The primary mark has the colour of the severity, wherever it stands among the others.
    fn draw(&self, shown: &Shown) -> String {
        let look = self.look;
        let handler = self.handler.get_or_init(|| {
            GraphicalReportHandler::new_themed(theme(look, Severity::Error, 0))
                .with_width(look.width)
                .with_links(look.links)
                .with_link_display_text("")
                .without_syntax_highlighting()
        });
        let mut text = String::new();
        let drawn = if look.colour {
            let primary = shown.snippet.labels.iter().position(|it| it.primary).unwrap_or(0);
            let theme = theme(look, shown.severity, primary);
            handler.clone().with_theme(theme).render_report(&mut text, shown)
        } else {
            handler.render_report(&mut text, shown)
        };
        drawn.expect("strings take all that is written, and every label lies in a block");
        text
    }
}

impl Printer for Full {
    fn file(&mut self, out: &mut dyn Write, checked: &Checked<'_>) -> io::Result<()> {
        let mut places = Places::new(checked.source);
        let takes_links = self.look.takes_links();
        for finding in checked.findings {
            let mut shown = Shown::new(finding, &mut places, checked.others, frame(self.look));
            if takes_links {
                let known = self.links.entry(finding.rule.to_string());
                shown.url = known.or_insert_with_key(|rule| link(rule)).clone();
            }
            shown.code = Some(format!("{}[{}]", finding.severity, one_line(&finding.rule)));
            writeln!(out, "{}", self.draw(&shown))?;
        }
        Ok(())
    }

    fn end(&mut self, _: &mut dyn Write, _: &Report, _: &[UserRule]) -> io::Result<()> {
        Ok(())
    }
}

/// Draws why a rule file or a configuration cannot be used.
pub(super) fn strict(look: Look, error: &StrictError) -> String {
    Full::new(look).draw(&Shown::strict(error, frame(look))) + "\n"
}

/// A finding as miette takes it.
#[derive(Debug)]
pub(super) struct Shown {
    severity: Severity,
    pub(super) code: Option<String>,
    pub(super) url: Option<String>,
    message: String,
    help: Option<String>,
    pub(super) snippet: Snippet,
}

impl Shown {
    /// Cuts out the lines that the finding concerns, in its own text and in others.
    pub(super) fn new(finding: &Finding, places: &mut Places<'_>, others: Others<'_>, frame: Frame) -> Self {
        let source = places.source();
        let mut marks = Vec::new();
        let mut notes: Vec<String> = finding.help.iter().map(ToString::to_string).collect();
        let elsewhere: Vec<Option<Source<'_>>> = finding
            .related
            .iter()
            .map(|related| related.file.as_deref().filter(|&it| it != source.name()).and_then(others))
            .collect();
        if let Some(span) = finding.span {
            let label = finding.label.as_deref().map(one_line);
            marks.push(Mark { source, span, place: places.at(span.start), label, primary: true });
        }
        for (related, other) in finding.related.iter().zip(&elsewhere) {
            let label = Some(one_line(&related.message));
            let here = related.file.as_deref().is_none_or(|file| file == source.name());
            match (related.span, other) {
                (Some(span), None) if here => {
                    let place = places.at(span.start);
                    marks.push(Mark { source, span, place, label, primary: false });
                }
                (Some(span), Some(source)) => {
                    let place = source.place(span.start);
                    marks.push(Mark { source, span, place, label, primary: false });
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
            code: None,
            url: None,
            message: fit(message, frame, 6),
            help: words(&notes, frame),
            snippet: Snippet::new(marks, frame),
        }
    }

    /// The same for a file that users write for tollproof itself.
    pub(super) fn strict(error: &StrictError, frame: Frame) -> Self {
        let source = Source::new(error.file.as_str(), error.text.as_str());
        let mark = error.span.map(|span| Mark {
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
            code: None,
            url: None,
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

fn frame(look: Look) -> Frame {
    let ellipsis = if look.unicode { "…" } else { "..." };
    Frame { width: look.width, ellipsis, wrap: true }
}

/// The drawing characters and colours; `primary` says which of the marks is the one to look at.
fn theme(look: Look, severity: Severity, primary: usize) -> GraphicalTheme {
    let characters = match look.unicode {
        true => ThemeCharacters::unicode(),
        false => ThemeCharacters::ascii(),
    };
    if !look.colour {
        return GraphicalTheme { characters, styles: ThemeStyles::none() };
    }
    let mut highlights = vec![Style::new().blue().bold(); primary + 2];
    highlights[primary] = look.style(severity);
    let styles = ThemeStyles {
        error: look.style(Severity::Error),
        warning: look.style(Severity::Warning),
        advice: look.style(Severity::Info),
        help: Style::new().bold(),
        link: Style::new().underline(),
        linum: Style::new().dimmed(),
        highlights,
    };
    GraphicalTheme { characters, styles }
}

impl Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl Diagnostic for Shown {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as _)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn url<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.url.as_ref().map(|url| Box::new(url) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.snippet.labels.is_empty()).then_some(&self.snippet as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.snippet.labels.iter().map(|label| {
            let span = (label.range.start, label.range.len());
            match label.primary {
                true => LabeledSpan::new_primary_with_span(label.text.clone(), span),
                false => LabeledSpan::new_with_span(label.text.clone(), span),
            }
        })))
    }
}

impl SourceCode for Snippet {
    /// A block is shown as a whole or not at all; asked for a mark alone, it says where the mark lies in its text.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let holds = |it: &&Block| it.range.start <= start && end <= it.range.end;
        let block = self.blocks.iter().find(holds).ok_or(MietteError::OutOfBounds)?;
        let named = |range: std::ops::Range<usize>, line, column, lines| {
            let shown = (range.start, range.len()).into();
            let data = &self.text.as_bytes()[range];
            let name = one_line(&block.name);
            Box::new(MietteSpanContents::new_named(name, data, shown, line, column, lines)) as _
        };
        let is_asked_for = |it: &&Label| it.range.start == start && it.range.end == end;
        Ok(match self.labels.iter().find(is_asked_for) {
            Some(label) if before + after == 0 => {
                named(start..end, label.place.line - 1, label.place.column - 1, 1)
            }
            _ => named(block.range.clone(), block.line, 0, block.lines),
        })
    }
}
