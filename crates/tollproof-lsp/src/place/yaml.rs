//! The place of the cursor in YAML that may not be readable yet, by the indentation of its lines.

use std::ops::Range;

use super::{CursorPlace, Slot, json};

/// A line of YAML.
struct YamlLine<'t> {
    /// The offset of the line in the text.
    start: usize,
    text: &'t str,
    /// The columns of the dashes before the content.
    dashes: Vec<usize>,
    /// The column of the content.
    indent: usize,
    /// The key, without quotes, and where it is in the line.
    key: Option<(&'t str, Range<usize>)>,
    /// The column after the colon.
    value: usize,
    /// The column of a comment, or the end of the line.
    end: usize,
}

impl<'t> YamlLine<'t> {
    fn read(text: &'t str, start: usize) -> Self {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[start..end].trim_end_matches('\r');
        let mut at = 0;
        let mut dashes = Vec::new();
        loop {
            at += line[at..].len() - line[at..].trim_start_matches([' ', '\t']).len();
            let rest = &line[at..];
            if rest == "-" || rest.starts_with("- ") {
                dashes.push(at);
                at += 1;
            } else {
                break;
            }
        }
        let end = comment(line);
        let (key, value) = key(line, at, end);
        Self { start, text: line, dashes, indent: at, key, value, end }
    }

    fn is_blank(&self) -> bool {
        self.dashes.is_empty() && self.text[..self.end].trim().is_empty()
    }

    fn is_boundary(&self) -> bool {
        self.text.starts_with("---") || self.text.starts_with("...")
    }

    /// The column of the first sign of the line.
    fn first(&self) -> usize {
        self.dashes.first().copied().unwrap_or(self.indent)
    }
}

/// The column at which the comment of a line begins, or its end.
fn comment(line: &str) -> usize {
    let bytes = line.as_bytes();
    let mut quote = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'#') if at == 0 || bytes[at - 1].is_ascii_whitespace() => return at,
            // A quote begins a value or a key; inside of words it is an apostrophe.
            (None, b'"' | b'\'')
                if line[..at].trim_end().ends_with([':', '-', ',', '[', '{'])
                    || line[..at].trim().is_empty() =>
            {
                quote = Some(byte);
            }
            _ => {}
        }
    }
    line.len()
}

/// The key of a line whose content begins at `at`, and the column after its colon.
fn key(line: &str, at: usize, end: usize) -> (Option<(&str, Range<usize>)>, usize) {
    let content = &line[at.min(end)..end];
    let is_quoted = content.starts_with(['"', '\'']);
    let from =
        if is_quoted { content[1..].find(&content[..1]).map_or(content.len(), |it| it + 2) } else { 0 };
    let rest = &content[from..];
    let colon = rest.find(": ").or_else(|| rest.trim_end().ends_with(':').then(|| rest.trim_end().len() - 1));
    let Some(colon) = colon.map(|it| from + it) else { return (None, 0) };
    let name = content[..colon].trim_end();
    let range = at..at + name.len();
    (Some((name.trim_matches(['"', '\'']), range)), at + colon + 1)
}

/// The place of `offset`.
pub(super) fn at(text: &str, offset: usize, roots: &[usize]) -> Option<CursorPlace> {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = YamlLine::read(text, start);
    let column = offset - start;
    if column > line.end && line.end < line.text.len() {
        let token = offset..offset;
        return Some(CursorPlace { path: Vec::new(), token, slot: Slot::Comment(start + line.end) });
    }
    if line.is_boundary() {
        return None;
    }
    let root = roots.iter().rfind(|&&root| root <= offset);
    if let Some(&root) = root.filter(|&&root| text[root..].starts_with(['{', '['])) {
        return json::at(text, root, offset, roots);
    }
    let indent = if line.is_blank() { column } else { line.indent };
    let mut path = above(text, &line, indent);
    // A list at the top is a list of documents.
    if path.first().is_some_and(|it| it == "-") {
        path.remove(0);
    }
    let trimmed = |range: Range<usize>| {
        let written = &line.text[range.clone()];
        let before = written.len() - written.trim_start().len();
        let length = written.trim().len();
        start + range.start + before..start + range.start + before + length
    };
    match &line.key {
        Some((name, _)) if column >= line.value => {
            path.push((*name).to_owned());
            let token = trimmed(line.value..line.end);
            let token = if token.is_empty() { offset..offset } else { token };
            let needs_space = column == line.value;
            Some(CursorPlace { path, token, slot: Slot::Value { needs_space } })
        }
        key => {
            let token = match key {
                Some((_, range)) => start + range.start..start + range.end,
                None if line.is_blank() || column < line.indent => offset..offset,
                None => trimmed(line.indent..line.end),
            };
            let keys = siblings(text, &line, indent);
            let has_colon = key.is_some();
            let slot = Slot::Key { keys, has_colon, comma_before: None, comma_after: false, indent };
            Some(CursorPlace { path, token, slot })
        }
    }
}

/// The keys that lead to the content of a line at a column.
fn above(text: &str, line: &YamlLine<'_>, indent: usize) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    let mut limit = indent;
    // Of the next line above, a key at the same column counts if a dash was passed, as in `list:` over `- item`.
    let mut is_item = false;
    let pass = |dashes: &[usize], limit: &mut usize, path: &mut Vec<String>, is_item: &mut bool| {
        for &dash in dashes.iter().rev() {
            if dash < *limit {
                path.push("-".to_owned());
                (*limit, *is_item) = (dash, true);
            }
        }
    };
    pass(&line.dashes, &mut limit, &mut path, &mut is_item);
    let mut end = line.start;
    while end > 0 && (limit > 0 || is_item) {
        let start = text[..end - 1].rfind('\n').map_or(0, |at| at + 1);
        let upper = YamlLine::read(text, start);
        end = start;
        if upper.is_boundary() {
            break;
        }
        if upper.is_blank() {
            continue;
        }
        let is_parent = upper.indent < limit || is_item && upper.indent == limit && upper.dashes.is_empty();
        if let (Some((name, _)), true) = (&upper.key, is_parent) {
            path.push((*name).to_owned());
            (limit, is_item) = (upper.indent, false);
        } else if upper.indent < limit && upper.dashes.is_empty() {
            // Text between keys, such as the rest of a long value.
            limit = upper.indent.max(1);
        }
        pass(&upper.dashes, &mut limit, &mut path, &mut is_item);
    }
    path.reverse();
    path
}

/// The keys of the object that a line belongs to, above and below it.
fn siblings(text: &str, line: &YamlLine<'_>, indent: usize) -> Vec<String> {
    let mut keys = Vec::new();
    // The first key of an item is on the line of its dash.
    let mut end = if line.dashes.is_empty() { line.start } else { 0 };
    while end > 0 {
        let start = text[..end - 1].rfind('\n').map_or(0, |at| at + 1);
        let upper = YamlLine::read(text, start);
        end = start;
        if upper.is_boundary() || !upper.is_blank() && upper.indent < indent {
            break;
        }
        if upper.indent == indent && !upper.is_blank() {
            keys.extend(upper.key.iter().map(|(name, _)| (*name).to_owned()));
            if !upper.dashes.is_empty() {
                break;
            }
        }
    }
    let mut start = line.start;
    while let Some(next) = text[start..].find('\n').map(|at| start + at + 1).filter(|&at| at < text.len()) {
        start = next;
        let lower = YamlLine::read(text, start);
        if lower.is_boundary() || !lower.is_blank() && lower.first() < indent {
            break;
        }
        if lower.indent == indent && lower.dashes.is_empty() {
            keys.extend(lower.key.iter().map(|(name, _)| (*name).to_owned()));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_mark(text: &str) -> CursorPlace {
        let offset = text.find('|').expect("the text has a mark");
        at(&text.replacen('|', "", 1), offset, &[0]).expect(text)
    }

    #[test]
    fn keys_are_found_by_their_indentation() {
        for (text, path, token, keys) in [
            ("|", "", 0..0, ""),
            ("bus|", "", 0..3, ""),
            ("a: 1\nb|\nc: 2\n", "", 5..6, "a c"),
            ("a: 1\n|b: 2\n", "", 5..6, "a"),
            ("a:\n  b: 1\n  |\nc: 1\n", "a", 12..12, "b"),
            ("a:\n- b: 1\n  |\n", "a -", 12..12, "b"),
            ("a:\n  - b: 1\n    c: 1\n  - |", "a -", 25..25, ""),
            ("- a: 1\n  |", "", 9..9, "a"),
            ("x: 1\n---\na: 1\n|", "", 14..14, "a"),
            ("a: 'it''s # b'\n|", "", 15..15, "a"),
            ("a: >\n  one\n  two\nb: 1\n|", "", 22..22, "b a"),
        ] {
            let place = at_mark(text);
            let Slot::Key { keys: found, .. } = place.slot else { panic!("{text}: {place:?}") };
            assert_eq!(
                (place.path.join(" ").as_str(), place.token, found.join(" ").as_str()),
                (path, token, keys),
                "{text}"
            );
        }
    }

    #[test]
    fn values_and_comments_are_found() {
        for (text, path, token) in [
            ("a: |", "a", 3..3),
            ("a:|", "a", 2..2),
            ("a: b|c d # e", "a", 3..7),
            ("a:\n  b: '|'\n", "a b", 8..10),
            ("a:\n  - b: |\n", "a - b", 10..10),
            ("{\"a\": \"|\"}", "a", 6..8),
        ] {
            let place = at_mark(text);
            assert!(matches!(place.slot, Slot::Value { .. }), "{text}: {place:?}");
            assert_eq!((place.path.join(" ").as_str(), place.token), (path, token), "{text}");
        }
        assert_eq!(at_mark("a: 1\n# toll|").slot, Slot::Comment(5));
        assert_eq!(at_mark("a: 1  # |").slot, Slot::Comment(6));
    }
}
