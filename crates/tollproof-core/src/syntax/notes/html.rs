//! Lines of HTML: its texts, headings and rows of tables. Scripts, styles and what is struck out are left out.

use pulldown_cmark::{Event, Parser};

use super::line::{Line, LineKind};

/// Elements without a text of the page.
const UNSEEN: [&str; 6] = ["script", "style", "template", "noscript", "svg", "head"];

/// Elements that are struck out.
const STRUCK: [&str; 3] = ["del", "s", "strike"];

/// Elements without content.
const EMPTY: [&str; 9] = ["br", "img", "input", "hr", "meta", "link", "col", "wbr", "source"];

/// The deepest element that is followed.
const MAX_DEPTH: usize = 256;

/// Reads HTML into lines.
struct HtmlReader<'s> {
    lines: Vec<Line>,
    line: Line,
    /// The open elements, each with whether it is left out.
    open: Vec<(String, bool)>,
    /// Classes that a style sheet strikes out.
    struck: Vec<&'s str>,
    blocks: usize,
    tables: usize,
}

/// The lines of a page.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let (lines, open) = (Vec::new(), Vec::new());
    let line = Line::new(LineKind::Text, 0);
    let mut reader = HtmlReader { lines, line, open, struck: struck_classes(text), blocks: 0, tables: 0 };
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("<!--") {
            at += rest.find("-->").map_or(rest.len(), |end| end + 3);
        } else if rest.starts_with('<')
            && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!".contains(c))
        {
            let length = tag_length(rest);
            reader.tag(&rest[..length]);
            at += length;
        } else {
            // The first character may be one of these itself.
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let next = rest[first..].find(['<', '&']).map_or(rest.len(), |next| first + next);
            let length = if rest.starts_with('&') { entity_length(rest) } else { next };
            reader.text(at, &rest[..length]);
            at += length;
        }
    }
    reader.flush();
    reader.lines
}

/// The length of a tag; a quoted attribute may contain its end.
fn tag_length(rest: &str) -> usize {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    rest.len()
}

fn entity_length(rest: &str) -> usize {
    rest.find(';').filter(|end| (2..12).contains(end)).map_or(1, |end| end + 1)
}

/// The classes that a style sheet in the page strikes out.
fn struck_classes(text: &str) -> Vec<&str> {
    let rules = text.split('}').take(10_000).filter(|rule| rule.contains("line-through"));
    let names =
        rules.filter_map(|rule| rule.split_once('{')).flat_map(|(names, _)| names.split([',', ' ', '\n']));
    names.filter_map(|name| name.trim().strip_prefix('.')).collect()
}

impl HtmlReader<'_> {
    fn is_left_out(&self) -> bool {
        self.open.iter().any(|(_, is_out)| *is_out)
    }

    fn tag(&mut self, tag: &str) {
        let inside = tag.trim_matches(['<', '>']);
        let (closes, inside) = (inside.starts_with('/'), inside.trim_start_matches('/'));
        let length = inside.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inside.len());
        let name = inside[..length].to_ascii_lowercase();
        self.boundary(&name, closes);
        if EMPTY.contains(&name.as_str()) || inside.ends_with('/') {
            return;
        }
        if closes {
            if let Some(at) = self.open.iter().rposition(|(open, _)| *open == name) {
                self.open.truncate(at);
            }
            return;
        }
        let attributes = &inside[length..];
        let has_struck_class =
            self.struck.iter().any(|class| attributes.contains(class)) && attributes.contains("class");
        let is_struck =
            STRUCK.contains(&name.as_str()) || attributes.contains("line-through") || has_struck_class;
        let is_out = UNSEEN.contains(&name.as_str()) || is_struck;
        if self.open.len() < MAX_DEPTH && !name.is_empty() {
            self.open.push((name, is_out));
        }
    }

    /// Things that a tag ends or begins: a line, a cell, a row.
    fn boundary(&mut self, name: &str, closes: bool) {
        match name {
            "tr" | "table" | "dl" => {
                self.flush();
                self.tables += usize::from(name != "tr" && !closes);
                self.line.table = (name == "tr" && !closes).then_some(self.tables);
            }
            "th" | "td" if closes => self.line.cells.push(self.line.chars.len()),
            "dt" if !closes => {
                self.flush();
                self.line.table = Some(self.tables);
            }
            "dt" | "dd" if closes => self.line.cells.push(self.line.chars.len()),
            "p" | "div" | "br" | "li" if self.line.table.is_some() => self.text(0, " "),
            "p" | "div" | "li" | "section" | "ul" | "ol" | "blockquote" | "pre" | "article" | "header"
            | "footer" | "nav" => {
                self.flush();
                self.line.item = (name == "li" && !closes).then_some(self.blocks);
                if name == "blockquote" && !closes {
                    self.line.kind = LineKind::Quote;
                }
            }
            "br" => {
                self.flush();
                self.line.block = self.blocks.saturating_sub(1);
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.flush();
                let level = name.as_bytes()[1] - b'0';
                self.line.kind = if closes { LineKind::Text } else { LineKind::Heading(level) };
            }
            "hr" => {
                self.flush();
                self.lines.push(Line::new(LineKind::Rule, self.blocks));
            }
            _ => {}
        }
    }

    fn text(&mut self, start: usize, text: &str) {
        if self.is_left_out() {
            return;
        }
        let is_strong = self.open.iter().any(|(name, _)| matches!(name.as_str(), "b" | "strong"));
        let is_code = self.open.iter().any(|(name, _)| name == "code");
        if !text.starts_with('&') {
            return self.line.add(start, text, is_strong, is_code);
        }
        let from = self.line.chars.len();
        for event in Parser::new(text) {
            if let Event::Text(decoded) = event {
                self.line.add(start, &decoded, is_strong, is_code);
            }
        }
        let end = start + text.len();
        self.line.chars[from..].iter_mut().for_each(|char| (char.start, char.end) = (start, end));
    }

    fn flush(&mut self) {
        self.blocks += 1;
        let next = Line::new(LineKind::Text, self.blocks);
        let mut line = std::mem::replace(&mut self.line, next);
        squeeze(&mut line);
        if line.chars.iter().any(|char| !char.character.is_whitespace()) {
            self.lines.push(line);
        }
    }
}

/// Makes one space of each run of whitespace.
fn squeeze(line: &mut Line) {
    let mut kept = Vec::with_capacity(line.chars.len());
    let mut cells = line.cells.iter().copied().peekable();
    let mut ends = Vec::new();
    for (at, char) in line.chars.iter().enumerate() {
        while cells.next_if_eq(&at).is_some() {
            ends.push(kept.len());
        }
        let is_space = char.character.is_whitespace();
        let was_space = kept.last().is_some_and(|last: &super::line::NoteChar| last.character == ' ');
        if !is_space || !was_space {
            let character = if is_space { ' ' } else { char.character };
            kept.push(super::line::NoteChar { character, ..*char });
        }
    }
    ends.extend(cells.map(|_| kept.len()));
    (line.chars, line.cells) = (kept, ends);
}
