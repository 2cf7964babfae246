//! The user's own settings: where data goes and what runs. They never come from a project.

mod address;
mod reader;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use tollproof_core::{Provider, StrictError, decode};
use tollproof_history::name_of;
use tollproof_project::{AtomicFile, HistoryServers, OwnSettingsError, read_own_settings};

pub(crate) use self::reader::ReaderSection;
pub use self::reader::{ReaderKind, UnknownReaderKind};
use crate::credentials::KeyCommand;

/// The settings of a user, which say where data goes and what runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserSettings {
    providers: BTreeMap<String, ProviderSettings>,
    reader: Option<ReaderSection>,
    assistants: Vec<AssistantPermission>,
    path: PathBuf,
}

/// A provider's part of the user's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ProviderSettings {
    /// The generation of the API, if the provider has several.
    pub api: Option<String>,
    /// Addresses in place of the provider's, by the name of the server; the empty name for the only one. They may have
    /// `{…}` in place of a value.
    #[serde(deserialize_with = "address::hosts")]
    #[cfg_attr(test, schemars(with = "tests::WrittenHosts"))]
    pub hosts: BTreeMap<String, String>,
    /// The program that prints the key, and its arguments. No shell is used.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>", length(min = 1)))]
    pub key_command: Option<KeyCommand>,
    /// Account ids and the like, which addresses and paths need.
    #[serde(deserialize_with = "text::texts")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, tests::WrittenValueText>"))]
    pub values: BTreeMap<String, String>,
    /// Paths that no source shows, by the name of the operation.
    pub paths: BTreeMap<String, String>,
}

/// Your own settings of tollproof: keys, accounts and servers of providers, and who reads your drafts.
#[derive(Default, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
struct SettingsFile {
    /// Settings of each provider, by its name.
    providers: BTreeMap<String, ProviderSettings>,
    /// The reader that answers questions about drafts.
    reader: Option<ReaderSection>,
    /// The hosts of PostgreSQL servers on which projects may have the history that their `tollproof.yaml` names, such as
    /// `db.example`.
    #[serde(rename = "history-servers")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    // The project reads it; here it is checked.
    history_servers: HistoryServers,
    /// The things that assistants may do through `tollproof mcp` beside checking.
    assistants: Vec<AssistantPermission>,
}

/// A thing that an assistant may do through `tollproof mcp` beside checking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum AssistantPermission {
    /// Submit drafts in the folder of the server, as `tollproof submit --yes` does.
    Submit,
}

impl UserSettings {
    /// Reads the user's settings, see [`read_own_settings`].
    ///
    /// # Errors
    ///
    /// The file cannot be read or is invalid.
    pub fn load() -> Result<Self, OwnSettingsError> {
        let (path, text) = read_own_settings()?;
        Self::parse(&text, &path)
    }

    /// Settings of a provider; nothing if it is not in them.
    pub fn provider(&self, name: &str) -> ProviderSettings {
        self.providers.get(name).cloned().unwrap_or_default()
    }

    /// The settings of a reader, if they exist.
    pub(crate) fn reader(&self) -> Option<&ReaderSection> {
        self.reader.as_ref()
    }

    /// Whether assistants may submit drafts.
    pub fn permits_submit(&self) -> bool {
        self.assistants.contains(&AssistantPermission::Submit)
    }

    /// The file, for messages. It need not be there.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names a model of a server that is compatible with OpenAI as reader, in the file of the settings, below what is there.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or it cannot be continued, such as one that names a reader already.
    pub fn remember_reader(&self, url: &str, model: &str) -> Result<(), OwnSettingsError> {
        let (path, text) = read_own_settings()?;
        // A string of JSON is one of YAML.
        let lines = format!("  kind: openai\n  url: {}\n  model: {}\n", json!(url), json!(model));
        let separator = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let continued = format!("{text}{separator}reader:\n{lines}");
        Self::parse(&continued, &path)?;
        let write = || {
            if !path.is_absolute() {
                return Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder for it"));
            }
            path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
            let mut file = AtomicFile::create(&path)?;
            file.write_all(continued.as_bytes())?;
            file.commit()
        };
        write().map_err(|error| OwnSettingsError::Unwritable { name: name_of(&path), error })
    }

    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self, OwnSettingsError> {
        let name = name_of(path);
        let is_empty =
            text.lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#') || line == "---");
        let file = if is_empty {
            SettingsFile::default()
        } else {
            decode(&name, text).map_err(OwnSettingsError::invalid)?
        };
        let SettingsFile { mut providers, mut reader, assistants, .. } = file;
        for provider in providers.keys() {
            if let Err(unknown) = Provider::named(provider) {
                let pointer = format!("/providers/{}", provider.replace('~', "~0").replace('/', "~1"));
                let error = StrictError::at_key(&name, text, &pointer, unknown.to_string(), None);
                return Err(OwnSettingsError::invalid(error));
            }
        }
        let folder = path.parent().unwrap_or(path);
        providers.values_mut().filter_map(|it| it.key_command.as_mut()).for_each(|it| it.set_folder(folder));
        if let Some(reader) = &mut reader {
            reader.key_command.iter_mut().for_each(|it| it.set_folder(folder));
            reader.command.iter_mut().for_each(|it| it.set_folder(folder));
        }
        Ok(Self { providers, reader, assistants, path: path.to_owned() })
    }
}
