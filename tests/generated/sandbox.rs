//! The page of the sandbox lists everything that it assumes.

use std::fmt::Write as _;

use tollproof_sandbox::ASSUMPTIONS;

use super::generated_part;

#[test]
fn the_page_lists_what_is_assumed() {
    let mut table = "| provider | id | assumption |\n|---|---|---|\n".to_owned();
    for it in ASSUMPTIONS {
        let _ = writeln!(table, "| {} | `{}` | {} |", it.provider, it.id, it.text);
    }
    generated_part("docs/sandbox.md", "assumptions", &table);
}
