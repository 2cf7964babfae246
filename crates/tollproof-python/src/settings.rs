//! The arguments of a linter as a session over files.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use tollproof_core::{Kind, KindChoice, KindHint, Provider, ReportLanguage, Translation};
use tollproof_project::{
    CONFIG_NAME, ConfigChoice, Disk, InputFile, LinterOptions, Overlay, RunOptions, Session, SessionOptions,
};

use crate::errors;
use crate::json_text::json_text;

/// The settings of a linter.
pub(crate) struct LinterSettings {
    options: SessionOptions,
    /// Settings, facts and readings that are values, as files in memory. Their paths are those in `options`.
    in_memory: Vec<(PathBuf, String)>,
    has_settings: bool,
    /// The number of threads that check; 0 for as many as there are cores.
    jobs: usize,
    pub(crate) translation: Arc<Translation>,
}

/// Python arguments.
pub(crate) struct LinterArguments<'py> {
    pub(crate) settings: Option<Bound<'py, PyAny>>,
    pub(crate) provider: Option<String>,
    pub(crate) kind: Option<String>,
    pub(crate) now: Option<String>,
    pub(crate) facts: Option<Bound<'py, PyAny>>,
    pub(crate) readings: Option<Bound<'py, PyAny>>,
    pub(crate) language: String,
    pub(crate) jobs: usize,
}

impl LinterSettings {
    pub(crate) fn read(arguments: LinterArguments<'_>) -> PyResult<Self> {
        let LinterArguments { settings, provider, kind, now, facts, readings, language, jobs } = arguments;
        let mut in_memory = Vec::new();
        let has_settings = settings.is_some();
        let config = match settings {
            None => ConfigChoice::None,
            Some(value) => ConfigChoice::File(match value.cast::<PyDict>() {
                Ok(_) => {
                    let path = PathBuf::from(CONFIG_NAME);
                    in_memory.push((path.clone(), json_text(&value, "`settings`")?));
                    path
                }
                Err(_) => path(&value, "settings", "a dictionary or the path of a file")?,
            }),
        };
        let mut lines = |value: Option<Bound<'_, PyAny>>, what: &str| -> PyResult<Option<PathBuf>> {
            let Some(value) = value else { return Ok(None) };
            let Ok(list) = value.cast::<PyList>() else {
                return path(&value, what, "a list of dictionaries or the path of a file").map(Some);
            };
            let mut text = String::new();
            for item in list.iter() {
                text += &json_text(&item, &format!("an item of `{what}`"))?;
                text.push('\n');
            }
            let path = PathBuf::from(format!("{what}-argument.ndjson"));
            in_memory.push((path.clone(), text));
            Ok(Some(path))
        };
        let (facts, readings) = (lines(facts, "facts")?, lines(readings, "readings")?);
        let language: ReportLanguage = language
            .parse()
            .map_err(|error: tollproof_core::UnknownLanguage| errors::invalid(error.to_string(), ""))?;
        let options = SessionOptions {
            linter: LinterOptions { config, ..LinterOptions::default() },
            kind: kind_choice(provider.as_deref(), kind.as_deref())?,
            facts,
            readings,
            readings_lower_errors: true,
            now: now.as_deref().map(moment).transpose()?,
            ..SessionOptions::default()
        };
        let translation = Arc::new(Translation::of(language));
        Ok(Self { options, in_memory, has_settings, jobs, translation })
    }

    /// A session for texts, whose settings are those that were passed, or for files, which have a `tollproof.yaml` of their
    /// own if none were passed.
    fn open(&self, for_files: bool) -> PyResult<Session> {
        let files = Overlay::new(Arc::new(Disk));
        for (path, text) in &self.in_memory {
            files.open(path, text.as_str());
        }
        let mut options = self.options.clone();
        if for_files && !self.has_settings {
            options.linter.config = ConfigChoice::Nearest;
        }
        options.now = Some(options.now.unwrap_or_else(Timestamp::now));
        Session::new(Arc::new(files), options).map_err(errors::of_project)
    }

    /// Check options.
    pub(crate) fn run_options(&self) -> RunOptions {
        RunOptions { jobs: self.jobs, ..RunOptions::default() }
    }

    /// A session for files, which reads their settings again.
    pub(crate) fn file_session(&self) -> PyResult<Arc<Session>> {
        self.open(true).map(Arc::new)
    }
}

/// The session of a linter for texts, with the current time unless another one was chosen.
pub(crate) struct TextSession(Mutex<Arc<Session>>);

impl TextSession {
    pub(crate) fn new(settings: &LinterSettings) -> PyResult<Self> {
        let session = settings.open(false)?;
        // Settings that name what is not there are refused before the first draft.
        let file = row_file();
        let config = session.config_of(&file).map_err(errors::of_project)?;
        session.linter_of(&config, &file).map_err(errors::of_project)?;
        session.stored_of(&config).map_err(errors::of_project)?;
        Ok(Self(Mutex::new(Arc::new(session))))
    }

    /// The session. One that other checks are using keeps its time for up to an hour.
    pub(crate) fn get(&self, settings: &LinterSettings) -> PyResult<Arc<Session>> {
        let mut session = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if settings.options.now.is_none() {
            let now = Timestamp::now();
            match Arc::get_mut(&mut session) {
                Some(session) => session.set_now(now),
                None => {
                    let then = session.options().now.unwrap_or(now);
                    if now.duration_since(then).as_hours() > 0 {
                        *session = Arc::new(settings.open(false)?);
                    }
                }
            }
        }
        Ok(Arc::clone(&session))
    }
}

/// The provider and the kind that were chosen, as the command line reads `--provider` and `--kind`.
pub(crate) fn kind_choice(provider: Option<&str>, kind: Option<&str>) -> PyResult<KindChoice> {
    let provider = provider.map(named_provider).transpose()?;
    let kind: Option<Kind> = kind
        .map(|name| {
            name.parse().map_err(|error: tollproof_core::UnknownKind| {
                let names: Vec<&str> = Kind::all().map(Kind::name).collect();
                errors::invalid(error.to_string(), &format!("Use one of {}.", names.join(", ")))
            })
        })
        .transpose()?;
    let named = kind.map(Kind::provider).filter(|it| *it != Provider::default());
    Ok(KindChoice { provider: provider.or(named), role: kind.map(Kind::role) })
}

/// The provider with a name.
pub(crate) fn named_provider(name: &str) -> PyResult<Provider> {
    Provider::named(name).map_err(|error| errors::invalid(error.to_string(), ""))
}

fn moment(text: &str) -> PyResult<Timestamp> {
    text.parse().map_err(|_| {
        let help = "Use ISO 8601 with a time zone, such as 2026-11-21T08:00:00Z.";
        errors::invalid(format!("`now` is not a time: {text:?}"), help)
    })
}

/// A path that was passed as a string or a path object.
fn path(value: &Bound<'_, PyAny>, what: &str, expected: &str) -> PyResult<PathBuf> {
    let is_path = value.cast::<PyString>().is_ok() || value.hasattr("__fspath__")?;
    if !is_path {
        return Err(errors::wrong_type(format!("`{what}` must be {expected}")));
    }
    value.extract()
}

/// The name of a table in settings and fingerprints.
pub(crate) const TABLE_NAME: &str = "table";

/// A table as a file that settings are matched against.
pub(crate) fn row_file() -> InputFile {
    InputFile { name: TABLE_NAME.to_owned(), path: None, met: KindHint::Explicit }
}
