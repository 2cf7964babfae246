//! The draft that a tool is called with: a text, or a file of the folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tollproof_core::{Kind, KindChoice, KindHint, Linter, Parsed, Provider, Source};
use tollproof_project::{
    ConfigFile, FileKind, Files, FindOptions, InputFile, ProjectFiles, RunEvent, Session,
};

use crate::draft_folder::DraftFolder;
use crate::error::{Result, ToolError};

/// The most files of a folder read at once.
const MAX_FILES: usize = 500;

/// The most bytes these may have together.
const MAX_BYTES: u64 = 64 << 20;

/// The name of a draft that is not in a file.
const TEXT: &str = "draft";

/// A draft, as clients name it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct ToolDraft {
    /// The draft itself (JSON, YAML, NDJSON or CSV), if it is not in a file.
    #[serde(default, deserialize_with = "text_or_value")]
    pub(crate) text: Option<String>,
    /// A file of the folder that the server was started for, relative to it; instead of `text`. `check` and `questions` also
    /// take a folder.
    pub(crate) path: Option<String>,
    /// The provider of the draft, such as `twilio`; only if the field names do not show it.
    #[schemars(extend("enum" = provider_names()))]
    provider: Option<String>,
    /// The kind of request; only if the field names do not show it.
    #[schemars(extend("enum" = kind_names()))]
    kind: Option<String>,
    /// The place where a list that was cut goes on: the number that its note names.
    #[serde(default)]
    pub(crate) from: usize,
}

/// A draft's place.
pub(crate) enum DraftPlace<'i> {
    Text(&'i str),
    Path(PathBuf, FileKind),
}

/// A draft that was read, and how it is checked.
pub(crate) struct OpenDraft {
    pub(crate) session: Arc<Session>,
    pub(crate) file: InputFile,
    pub(crate) source: Source<'static>,
    pub(crate) config: Arc<ConfigFile>,
    pub(crate) linter: Arc<Linter>,
}

impl ToolDraft {
    /// The provider and the kind that the client chooses.
    pub(crate) fn choice(&self) -> Result<KindChoice> {
        let provider = self.provider.as_deref().map(provider).transpose()?;
        let kind =
            self.kind.as_deref().map(|name| name.parse::<Kind>().map_err(ToolError::new)).transpose()?;
        Ok(KindChoice::named(provider, kind))
    }

    pub(crate) fn place(&self, folder: &DraftFolder) -> Result<DraftPlace<'_>> {
        match (&self.text, &self.path) {
            (Some(text), None) => Ok(DraftPlace::Text(text)),
            (None, Some(path)) => folder.path(path).map(|(path, kind)| DraftPlace::Path(path, kind)),
            (Some(_), Some(_)) => Err(ToolError::new("use either `text` or `path`, not both")),
            (None, None) => Err(ToolError::new("`text` or `path` is required")),
        }
    }

    /// Reads the text or the file.
    pub(crate) fn open(&self, folder: &DraftFolder) -> Result<OpenDraft> {
        let session = folder.session(self.choice()?)?;
        match self.place(folder)? {
            DraftPlace::Text(text) => OpenDraft::of_text(session, text),
            DraftPlace::Path(path, FileKind::File) => {
                OpenDraft::read(session, InputFile::named(&path), folder)
            }
            DraftPlace::Path(..) => Err(ToolError::new("`path` is a folder; name a file in it")),
        }
    }

    /// Reads the text, the file, or all files of the folder. Also returns notes about files that cannot be read.
    pub(crate) fn open_all(&self, folder: &DraftFolder) -> Result<(Vec<OpenDraft>, Vec<String>)> {
        let session = folder.session(self.choice()?)?;
        let DraftPlace::Path(path, FileKind::Folder) = self.place(folder)? else {
            return Ok((vec![self.open(folder)?], Vec::new()));
        };
        let found = find(&session, &*folder.files(), &path)?;
        let mut notes: Vec<String> =
            found.checked.errors.into_iter().map(|error| RunEvent::Walk(error).line()).collect();
        let mut drafts = Vec::new();
        for file in found.checked.files {
            match OpenDraft::read(Arc::clone(&session), file, folder) {
                Ok(draft) => drafts.push(draft),
                Err(error) => notes.push(format!("error: {error}")),
            }
        }
        Ok((drafts, notes))
    }
}

/// A provider by its name.
pub(crate) fn provider(name: &str) -> Result<Provider> {
    name.to_lowercase().parse().map_err(ToolError::new)
}

/// The names of all providers.
pub(crate) fn provider_names() -> Vec<&'static str> {
    Provider::all().iter().map(|provider| provider.name()).collect()
}

/// The names of the kinds of documents.
fn kind_names() -> Vec<&'static str> {
    Provider::default().kinds().map(|kind| kind.name()).collect()
}

/// A text without the fence of Markdown that assistants put around JSON.
fn unfenced(text: &str) -> &str {
    let inside = text.trim().strip_prefix("```").and_then(|text| text.strip_suffix("```"));
    inside.and_then(|text| Some(text.split_once('\n')?.1)).unwrap_or(text)
}

/// A text, or the JSON that it would have.
fn text_or_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<Value>::deserialize(deserializer)?.map(text_of))
}

/// A text, or the JSON of a value in its place.
pub(crate) fn text_of(written: Value) -> String {
    match written {
        Value::String(text) => unfenced(&text).to_owned(),
        value => value.to_string(),
    }
}

/// A value, or a text with its JSON.
pub(crate) fn value_or_text<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = match Value::deserialize(deserializer)? {
        Value::String(text) => serde_json::from_str(unfenced(&text)).map_err(D::Error::custom)?,
        value => value,
    };
    serde_json::from_value(value).map_err(D::Error::custom)
}

/// Finds a file, or the drafts below a folder.
pub(crate) fn find(session: &Session, files: &dyn Files, path: &Path) -> Result<ProjectFiles> {
    let found = session.find(FindOptions { paths: vec![path.to_owned()], ..FindOptions::default() })?;
    let bytes: u64 = found.checked.files.iter().filter_map(|file| files.size(file.place())).sum();
    if found.checked.files.len() > MAX_FILES || bytes > MAX_BYTES {
        return Err(ToolError::new(format_args!(
            "there are more than {MAX_FILES} drafts or {} MiB; name a folder or file below",
            MAX_BYTES >> 20
        )));
    }
    Ok(found)
}

impl OpenDraft {
    pub(crate) fn of_text(session: Arc<Session>, text: &str) -> Result<Self> {
        let file = InputFile { name: TEXT.to_owned(), path: None, met: KindHint::Explicit };
        let source = Source::new(TEXT, text.to_owned());
        Self::new(session, file, source)
    }

    fn read(session: Arc<Session>, file: InputFile, folder: &DraftFolder) -> Result<Self> {
        let path = file.place();
        file.refuse_packed().map_err(ToolError::new)?;
        let bytes = folder.files().read(path).map_err(|error| ToolError::new(file.unreadable(&error)))?;
        let source = file.source(bytes, &folder.repository);
        Self::new(session, file, source)
    }

    fn new(session: Arc<Session>, file: InputFile, source: Source<'static>) -> Result<Self> {
        let config = session.config_of(&file)?;
        let linter = session.linter_of(&config, &file)?;
        let source = session.configured(source, &config, &file);
        Ok(Self { session, file, source, config, linter })
    }

    pub(crate) fn parsed(&self) -> Parsed<'_> {
        Parsed::of(&self.source, None)
    }

    /// The hint for the kinds of its documents.
    pub(crate) fn hint(&self) -> KindHint {
        self.session.kind_hint(&self.config, &self.file)
    }
}
