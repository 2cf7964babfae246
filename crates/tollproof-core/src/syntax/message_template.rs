//! The sentences of which a message was made, so that it can be said in another language.

use std::ops::Range;

/// A sentence in English, as the sources or a rule have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum English {
    /// The text of the message itself, which has no placeholders.
    Words,
    /// A template with `{}` for each part.
    Template(&'static str),
    /// A text of a rule, with `{name}` for each part and the default provider's names of fields.
    Rule(Box<str>),
}

/// A sentence in a message, with its placeholders filled.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FilledTemplate {
    pub(super) english: English,
    /// The place in the message.
    pub(super) at: Range<usize>,
    /// The values of its placeholders: which of them, counted from 0, and where in the message.
    pub(super) holes: Vec<(usize, Range<usize>)>,
}

impl FilledTemplate {
    pub(super) fn new(english: English, placeholders: usize) -> Self {
        Self { english, at: 0..0, holes: Vec::with_capacity(placeholders) }
    }

    /// A whole text without placeholders. `None` if it has no letters, so that nothing is translated.
    pub(super) fn of_words(text: &str) -> Option<Self> {
        let has_words = text.contains(char::is_alphabetic);
        has_words.then(|| Self { at: 0..text.len(), ..Self::new(English::Words, 0) })
    }

    pub(super) fn shifted(&self, start: usize) -> Self {
        let holes = self.holes.iter().map(|(position, range)| (*position, shifted(range, start)));
        Self { english: self.english.clone(), at: shifted(&self.at, start), holes: holes.collect() }
    }

    /// The same after values of the message were replaced: each with where it was and where it is.
    pub(super) fn moved(&self, values: &[(&Range<usize>, &Range<usize>)]) -> Self {
        let moved = |range: &Range<usize>| moved_range(range, values);
        let holes = self.holes.iter().map(|(position, range)| (*position, moved(range)));
        Self { english: self.english.clone(), at: moved(&self.at), holes: holes.collect() }
    }
}

/// A range after parts of a text were replaced: each with where it was and where it is.
pub(super) fn moved_range(range: &Range<usize>, parts: &[(&Range<usize>, &Range<usize>)]) -> Range<usize> {
    let position = |at: usize| match parts.iter().rev().find(|(was, _)| was.end <= at) {
        Some((was, is)) => at - was.end + is.end,
        None => at,
    };
    position(range.start)..position(range.end)
}

pub(super) fn shifted(range: &Range<usize>, start: usize) -> Range<usize> {
    start + range.start..start + range.end
}

/// The names of the placeholders of a template, in order; empty for `{}`.
pub(crate) fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|(name, _)| name)
}
