//! Paths as `file:` URIs.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;
use percent_encoding::percent_decode_str;
use tollproof_project::uri_path;

/// The path of a `file:` URI; `None` for other schemes, such as `untitled:`.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    // A host is `localhost` or empty; on Windows another host is the first part of a network path.
    let (host, path) = rest.split_at(rest.find('/')?);
    let path = percent_decode_str(path).decode_utf8().ok()?;
    if path.contains('\0') {
        return None;
    }
    if cfg!(windows) {
        return Some(match host {
            "" | "localhost" => PathBuf::from(path.trim_start_matches('/')),
            host => PathBuf::from(format!("//{host}{path}")),
        });
    }
    matches!(host, "" | "localhost").then(|| PathBuf::from(path.as_ref()))
}

/// The `file:` URI of an absolute path. Editors compare URIs byte by byte.
pub(crate) fn uri_of(path: &Path) -> Uri {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let slash = if text.starts_with('/') { "" } else { "/" };
    Uri(format!("file://{slash}{}", uri_path(&text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_path_comes_back_from_its_uri() {
        for path in ["/srv/drafts/a.json", "/srv/my drafts/é#1?.yaml", "/srv/100%/[a].json"] {
            let uri = uri_of(Path::new(path));
            assert!(!uri.0.contains(' '), "{}", uri.0);
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)));
        }
        let path = |uri: &str| path_of(&Uri(uri.to_owned()));
        assert_eq!(path("file://localhost/a%20b.json"), Some(PathBuf::from("/a b.json")));
        for other in
            ["untitled:Untitled-1", "file:", "file://", "file://host/a", "", "file:///a%00", "file:///%ff"]
        {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
