//! Lines of plain text and mails.

use super::line::{Line, LineKind};

/// The lines of a text. What a mail quotes, and what is below its signature, is left out.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let (mut lines, mut block, mut offset) = (Vec::<Line>::new(), 0, 0);
    let mut was_empty = true;
    for written in text.split_inclusive('\n') {
        let start = offset;
        offset += written.len();
        let said = written.trim();
        if written.trim_end_matches(['\r', '\n']) == "-- " || said == "--" {
            break;
        }
        if said.is_empty() || said.starts_with('>') {
            was_empty = true;
            continue;
        }
        let indent = written.len() - written.trim_start().len();
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
        let mark = if is_numbered { number + 2 } else { marker };
        if was_empty || mark > 0 {
            block += 1;
        }
        was_empty = false;
        let mut line = Line::new(LineKind::Text, block);
        line.item = (mark > 0).then_some(block);
        let ticked = said.get(..mark).unwrap_or_default();
        line.ticked = ticked.contains('[').then(|| ticked.contains(['x', 'X']));
        let at = start + indent + mark;
        line.add(at, said[mark..].trim_start(), false, false);
        let skipped = said[mark..].len() - said[mark..].trim_start().len();
        line.chars
            .iter_mut()
            .for_each(|char| (char.start, char.end) = (char.start + skipped, char.end + skipped));
        lines.push(line);
    }
    lines
}
