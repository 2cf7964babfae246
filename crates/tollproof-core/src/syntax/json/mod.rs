//! Reads JSON text into documents and continues after a syntax error.

mod scalar;

use std::borrow::Cow;

use super::beginning;
use super::errors::{SyntaxErrors, drop_duplicates};
use super::limits::{Budget, MAX_DEPTH, MAX_STRING, beginning_of, too_deep, too_long};
use crate::syntax::document::{
    Document, Member, Node, Style, SyntaxError, SyntaxErrorKind, Value, push_token,
};
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

/// The usual number of fields in a draft.
const FIELDS: usize = 24;

/// The documents of a JSON text: its single value, or each item if that value is a list.
pub(super) fn read(text: &str) -> Vec<Document<'_>> {
    let mut reader = JsonReader::new(text, 0);
    reader.at = beginning(text);
    reader.skip_blanks();
    let mut documents = Vec::new();
    while reader.peek().is_some() {
        if !documents.is_empty() {
            reader.second_value();
        }
        if reader.peek() == Some(b'[') {
            reader.list(&mut documents);
        } else {
            let root = reader.value(0);
            reader.finish(root, &mut documents);
        }
        reader.skip_blanks();
    }
    if documents.is_empty() {
        reader.syntax_errors.push(SyntaxErrors::nothing_to_read(text, "this file"));
        reader.finish(None, &mut documents);
    }
    // Anything after the last value, such as a comment, is an error of the document before it.
    if let Some(last) = documents.last_mut() {
        last.syntax_errors.append(&mut reader.syntax_errors());
    }
    documents
}

/// The document of a text that contains only one, such as a line of NDJSON; its spans are relative to `base`.
pub(super) fn read_one(text: &str, base: usize, index: usize) -> Document<'_> {
    let mut reader = JsonReader::new(text, base);
    reader.skip_blanks();
    let root = reader.value(0);
    reader.skip_blanks();
    if reader.peek().is_some() {
        reader
            .syntax_error(reader.here(), "there is something after the end of the value")
            .help("Write one JSON object per line.");
    }
    Document { index, root, syntax_errors: reader.syntax_errors(), cut: reader.cut, ..Document::default() }
}

/// A position in a text, and the errors found so far.
#[derive(Default)]
struct JsonReader<'s> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    base: usize,
    path: Vec<ParseStep<'s>>,
    syntax_errors: SyntaxErrors,
    pending: Option<SyntaxError>,
    budget: Budget,
    /// Whether reading has stopped: the budget is exhausted or the text ended too early. The error is already recorded.
    spent: bool,
    /// Whether the current document is incomplete because reading stopped.
    cut: bool,
}

/// A step from a value to one inside it.
enum ParseStep<'s> {
    Key(Cow<'s, str>),
    Index(usize),
}

/// The result of reading a member or an item.
enum Entry {
    Read,
    /// There was no member or item. The text was skipped, and no comma needs to follow.
    Skipped,
}

/// The most recent error, to which help can still be added.
struct Noted<'r, 's>(&'r mut JsonReader<'s>);

impl Noted<'_, '_> {
    fn help(self, help: impl Into<Message>) {
        if let Some(syntax_error) = &mut self.0.pending {
            syntax_error.help = Some(help.into());
        }
    }
}

impl<'s> JsonReader<'s> {
    fn new(text: &'s str, base: usize) -> Self {
        let (bytes, budget) = (text.as_bytes(), Budget::of(text.len()));
        Self { text, bytes, base, budget, ..Self::default() }
    }

    /// Reads a list of documents, each with its own errors.
    fn list(&mut self, documents: &mut Vec<Document<'s>>) {
        let (open, first) = (self.at, documents.len());
        if !self.budget.take(1) {
            self.give_up();
            return self.finish(None, documents);
        }
        self.at += 1;
        loop {
            self.skip_blanks();
            match self.peek() {
                None => {
                    self.unclosed(open, "list");
                    break;
                }
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(_) => {
                    let root = self.value(1);
                    self.separator(b']', "list");
                    self.finish(root, documents);
                }
            }
        }
        if documents.len() == first {
            // An empty list is kept as a value, so that the wrong type is reported.
            let value = Value::Array(Vec::new());
            let root = Node { span: self.span(open, self.at), style: Style::Json, value };
            self.finish(Some(root), documents);
        } else if let Some(last) = documents.last_mut() {
            self.flush();
            last.syntax_errors.append(&mut self.syntax_errors.take());
        }
    }

    /// Ends a document; once the budget is exhausted, nothing more is read.
    fn finish(&mut self, root: Option<Node<'s>>, documents: &mut Vec<Document<'s>>) {
        let (syntax_errors, cut) = (self.syntax_errors(), std::mem::take(&mut self.cut));
        if root.is_some() || !syntax_errors.is_empty() {
            let index = documents.len();
            documents.push(Document { index, root, syntax_errors, cut, ..Document::default() });
        }
        if self.spent {
            self.at = self.bytes.len();
        }
    }

    /// Reads a value, or returns `None` if the budget is exhausted or the text ends. An unreadable value becomes null
    /// and an error.
    fn value(&mut self, depth: usize) -> Option<Node<'s>> {
        let start = self.at;
        if !self.budget.take(1) {
            return self.give_up();
        }
        let value = match self.peek()? {
            b'{' | b'[' if depth >= MAX_DEPTH => self.skip_nested(),
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.text_value(),
            byte => self.bare(byte),
        };
        let span = self.span(start, self.at);
        Some(Node { span, style: Style::Json, value })
    }

    /// Reads a string. A string that is too long for any field becomes null, so that no check reads it.
    fn text_value(&mut self) -> Value<'s> {
        let start = self.at;
        let text = self.string();
        if text.len() <= MAX_STRING || self.path.is_empty() {
            return Value::String(text);
        }
        self.flush();
        let pointer = self.pointer();
        self.syntax_errors.push(SyntaxError { pointer, ..too_long(self.span(start, self.at)) });
        Value::Null
    }

    fn object(&mut self, depth: usize) -> Value<'s> {
        let mut members: Vec<Member<'s>> = Vec::with_capacity(if depth == 0 { FIELDS } else { 0 });
        self.entries(b'}', "object", depth, |reader| {
            let Some((mut key, key_span)) = reader.key() else { return Some(Entry::Skipped) };
            if key.len() > MAX_STRING {
                reader.flush();
                let pointer = reader.pointer();
                reader.syntax_errors.push(SyntaxError { pointer, ..too_long(key_span) });
                key = beginning_of(&key);
            }
            reader.path.push(ParseStep::Key(key.clone()));
            let value = reader.member_value(depth);
            reader.leave();
            members.push(Member { key, key_span, value: value? });
            Some(Entry::Read)
        });
        self.flush();
        drop_duplicates(&mut members, &self.pointer())
            .into_iter()
            .for_each(|syntax_error| self.syntax_errors.push(syntax_error));
        Value::Object(members)
    }

    fn array(&mut self, depth: usize) -> Value<'s> {
        let mut items = Vec::new();
        self.entries(b']', "list", depth, |reader| {
            reader.path.push(ParseStep::Index(items.len()));
            let item = reader.value(depth + 1);
            reader.leave();
            items.push(item?);
            Some(Entry::Read)
        });
        Value::Array(items)
    }

    /// Reads the entries between two brackets; `read` returns `None` where the text ends.
    fn entries(
        &mut self,
        close: u8,
        what: &'static str,
        depth: usize,
        mut read: impl FnMut(&mut Self) -> Option<Entry>,
    ) {
        let open = self.at;
        self.at += 1;
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return self.unclosed(open, what),
                Some(byte) if byte == close => {
                    self.at += 1;
                    return;
                }
                // No list is open at the root, so a stray `]` is skipped there.
                Some(b']') if depth > 0 => {
                    self.syntax_error(self.here(), "`]` closes an object here").help("Close it with `}`.");
                    return;
                }
                Some(b'}') => {
                    self.syntax_error(self.here(), "`}` closes a list here").help("Close it with `]`.");
                    return;
                }
                Some(_) => {}
            }
            match read(self) {
                None => return self.unclosed(open, what),
                Some(Entry::Skipped) => {}
                Some(Entry::Read) => self.separator(close, what),
            }
        }
    }

    fn leave(&mut self) {
        self.flush();
        self.path.pop();
    }

    /// Reads the value after a key, with or without the colon; `None` where the text ends.
    fn member_value(&mut self, depth: usize) -> Option<Node<'s>> {
        self.skip_blanks();
        if self.peek()? == b':' {
            self.at += 1;
            self.skip_blanks();
        } else {
            let help = "Write a colon between the key and its value.";
            self.syntax_error(self.after(self.at), "a `:` is missing here").help(help);
        }
        if matches!(self.peek()?, b',' | b'}' | b']') {
            if self.pending.is_none() {
                self.syntax_error(self.after(self.at), "a value is missing here")
                    .help("Write it, or remove the key.");
            }
            let span = self.span(self.at, self.at);
            return Some(Node { span, style: Style::Json, value: Value::Null });
        }
        self.value(depth + 1)
    }

    /// Reads a key, also one without double quotes. `None` if the key is missing; that part is skipped.
    fn key(&mut self) -> Option<(Cow<'s, str>, Span)> {
        let start = self.at;
        if self.peek() == Some(b'"') {
            let key = self.string();
            return Some((key, self.span(start, self.at)));
        }
        if self.peek() == Some(b',') {
            self.at += 1;
            self.fault_at(start, self.at, "this comma is not needed").help("Remove it.");
            return None;
        }
        if self.curly_quote() {
            return None;
        }
        let word = self.bare_word();
        let name = word.trim_matches('\'');
        let span = self.span(start, self.at);
        self.skip_blanks();
        if name.is_empty() || self.peek() != Some(b':') {
            let end = self.skip_to_separator(start, self.at);
            self.fault_at(start, end, "this is not a key")
                .help("Write the key in double quotes, followed by a colon.");
            return None;
        }
        let help = message!("Write \"{}\".", name);
        self.fault_at(start, span.end as usize - self.base, "this key has no double quotes").help(help);
        Some((Cow::Borrowed(name), span))
    }

    /// Reads the separator between two members or items, or before the closing bracket.
    fn separator(&mut self, close: u8, what: &'static str) {
        let end = self.at;
        self.skip_blanks();
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.skip_blanks();
                if self.peek() == Some(close) {
                    let message =
                        message!("JSON does not allow a comma at the end of the {}", Message::own(what));
                    self.fault_at(comma, comma + 1, message).help("Remove it.");
                }
            }
            Some(byte) if byte == close => {}
            None | Some(b'}' | b']') => {}
            Some(b'"' | b'{' | b'[' | b'0'..=b'9' | b'-' | b'a'..=b'z' | b'A'..=b'Z') if !self.spent => {
                self.syntax_error(self.after(end), "a comma is missing here")
                    .help("Write a comma between the two.");
            }
            Some(_) => {
                let start = self.at;
                let end = self.skip_to_separator(start, start);
                self.fault_at(start, end, "this does not belong here").help("Remove it.");
                if self.peek() == Some(b',') {
                    self.at += 1;
                }
            }
        }
    }

    /// Reports a second value in a file that must contain only one.
    fn second_value(&mut self) {
        let start = self.at;
        if !matches!(self.peek(), Some(b'{' | b'[' | b'"')) {
            self.at = self.bytes.len();
        }
        let end = self.at.max(start + 1);
        self.fault_at(start, end.min(self.ceil(start + 1)), "there is something after the end of the value")
            .help("A .json file contains one value. Make it a list, or name the file .ndjson and write one object per line.");
    }

    /// Reports once that the budget is exhausted, and stops reading.
    fn give_up(&mut self) -> Option<Node<'s>> {
        if !std::mem::replace(&mut self.spent, true) {
            self.flush();
            let here = self.here();
            let pointer = self.pointer();
            self.syntax_errors.push(SyntaxError { pointer, ..self.budget.spent(here) });
        }
        self.at = self.bytes.len();
        self.cut = true;
        None
    }

    /// Skips a value that is nested too deeply, without recursion.
    fn skip_nested(&mut self) -> Value<'s> {
        let (start, mut depth) = (self.at, 0_usize);
        while let Some(byte) = self.peek() {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                b'"' => {
                    self.skip_string();
                    continue;
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                break;
            }
        }
        self.flush();
        let span = self.span(start, start + 1);
        let pointer = self.pointer();
        self.syntax_errors.push(SyntaxError { pointer, ..too_deep(span) });
        self.spent |= depth > 0;
        Value::Null
    }

    fn unclosed(&mut self, open: usize, what: &'static str) {
        self.cut = true;
        // If several brackets are open at the end, only the innermost is reported.
        if !std::mem::replace(&mut self.spent, true) {
            self.fault_at(open, open + 1, message!("this {} is not closed", Message::own(what)))
                .help("Its closing bracket is missing.");
        }
    }

    /// Records a syntax error at a span that already includes the base offset.
    fn syntax_error(&mut self, span: Span, message: impl Into<Message>) -> Noted<'_, 's> {
        self.flush();
        let pointer = self.pointer();
        self.pending =
            Some(SyntaxError { pointer, ..SyntaxError::new(SyntaxErrorKind::Syntax, span, message) });
        Noted(self)
    }

    fn fault_at(&mut self, start: usize, end: usize, message: impl Into<Message>) -> Noted<'_, 's> {
        self.syntax_error(self.span(start, end), message)
    }

    fn flush(&mut self) {
        if let Some(syntax_error) = self.pending.take() {
            self.syntax_errors.push(syntax_error);
        }
    }

    fn syntax_errors(&mut self) -> Vec<SyntaxError> {
        self.flush();
        self.syntax_errors.take()
    }

    /// The JSON pointer to the value that is being read.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            match step {
                ParseStep::Key(key) => push_token(&mut pointer, key),
                ParseStep::Index(index) => push_token(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start, self.base + end)
    }

    /// The span of the character at the current position.
    fn here(&self) -> Span {
        self.span(self.at, self.ceil(self.at + 1))
    }

    /// The last character before a position that is not whitespace; something missing after it is reported there.
    fn after(&self, at: usize) -> Span {
        let before = self.text[..at].trim_end();
        let start = before.char_indices().next_back().map_or(0, |(at, _)| at);
        self.span(start, before.len().max(start))
    }

    /// The first character boundary at or after an offset.
    fn ceil(&self, at: usize) -> usize {
        (at..=self.text.len()).find(|&at| self.text.is_char_boundary(at)).unwrap_or(self.text.len())
    }
}
