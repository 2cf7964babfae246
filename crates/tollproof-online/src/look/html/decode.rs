//! The bytes of a page to text, in the encoding that the page says.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Bytes from the start in which a page says its encoding.
const PRESCAN: usize = 1024;

/// The text of a page. What the encoding cannot have is replaced.
pub(in crate::look) fn decode(bytes: &[u8], content_type: Option<&str>) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(PRESCAN)]);
    let named = content_type.and_then(charset).or_else(|| charset(&head));
    let encoding = match named {
        Some(encoding) => encoding,
        None if std::str::from_utf8(bytes).is_ok() => UTF_8,
        None => WINDOWS_1252,
    };
    // A mark at the start decides before all else.
    encoding.decode(bytes).0.into_owned()
}

/// The encoding after `charset=`.
fn charset(text: &str) -> Option<&'static Encoding> {
    let text = text.to_ascii_lowercase();
    let (_, after) = text.split_once("charset")?;
    let value = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let end =
        value.find(|character: char| !(character.is_ascii_alphanumeric() || "-_:.".contains(character)));
    Encoding::for_label(&value.as_bytes()[..end.unwrap_or(value.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_in_its_encoding() {
        let latin = b"<meta charset='iso-8859-1'>caf\xe9";
        assert!(decode(latin, None).ends_with("caf\u{e9}"));
        assert!(decode(b"caf\xe9", None).ends_with("caf\u{e9}"), "old pages say nothing");
        assert!(decode("café".as_bytes(), None).ends_with("café"));
        assert!(decode("café".as_bytes(), Some("text/html; charset=\"UTF-8\"")).ends_with("café"));
        assert_eq!(decode(b"\xff\xfea\0b\0", Some("text/html")), "ab");
        assert_eq!(decode(b"", Some("text/html; charset=nonsense")), "");
    }
}
