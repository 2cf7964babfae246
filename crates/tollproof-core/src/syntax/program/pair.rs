//! Keys of items, and fields with the values that statements give them.

use std::borrow::Cow;
use std::ops::Range;

use crate::syntax::span::Span;

/// A key at the beginning of an item, and where its value begins.
pub(super) struct Key<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) span: Span,
    pub(super) value: usize,
}

/// A field with the value that a statement gives it.
pub(super) struct Pair<'s> {
    pub(super) key: Key<'s>,
    pub(super) value: Range<usize>,
    /// The thing that the statement sets it on: a variable, a function.
    pub(super) on: Cow<'s, str>,
    /// The innermost block around it.
    pub(super) block: usize,
    /// Whether another value with this name is one more.
    pub(super) adds: bool,
}
