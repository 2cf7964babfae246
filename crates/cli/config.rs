//! `tollproof.yaml`: found from the current folder upwards, read strictly.

use std::fmt;
use std::fs;
use std::io;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use tollproof_core::Kind;
use tollproof_core::strict::{self, StrictError};
use tollproof_history::Location;

use crate::files::{name_of, reason};
use crate::repository::without_dots;

/// The file's name.
pub(crate) const NAME: &str = "tollproof.yaml";

/// Settings of every run that starts in the folder of this file or below it.
#[derive(Debug, Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "tollproof.yaml"))]
#[serde(deny_unknown_fields)]
struct Settings {
    /// The brand in the name of the testing use case: with `Acme`, `Acme Testing` is accepted.
    #[serde(default)]
    vendor: Option<String>,
    /// What the files that a glob matches are. Globs start from the folder of this file, `*` stays within a folder and
    /// `**` does not; of several that match, the first counts.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Kind>"))]
    kinds: Globs<Kind>,
    /// Where earlier submissions are kept: verification records as they were fetched (a file, a folder or a glob, seen
    /// from the folder of this file), `sqlite:PATH` or `postgres://...`. `--history` takes its place.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    history: Vec<Kept>,
    /// The id of the record that the update requests in the files of a glob change. Globs are those of `kinds`.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, String>"))]
    records: Globs<String>,
}

/// Where a history is kept.
#[derive(Debug)]
struct Kept(Location);

impl<'de> Deserialize<'de> for Kept {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

/// Globs and what holds for the files that they match; of several that match, the first counts.
#[derive(Debug)]
struct Globs<T>(Vec<(GlobMatcher, T)>);

impl<T> Default for Globs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// The settings of a run and the folder that their globs start from.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// The brand of the testing use case.
    pub(crate) vendor: Option<String>,
    /// The file that says so, if there is one.
    pub(crate) path: Option<PathBuf>,
    /// Where earlier submissions are kept.
    pub(crate) history: Vec<Location>,
    kinds: Globs<Kind>,
    records: Globs<String>,
    folder: PathBuf,
}

/// Why the settings cannot be used.
#[derive(Debug)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    Unreadable(String),
    /// The file says something that cannot be.
    Invalid(Box<StrictError>),
}

impl Config {
    /// The settings of a file that was named.
    pub(crate) fn of_file(path: &Path) -> Result<Self, ConfigError> {
        let unreadable = |error| unreadable(path, &error);
        let text = fs::read_to_string(path).map_err(unreadable)?;
        let path = std::path::absolute(path).map_err(unreadable)?;
        Self::parse(&text, &path)
    }

    /// The settings of the nearest file: in the current folder or above it, but not above the repository.
    pub(crate) fn nearest() -> Result<Self, ConfigError> {
        let here = std::env::current_dir().map_err(|error| unreadable(Path::new("."), &error))?;
        for folder in here.ancestors() {
            let path = folder.join(NAME);
            match fs::read_to_string(&path) {
                Ok(text) => return Self::parse(&text, &path),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(unreadable(&path, &error)),
            }
            if folder.join(".git").exists() {
                break;
            }
        }
        Ok(Self::default())
    }

    /// The kind that the settings give a file, by its path.
    pub(crate) fn kind_of(&self, path: &Path) -> Option<Kind> {
        self.kinds.of(path, &self.folder).copied()
    }

    /// The id of the record that the settings give the update requests of a file, by its path.
    pub(crate) fn record_of(&self, path: &Path) -> Option<&str> {
        self.records.of(path, &self.folder).map(String::as_str)
    }

    fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let folder = without_dots(path.parent().unwrap_or(Path::new("")));
        let settings = match is_blank(text) {
            true => Settings::default(),
            false => {
                strict::decode(&relative(path), text).map_err(|error| ConfigError::Invalid(masked(error)))?
            }
        };
        let Settings { vendor, kinds, history, records } = settings;
        let history = history.into_iter().map(|Kept(location)| location.below(&near(&folder))).collect();
        Ok(Self { vendor, path: Some(path.to_owned()), history, kinds, records, folder })
    }
}

impl<T> Globs<T> {
    /// What holds for a file; globs start from `folder`.
    fn of(&self, path: &Path, folder: &Path) -> Option<&T> {
        if self.0.is_empty() {
            return None;
        }
        let path = without_dots(&std::path::absolute(path).ok()?);
        let path = path.strip_prefix(folder).ok()?;
        self.0.iter().find(|(glob, _)| glob.is_match(path)).map(|(_, it)| it)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Globs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
            type Value = Globs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from globs")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Globs<T>, A::Error> {
                let mut globs = Vec::new();
                while let Some((pattern, value)) = map.next_entry::<String, T>()? {
                    let pattern = pattern.strip_prefix("./").unwrap_or(&pattern);
                    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
                    globs.push((glob.map_err(A::Error::custom)?.compile_matcher(), value));
                }
                Ok(Globs(globs))
            }
        }

        deserializer.deserialize_map(InOrder(PhantomData))
    }
}

/// The same error without passwords: those of addresses in the text are starred, letter by letter.
fn masked(mut error: Box<StrictError>) -> Box<StrictError> {
    error.text = starred(&error.text);
    error.message = starred(&error.message);
    error
}

/// A text with the passwords of its addresses (`scheme://user:password@host`) made of stars, as long as it was.
fn starred(text: &str) -> String {
    let mut starred = String::with_capacity(text.len());
    for word in text.split_inclusive(|it: char| it.is_whitespace() || matches!(it, ',' | '"' | '\'')) {
        let secret = word.find("://").and_then(|start| {
            let end = word.rfind('@')?;
            let colon = start + 3 + word.get(start + 3..end)?.find(':')?;
            Some(colon + 1..end)
        });
        match secret {
            Some(secret) => {
                starred.push_str(&word[..secret.start]);
                starred.extend(secret.clone().map(|_| '*'));
                starred.push_str(&word[secret.end..]);
            }
            None => starred.push_str(word),
        }
    }
    starred
}

fn unreadable(path: &Path, error: &io::Error) -> ConfigError {
    let why = reason(error);
    ConfigError::Unreadable(format!("cannot read the configuration `{}`: {why}", relative(path)))
}

/// A folder as seen from the current one, where it lies below it: names in reports stay short.
fn near(folder: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    folder.strip_prefix(&here).map_or_else(|_| folder.to_owned(), Path::to_owned)
}

/// The path as seen from the current folder, where it lies below it.
fn relative(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    name_of(path.strip_prefix(here).unwrap_or(path))
}

/// Whether a text holds comments and marks of documents alone.
fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').lines().all(|line| {
        let said = line.split_once(" #").map_or(line, |(said, _)| said).trim();
        said.is_empty() || said.starts_with('#') || matches!(said, "---" | "...")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, ConfigError> {
        let here = std::env::current_dir().expect("tests have a folder");
        Config::parse(text, &here.join(NAME))
    }

    #[test]
    fn the_first_glob_that_matches_gives_the_kind() {
        let text = "kinds:\n  updates/*.yaml: update-request\n  '**/*.yaml': submit-request\n";
        let config = config(text).expect("the settings are right");
        let kind = |path: &str| config.kind_of(Path::new(path));
        assert_eq!(kind("updates/a.yaml"), Some(Kind::UpdateRequest));
        assert_eq!(kind("./drafts/../updates/a.yaml"), Some(Kind::UpdateRequest));
        assert_eq!(kind("updates/deeper/a.yaml"), Some(Kind::SubmitRequest));
        assert_eq!(kind("a.json"), None);
        assert_eq!(kind("/elsewhere/a.yaml"), None);
    }

    #[test]
    fn passwords_are_starred() {
        let text = "history: [\"postgres://ana:s3@cret@db/past\", sqlite:a.db] # a@b: c";
        assert_eq!(starred(text), "history: [\"postgres://ana:*******@db/past\", sqlite:a.db] # a@b: c");
        let Err(ConfigError::Invalid(error)) = config("history: postgres://ana:secret@db/past\n") else {
            panic!("a history is a list");
        };
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
    }

    #[test]
    fn a_file_of_comments_is_no_error() {
        for text in ["", "# vendor: Acme\n\n", "  # indented\n", "---\n", "--- # nothing yet\n...\n"] {
            let config = config(text).unwrap_or_else(|error| panic!("{text:?}: {error:?}"));
            assert_eq!(config.vendor, None);
        }
    }

    #[test]
    fn wrong_settings_are_refused() {
        for text in [
            "vendors: Acme\n",
            "vendor: 42\n",
            "vendor: true\n",
            "42\n",
            "kinds: { a.json: submit }\n",
            "kinds: { '[': submit-request }\n",
            "history: records\n",
            "history: ['mysql://host/db']\n",
            "records: [a]\n",
        ] {
            assert!(matches!(config(text), Err(ConfigError::Invalid(_))), "{text}");
        }
    }

    #[test]
    fn the_schema_is_up_to_date_and_as_strict_as_the_reader() {
        let schema = schemars::schema_for!(Settings);
        let mut schema = serde_json::to_value(schema).expect("a schema is JSON");
        schema["$id"] = "config.schema.json".into();
        let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/config.schema.json");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path, &text).expect("the schemas can be written");
        }
        let kept = fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert!(kept == text, "schemas/config.schema.json is stale: run `UPDATE=1 cargo test --workspace`");

        let validator = jsonschema::validator_for(&schema).expect("the schema is one");
        for (text, fits) in [
            ("vendor: Acme\nkinds: { 'updates/*.yaml': update-request }\n", true),
            ("vendors: Acme\n", false),
            ("kinds: { a.json: submit }\n", false),
        ] {
            let value: serde_json::Value = serde_yaml::from_str(text).expect("it is YAML");
            assert_eq!(validator.is_valid(&value), fits, "{text}");
            assert_eq!(config(text).is_ok(), fits, "{text}");
        }
    }
}
