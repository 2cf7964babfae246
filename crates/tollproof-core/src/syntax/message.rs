//! Messages of tollproof: its own words and the values inserted into them.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, Range};

use crate::syntax::message_parts::{bounded, quoted};
use crate::syntax::message_template::{English, FilledTemplate, moved_range, shifted};

/// A message with inserted values at known positions, so that `--redact` masks the values and nothing else.
///
/// A `&'static str` becomes a message without values. The parts of a `String` are of unknown origin, so all of it
/// becomes one value.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Message(Box<MessageParts>);

/// Boxed to keep the types small that contain several messages, such as findings and parse errors.
#[derive(Clone, Default, PartialEq, Eq)]
struct MessageParts {
    text: String,
    /// Sorted and without overlap.
    values: Vec<Range<usize>>,
    /// Sentences of the text that can be translated, each before those in its holes.
    templates: Vec<FilledTemplate>,
}

impl Message {
    /// A message without any value of a draft, a record or a user's settings.
    #[must_use]
    pub fn own(text: impl Into<String>) -> Self {
        let text = text.into();
        let templates = FilledTemplate::of_words(&text).map_or_else(Vec::new, |it| vec![it]);
        Self(Box::new(MessageParts { text, values: Vec::new(), templates }))
    }

    /// A name, code or value that is the same in all languages, and is not from a draft.
    pub(crate) fn name(text: impl Into<String>) -> Self {
        Self(Box::new(MessageParts { text: text.into(), values: Vec::new(), templates: Vec::new() }))
    }

    /// A message that is one inserted value.
    #[must_use]
    pub fn value(value: impl Into<String>) -> Self {
        let text = bounded(value.into());
        let values = Some(0..text.len()).filter(|it| !it.is_empty()).into_iter().collect();
        Self(Box::new(MessageParts { text, values, templates: Vec::new() }))
    }

    /// The end of a message: `; did you mean ...?`, or nothing.
    pub(crate) fn did_you_mean(nearest: Option<&str>) -> Self {
        nearest.map(|nearest| message!("; did you mean `{}`?", Self::name(nearest))).unwrap_or_default()
    }

    /// A list whose last part is joined by a word: `a`, `a or b`, `a, b or c`. `last` joins what was before it with it.
    pub(crate) fn listed(
        parts: impl IntoIterator<Item = Self>,
        last: impl FnOnce(Self, Self) -> Self,
    ) -> Self {
        let mut parts: Vec<Self> = parts.into_iter().collect();
        let Some(end) = parts.pop() else { return Self::default() };
        if parts.is_empty() { end } else { last(Self::separated(parts), end) }
    }

    /// A list with commas.
    pub(crate) fn separated(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut message = Self::default();
        for (at, part) in parts.into_iter().enumerate() {
            message.push_own(if at > 0 { ", " } else { "" });
            message.push(&part);
        }
        message
    }

    /// Concatenates messages.
    #[must_use]
    pub fn join(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut message = Self::default();
        parts.into_iter().for_each(|part| message.push(&part));
        message
    }

    /// The whole message, with its values.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The byte ranges of inserted values, sorted and without overlap.
    pub fn values(&self) -> &[Range<usize>] {
        &self.0.values
    }

    /// Whether the message is empty.
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

    /// A sentence in English with a `{name}` for each part, which [`Translation`](crate::Translation) can translate. A part
    /// that is not given stays empty.
    #[must_use]
    pub fn with(template: &'static str, parts: &[(&str, Self)]) -> Self {
        let mut message = Self::default();
        message.begin(English::Template(template), parts.len());
        let (first, rest) = template.split_once('{').unwrap_or((template, ""));
        message.push_own(first);
        let rest = if rest.is_empty() { None } else { Some(rest.split('{')) };
        for (position, text) in rest.into_iter().flatten().enumerate() {
            let (name, words) = text.split_once('}').unwrap_or((text, ""));
            if let Some((_, part)) = parts.iter().find(|(it, _)| *it == name) {
                message.push_hole(position, part);
            }
            message.push_own(words);
        }
        message.end();
        message
    }

    /// A template in which each `{}` is replaced by the next part.
    pub(crate) fn filled(template: &'static str, parts: &[&dyn Part]) -> Self {
        let mut message = Self::default();
        message.begin(English::Template(template), parts.len());
        for (at, own) in template.split("{}").enumerate() {
            // The macro checks at compile time that there is a part for each `{}`.
            if let Some((hole, part)) = at.checked_sub(1).and_then(|hole| Some((hole, parts.get(hole)?))) {
                message.push_hole(hole, *part);
            }
            message.push_own(own);
        }
        message.end();
        message
    }

    /// Begins an empty message that is all one template with so many placeholders.
    pub(crate) fn begin(&mut self, english: English, placeholders: usize) {
        // A hostile text has very many messages.
        self.0.templates = vec![FilledTemplate::new(english, placeholders)];
    }

    /// Appends a part in place of a placeholder of the template that was begun, by the placeholder's position in it.
    pub(crate) fn push_hole(&mut self, position: usize, part: &(impl Part + ?Sized)) {
        let start = self.0.text.len();
        part.add_to(self);
        let hole = start..self.0.text.len();
        self.0.templates[0].holes.push((position, hole));
    }

    /// Ends the template that was begun.
    pub(crate) fn end(&mut self) {
        self.0.templates[0].at = 0..self.0.text.len();
        if self.0.text.is_empty() {
            self.0.templates.clear();
        }
    }

    /// Sentences of the text, each before those in its holes.
    pub(super) fn templates(&self) -> &[FilledTemplate] {
        &self.0.templates
    }

    /// Appends a range of another message, with the values in it.
    pub(crate) fn push_range(&mut self, other: &Self, range: Range<usize>) {
        let (from, to) = (range.start, self.0.text.len());
        self.0.text.push_str(&other.0.text[range.clone()]);
        let inside =
            other.0.values.iter().filter(|value| range.start <= value.start && value.end <= range.end);
        self.0.values.extend(inside.map(|it| it.start - from + to..it.end - from + to));
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
        let moved: Vec<_> = self.0.values.iter().zip(&message.0.values).collect();
        message.0.templates = self.0.templates.iter().map(|it| it.moved(&moved)).collect();
        message
    }

    /// The same message with another name where a placeholder is filled with a name.
    pub(crate) fn renamed(&self, old: &str, new: &str) -> Self {
        let holes = self.0.templates.iter().flat_map(|template| &template.holes).map(|(_, range)| range);
        let mut holes: Vec<&Range<usize>> =
            holes.filter(|range| self.0.text[(*range).clone()] == *old).collect();
        holes.sort_by_key(|range| range.start);
        holes.dedup();
        let new = quoted(new);
        let (mut text, mut at, mut moved) = (String::new(), 0, Vec::new());
        for hole in holes {
            text.push_str(&self.0.text[at..hole.start]);
            moved.push((hole, text.len()..text.len() + new.len()));
            text.push_str(&new);
            at = hole.end;
        }
        text.push_str(&self.0.text[at..]);
        let moved: Vec<_> = moved.iter().map(|(was, is)| (*was, is)).collect();
        let values = self.0.values.iter().map(|range| moved_range(range, &moved)).collect();
        let templates = self.0.templates.iter().map(|template| template.moved(&moved)).collect();
        Self(Box::new(MessageParts { text, values, templates }))
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
        message.0.values.extend(self.0.values.iter().map(|it| shifted(it, start)));
        message.0.templates.reserve_exact(self.0.templates.len());
        message.0.templates.extend(self.0.templates.iter().map(|it| it.shifted(start)));
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

impl From<usize> for Message {
    /// A count made by tollproof.
    fn from(count: usize) -> Self {
        Self::name(count.to_string())
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
        assert_eq!(
            whole.with_values(|value| "*".repeat(value.len())),
            "`***` is not 7 (did you mean `US`?); ***"
        );
        assert!(Message::from("may").values().is_empty());
        assert_eq!(Message::from(String::from("may")).values().first(), Some(&(0..3)));
        assert!(message!("{}", "").values().is_empty());
    }
}
