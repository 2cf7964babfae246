//! A baseline as it is kept in a file: JSON that git merges well and that holds nothing of the drafts.

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;

use super::Entry;
use crate::files::{name_of, reason};
use crate::replacement::Replacement;
use crate::report::Failure;

/// The version of the form; it changes when a reader of the old form would go wrong.
const VERSION: u64 = 1;

/// The findings that a baseline knows. tollproof writes it; `tollproof baseline prune` takes out what is mended.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "Baseline of tollproof check"))]
#[serde(deny_unknown_fields)]
struct Form {
    /// The version of this form, 1.
    version: u64,
    /// In the order of file, rule and fingerprint.
    findings: Vec<Entry>,
}

/// Reads the entries of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>, Failure> {
    let name = name_of(path);
    let text = tollproof_history::read_to_string(path).map_err(|error| {
        let missing = error.kind() == io::ErrorKind::NotFound;
        let help = if missing { "; `tollproof baseline write` makes one" } else { "" };
        Failure::new(format_args!("cannot read the baseline `{name}`: {}{help}", reason(&error)))
    })?;
    parse(&text).map_err(|why| Failure::new(format_args!("`{name}` {why}")))
}

/// Puts the entries in the place of a file, whole or not at all.
pub(super) fn write(path: &Path, entries: Vec<Entry>) -> Result<(), Failure> {
    let form = Form { version: VERSION, findings: entries };
    let put = || {
        let mut file = Replacement::create(path)?;
        serde_json::to_writer_pretty(&mut file, &form)?;
        writeln!(file)?;
        file.keep()
    };
    put().map_err(|error: io::Error| {
        Failure::new(format_args!("cannot write the baseline `{}`: {}", name_of(path), reason(&error)))
    })
}

/// Reads the text of a file. What is wrong with it is said without quoting it: it may be a draft that was named by
/// mistake.
fn parse(text: &str) -> Result<Vec<Entry>, String> {
    /// What every version has.
    #[derive(Deserialize)]
    struct Any {
        version: u64,
    }

    let wrong = |error: &serde_json::Error| {
        let what = match error.classify() {
            Category::Syntax | Category::Eof => "it is not JSON",
            Category::Data | Category::Io => "it is not in the form of one",
        };
        let (line, column) = (error.line(), error.column());
        format!("is no baseline: at line {line}, column {column}, {what}")
    };
    let Any { version } = serde_json::from_str(text).map_err(|error| wrong(&error))?;
    if version != VERSION {
        return Err(format!(
            "is a baseline of version {version}, and this tollproof reads version {VERSION}: use the tollproof that \
             wrote it, or delete it and type `tollproof baseline write`"
        ));
    }
    let form: Form = serde_json::from_str(text).map_err(|error| wrong(&error))?;
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
            (r#"{"businessName": "Acme"}"#, "line 1, column 24, it is not in the form of one"),
            (r#"["Acme"]"#, "it is not in the form of one"),
            (r#"{"version": "1", "findings": []}"#, "it is not in the form of one"),
            (r#"{"version": 1, "findings": [], "businessName": "Acme"}"#, "it is not in the form of one"),
            (r#"{"version": 1, "findings": [{"rule": "Acme"}]}"#, "it is not in the form of one"),
            (
                r#"{"version": 2, "known": []}"#,
                "is a baseline of version 2, and this tollproof reads version 1",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
            assert!(!error.contains("Acme"), "{error}");
        }
    }

    #[test]
    fn the_schema_is_up_to_date() {
        let mut schema = serde_json::to_value(schemars::schema_for!(Form)).expect("a schema is JSON");
        schema["$id"] = "baseline.schema.json".into();
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/baseline.schema.json");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &text).expect("the schemas can be written");
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert!(kept == text, "schemas/baseline.schema.json is stale: run `UPDATE=1 cargo test --workspace`");
    }
}
