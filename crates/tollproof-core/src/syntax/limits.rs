//! Limits on the size and nesting of a text, far above those of any real file.

use std::borrow::Cow;

use crate::syntax::document::{SyntaxError, SyntaxErrorKind};
use crate::syntax::message::message;
use crate::syntax::source::Span;

/// The maximum nesting depth of objects and lists. A draft needs three levels.
pub(super) const MAX_DEPTH: usize = 64;

/// The maximum length of a string in bytes. The longest field that reviewers read has a tenth of it.
pub(crate) const MAX_STRING: usize = 32 * 1024;

/// The largest notes and programs that are read, in bytes. What people write by hand has a hundredth of it.
pub(crate) const MAX_WRITTEN: usize = 4 * 1024 * 1024;

/// The number of bytes kept of a key that is too long.
const KEY: usize = 240;

/// The number of values allowed in any text, whatever its size.
const FREE_VALUES: usize = 40_000;

/// Above [`FREE_VALUES`], one value is allowed for this many bytes. A draft has about one value in 60 bytes.
const BYTES_A_VALUE: usize = 16;

/// Counts the values of one text, so that its tree is at most a few times larger than the text.
#[derive(Default)]
pub(super) struct Budget {
    allowed: usize,
    used: usize,
}

impl Budget {
    /// The budget for a text of this many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        Self { allowed: FREE_VALUES + bytes / BYTES_A_VALUE, used: 0 }
    }

    /// Takes `values` from the budget; returns false once it is exhausted.
    pub(super) fn take(&mut self, values: usize) -> bool {
        self.used = self.used.saturating_add(values);
        self.used <= self.allowed
    }

    /// The error for a text with too many values.
    pub(super) fn spent(&self, at: Span) -> SyntaxError {
        let message = message!("this text has more than {} values, too many for its size", self.allowed);
        SyntaxError::new(SyntaxErrorKind::Limit, at, message)
            .help("Split the file. Nothing after this place was read.")
    }
}

/// The error for a string that is too long to be checked.
pub(super) fn too_long(at: Span) -> SyntaxError {
    let message = message!("this text is longer than {} KiB", MAX_STRING / 1024);
    SyntaxError::new(SyntaxErrorKind::Limit, at, message).help("Shorten it. It was not checked.")
}

/// The error for notes or a program that are larger than what people write.
pub(super) fn too_large(at: Span) -> SyntaxError {
    let message = message!("notes and programs above {} MiB are not read", MAX_WRITTEN / (1024 * 1024));
    SyntaxError::new(SyntaxErrorKind::Limit, at, message).help("Put the draft into a file of its own.")
}

/// The first bytes of a key that is too long; every pointer below it would repeat the whole key.
pub(super) fn beginning_of<'s>(key: &Cow<'s, str>) -> Cow<'s, str> {
    let end = (0..=KEY.min(key.len())).rev().find(|&at| key.is_char_boundary(at)).unwrap_or_default();
    match key {
        Cow::Borrowed(key) => Cow::Borrowed(&key[..end]),
        Cow::Owned(key) => Cow::Owned(key[..end].to_owned()),
    }
}

/// The error for a value that is nested too deeply.
pub(super) fn too_deep(at: Span) -> SyntaxError {
    SyntaxError::new(SyntaxErrorKind::Limit, at, message!("this has more than {} nested levels", MAX_DEPTH))
        .help("A submission has at most three nested levels. The content was not read.")
}
