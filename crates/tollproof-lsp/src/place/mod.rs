//! The cursor's place in a draft that is being written, and so may not be readable yet.

mod json;
mod yaml;

use std::ops::Range;

use tollproof_core::Format;

/// The place of the cursor in a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CursorPlace {
    /// The keys from the document to the object that has the key, or to the value; `-` is an item of a list.
    pub(crate) path: Vec<String>,
    /// The text already there, which a completion replaces.
    pub(crate) token: Range<usize>,
    pub(crate) slot: Slot,
}

/// The content expected at the cursor.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A key of an object.
    Key {
        /// The other keys of the object.
        keys: Vec<String>,
        /// Whether a colon follows, so that only the name is replaced.
        has_colon: bool,
        /// Place of a missing comma before the key.
        comma_before: Option<usize>,
        /// Whether a comma is missing after the member.
        comma_after: bool,
        /// The columns of spaces before the key in YAML.
        indent: usize,
    },
    /// A value of a member or an item of a list.
    Value {
        /// Whether a space is missing before it.
        needs_space: bool,
    },
    /// A comment in YAML, which begins here.
    Comment(usize),
}

impl CursorPlace {
    /// The place of an offset in a text. `roots` are the offsets at which its documents begin.
    pub(crate) fn at(text: &str, format: Format, offset: usize, roots: &[usize]) -> Option<Self> {
        if !text.is_char_boundary(offset) {
            return None;
        }
        match format {
            Format::Json => json::at(text, 0, offset, roots),
            Format::Ndjson => {
                let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
                json::at(text, start, offset, roots)
            }
            Format::Yaml => yaml::at(text, offset, roots),
            _ => None,
        }
    }
}
