//! A baseline as it is kept in a file: JSON that git merges well and that holds nothing of the drafts.

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;

use tollproof_history::{name_of, reason};

use super::BaselineEntry;
use crate::atomic_file::AtomicFile;
use crate::files::Files;

/// The version of the form; it changes when a reader of the old form would go wrong.
const VERSION: u64 = 1;

/// The findings that a baseline knows. tollproof writes it; `tollproof baseline prune` takes out what is mended.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Baseline of tollproof check"))]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    /// The version of this form, 1.
    version: u64,
    /// In the order of file, rule and fingerprint.
    findings: Vec<BaselineEntry>,
}

/// Why a baseline cannot be read or written. No error quotes the file: it may be a draft that was named by mistake.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// The file cannot be read.
    #[error("cannot read the baseline `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// The file is something else.
    #[error("`{}` is not a baseline: at line {line}, column {column}, {}", name_of(path), problem.words())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
        /// What is wrong there.
        problem: BaselineProblem,
    },
    /// Another version of tollproof wrote the file.
    #[error(
        "`{}` is a baseline of version {found}, and this tollproof reads version {VERSION}",
        name_of(path)
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// The file cannot be written, and is as it was.
    #[error("cannot write the baseline `{}`: {}", name_of(path), reason(error))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
}

/// What is wrong with a file that should be a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaselineProblem {
    /// It is not JSON.
    NotJson,
    /// It is JSON of another form.
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

/// Puts the entries in the place of a file, whole or not at all.
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

/// Reads the text of a file.
fn parse(path: &Path, text: &str) -> Result<Vec<BaselineEntry>, BaselineError> {
    /// What every version has.
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

/// Reads how many findings an entry knows: at least one, and no more than can be added up.
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
