//! Records errors while a YAML tree is built, with the pointer to the affected value.

use super::{Awaited, Collection, Content, Tree};
use crate::syntax::document::{Member, SyntaxError, SyntaxErrorKind, Value, push_token};
use crate::syntax::errors::drop_duplicates;
use crate::syntax::message::{Message, message};
use crate::syntax::yaml::{MAX_SYNTAX_ERRORS, error::character_at};

impl<'s> Tree<'s> {
    pub(super) fn not_a_key(&mut self, value: &Value<'_>, start: usize) {
        let what = if matches!(value, Value::Array(_)) { "a list" } else { "an object" };
        let span = character_at(self.text, start);
        let message = message!("{} cannot be the name of a field", Message::own(what));
        self.syntax_error(
            SyntaxError::new(SyntaxErrorKind::Syntax, span, message)
                .help("The name of a field must be a string. Put a text with braces in quotes."),
        );
        if let Some(Collection { content: Content::Object(_, awaited), .. }) = self.open.last_mut() {
            *awaited = Awaited::Dropped;
        }
    }

    /// Keeps only the last member of each duplicate key and records an error for each such key.
    pub(super) fn drop_duplicates(&mut self, members: &mut Vec<Member<'s>>) {
        for syntax_error in drop_duplicates(members, &self.pointer()) {
            self.syntax_error(syntax_error);
        }
    }

    /// Records an error at the current value, up to the maximum number of errors.
    pub(super) fn syntax_error(&mut self, mut syntax_error: SyntaxError) {
        if self.syntax_errors.len() >= MAX_SYNTAX_ERRORS {
            return;
        }
        if syntax_error.pointer.is_empty() {
            syntax_error.pointer = self.pointer();
        }
        if syntax_error.span.is_empty() {
            // An empty key has no characters to point at.
            syntax_error.span = character_at(self.text, syntax_error.span.start as usize);
        }
        let item = match self.open.first() {
            Some(Collection { content: Content::List(items), .. }) => items.len(),
            _ => 0,
        };
        self.syntax_errors.push((item, syntax_error));
    }

    /// The pointer to the value that is being read, relative to its document.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        for (depth, collection) in self.open.iter().enumerate() {
            match &collection.content {
                // The items of the outermost list are documents themselves.
                Content::List(_) if depth == 0 => {}
                Content::List(items) => push_token(&mut pointer, &items.len().to_string()),
                Content::Object(_, Awaited::Value(key, _)) => push_token(&mut pointer, key),
                Content::Object(..) => {}
            }
        }
        pointer
    }
}
