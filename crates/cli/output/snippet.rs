//! The lines around a finding, shortened to fit. Renderers do not need the whole text, which may be large.

use std::ops::Range;

use tollproof_core::{Position, Source, Span};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::terminal::{printable, wrap};

/// The number of lines shown before and after a line with a mark.
const CONTEXT: usize = 1;

/// Marks at most this number of lines apart are shown in one block.
const NEAR: usize = 2 * CONTEXT + 1;

/// If less space remains for the label of a mark, the line is cut on the left.
const LABEL_ROOM: usize = 32;

/// A part of a text to mark.
#[derive(Debug)]
pub(super) struct SnippetMark<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) span: Span,
    pub(super) place: Position,
    pub(super) label: Option<String>,
    pub(super) primary: bool,
}

/// The size limits of a snippet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The columns of a line, including its number.
    pub(super) width: usize,
    /// The text in place of a part that was cut off.
    pub(super) ellipsis: &'static str,
    /// Whether labels are wrapped.
    pub(super) wrap: bool,
}

/// Lines of one or more texts with marks. Offsets refer to `text`.
#[derive(Debug, Default)]
pub(super) struct Snippet {
    pub(super) text: String,
    pub(super) blocks: Vec<SnippetBlock>,
    pub(super) labels: Vec<Label>,
}

/// Consecutive lines of one text.
#[derive(Debug)]
pub(super) struct SnippetBlock {
    pub(super) name: String,
    pub(super) range: Range<usize>,
    /// The number of the first line, from 0.
    pub(super) line: usize,
    pub(super) lines: usize,
}

/// A mark in the snippet.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) range: Range<usize>,
    pub(super) text: Option<String>,
    pub(super) primary: bool,
    /// The position of the mark in its own text.
    pub(super) place: Position,
    /// Whether the line was cut on the left, so that columns in the snippet differ from those in the text.
    pub(super) shifted: bool,
}

impl Snippet {
    /// Extracts the lines around the marks from their texts.
    pub(super) fn new(mut marks: Vec<SnippetMark<'_>>, frame: Frame) -> Self {
        let own = marks.iter().find(|mark| mark.primary).map(|mark| mark.source.name().to_owned());
        let foreign = |mark: &SnippetMark<'_>| own.as_deref() != Some(mark.source.name());
        marks.sort_by(|a, b| {
            let key = |it: &SnippetMark<'_>| (foreign(it), it.span.start, it.span.end);
            key(a).cmp(&key(b)).then_with(|| a.source.name().cmp(b.source.name()))
        });
        let mut snippet = Self::default();
        let mut block: Vec<Framed<'_, '_>> = Vec::new();
        for mark in &marks {
            let framed = Framed::new(mark, frame);
            let fits = block.last().is_some_and(|last| last.admits(&framed));
            if !fits {
                snippet.push(&std::mem::take(&mut block), frame);
            }
            let window = block.last().filter(|last| last.line == framed.line);
            let window = window.map_or(framed.window.clone(), |last| last.window.clone());
            block.push(Framed { window, ..framed });
        }
        snippet.push(&block, frame);
        snippet
    }

    /// Appends the lines of one block; its marks are sorted.
    fn push(&mut self, marks: &[Framed<'_, '_>], frame: Frame) {
        let (Some(first), Some(last)) = (marks.first(), marks.last()) else { return };
        let source = first.mark.source;
        let start = self.text.len();
        let line = first.line.saturating_sub(CONTEXT).max(region(source, first.line).start);
        let mut end = (last.line + CONTEXT).min(region(source, last.line).end - 1);
        // The empty line after the last line break is not useful context.
        if end > last.line && source.line_start(end) == source.text().len() {
            end -= 1;
        }
        let first_line = line;
        for number in line..=end {
            let mut marks = marks.iter().filter(|it| it.line == number).peekable();
            let text = line_text(source, number);
            let columns = columns(frame, source.start().file_line(end));
            let window = match marks.peek() {
                Some(mark) => mark.window.clone(),
                None => whole(text, columns).unwrap_or_else(|| 0..take(text, columns - cut_width(frame))),
            };
            let at = self.push_line(text, &window, frame);
            self.labels.extend(marks.map(|it| it.label(text, at, frame)));
        }
        let name = source.name().to_owned();
        let range = start..self.text.len();
        // A copied header is followed by lines that are far from it in the file.
        let line = source.start().file_line(line);
        self.blocks.push(SnippetBlock { name, range, line, lines: end + 1 - first_line });
    }

    /// Appends the part of a line in the window, and returns the offset where it starts in the snippet.
    fn push_line(&mut self, text: &str, window: &Range<usize>, frame: Frame) -> usize {
        if window.start > 0 {
            self.text.push_str(frame.ellipsis);
        }
        let at = self.text.len();
        self.text.extend(text[window.clone()].chars().map(printable));
        if window.end < text.len() {
            self.text.push_str(frame.ellipsis);
        }
        self.text.push('\n');
        at
    }
}

/// A mark with its line and the part of the line to show. For a mark over several lines, this is the first line.
struct Framed<'m, 'a> {
    mark: &'m SnippetMark<'a>,
    line: usize,
    /// The range of the mark in the line.
    range: Range<usize>,
    /// The part of the line to show.
    window: Range<usize>,
}

impl<'m, 'a> Framed<'m, 'a> {
    fn new(mark: &'m SnippetMark<'a>, frame: Frame) -> Self {
        let Span { start, end } = mark.span;
        let (start, end) = (start as usize, (end as usize).max(start as usize));
        let line = mark.source.line_of(start);
        let line_start = mark.source.line_start(line);
        let text = line_text(mark.source, line);
        let within = |offset: usize| floor((offset - line_start).min(text.len()), text);
        let range = within(start)..within(end);
        let label = mark.label.as_deref().map_or(0, |it| it.width());
        let shown = mark.source.start().file_line(line) + CONTEXT;
        let window = window(text, &range, label, columns(frame, shown), cut_width(frame));
        Self { mark, line, range, window }
    }

    /// Whether the next mark can be shown in the same block.
    fn admits(&self, next: &Self) -> bool {
        let source = self.mark.source;
        let same_text =
            std::ptr::eq(source, next.mark.source) && region(source, self.line).contains(&next.line);
        let visible = next.line != self.line
            || self.window.contains(&next.range.start) && next.range.end <= self.window.end;
        same_text && visible && next.line - self.line <= NEAR
    }

    fn label(&self, text: &str, at: usize, frame: Frame) -> Label {
        let end = self.range.end.clamp(self.range.start, self.window.end.max(self.range.start));
        let shown = |to: usize| {
            at + text[self.window.start..to].chars().map(|c| printable(c).len_utf8()).sum::<usize>()
        };
        let words = self.mark.label.as_deref().map(|label| {
            let before = width(&text[self.window.start..self.range.start]);
            let cut = if self.window.start > 0 { cut_width(frame) } else { 0 };
            let bar = cut + before + width(&text[self.range.start..end]) / 2;
            let shown = self.mark.source.start().file_line(self.line) + CONTEXT;
            let room = columns(frame, shown).saturating_sub(bar + 4);
            if frame.wrap { wrap(label, room.max(LABEL_ROOM - 4)) } else { label.to_owned() }
        });
        Label {
            range: shown(self.range.start)..shown(end),
            text: words,
            primary: self.mark.primary,
            place: self.mark.place,
            shifted: self.window.start > 0,
        }
    }
}

/// The lines of a text that are next to each other in the file: its copied beginning, or the rest.
fn region(source: &Source<'_>, line: usize) -> Range<usize> {
    let (start, all) = (source.start(), source.line_count());
    match start.head_lines {
        _ if start.is_first() => 0..all,
        head if line < head => 0..head,
        head => head..all,
    }
}

/// A line without its line break.
fn line_text<'a>(source: &'a Source<'_>, line: usize) -> &'a str {
    let span = Span::new(source.line_start(line), source.line_start(line + 1));
    let text = source.slice(span);
    text.strip_suffix('\n').unwrap_or(text).trim_end_matches('\r')
}

/// The columns that remain for text next to a line number.
fn columns(frame: Frame, line: usize) -> usize {
    let digits = (line + 1).to_string().len();
    frame.width.saturating_sub(digits + 4).max(20)
}

fn cut_width(frame: Frame) -> usize {
    frame.ellipsis.width()
}

/// The part of a line to show around a range, with space for the label below it.
fn window(text: &str, range: &Range<usize>, label: usize, columns: usize, cut: usize) -> Range<usize> {
    let room = columns.saturating_sub(2 * cut).max(1);
    let seen = range.start + take(&text[range.clone()], room);
    let half = width(&text[range.start..seen]) / 2;
    // The columns that the mark and its label need from the start of the mark.
    let needed = (half * 2 + 1).max(half + 4 + label.min(LABEL_ROOM)).min(room);
    let lead = room - needed;
    if let Some(whole) = whole(text, columns)
        && width(&text[..range.start]) + needed <= columns
    {
        return whole;
    }
    let before = &text[..range.start];
    let start = match take_back(before, lead) {
        0 => 0,
        // Half of the remaining columns go to each side, and more to the left if the line ends early on the right.
        _ => {
            let right = width(&text[range.start..range.start + take(&text[range.start..], room)]);
            take_back(before, (room - right).clamp(lead / 2, lead))
        }
    };
    start..start + take(&text[start..], room)
}

/// The whole line if it fits. The length is checked first, so that a line of megabytes is not measured.
fn whole(text: &str, columns: usize) -> Option<Range<usize>> {
    (text.len() <= 4 * columns && width(text) <= columns).then_some(0..text.len())
}

/// Counts bytes from the start of a text that fit into this number of columns.
fn take(text: &str, columns: usize) -> usize {
    let mut used = 0;
    let fits = |&(_, c): &(usize, char)| {
        used += char_width(c);
        used <= columns
    };
    text.char_indices().take_while(fits).last().map_or(0, |(at, c)| at + c.len_utf8())
}

/// The offset where the last part of a text with this number of columns starts.
fn take_back(text: &str, columns: usize) -> usize {
    let mut used = 0;
    let fits = |&(_, c): &(usize, char)| {
        used += char_width(c);
        used <= columns
    };
    text.char_indices().rev().take_while(fits).last().map_or(text.len(), |(at, _)| at)
}

fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// A tab counts as its maximum width, because only the renderer knows the tab stops.
fn char_width(c: char) -> usize {
    if c == '\t' { 4 } else { printable(c).width().unwrap_or(0) }
}

/// The nearest character boundary at or before an offset.
fn floor(offset: usize, text: &str) -> usize {
    (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
