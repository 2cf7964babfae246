//! The escapes of RFC 6901, in which pointers write keys.

use std::borrow::Cow;

/// Appends one key or index to a pointer.
pub fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    pointer.push_str(&escaped(token));
}

/// A key as pointers write it.
pub fn escaped(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

/// The key that a pointer writes as `token`.
pub fn unescaped(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}
