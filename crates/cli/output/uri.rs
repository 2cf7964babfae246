//! Paths of files for services: relative to the top of the repository, or as a URI.

use std::borrow::Cow;
use std::path::Path;

use tollproof_core::Source;
use tollproof_project::{Repository, uri_path};

/// A path as a URI reference: relative paths stay relative, absolute ones become `file:` URIs.
pub(super) fn uri(path: &str) -> String {
    // A colon in the first segment would be read as the end of a scheme.
    let escaped = |path: &str| uri_path(path).replace(':', "%3A");
    match path.split_at_checked(2) {
        Some((drive, rest)) if is_drive(drive) && rest.starts_with('/') => {
            format!("file:///{drive}{}", escaped(rest))
        }
        _ if path.starts_with('/') => format!("file://{}", escaped(path)),
        _ => escaped(path),
    }
}

/// Whether a path is absolute.
pub(super) fn is_absolute(path: &str) -> bool {
    uri(path).starts_with("file:")
}

/// Whether this is a Windows drive such as `C:`.
fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic())
}

/// The path of a related file from the top of the repository.
pub(super) fn identity_of(name: &str) -> Cow<'_, str> {
    let path = Path::new(name);
    // The name of a record from a store is not a path.
    let known = path.exists().then(|| Repository::around().name_of(path)).flatten();
    known.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// The source with its name from the top of the repository.
pub(super) fn known(source: Source<'static>) -> Source<'static> {
    let identity = identity_of(source.name()).into_owned();
    source.known_as(Some(identity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        for (path, expected) in [
            ("drafts/a b.json", "drafts/a%20b.json"),
            ("drafts/añ😀.json", "drafts/a%C3%B1%F0%9F%98%80.json"),
            ("50%#1?.json", "50%25%231%3F.json"),
            ("a:b.json", "a%3Ab.json"),
            ("<stdin>", "%3Cstdin%3E"),
            ("/srv/a.json", "file:///srv/a.json"),
            ("C:/drafts/a.json", "file:///C:/drafts/a.json"),
            ("../a.json", "../a.json"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}
