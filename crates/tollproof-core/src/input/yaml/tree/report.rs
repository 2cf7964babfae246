//! What the reader has to say of a tree, and where.

use std::borrow::Cow;

use super::{Awaited, Collection, Content, Tree};
use crate::document::{Fault, Member, Problem, Value, push_token};
use crate::input::yaml::{MAX_FAULTS, fault::character_at};

impl<'s> Tree<'s> {
    pub(super) fn not_a_key(&mut self, value: &Value<'_>, start: usize) {
        let what = if matches!(value, Value::Array(_)) { "a list" } else { "an object" };
        let span = character_at(self.text, start);
        let message = format!("{what} stands here as the name of a field");
        self.fault(
            Fault::new(Problem::Syntax, span, message)
                .help("The name of a field is a text. Braces around a text need quotes."),
        );
        if let Some(Collection { content: Content::Object(_, awaited), .. }) = self.open.last_mut()
        {
            *awaited = Awaited::Dropped;
        }
    }

    /// Says of each key that is written again; a stable order finds them in any number of keys.
    pub(super) fn report_duplicates(&mut self, members: &[Member<'s>]) {
        let mut order: Vec<&Member<'s>> = members.iter().collect();
        order.sort_by_key(|member| &member.key);
        for pair in order.windows(2) {
            let [first, again] = pair else { continue };
            if first.key != again.key {
                continue;
            }
            let message = format!("`{}` stands twice in this object", clipped(&again.key));
            let mut pointer = self.pointer();
            push_token(&mut pointer, &again.key);
            self.fault(Fault {
                related: Some((first.key_span, "first written here".to_owned())),
                pointer,
                ..Fault::new(Problem::DuplicateKey, again.key_span, message)
                    .help("The last one counts. Remove the other.")
            });
        }
    }

    /// Adds a fault at the value that is being read, as long as anyone may want to read it.
    pub(super) fn fault(&mut self, mut fault: Fault) {
        if self.faults.len() >= MAX_FAULTS {
            return;
        }
        if fault.pointer.is_empty() {
            fault.pointer = self.pointer();
        }
        let item = match self.open.first() {
            Some(Collection { content: Content::List(items), .. }) => items.len(),
            _ => 0,
        };
        self.faults.push((item, fault));
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

/// As much of a key as a message can hold.
fn clipped(key: &str) -> Cow<'_, str> {
    match key.char_indices().nth(60) {
        Some((end, _)) => Cow::Owned(format!("{}…", &key[..end])),
        None => Cow::Borrowed(key),
    }
}
