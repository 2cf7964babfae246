//! Ids in the forms of the providers. They depend only on what was done before, so that a test can expect them.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// The SHA-256 of some bytes, as hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The 32 hexadecimal digits made from some texts.
pub(crate) fn digits(of: &[&str]) -> String {
    let mut digits = hash(of.join("\n").as_bytes());
    digits.truncate(32);
    digits
}

/// The UUID made from some texts. It has the form of a random one (version 4).
pub(crate) fn uuid(of: &[&str]) -> String {
    let mut text = digits(of);
    text.replace_range(12..13, "4");
    text.replace_range(16..17, "a");
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}
