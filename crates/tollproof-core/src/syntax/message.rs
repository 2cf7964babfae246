//! Messages of tollproof: its own words and the values inserted into them.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};

use crate::syntax::message_parts::{bounded, quoted};

/// A message with inserted values at known positions, so that `--redact` masks the values and nothing else.
///
/// A `&'static str` becomes a message without values. The parts of a `String` are of unknown origin, so all of it
/// becomes one value.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Message(Box<Parts>);

/// Boxed to keep the types small that contain several messages, such as findings and parse errors.
#[derive(Clone, Default, PartialEq, Eq)]
struct Parts {
    text: String,
    /// Sorted and without overlap.
    values: Vec<Range<usize>>,
}

impl Message {
    /// A message without any value of a draft, a record or a user's settings.
    #[must_use]
    pub fn own(text: impl Into<String>) -> Self {
        Self(Box::new(Parts { text: text.into(), values: Vec::new() }))
    }

    /// A message that is one inserted value.
    #[must_use]
    pub fn value(value: impl Into<String>) -> Self {
        let text = bounded(value.into());
        let values = Some(0..text.len()).filter(|it| !it.is_empty()).into_iter().collect();
        Self(Box::new(Parts { text, values }))
    }

    /// Concatenates messages.
    #[must_use]
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut message = Self::default();
        parts.into_iter().for_each(|part| message.push(&part));
        message
    }

    /// The whole message, with its values.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The byte ranges of inserted values, sorted and without overlap.
    #[must_use]
    pub fn values(&self) -> &[Range<usize>] {
        &self.0.values
    }

    /// Whether the message is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.text.is_empty()
    }

    /// Appends tollproof's own words.
    pub(crate) fn push_own(&mut self, text: &str) {
        self.0.text.push_str(text);
    }

    /// Appends a part; the part knows which of its bytes are an inserted value.
    pub(crate) fn push(&mut self, part: &(impl Part + ?Sized)) {
        part.add_to(self);
    }

    /// A template in which each `{}` is replaced by the next part.
    pub(crate) fn filled(template: &'static str, parts: &[&dyn Part]) -> Self {
        let mut message = Self::default();
        let mut parts = parts.iter();
        for (at, own) in template.split("{}").enumerate() {
            // The macro checks at compile time that there is a part for each `{}`.
            if let Some(part) = (at > 0).then(|| parts.next()).flatten() {
                part.add_to(&mut message);
            }
            message.push_own(own);
        }
        message
    }

    /// The same message with each value replaced by `other(value)`.
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

/// A message from a template with a `{}` for each of the arguments after it. Arguments count as inserted values; wrap
/// tollproof's own words in [`Message::own`].
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

/// The number of `{}` in a template; a brace with a name in it would be neither replaced nor printed correctly.
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

/// A value or message that can be inserted into a message.
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

/// A count made by tollproof, so not a value to mask.
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
