//! The formats of drafts, in one table that help, messages, docs and tests read.

use std::path::Path;

use tollproof_core::Format;

/// A format of drafts.
#[derive(Debug)]
pub struct InputFormat {
    /// Its name for people.
    pub name: &'static str,
    /// The extensions of its files. Files with other extensions in a folder are skipped.
    pub extensions: &'static [&'static str],
    /// The documents' place in a file.
    pub about: &'static str,
}

/// All formats. Files of those with parts may also be compressed, with one more extension.
pub const INPUT_FORMATS: [InputFormat; 5] = [
    InputFormat { name: "JSON", extensions: &["json"], about: "one document or a list of them" },
    InputFormat {
        name: "YAML",
        extensions: &["yaml", "yml"],
        about: "the same, or several separated by `---`",
    },
    InputFormat { name: "NDJSON", extensions: &["ndjson", "jsonl"], about: "one document per line" },
    InputFormat {
        name: "CSV",
        extensions: &["csv", "tsv"],
        about: "one document per row, below the field names",
    },
    InputFormat { name: "Excel", extensions: &[WORKBOOK], about: "the same, in each sheet" },
];

/// The extension of workbooks.
const WORKBOOK: &str = "xlsx";

/// The extensions of all formats, for messages.
pub fn extensions() -> String {
    let all: Vec<String> =
        INPUT_FORMATS.iter().flat_map(|it| it.extensions).map(|it| format!(".{it}")).collect();
    let (last, others) = all.split_last().expect("there are formats");
    format!("{} or {last}", others.join(", "))
}

/// Whether a file is read when it is in a folder, by its name.
pub(crate) fn is_input(path: &Path) -> bool {
    Format::of_path(path).is_some() || is_workbook(path)
}

/// Whether a file is a workbook, by its name.
pub(crate) fn is_workbook(path: &Path) -> bool {
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case(WORKBOOK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_formats_that_are_read() {
        for extension in INPUT_FORMATS.iter().flat_map(|it| it.extensions) {
            assert!(is_input(Path::new(&format!("a.{extension}"))), "{extension}");
        }
        for name in ["a.csv.gz", "a.jsonl.zst"] {
            assert!(is_input(Path::new(name)), "{name}");
        }
        for name in ["a.json.gz", "a.xlsx.gz", "a.txt", "gz", "csv.gz"] {
            assert!(!is_input(Path::new(name)), "{name}");
        }
    }
}
