//! The escapes of RFC 6901, in which pointers write keys.

use std::borrow::Cow;

/// Appends one key or index to a pointer.
pub fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    pointer.push_str(&escaped(token));
}

/// A key as pointers write it.
#[must_use]
pub fn escaped(key: &str) -> Cow<'_, str> {
    match key.contains(['~', '/']) {
        true => key.replace('~', "~0").replace('/', "~1").into(),
        false => key.into(),
    }
}

/// The key that a pointer writes as `token`.
#[must_use]
pub fn unescaped(token: &str) -> Cow<'_, str> {
    match token.contains('~') {
        true => token.replace("~1", "/").replace("~0", "~").into(),
        false => token.into(),
    }
}
