//! A finding's text, with some words around it, for notebooks.

use pyo3::prelude::*;
use tollproof_core::{Source, Span};

/// The most findings of a check with excerpts.
pub(crate) const MAX_EXCERPTS: usize = 200;

/// The number of characters shown before and after the marked part.
const AROUND: usize = 40;

/// The most characters marked.
const MARKED: usize = 160;

/// A part of a line: what comes before the marked part, the part, and what comes after it.
#[derive(Clone, FromPyObject, IntoPyObject)]
pub(crate) struct MarkedExcerpt(String, String, String);

impl MarkedExcerpt {
    /// The excerpt around a span. Quotation marks around a value are left out.
    pub(crate) fn of(source: &Source<'_>, span: Span) -> Option<Self> {
        let (text, range) = (source.text(), span.range());
        let (before, marked, after) =
            (text.get(..range.start)?, text.get(range.clone())?, text.get(range.end..)?);
        // What is missing points at the bracket that it would follow.
        if marked.chars().all(|it| "{}[]".contains(it)) {
            return None;
        }
        let is_inside = |it: &char| !matches!(it, '\n' | '"');
        if let Some(value) = marked.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
            return Some(Self(String::new(), beginning(value.chars(), MARKED), String::new()));
        }
        let before = beginning(before.chars().rev().take_while(is_inside), AROUND);
        let after = beginning(after.chars().take_while(is_inside), AROUND);
        Some(Self(before.chars().rev().collect(), beginning(marked.chars(), MARKED), after))
    }
}

/// The first characters, with a mark if there are more.
fn beginning(text: impl Iterator<Item = char>, most: usize) -> String {
    let mut text = text.peekable();
    let mut beginning: String = text.by_ref().take(most).collect();
    if text.peek().is_some() {
        beginning.push('…');
    }
    beginning
}
