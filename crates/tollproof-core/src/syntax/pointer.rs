//! JSON pointers (RFC 6901): where a value is in its document.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use tollproof_data::pointer::{escaped, unescaped};

/// The maximum length of a pointer in reports, in bytes.
const MAX_SHOWN: usize = 4_096;

/// A JSON pointer (RFC 6901), such as `/phoneNumbers/0`. The empty pointer is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// The keys and indexes on the way, unescaped.
    pub fn tokens(&self) -> impl Iterator<Item = String> + '_ {
        self.0.split('/').skip(1).map(|token| Self::unescape(token).into_owned())
    }

    /// A key as pointers write it: `~` and `/` are escaped.
    pub fn escape(key: &str) -> Cow<'_, str> {
        escaped(key)
    }

    /// The key that pointers write as `token`.
    pub fn unescape(token: &str) -> Cow<'_, str> {
        unescaped(token)
    }

    /// The pointer of the object or list that contains the value; none for the whole document.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// As text of at most 4096 bytes, for reports: a key may be as long as its file, and each finding would repeat it.
    pub fn bounded(&self) -> &str {
        let end = (0..=self.0.len().min(MAX_SHOWN)).rev().find(|&at| self.0.is_char_boundary(at));
        &self.0[..end.unwrap_or_default()]
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Pointer {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for Pointer {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Pointer {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl PartialEq<str> for Pointer {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Pointer {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

#[cfg(test)]
mod tests {
    use super::Pointer;

    #[test]
    fn a_pointer_has_tokens_and_a_parent() {
        let pointer = Pointer::from("/a~1b/m~0n/0");
        assert_eq!(pointer.tokens().collect::<Vec<_>>(), ["a/b", "m~n", "0"]);
        assert_eq!(pointer.parent().as_deref(), Some("/a~1b/m~0n"));
        let whole = Pointer::default();
        assert!(whole.is_empty() && whole.parent().is_none() && whole.tokens().next().is_none());
    }
}
