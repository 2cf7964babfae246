//! Lines of plain text, mails and what is written for a wiki.

use std::collections::HashMap;

use super::line::{Line, LineKind};
use super::markup::{self, Markup, Unclosed};

/// The lines of a text. What a mail quotes, and what is below its signature, is left out.
pub(super) fn lines(text: &str, markup: Markup) -> Vec<Line> {
    let attributes = if markup == Markup::AsciiDoc { markup::attributes(text) } else { HashMap::new() };
    let (mut lines, mut block, mut offset) = (Vec::<Line>::new(), 0, 0);
    let (mut was_empty, mut tables, mut done) = (true, 0, 0);
    let mut unclosed = Unclosed::default();
    for written in text.split_inclusive('\n') {
        let start = offset;
        offset += written.len();
        let said = written.trim();
        if start < done {
            continue;
        }
        if written.trim_end_matches(['\r', '\n']) == "-- " || said == "--" {
            break;
        }
        if said.is_empty() || said.starts_with('>') {
            was_empty = true;
            continue;
        }
        let indent = written.len() - written.trim_start().len();
        if let Some((rows, end)) = markup::table(text, start, tables + 1, &mut unclosed) {
            tables += 1;
            done = end;
            lines.extend(rows);
            was_empty = true;
            continue;
        }
        if let Some((kind, inside, end)) = markup.block(text, start + indent, &mut unclosed) {
            block += 1;
            let is_whole = kind != LineKind::Quote;
            let parts = inside.split_inclusive(move |c| c == '\n' && !is_whole);
            for part in parts.filter(|part| !part.trim().is_empty()) {
                let mut line = Line::new(kind.clone(), block);
                let part = if is_whole { part } else { part.trim() };
                line.add(part.as_ptr() as usize - text.as_ptr() as usize, part, false, false);
                lines.push(line);
            }
            done = end;
            was_empty = true;
            continue;
        }
        if markup.is_hidden(said) {
            continue;
        }
        let is_row = said.len() > 2 && said.starts_with('|') && said.ends_with('|');
        if is_row {
            tables += usize::from(lines.last().is_none_or(|line| line.table.is_none()));
            block += 1;
            let mut line = Line::new(LineKind::Text, block);
            line.table = Some(tables);
            row(&mut line, start + indent, said);
            let has_words = line.chars.iter().any(|char| char.character.is_alphanumeric());
            lines.extend(Some(line).filter(|_| has_words));
            was_empty = true;
            continue;
        }
        let is_line = said.len() >= 3 && said.chars().all(|c| "=-_*~#".contains(c));
        if is_line {
            // A title is underlined.
            match lines.last_mut().filter(|_| !was_empty && said.starts_with(['=', '-', '~'])) {
                Some(title) => title.kind = LineKind::Heading(1 + u8::from(!said.starts_with('='))),
                None => lines.push(Line::new(LineKind::Rule, block)),
            }
            was_empty = true;
            continue;
        }
        let heading = markup.heading(said).filter(|_| indent == 0 || markup != Markup::Org);
        let (kind, sign) = match heading {
            Some((level, sign)) => (LineKind::Heading(level), sign),
            None if said.starts_with("bq. ") => (LineKind::Quote, 4),
            None => (LineKind::Text, 0),
        };
        let mark = mark_of_item(said, sign > 0);
        if was_empty || mark + sign > 0 {
            block += 1;
        }
        was_empty = sign > 0;
        let mut line = Line::new(kind, block);
        line.item = (mark > 0).then_some(block);
        line.depth = if mark > 0 { 1 + indent } else { 0 };
        let ticked = said.get(..mark).unwrap_or_default();
        line.ticked = ticked.contains('[').then(|| ticked.contains(['x', 'X']));
        let rest = said[mark + sign..].trim_start();
        markup::add(&mut line, start + indent + said.len() - rest.len(), rest, &attributes);
        lines.push(line);
    }
    lines
}

/// Marks of items in a list, with a box or without.
const MARKS: [&str; 11] =
    ["- [x] ", "- [X] ", "* [x] ", "[x] ", "- [ ] ", "* [ ] ", "[ ] ", "- ", "* ", "• ", "– "];

/// The bytes of the mark that begins an item: `1. `, `a) `, or one of a list without numbers, which a heading has not.
fn mark_of_item(said: &str, is_heading: bool) -> usize {
    let digits = said.bytes().take_while(u8::is_ascii_digit).count();
    let after = &said[digits..];
    if (1..3).contains(&digits) && after.starts_with([')', '.']) && after[1..].starts_with(' ') {
        return digits + 2;
    }
    if said.starts_with(|c: char| c.is_ascii_alphabetic()) && said[1..].starts_with(") ") {
        return 3;
    }
    let mark = MARKS.iter().find(|mark| !is_heading && said.starts_with(**mark));
    mark.map_or(0, |mark| mark.len())
}

/// Adds a row of a table: `||head||head||` or `|cell|cell|`. What a wiki strikes out, `-so-`, is left out.
fn row(line: &mut Line, start: usize, said: &str) {
    let is_head = said.starts_with("||");
    let (mut from, mut depth) = (1, 0_usize);
    for (at, character) in said.char_indices().skip(1) {
        match character {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                let mut place = from;
                for word in said[from..at].split_inclusive(' ') {
                    let bare = word.trim();
                    let is_struck = bare.len() > 2 && bare.starts_with('-') && bare.ends_with('-');
                    if !is_struck {
                        line.add(start + place, word, false, false);
                    }
                    place += word.len();
                }
                if !is_head || at > from {
                    line.cells.push(line.chars.len());
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}
