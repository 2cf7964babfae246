//! The table of formats in `docs/outputs.md` is the list in the program.

use std::fmt::Write as _;

use tollproof_project::INPUT_FORMATS;

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

#[test]
fn the_page_of_checks_and_the_help_list_every_input_format() {
    let help = tollproof(&["check", "--help"], "").split_whitespace().collect::<Vec<_>>().join(" ");
    let about = tollproof(&["--help"], "");
    let mut table = "| format | extensions | a file has |\n|---|---|---|\n".to_owned();
    for format in &INPUT_FORMATS {
        for extension in format.extensions {
            assert!(help.contains(&format!(".{extension}")), "{extension}");
        }
        assert!(about.contains(format.name), "{}: {about}", format.name);
        let extensions: Vec<String> = format.extensions.iter().map(|it| format!("`.{it}`")).collect();
        writeln!(table, "| {} | {} | {} |", format.name, extensions.join(", "), format.about)
            .expect("strings take everything");
    }
    generated_part("docs/checking.md", "input formats", &table);
}
