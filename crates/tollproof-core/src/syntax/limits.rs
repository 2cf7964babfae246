//! What a text may cost: limits that no honest file comes near.

use std::borrow::Cow;

use crate::syntax::document::{SyntaxError, SyntaxErrorKind};
use crate::syntax::message::message;
use crate::syntax::source::Span;

/// How deep objects and lists may nest. A draft needs three.
pub(super) const MAX_DEPTH: usize = 64;

/// How long one string may be, in bytes. The longest that reviewers read through has a tenth of it.
pub(crate) const MAX_STRING: usize = 32 * 1024;

/// As much is kept of a key that is longer, in bytes.
const KEY: usize = 240;

/// Values that any text may hold, whatever its size.
const FREE_VALUES: usize = 40_000;

/// Environment those, one value in so many bytes. A draft has about one in sixty.
const BYTES_A_VALUE: usize = 16;

/// Counts the values of one text, so that its tree stays within a few times the text's size.
#[derive(Debug)]
pub(super) struct Budget {
    allowed: usize,
    used: usize,
}

impl Budget {
    /// The budget of a text of so many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        Self { allowed: FREE_VALUES + bytes / BYTES_A_VALUE, used: 0 }
    }

    /// Takes `values` from the budget; false once it is spent.
    pub(super) fn take(&mut self, values: usize) -> bool {
        self.used = self.used.saturating_add(values);
        self.used <= self.allowed
    }

    /// The fault of a text with too many values.
    pub(super) fn spent(&self, at: Span) -> SyntaxError {
        let message = message!("this text has more than {} values, too many for its size", self.allowed);
        SyntaxError::new(SyntaxErrorKind::Limit, at, message)
            .help("Split the file. Nothing after this place was read.")
    }
}

/// The fault of a string that no check should look at.
pub(super) fn too_long(at: Span) -> SyntaxError {
    let message = message!("this text is longer than {} KiB", MAX_STRING / 1024);
    SyntaxError::new(SyntaxErrorKind::Limit, at, message).help("Shorten it. It was not checked.")
}

/// The beginning of a key that is longer than any field: each pointer below it would repeat it.
pub(super) fn beginning_of<'s>(key: &Cow<'s, str>) -> Cow<'s, str> {
    let end = (0..=KEY.min(key.len())).rev().find(|&at| key.is_char_boundary(at)).unwrap_or_default();
    match key {
        Cow::Borrowed(key) => Cow::Borrowed(&key[..end]),
        Cow::Owned(key) => Cow::Owned(key[..end].to_owned()),
    }
}

/// The fault of a value that nests too deep.
pub(super) fn too_deep(at: Span) -> SyntaxError {
    SyntaxError::new(SyntaxErrorKind::Limit, at, message!("this has more than {} nested levels", MAX_DEPTH))
        .help("A submission has at most three nested levels. The content was not read.")
}
