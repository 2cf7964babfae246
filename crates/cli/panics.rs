//! The message of a panic: where it happened, but no text of a draft and no path of the build machine.

use std::panic::{self, PanicHookInfo};

use crate::errors::Failure;
use crate::output::stderr;

/// Replaces the standard panic message, which may quote the text of a draft and contains paths of the build machine.
pub(crate) fn set_hook() {
    panic::set_hook(Box::new(|panic| stderr::fail(&failure(panic).plain())));
}

fn failure(panic: &PanicHookInfo<'_>) -> Failure {
    let place =
        panic.location().map(|location| format!("{}:{}", without_home(location.file()), location.line()));
    let place = place.as_deref().unwrap_or("an unknown place");
    Failure::list(
        format_args!("tollproof {} panicked at {place}", env!("CARGO_PKG_VERSION")),
        &["help: This is a bug in tollproof. Please report this line and the command that you ran; no text of your \
           files is in it."
            .to_owned()],
    )
}

/// A source path without the folders above its package, which are specific to the build machine.
fn without_home(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).collect();
    let source = parts.iter().rposition(|part| *part == "src").unwrap_or(parts.len());
    let is_absolute = path.starts_with(['/', '\\']) || path.contains(':');
    let first = if is_absolute { source.saturating_sub(1).min(parts.len() - 1) } else { 0 };
    parts[first..].join("/")
}

#[cfg(test)]
mod tests {
    use super::without_home;

    #[test]
    fn a_place_is_shown_without_the_folders_above_its_package() {
        for (path, shown) in [
            ("crates/cli/main.rs", "crates/cli/main.rs"),
            ("crates/tollproof-core/src/linter.rs", "crates/tollproof-core/src/linter.rs"),
            ("/opt/cargo/registry/src/index-1949/url-2.5.4/src/parser/mod.rs", "url-2.5.4/src/parser/mod.rs"),
            ("/anywhere/build.rs", "build.rs"),
            (r"C:\cargo\registry\src\index-1949\psl-2.1\src\list.rs", "psl-2.1/src/list.rs"),
        ] {
            assert_eq!(without_home(path), shown);
        }
    }
}
