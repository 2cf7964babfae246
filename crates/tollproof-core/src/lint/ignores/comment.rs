//! `# tollproof: ignore[rule] reason`: a comment that ignores findings, read.

use super::is_within;
use crate::finding::{Edit, Finding};
use crate::rule::selection::is_named;
use crate::syntax::document::{Node, push_token};
use crate::syntax::source::{Source, Span};

/// The beginnings of comments, in YAML and in the languages of programs and notes.
const MARKS: [&str; 6] = ["#", "//", "/*", "<!--", "<#", "--"];

/// A comment that ignores findings, or seems to be meant to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct IgnoreComment<'s> {
    /// From `#` to the end of the line.
    pub(crate) span: Span,
    /// The names between its brackets, each with its place.
    pub(crate) names: Vec<(&'s str, Span)>,
    /// The text after the brackets.
    pub(crate) reason: &'s str,
    /// The line that it is about.
    line: Option<Span>,
    /// Parts that begin on that line.
    parts: Vec<CommentPart>,
}

/// A field with its value, or an item of a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CommentPart {
    span: Span,
    /// As findings name it.
    pointer: String,
}

impl<'s> IgnoreComment<'s> {
    /// Reads a comment; none where it is about something else.
    pub(crate) fn read(source: &'s Source<'_>, span: Span) -> Option<Self> {
        let text = source.slice(span);
        let after = |text: &'s str, word: &str| text.trim_start().strip_prefix(word);
        let begin = MARKS.iter().find_map(|mark| text.trim_start().strip_prefix(mark))?;
        let rest = after(after(begin, "tollproof")?, ":")?.trim_start();
        let rest = rest.strip_prefix("ignore").filter(|rest| !rest.starts_with(char::is_alphanumeric))?;
        let list = rest.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (list, reason) = list.unwrap_or_default();
        let offset = |part: &str| span.start as usize + (part.as_ptr() as usize - text.as_ptr() as usize);
        let named = |part: &'s str| {
            let name = part.trim();
            (name, Span::new(offset(name), offset(name) + name.len()))
        };
        let names = list.split(',').filter(|part| !part.trim().is_empty()).map(named).collect();
        let line = target_line(source, span);
        let end = |reason: &'s str, end: &&str| reason.strip_suffix(*end).unwrap_or(reason);
        let reason =
            ["*/", "-->", "#>"].iter().fold(reason.trim_end(), end).trim_matches([' ', '\t', '\r', ':', '-']);
        Some(Self { span, names, reason, line, parts: Vec::new() })
    }

    /// Takes in what begins on the line that it is about. `parts` are those of a document, by where they begin.
    pub(crate) fn cover(&mut self, parts: &[CommentPart]) {
        let Some(line) = self.line else { return };
        let first = parts.partition_point(|part| part.span.start < line.start);
        let begin_here = parts[first..].iter().take_while(|part| part.span.start <= line.end);
        self.parts.extend(begin_here.cloned());
    }

    /// Finds which of its names ignores a finding.
    ///
    /// A finding about what begins on the line is ignored by its rule or its group. What a whole document lacks is shown
    /// at its first field; a comment there must name the rule itself, or it would hide more than anyone meant.
    pub(crate) fn ignores(&self, finding: &Finding) -> Option<usize> {
        let name = self.names.iter().position(|(name, _)| is_named(name, &finding.rule))?;
        let place = finding.span?.start;
        let is_part =
            |part: &CommentPart| is_within(&finding.pointer, &part.pointer) && has(part.span, place);
        let is_on_line = || self.line.is_some_and(|line| has(line, place));
        let by_rule = || self.names.iter().position(|(name, _)| *name == finding.rule);
        if self.parts.iter().any(is_part) { Some(name) } else { by_rule().filter(|_| is_on_line()) }
    }

    /// Takes out one of its names; with the only one the whole comment goes, and its line where nothing else stands there.
    pub(crate) fn without(&self, source: &Source<'_>, name: usize) -> Edit {
        let text = source.text();
        let cut = |start: usize, end: usize| Edit { span: Span::new(start, end), text: String::new() };
        if self.names.len() > 1 {
            // With its comma: the one after the first, the one before any other.
            return match name {
                0 => cut(self.names[0].1.start as usize, self.names[1].1.start as usize),
                name => cut(self.names[name - 1].1.end as usize, self.names[name].1.end as usize),
            };
        }
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let before = text[..start].trim_end_matches([' ', '\t']).len();
        let is_alone = before == 0 || text[..before].ends_with('\n');
        if is_alone {
            cut(before, text[end..].find('\n').map_or(text.len(), |at| end + at + 1))
        } else {
            cut(before, end)
        }
    }
}

/// The fields of a document, each with its value, and the items of its lists, by where they begin.
pub(crate) fn parts(root: &Node<'_>) -> Vec<CommentPart> {
    let mut parts = Vec::new();
    let mut open = vec![(root, String::new())];
    while let Some((node, above)) = open.pop() {
        let below = |token: &str| {
            let mut pointer = above.clone();
            push_token(&mut pointer, token);
            pointer
        };
        for member in node.members() {
            let (pointer, end) = (below(&member.key), member.value.span.end.max(member.key_span.end));
            open.push((&member.value, pointer.clone()));
            parts.push(CommentPart { span: Span { end, ..member.key_span }, pointer });
        }
        for (at, item) in node.items().iter().enumerate() {
            let pointer = below(&at.to_string());
            open.push((item, pointer.clone()));
            parts.push(CommentPart { span: item.span, pointer });
        }
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
        if !said.is_empty() && !MARKS.iter().any(|mark| said.starts_with(mark)) {
            return Some(next);
        }
        start = next.range().end + 1;
    }
    None
}

/// Whether something begins in a span; where that ends, the next thing begins.
fn has(span: Span, place: u32) -> bool {
    span.start == place || span.start < place && place < span.end
}
