//! A line of text that is edited.

use crossterm::event::KeyCode;

/// The longest answer, in characters; no field takes as much.
const MAX_CHARS: usize = 20_000;

/// A text and the place in it where characters are inserted.
pub(super) struct TypedLine {
    chars: Vec<char>,
    cursor: usize,
}

impl TypedLine {
    pub(super) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Self { cursor: chars.len(), chars }
    }

    pub(super) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    pub(super) fn chars(&self) -> &[char] {
        &self.chars
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Inserts a text. Control characters, which would control the terminal of whoever reads the draft, are left out.
    pub(super) fn insert(&mut self, text: &str) {
        let room = MAX_CHARS.saturating_sub(self.chars.len());
        let taken: Vec<char> =
            text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).take(room).collect();
        let end = self.cursor + taken.len();
        self.chars.splice(self.cursor..self.cursor, taken);
        self.cursor = end;
    }

    /// Moves the cursor, or deletes what a key deletes. `control` is whether Ctrl is pressed too.
    pub(super) fn edit(&mut self, key: KeyCode, control: bool) {
        let (start, end) = (0, self.chars.len());
        let (left, right) = (self.cursor.saturating_sub(1), (self.cursor + 1).min(end));
        match key {
            KeyCode::Left if control => self.cursor = self.word_start(),
            KeyCode::Left => self.cursor = left,
            KeyCode::Right if control => self.cursor = self.word_end(),
            KeyCode::Right => self.cursor = right,
            KeyCode::Home => self.cursor = start,
            KeyCode::End => self.cursor = end,
            KeyCode::Char('a') if control => self.cursor = start,
            KeyCode::Char('e') if control => self.cursor = end,
            KeyCode::Backspace => self.delete(left, self.cursor),
            KeyCode::Delete => self.delete(self.cursor, right),
            KeyCode::Char('u') if control => self.delete(start, self.cursor),
            KeyCode::Char('k') if control => self.delete(self.cursor, end),
            KeyCode::Char('w') if control => self.delete(self.word_start(), self.cursor),
            _ => {}
        }
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.chars.drain(from..to);
        self.cursor = from;
    }

    fn word_start(&self) -> usize {
        let before = &self.chars[..self.cursor];
        let word = before.iter().rposition(|c| !c.is_whitespace()).unwrap_or(0);
        before[..word].iter().rposition(|c| c.is_whitespace()).map_or(0, |at| at + 1)
    }

    fn word_end(&self) -> usize {
        let after = &self.chars[self.cursor..];
        let word = after.iter().position(|c| !c.is_whitespace()).unwrap_or(after.len());
        let end = after[word..].iter().position(|c| c.is_whitespace());
        end.map_or(self.chars.len(), |end| self.cursor + word + end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_edit_a_line() {
        let mut line = TypedLine::new("one two");
        for (key, control, text, cursor) in [
            (KeyCode::Left, true, "one two", 4),
            (KeyCode::Char('u'), true, "two", 0),
            (KeyCode::Right, true, "two", 3),
            (KeyCode::Backspace, false, "tw", 2),
            (KeyCode::Home, false, "tw", 0),
            (KeyCode::Backspace, false, "tw", 0),
            (KeyCode::Delete, false, "w", 0),
            (KeyCode::End, false, "w", 1),
            (KeyCode::Right, false, "w", 1),
            (KeyCode::Char('w'), true, "", 0),
            (KeyCode::Char('w'), true, "", 0),
            (KeyCode::Right, true, "", 0),
        ] {
            line.edit(key, control);
            assert_eq!((line.text().as_str(), line.cursor()), (text, cursor), "{key:?}");
        }
    }

    #[test]
    fn control_characters_are_left_out() {
        let mut line = TypedLine::new("");
        line.insert("a\u{1b}[31m\u{1b}]0;x\u{7}\u{9b}b\nc");
        assert_eq!(line.text(), "a[31m]0;xb\nc");
    }
}
