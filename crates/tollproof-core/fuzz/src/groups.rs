//! Names of built-in groups.

use std::sync::OnceLock;

use tollproof_core::Linter;

/// The names of built-in groups, as far as the examples have their terms.
pub(crate) fn builtin_groups() -> &'static [String] {
    static GROUPS: OnceLock<Vec<String>> = OnceLock::new();
    GROUPS.get_or_init(|| {
        let linter = Linter::builtin();
        let mut names: Vec<String> =
            crate::text::examples().iter().flat_map(|it| linter.read_text(it).groups).collect();
        names.sort();
        names.dedup();
        names
    })
}
