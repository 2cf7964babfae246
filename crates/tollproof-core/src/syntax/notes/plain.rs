//! Lines of plain text, mails and what is written for a wiki.

use super::line::{Line, LineKind};

/// The lines of a text. What a mail quotes, and what is below its signature, is left out.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let (mut lines, mut block, mut offset) = (Vec::<Line>::new(), 0, 0);
    let (mut was_empty, mut tables, mut done) = (true, 0, 0);
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
        if let Some((kind, inside)) = fence(text, start + indent) {
            block += 1;
            let is_whole = kind != LineKind::Quote;
            let parts = inside.split_inclusive(move |c| c == '\n' && !is_whole);
            for part in parts.filter(|part| !part.trim().is_empty()) {
                let mut line = Line::new(kind.clone(), block);
                line.add(part.as_ptr() as usize - text.as_ptr() as usize, part, false, false);
                lines.push(line);
            }
            done = inside.as_ptr() as usize - text.as_ptr() as usize + inside.len() + 1;
            was_empty = true;
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
        let marker =
            ["- [x] ", "- [X] ", "* [x] ", "[x] ", "- [ ] ", "* [ ] ", "[ ] ", "- ", "* ", "• ", "– "];
        let marker = marker.iter().find(|marker| said.starts_with(**marker)).map_or(0, |marker| marker.len());
        let number = said.bytes().take_while(u8::is_ascii_digit).count();
        let is_numbered = (1..3).contains(&number)
            && said[number..].starts_with([')', '.'])
            && said[number + 1..].starts_with(' ');
        let is_lettered = said.starts_with(|c: char| c.is_ascii_alphabetic()) && said[1..].starts_with(") ");
        let (kind, sign) = match said.as_bytes() {
            [b'h', level @ b'1'..=b'6', b'.', b' ', ..] => (LineKind::Heading(level - b'0'), 4),
            [b'b', b'q', b'.', b' ', ..] => (LineKind::Quote, 4),
            _ => (LineKind::Text, 0),
        };
        let mark = match (is_numbered, is_lettered) {
            (true, _) => number + 2,
            (false, true) => 3,
            _ => marker,
        };
        if was_empty || mark + sign > 0 {
            block += 1;
        }
        was_empty = sign > 0;
        let mut line = Line::new(kind, block);
        line.item = (mark > 0).then_some(block);
        let ticked = said.get(..mark).unwrap_or_default();
        line.ticked = ticked.contains('[').then(|| ticked.contains(['x', 'X']));
        let rest = said[mark + sign..].trim_start();
        line.add(start + indent + said.len() - rest.len(), rest, false, false);
        lines.push(line);
    }
    lines
}

/// The text between two marks of a wiki that begins here: `{quote}…{quote}`.
fn fence(text: &str, start: usize) -> Option<(LineKind, &str)> {
    let rest = &text[start..];
    let name = ["{noformat", "{code", "{quote"].into_iter().find(|name| rest.starts_with(*name))?;
    let open = rest.find('}').filter(|open| *open < 80)? + 1;
    let end = rest[open..].find(&format!("{name}}}"))? + open;
    let kind = if name == "{quote" { LineKind::Quote } else { LineKind::Code(String::new()) };
    Some((kind, &rest[open..end]))
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
