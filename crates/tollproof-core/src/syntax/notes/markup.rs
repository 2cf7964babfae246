//! The marks of lines in AsciiDoc, Org, reStructuredText and the wiki of MediaWiki.

use std::collections::HashMap;

use super::line::{LABEL, Line, LineKind};

/// The marks that close blocks and were not found after some place, so that they are not looked for again.
#[derive(Default)]
pub(super) struct Unclosed(Vec<String>);

impl Unclosed {
    /// The place that a search finds, unless one for the same mark has failed.
    fn find<T>(&mut self, mark: &str, search: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.0.iter().any(|known| known == mark) {
            return None;
        }
        let found = search();
        if found.is_none() && self.0.len() < MAX_MARKS {
            self.0.push(mark.to_owned());
        }
        found
    }
}

/// The most different marks that are remembered.
const MAX_MARKS: usize = 100;

/// The language in which notes are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markup {
    /// None, or that of Jira and Textile.
    Plain,
    AsciiDoc,
    Org,
    Rst,
    Wiki,
}

impl Markup {
    pub(super) fn named(extension: &str) -> Self {
        match extension {
            "adoc" | "asciidoc" => Self::AsciiDoc,
            "org" => Self::Org,
            "rst" => Self::Rst,
            "wiki" | "mediawiki" => Self::Wiki,
            _ => Self::Plain,
        }
    }

    /// The level of a heading, and the length of its mark.
    pub(super) fn heading(self, said: &str) -> Option<(u8, usize)> {
        let mark = match self {
            Self::AsciiDoc | Self::Wiki => '=',
            Self::Org => '*',
            Self::Plain | Self::Rst => {
                let level = said.strip_prefix('h')?.bytes().next().filter(u8::is_ascii_digit)?;
                return said[2..].starts_with(". ").then_some((level - b'0', 4));
            }
        };
        let level = said.chars().take_while(|c| *c == mark).count();
        let is_title =
            self == Self::AsciiDoc && said.starts_with('.') && said[1..].starts_with(char::is_alphabetic);
        match said[level..].starts_with(' ') {
            // The title of a block is a label.
            _ if is_title => Some((LABEL, 1)),
            true if level > 0 => Some((u8::try_from(level).unwrap_or(LABEL), level)),
            _ => None,
        }
    }

    /// Whether a line says nothing to readers.
    pub(super) fn is_hidden(self, said: &str) -> bool {
        let is_name = |said: &str| said.len() > 2 && said.starts_with(':') && said.ends_with(':');
        match self {
            Self::AsciiDoc => {
                said.starts_with("//")
                    || said.starts_with('[') && said.ends_with(']')
                    || attribute(said).is_some()
            }
            Self::Org => said.starts_with('#') || is_name(said),
            Self::Rst => said.starts_with(".. "),
            Self::Plain | Self::Wiki => false,
        }
    }

    /// The text of a block that begins at a line, with what it is, and where the line after it begins.
    pub(super) fn block<'s>(
        self,
        text: &'s str,
        start: usize,
        unclosed: &mut Unclosed,
    ) -> Option<(LineKind, &'s str, usize)> {
        let rest = &text[start..];
        let first = rest.lines().next()?.trim();
        if let Some(name) = ["{noformat", "{code", "{quote"].into_iter().find(|name| first.starts_with(*name))
        {
            let open = rest.find('}').filter(|open| *open < 80)? + 1;
            let close = format!("{name}}}");
            let end = unclosed.find(&close, || rest[open..].find(&close))? + open;
            let kind = if name == "{quote" { LineKind::Quote } else { LineKind::Code(String::new()) };
            return Some((kind, &rest[open..end], start + end + 1));
        }
        let code = || LineKind::Code(String::new());
        let is_line = |mark: char| first.len() > 3 && first.chars().all(|c| c == mark);
        let lower = first.to_ascii_lowercase();
        let (kind, close) = match self {
            Self::Plain if first == "```" => (code(), first.to_owned()),
            Self::AsciiDoc if is_line('_') || is_line('*') => (LineKind::Quote, lower),
            Self::AsciiDoc if is_line('-') || is_line('.') => (code(), lower),
            Self::AsciiDoc if first == "|===" || is_line('/') => (LineKind::Rule, lower),
            Self::Org => {
                let name = lower.strip_prefix("#+begin_")?.split(' ').next()?.to_owned();
                let kind = if matches!(name.as_str(), "src" | "example") { code() } else { LineKind::Quote };
                (kind, format!("#+end_{name}"))
            }
            _ => return None,
        };
        let begin = start + rest.find('\n')? + 1;
        let is_end = |line: &&str| line.trim().eq_ignore_ascii_case(&close);
        let line = unclosed.find(&close, || text[begin..].split_inclusive('\n').find(is_end))?;
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let inside = if kind == LineKind::Rule { "" } else { &text[begin..at] };
        Some((kind, inside, at + line.len()))
    }
}

/// The name and the value of an attribute: `:site: https://…`.
fn attribute(said: &str) -> Option<(&str, &str)> {
    let (name, value) = said.strip_prefix(':')?.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    is_name.then(|| (name, value.trim()))
}

/// The attributes of a text in AsciiDoc.
pub(super) fn attributes(text: &str) -> HashMap<&str, &str> {
    text.lines().filter_map(attribute).collect()
}

/// The longest name of an attribute.
const MAX_NAME: usize = 100;

/// Adds a text with the values of its attributes, `{site}`, and without tags.
pub(super) fn add(line: &mut Line, start: usize, said: &str, attributes: &HashMap<&str, &str>) {
    let mut at = 0;
    while let Some(rest) = said.get(at..).filter(|rest| !rest.is_empty()) {
        let name = rest.strip_prefix('{').filter(|_| !attributes.is_empty());
        let name =
            name.and_then(|rest| rest.get(..rest.char_indices().take(MAX_NAME).find(|(_, c)| *c == '}')?.0));
        if let Some((name, value)) = name.and_then(|name| Some((name, attributes.get(name)?))) {
            let (from, end) = (line.chars.len(), at + name.len() + 2);
            line.add(start + at, value, false, false);
            line.chars[from..].iter_mut().for_each(|char| (char.start, char.end) = (start + at, start + end));
            at = end;
            continue;
        }
        let is_tag = ["<code>", "</code>", "<nowiki>", "</nowiki>", "<br>", "<br/>", "<br />", "<!--"];
        if let Some(tag) = is_tag.iter().find(|tag| rest.starts_with(**tag)) {
            line.add(start + at, " ", false, false);
            at += if *tag == "<!--" { rest.find("-->").map_or(rest.len(), |end| end + 3) } else { tag.len() };
            continue;
        }
        let begins = |(_, c): &(usize, char)| "{<".contains(*c);
        let length = rest.char_indices().skip(1).find(begins).map_or(rest.len(), |(at, _)| at);
        line.add(start + at, &rest[..length], false, false);
        at += length;
    }
}

/// The rows of a table of MediaWiki, or of lists in reStructuredText, that begins at a line, and where the line after it begins.
pub(super) fn table(
    text: &str,
    start: usize,
    number: usize,
    unclosed: &mut Unclosed,
) -> Option<(Vec<Line>, usize)> {
    let rest = &text[start..];
    let is_list = rest.starts_with(".. list-table::");
    let length = if is_list {
        rest.match_indices('\n')
            .map(|(at, _)| at)
            .find(|at| rest[at + 1..].starts_with(|c: char| !c.is_whitespace()))
    } else {
        rest.starts_with("{|").then(|| unclosed.find("|}", || rest.find("\n|}")))?
    };
    let end = start + length.or(is_list.then_some(rest.len()))?;
    let mut rows: Vec<Line> = vec![Line::new(LineKind::Text, 0)];
    let mut at = start;
    for written in text[start..end].split_inclusive('\n') {
        let said = written.trim_start();
        let place = at + written.len() - said.len();
        at += written.len();
        if said.starts_with("|-") || is_list && said.starts_with("* - ") {
            rows.push(Line::new(LineKind::Text, 0));
        }
        if is_list {
            let cell = said.trim_start_matches("* ");
            let (Some(row), Some(cell)) = (rows.last_mut(), cell.strip_prefix("- ")) else { continue };
            add(row, at - cell.len(), cell, &HashMap::new());
            row.cells.push(row.chars.len());
            continue;
        }
        let (Some(row), Some(mark)) = (rows.last_mut(), said.chars().next()) else { continue };
        if !matches!(mark, '|' | '!') || said.starts_with("|+") || said.starts_with("|-") {
            continue;
        }
        let mut from = 1;
        for cell in said[1..].trim_end().split(if mark == '|' { "||" } else { "!!" }) {
            add(row, place + from, cell, &HashMap::new());
            row.cells.push(row.chars.len());
            from += cell.len() + 2;
        }
    }
    rows.retain(|row| row.cells.len() > 1);
    rows.iter_mut().for_each(|row| row.table = Some(number));
    Some((rows, end + if is_list { 1 } else { 3 }))
}
