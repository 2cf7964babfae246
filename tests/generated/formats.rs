//! The table of formats in `docs/outputs.md` is the list in the program.

use std::fmt::Write as _;

use super::{generated_part, tollproof};
use crate::support::formats;

#[test]
fn the_page_of_reports_lists_every_format() {
    let help = tollproof(&["check", "--help"], "");
    let (_, list) = help.split_once("Formats:\n").expect("the help lists the formats");
    let lines = list.lines().take_while(|line| !line.trim().is_empty());
    let rows: Vec<_> = lines.filter_map(|line| line.trim().strip_prefix("- ")?.split_once(": ")).collect();
    assert_eq!(rows.iter().map(|(name, _)| *name).collect::<Vec<_>>(), *formats());
    let mut table = "| format | what it is for |\n|---|---|\n".to_owned();
    for (name, about) in rows {
        writeln!(table, "| `{name}` | {about} |").expect("strings take everything");
    }
    generated_part("docs/outputs.md", "formats", &table);
}
