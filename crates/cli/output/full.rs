//! The full report, drawn by miette. No other file uses miette.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::io::{self, Write};

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents,
    SourceCode, SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};
use owo_colors::Style;
use tollproof_core::{Severity, StrictError};

use super::finding_view::FindingView;
use super::rule_docs::link;
use super::snippet::{Frame, Label, Snippet, SnippetBlock};
use super::{Printer, ShownFinding};
use crate::terminal::{Look, one_line};

/// Draws each finding. The handler is only created when there is a finding.
#[derive(Debug)]
pub(super) struct Full {
    look: Look,
    handler: OnceCell<GraphicalReportHandler>,
    /// The documentation pages of rules, by rule id.
    links: HashMap<String, Option<String>>,
}

impl Full {
    pub(super) fn new(look: Look) -> Self {
        Self { look, handler: OnceCell::new(), links: HashMap::new() }
    }

    /// Draws a finding. The theme depends on it, because the primary mark has the color of the severity and may be at
    /// any position.
    fn draw(&self, drawing: &Drawing) -> String {
        let look = self.look;
        let handler = self.handler.get_or_init(|| {
            GraphicalReportHandler::new_themed(theme(look, Severity::Error, 0))
                .with_width(look.width)
                // The view wraps its texts itself.
                .with_wrap_lines(false)
                .with_links(look.links)
                .with_link_display_text("")
                .without_syntax_highlighting()
        });
        let mut text = String::new();
        let drawn = if look.colour {
            let primary = drawing.view.snippet.labels.iter().position(|it| it.primary).unwrap_or(0);
            let theme = theme(look, drawing.view.severity, primary);
            handler.clone().with_theme(theme).render_report(&mut text, drawing)
        } else {
            handler.render_report(&mut text, drawing)
        };
        drawn.expect("strings take all that is written, and every label lies in a block");
        text
    }
}

impl Printer for Full {
    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        let view = FindingView::new(finding, places, checked.open_text, frame(self.look));
        let mut url = None;
        if self.look.takes_links() {
            let known = self.links.entry(finding.rule.to_string());
            url.clone_from(known.or_insert_with_key(|rule| link(rule)));
        }
        let code = Some(format!("{}[{}]", finding.severity, one_line(&finding.rule)));
        writeln!(out, "{}", self.draw(&Drawing { view, code, url }))
    }
}

/// Draws an error in a rule file or configuration.
pub(super) fn strict(look: Look, error: &StrictError) -> String {
    let view = FindingView::strict(error, frame(look));
    Full::new(look).draw(&Drawing { view, code: None, url: None }) + "\n"
}

/// A finding in the form that miette requires.
#[derive(Debug)]
struct Drawing {
    view: FindingView,
    code: Option<String>,
    url: Option<String>,
}

fn frame(look: Look) -> Frame {
    let ellipsis = if look.unicode { "…" } else { "..." };
    Frame { width: look.width, ellipsis, wrap: true }
}

/// The drawing characters and colors; `primary` is the index of the primary mark.
fn theme(look: Look, severity: Severity, primary: usize) -> GraphicalTheme {
    let characters = if look.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
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

impl Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.view.message)
    }
}

impl std::error::Error for Drawing {}

impl Diagnostic for Drawing {
    fn code<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as _)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.view.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.view.help.as_ref().map(|help| Box::new(help) as _)
    }

    fn url<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.url.as_ref().map(|url| Box::new(url) as _)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.view.snippet.labels.is_empty()).then_some(&self.view.snippet as _)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.view.snippet.labels.iter().map(|label| {
            let span = (label.range.start, label.range.len());
            if label.primary {
                LabeledSpan::new_primary_with_span(label.text.clone(), span)
            } else {
                LabeledSpan::new_with_span(label.text.clone(), span)
            }
        })))
    }
}

impl SourceCode for Snippet {
    /// Returns the whole block that contains a span. If miette asks for exactly one mark without context, returns the
    /// mark's position in its own text.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let holds = |it: &&SnippetBlock| it.range.start <= start && end <= it.range.end;
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
