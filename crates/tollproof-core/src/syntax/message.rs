//! What tollproof says: text of its own, and the values that are inserted in it.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};

use crate::syntax::message_parts::{bounded, quoted};

/// A text of tollproof's with inserted values, each at a known place, so that `--redact` masks values and nothing else.
///
/// A `&'static str` becomes a message without values. Of a `String` nobody knows where its parts come from, so it
/// becomes one value.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Message(Box<Parts>);

/// Boxed, since a finding and the errors of parsers hold several messages.
#[derive(Clone, Default, PartialEq, Eq)]
struct Parts {
    text: String,
    /// In order, not overlapping.
    values: Vec<Range<usize>>,
}

impl Message {
    /// A text that holds no value of a draft, a record or a user's settings.
    #[must_use]
    pub fn own(text: impl Into<String>) -> Self {
        Self(Box::new(Parts { text: text.into(), values: Vec::new() }))
    }

    /// A value alone.
    #[must_use]
    pub fn value(value: impl Into<String>) -> Self {
        let text = bounded(value.into());
        let values = Some(0..text.len()).filter(|it| !it.is_empty()).into_iter().collect();
        Self(Box::new(Parts { text, values }))
    }

    /// Messages, one after the other.
    #[must_use]
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut message = Self::default();
        parts.into_iter().for_each(|part| message.push(&part));
        message
    }

    /// The text as a whole.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Where values are inserted, in order and without overlap.
    #[must_use]
    pub fn values(&self) -> &[Range<usize>] {
        &self.0.values
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.text.is_empty()
    }

    /// Appends text of tollproof's own.
    pub(crate) fn push_own(&mut self, text: &str) {
        self.0.text.push_str(text);
    }

    /// Appends a part, which knows what in it is inserted.
    pub(crate) fn push(&mut self, part: &(impl Part + ?Sized)) {
        part.add_to(self);
    }

    /// A template of which each `{}` is replaced by the next part.
    pub(crate) fn filled(template: &'static str, parts: &[&dyn Part]) -> Self {
        let mut message = Self::default();
        let mut parts = parts.iter();
        for (at, own) in template.split("{}").enumerate() {
            // That there is a part for each, the macro sees to when tollproof is built.
            if let Some(part) = (at > 0).then(|| parts.next()).flatten() {
                part.add_to(&mut message);
            }
            message.push_own(own);
        }
        message
    }

    /// The same message with other values in it.
    pub(crate) fn with_values(&self, other: impl Fn(&str) -> String) -> Self {
        let mut message = Self::default();
        let mut at = 0;
        for range in &self.0.values {
            message.push_own(&self.0.text[at..range.start]);
            message.push(&other(&self.0.text[range.clone()]));
            at = range.end;
        }
        message.push_own(&self.0.text[at..]);
        message
    }
}

/// A message with `{}` for each of the values after it. Values are inserted as such; [`Message::own`] says of a part
/// that it is tollproof's.
macro_rules! message {
    ($template:literal $(, $part:expr)* $(,)?) => {{
        const {
            let parts: &[&str] = &[$(stringify!($part)),*];
            assert!($crate::syntax::message::holes($template) == parts.len(), "every hole has a part");
        }
        $crate::syntax::message::Message::filled($template, &[$(&$part as &dyn $crate::syntax::message::Part),*])
    }};
}
pub(crate) use message;

/// How many `{}` a template has; a `{` with a name in it would be neither filled nor shown as it is.
pub(crate) const fn holes(template: &str) -> usize {
    let bytes = template.as_bytes();
    let (mut at, mut holes) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'{' && at + 1 < bytes.len() {
            assert!(bytes[at + 1] == b'}', "a part stands after the template, not in it");
            holes += 1;
        }
        at += 1;
    }
    holes
}

/// What can be inserted in a message.
pub(crate) trait Part {
    fn add_to(&self, message: &mut Message);
}

impl<T: Part + ?Sized> Part for &T {
    fn add_to(&self, message: &mut Message) {
        (**self).add_to(message);
    }
}

impl Part for Message {
    fn add_to(&self, message: &mut Message) {
        let start = message.0.text.len();
        message.0.text.push_str(&self.0.text);
        message.0.values.extend(self.0.values.iter().map(|it| start + it.start..start + it.end));
    }
}

impl Part for str {
    fn add_to(&self, message: &mut Message) {
        let start = message.0.text.len();
        message.0.text.push_str(&quoted(self));
        if !self.is_empty() {
            message.0.values.push(start..message.0.text.len());
        }
    }
}

impl Part for String {
    fn add_to(&self, message: &mut Message) {
        self.as_str().add_to(message);
    }
}

impl Part for Cow<'_, str> {
    fn add_to(&self, message: &mut Message) {
        self.as_ref().add_to(message);
    }
}

impl Part for char {
    fn add_to(&self, message: &mut Message) {
        self.encode_utf8(&mut [0; 4]).add_to(message);
    }
}

/// A number that tollproof has counted.
impl Part for usize {
    fn add_to(&self, message: &mut Message) {
        message.push_own(&self.to_string());
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        Self::own(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::value(text)
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.0.text
    }
}

impl Deref for Message {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl AsRef<str> for Message {
    fn as_ref(&self) -> &str {
        &self.0.text
    }
}

impl PartialEq<str> for Message {
    fn eq(&self, other: &str) -> bool {
        self.0.text == other
    }
}

impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        self.0.text == *other
    }
}

impl PartialEq<String> for Message {
    fn eq(&self, other: &String) -> bool {
        self.0.text == *other
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.text)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.text.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_the_words_around_them() {
        let near = message!(" (did you mean `{}`?)", Message::own("US"));
        let message = message!("`{}` is not {}{}", "Ana", 7_usize, near);
        assert_eq!(message, "`Ana` is not 7 (did you mean `US`?)");
        assert_eq!(message.values().first(), Some(&(1..4)));
        let whole = message!("{}; {}", message, String::from("May"));
        assert_eq!(whole.with_values(|it| "*".repeat(it.len())), "`***` is not 7 (did you mean `US`?); ***");
        assert!(Message::from("may").values().is_empty());
        assert_eq!(Message::from(String::from("may")).values().first(), Some(&(0..3)));
        assert!(message!("{}", "").values().is_empty());
    }
}
