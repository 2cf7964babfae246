//! Paths as parts of URIs.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// The characters that a path in a URI may not contain as they are (RFC 3986).
const RESERVED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A path with an escape for each character that it may not contain in a URI.
pub fn uri_path(path: &str) -> String {
    utf8_percent_encode(path, RESERVED).to_string()
}
