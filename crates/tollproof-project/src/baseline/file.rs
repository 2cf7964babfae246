//! The file format of a baseline: JSON that git merges well and that contains no text of the drafts.

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;

use tollproof_history::{name_of, reason};

use super::BaselineEntry;
use crate::atomic_file::AtomicFile;
use crate::files::Files;

/// The version of the format. It changes when an older reader would misread the file.
const VERSION: u64 = 1;

/// A baseline of known findings. tollproof writes it; `tollproof baseline prune` removes findings that are fixed.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Baseline of tollproof check"))]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    /// The version of this format, 1.
    version: u64,
    /// Sorted by file, rule and fingerprint.
    findings: Vec<BaselineEntry>,
}

/// A baseline's read or write error. No error quotes the file, because it may be a draft that was named by
/// mistake.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("cannot read the baseline `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file is not a baseline.
    #[error("`{}` is not a baseline: at line {line}, column {column}, {}", name_of(path), problem.words())]
    Invalid {
        /// The path of the file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
        /// The fault at this position.
        problem: BaselineProblem,
    },
    /// The file was written by a version of tollproof with another format.
    #[error(
        "`{}` is a baseline of version {found}, and this tollproof reads version {VERSION}",
        name_of(path)
    )]
    Version {
        /// The path of the file.
        path: PathBuf,
        /// The version in the file.
        found: u64,
    },
    /// The file cannot be written. Its old content is unchanged.
    #[error("cannot write the baseline `{}`: {}", name_of(path), reason(error))]
    Unwritable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
}

/// The reason a file is not a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineProblem {
    /// It is not JSON.
    NotJson,
    /// It is JSON, but not a baseline.
    OtherForm,
}

impl BaselineProblem {
    fn words(self) -> &'static str {
        match self {
            Self::NotJson => "it is not JSON",
            Self::OtherForm => "it does not have the form of a baseline",
        }
    }
}

/// Reads the entries of a file.
pub(super) fn read(files: &dyn Files, path: &Path) -> Result<Vec<BaselineEntry>, BaselineError> {
    let text = files
        .read_to_string(path)
        .map_err(|error| BaselineError::Unreadable { path: path.to_owned(), error })?;
    parse(path, &text)
}

/// Replaces a file with these entries atomically.
pub(super) fn write(path: &Path, entries: Vec<BaselineEntry>) -> Result<(), BaselineError> {
    let form = BaselineFile { version: VERSION, findings: entries };
    let put = || {
        let mut file = AtomicFile::create(path)?;
        serde_json::to_writer_pretty(&mut file, &form)?;
        writeln!(file)?;
        file.commit()
    };
    put().map_err(|error| BaselineError::Unwritable { path: path.to_owned(), error })
}

/// Parses the content of a baseline file.
fn parse(path: &Path, text: &str) -> Result<Vec<BaselineEntry>, BaselineError> {
    /// The field that every version of the format has.
    #[derive(Deserialize)]
    struct Any {
        version: u64,
    }

    let wrong = |error: serde_json::Error| BaselineError::Invalid {
        path: path.to_owned(),
        line: error.line(),
        column: error.column(),
        problem: match error.classify() {
            Category::Syntax | Category::Eof => BaselineProblem::NotJson,
            Category::Data | Category::Io => BaselineProblem::OtherForm,
        },
    };
    let Any { version } = serde_json::from_str(text).map_err(wrong)?;
    if version != VERSION {
        return Err(BaselineError::Version { path: path.to_owned(), found: version });
    }
    let form: BaselineFile = serde_json::from_str(text).map_err(wrong)?;
    Ok(form.findings)
}

/// Reads the number of findings of an entry: at least one. Counts are limited to 32 bits so that their sum does not
/// overflow.
pub(super) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let count = NonZeroU32::deserialize(deserializer)?;
    Ok(usize::try_from(count.get()).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_baseline_is_said_without_quoting_it() {
        for (text, why) in [
            ("", "line 1, column 0, it is not JSON"),
            ("{\n  \"version\": 1,\n<<<<<<< ours\n", "line 3, column 1, it is not JSON"),
            (r#"{"businessName": "Acme"}"#, "line 1, column 24, it does not have the form of a baseline"),
            (r#"["Acme"]"#, "it does not have the form of a baseline"),
            (r#"{"version": "1", "findings": []}"#, "it does not have the form of a baseline"),
            (
                r#"{"version": 1, "findings": [], "businessName": "Acme"}"#,
                "it does not have the form of a baseline",
            ),
            (r#"{"version": 1, "findings": [{"rule": "Acme"}]}"#, "it does not have the form of a baseline"),
            (
                r#"{"version": 2, "known": []}"#,
                "is a baseline of version 2, and this tollproof reads version 1",
            ),
        ] {
            let error = parse(Path::new("known.json"), text).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
            assert!(!error.contains("Acme"), "{error}");
        }
    }

    #[test]
    fn the_schema_is_up_to_date() {
        let mut schema = serde_json::to_value(schemars::schema_for!(BaselineFile)).expect("a schema is JSON");
        schema["$id"] = "baseline.schema.json".into();
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/baseline.schema.json");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &text).expect("the schemas can be written");
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert!(kept == text, "schemas/baseline.schema.json is stale: run `UPDATE=1 cargo test --workspace`");
    }
}
