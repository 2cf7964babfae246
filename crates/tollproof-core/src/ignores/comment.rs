//! `# tollproof: ignore[rule] reason`: a comment that ignores findings, read.

use crate::document::Node;
use crate::finding::Edit;
use crate::source::{Source, Span};

/// A comment that ignores findings, or seems to be meant to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Comment<'s> {
    /// From `#` to the end of the line.
    pub(crate) span: Span,
    /// What it names between its brackets, each with its place.
    pub(crate) names: Vec<(&'s str, Span)>,
    /// What stands behind the brackets.
    pub(crate) reason: &'s str,
    /// Where the findings begin that it is about.
    pub(crate) covers: Vec<Span>,
}

impl<'s> Comment<'s> {
    /// Reads a comment; none where it is about something else.
    pub(crate) fn read(source: &'s Source<'_>, span: Span) -> Option<Self> {
        let text = source.slice(span);
        let after = |text: &'s str, word: &str| text.trim_start().strip_prefix(word);
        let rest = after(after(after(text, "#")?, "tollproof")?, ":")?.trim_start();
        let rest = rest.strip_prefix("ignore").filter(|rest| !rest.starts_with(char::is_alphanumeric))?;
        let list = rest.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (list, reason) = list.unwrap_or_default();
        let offset = |part: &str| span.start as usize + (part.as_ptr() as usize - text.as_ptr() as usize);
        let named = |part: &'s str| {
            let name = part.trim();
            (name, Span::new(offset(name), offset(name) + name.len()))
        };
        let names = list.split(',').filter(|part| !part.trim().is_empty()).map(named).collect();
        let covers = target_line(source, span).into_iter().collect();
        Some(Self { span, names, reason: reason.trim_matches([' ', '\t', '\r', ':', '-']), covers })
    }

    /// Takes in what begins on the line that it is about: fields with their values, and items of lists. `parts` are
    /// those of a document, by where they begin.
    pub(crate) fn cover(&mut self, parts: &[Span]) {
        let Some(&line) = self.covers.first() else { return };
        let first = parts.partition_point(|part| part.start < line.start);
        self.covers.extend(parts[first..].iter().take_while(|part| part.start <= line.end));
    }

    /// Whether a finding at a place is one that it is about.
    pub(crate) fn is_about(&self, place: Option<Span>) -> bool {
        place.is_some_and(|place| self.covers.iter().any(|&cover| has(cover, place.start)))
    }

    /// Takes out one of its names; with the only one the whole comment goes, and its line where nothing else stands there.
    pub(crate) fn without(&self, source: &Source<'_>, name: usize) -> Edit {
        let text = source.text();
        let cut = |start: usize, end: usize| Edit { span: Span::new(start, end), text: String::new() };
        if self.names.len() > 1 {
            // With its comma: the one behind the first, the one before any other.
            return match name {
                0 => cut(self.names[0].1.start as usize, self.names[1].1.start as usize),
                name => cut(self.names[name - 1].1.end as usize, self.names[name].1.end as usize),
            };
        }
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let before = text[..start].trim_end_matches([' ', '\t']).len();
        let is_alone = before == 0 || text[..before].ends_with('\n');
        match is_alone {
            true => cut(before, text[end..].find('\n').map_or(text.len(), |at| end + at + 1)),
            false => cut(before, end),
        }
    }
}

/// The fields of a document, each with its value, and the items of its lists, by where they begin.
pub(crate) fn parts(root: &Node<'_>) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        parts.extend(
            node.members()
                .iter()
                .map(|it| Span { end: it.value.span.end.max(it.key_span.end), ..it.key_span }),
        );
        parts.extend(node.items().iter().map(|it| it.span));
        open.extend(node.members().iter().map(|it| &it.value).chain(node.items()));
    }
    parts.sort_unstable();
    parts
}

/// The line that a comment is about: its own, or where it stands alone the next that holds more than a comment.
fn target_line(source: &Source<'_>, comment: Span) -> Option<Span> {
    let text = source.text();
    let start = comment.start as usize;
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = |start: usize| Span::new(start, text[start..].find('\n').map_or(text.len(), |at| start + at));
    if !text[line_start..start].trim_matches([' ', '\t', '\u{feff}']).is_empty() {
        return Some(line(line_start));
    }
    let mut start = line(start).range().end + 1;
    while start < text.len() {
        let next = line(start);
        let said = source.slice(next).trim();
        if !said.is_empty() && !said.starts_with('#') {
            return Some(next);
        }
        start = next.range().end + 1;
    }
    None
}

fn has(span: Span, place: u32) -> bool {
    span.start <= place && place <= span.end
}
