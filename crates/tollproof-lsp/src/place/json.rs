//! The place of the cursor in JSON that may end anywhere.

use std::ops::Range;

use super::{CursorPlace, Slot};

/// An object or a list that is open at the cursor.
struct OpenValue {
    start: usize,
    is_object: bool,
    expects: Expects,
    /// The key of the member that is read.
    key: String,
    keys: Vec<String>,
    /// The end of the last complete value.
    last_end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    Key,
    Colon,
    Value,
    Comma,
}

/// More levels than this are not followed.
const MAX_DEPTH: usize = 256;

/// The place of `offset`, in JSON that begins at `start`.
pub(super) fn at(text: &str, start: usize, offset: usize, roots: &[usize]) -> Option<CursorPlace> {
    let bytes = text.as_bytes();
    let mut frames: Vec<OpenValue> = Vec::new();
    let mut at = start;
    let mut token = None;
    while at < offset {
        let byte = bytes[at];
        match byte {
            b'{' | b'[' => {
                if frames.len() >= MAX_DEPTH {
                    return None;
                }
                let is_object = byte == b'{';
                let expects = if is_object { Expects::Key } else { Expects::Value };
                let (key, keys) = (String::new(), Vec::new());
                frames.push(OpenValue { start: at, is_object, expects, key, keys, last_end: at + 1 });
                at += 1;
            }
            b'}' | b']' => {
                frames.pop();
                at += 1;
                end_value(&mut frames, at);
            }
            b',' | b':' => {
                if let Some(frame) = frames.last_mut() {
                    frame.expects = match (byte, frame.is_object) {
                        (b',', true) => Expects::Key,
                        _ => Expects::Value,
                    };
                }
                at += 1;
            }
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let word = word(text, at);
                at = word.end;
                if word.end >= offset && !is_complete(text, &word, offset) {
                    token = Some(word);
                    break;
                }
                end_word(&mut frames, text, &word);
            }
        }
    }
    place(text, frames, token.unwrap_or(offset..offset), roots)
}

fn end_value(frames: &mut [OpenValue], end: usize) {
    if let Some(frame) = frames.last_mut() {
        frame.expects = Expects::Comma;
        frame.last_end = end;
    }
}

fn end_word(frames: &mut [OpenValue], text: &str, word: &Range<usize>) {
    let Some(frame) = frames.last_mut() else { return };
    if frame.is_object && matches!(frame.expects, Expects::Key | Expects::Comma) {
        frame.key = unquoted(&text[word.clone()]);
        frame.keys.push(frame.key.clone());
        frame.expects = Expects::Colon;
    } else {
        end_value(frames, word.end);
    }
}

/// A string, or letters up to the next sign. A string without its end goes to the end of the line.
fn word(text: &str, start: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    if bytes[start] == b'"' {
        while at < bytes.len() && bytes[at] != b'\n' {
            match bytes[at] {
                b'"' => return start..at + 1,
                b'\\' => at += 1,
                _ => {}
            }
            at += 1;
        }
        let mut end = at.min(bytes.len());
        // An escape may have been skipped into a character.
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        return start..end.max(start + 1);
    }
    let is_sign = |byte: u8| byte.is_ascii_whitespace() || b"{}[],:\"".contains(&byte);
    while at < bytes.len() && !is_sign(bytes[at]) {
        at += 1;
    }
    start..at
}

/// Whether the cursor is after a complete string, and not in it.
fn is_complete(text: &str, word: &Range<usize>, offset: usize) -> bool {
    let written = &text[word.clone()];
    offset >= word.end && written.len() > 1 && written.starts_with('"') && written.ends_with('"')
}

fn unquoted(word: &str) -> String {
    serde_json::from_str(word).unwrap_or_else(|_| word.trim_matches('"').to_owned())
}

fn place(text: &str, frames: Vec<OpenValue>, token: Range<usize>, roots: &[usize]) -> Option<CursorPlace> {
    // Of a string that has no end, only a name is replaced: the rest of the line belongs to what follows.
    let token = if is_open(text, &token) { cut(text, token) } else { token };
    let root = frames.iter().position(|it| roots.contains(&it.start));
    let root = root.or_else(|| frames.iter().position(|it| it.is_object))?;
    let frame = frames.last()?;
    let mut path: Vec<String> = Vec::new();
    for above in &frames[root..frames.len() - 1] {
        path.push(if above.is_object { above.key.clone() } else { "-".to_owned() });
    }
    let is_key = frame.is_object && matches!(frame.expects, Expects::Key | Expects::Comma);
    if !is_key {
        path.push(if frame.is_object { frame.key.clone() } else { "-".to_owned() });
        let is_value = frame.expects == Expects::Value && frames.len() > root;
        let needs_space = token.start > 0 && text.as_bytes()[token.start - 1] == b':';
        return is_value.then_some(CursorPlace { path, token, slot: Slot::Value { needs_space } });
    }
    let after = text[token.end..].trim_start();
    let has_colon = after.starts_with(':');
    let slot = Slot::Key {
        keys: frame.keys.iter().cloned().chain(keys_after(text, token.end)).collect(),
        has_colon,
        comma_before: (frame.expects == Expects::Comma).then_some(frame.last_end),
        comma_after: !has_colon
            && after.starts_with(|character: char| character == '"' || character.is_alphanumeric()),
        indent: 0,
    };
    Some(CursorPlace { path, token, slot })
}

/// Whether a string has no end: it ends with its line, or with the quote that begins the next string.
fn is_open(text: &str, token: &Range<usize>) -> bool {
    let word = &text[token.clone()];
    let next = text[token.end..].trim_start_matches([' ', '\t']).chars().next();
    word.starts_with('"')
        && (word.len() == 1 || !word.ends_with('"') || next.is_some_and(|it| !":,}]\r\n".contains(it)))
}

/// The part of an open string that may be the beginning of a name or a value.
fn cut(text: &str, token: Range<usize>) -> Range<usize> {
    let line = &text[token.clone()];
    let end = line.find([',', '}', ']', ':', '\r']).map_or(line.trim_end().len(), |at| at);
    token.start..token.start + end
}

/// The keys of an object after the cursor.
fn keys_after(text: &str, start: usize) -> Vec<String> {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut keys) = (start, 0_usize, Vec::new());
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => break,
            b'}' | b']' => depth -= 1,
            b'"' => {
                let word = word(text, at);
                at = word.end;
                if depth == 0 && text[at..].trim_start().starts_with(':') {
                    keys.push(unquoted(&text[word]));
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of `|` in a text.
    fn at_mark(text: &str) -> Option<CursorPlace> {
        let offset = text.find('|').expect("the text has a mark");
        at(&text.replace('|', ""), 0, offset, &[])
    }

    fn key(text: &str) -> (Vec<String>, Range<usize>, Slot) {
        let CursorPlace { path, token, slot } = at_mark(text).expect(text);
        assert!(matches!(slot, Slot::Key { .. }), "{text}: {slot:?}");
        (path, token, slot)
    }

    #[test]
    fn keys_are_found_in_any_state_of_writing() {
        for (text, path, token) in [
            ("{|}", "", 1..1),
            (r#"{"a": 1, |}"#, "", 9..9),
            (r#"{"a": 1, "b|"}"#, "", 9..12),
            (r#"{"a": 1, "b|"#, "", 9..11),
            ("{\"a\": 1,\n \"b|\n \"c\": 2}", "", 10..12),
            (r#"{"a": {"b": [{"c|"#, "a b -", 14..16),
            (r#"[{"a": 1}, {b|: 1}]"#, "", 12..13),
            (r#"{"a": "}{\"", |"#, "", 14..14),
        ] {
            let (found, range, _) = key(text);
            assert_eq!((found.join(" ").as_str(), range), (path, token), "{text}");
        }
        let Slot::Key { keys, has_colon, comma_before, comma_after, .. } =
            key("{\"a\": {\"x\": 1}\n  |\"b\": [{\"y\": 1}]}").2
        else {
            panic!("it is a key")
        };
        assert_eq!(
            (keys.join(" ").as_str(), has_colon, comma_before, comma_after),
            ("a b", false, Some(14), true)
        );
        let Slot::Key { has_colon, comma_before, comma_after, .. } = key(r#"{"a|": 1}"#).2 else {
            panic!("it is a key")
        };
        assert_eq!((has_colon, comma_before, comma_after), (true, None, false));
    }

    #[test]
    fn values_are_found_in_any_state_of_writing() {
        for (text, path, token) in [
            (r#"{"a": |}"#, "a", 6..6),
            (r#"{"a":|}"#, "a", 5..5),
            (r#"{"a": "b|c", "d": 1}"#, "a", 6..10),
            (r#"{"a": "b|, "d": 1}"#, "a", 6..8),
            (r#"{"a": ["b", "|"]}"#, "a -", 12..14),
            (r#"{"a": [|"#, "a -", 7..7),
            (r#"[{"a": tr|"#, "a", 7..9),
        ] {
            let CursorPlace { path: found, token: range, slot } = at_mark(text).expect(text);
            assert!(matches!(slot, Slot::Value { .. }), "{text}: {slot:?}");
            assert_eq!((found.join(" ").as_str(), range), (path, token), "{text}");
        }
        for text in ["|", "[|", r#"{"a" |"#, r#"{"a": "b"}|"#, r#"{"a": [1 |"#] {
            assert_eq!(at_mark(text), None, "{text}");
        }
    }
}
