//! Errors as exceptions of the package: `TollproofError` and `SettingsError` of `tollproof/_errors.py`.

use std::io;

use pyo3::prelude::*;
use tollproof_core::{Source, StrictError};
use tollproof_project::{ConfigError, ProjectError, RunEvent};

/// Error details before an exception.
struct ExceptionParts {
    class: &'static str,
    message: String,
    /// Line and column in code points, from 1.
    place: Option<(usize, usize)>,
    help: Option<String>,
}

impl ExceptionParts {
    fn raise(self) -> PyErr {
        Python::attach(|py| {
            let class = py.import("tollproof._errors").and_then(|it| it.getattr(self.class));
            let error = class.and_then(|it| it.call1((self.message, self.place, self.help)));
            error.map_or_else(|error| error, PyErr::from_value)
        })
    }
}

/// The exception for an argument that cannot be used.
pub(crate) fn invalid(message: impl Into<String>, help: &str) -> PyErr {
    let help = Some(help.to_owned()).filter(|it| !it.is_empty());
    ExceptionParts { class: "TollproofError", message: message.into(), place: None, help }.raise()
}

/// The exception for a type that cannot be used.
pub(crate) fn wrong_type(message: impl Into<String>) -> PyErr {
    pyo3::exceptions::PyTypeError::new_err(message.into())
}

/// The exception for an error of a session. Files that cannot be read are an `OSError`.
pub(crate) fn of_project(error: ProjectError) -> PyErr {
    let message = error.to_string();
    match error {
        ProjectError::Config(ConfigError::Invalid(error)) => of_strict(&error, message),
        ProjectError::Invalid(errors) => match errors.first() {
            Some(first) => of_strict(first, message),
            None => invalid(message, ""),
        },
        ProjectError::Config(ConfigError::Unreadable { error, .. }) => of_io(&error, message),
        ProjectError::Config(_)
        | ProjectError::UserRules(_)
        | ProjectError::UnknownRule(_)
        | ProjectError::Baseline(_) => {
            ExceptionParts { class: "SettingsError", message, place: None, help: None }.raise()
        }
        _ => invalid(message, ""),
    }
}

/// The exception for an error in settings or in rules of the user.
fn of_strict(error: &StrictError, message: String) -> PyErr {
    let place = error.span.map(|span| {
        let place = Source::new(error.file.as_str(), error.text.as_str()).place(span.start);
        (place.line, place.column)
    });
    ExceptionParts { class: "SettingsError", message, place, help: error.help.clone() }.raise()
}

/// The exception for an event of a run: `None` if the run goes on without it.
pub(crate) fn of_event(event: &RunEvent) -> Option<PyErr> {
    match event {
        RunEvent::Unreadable { error, .. } | RunEvent::Unfinished { error, .. } => {
            Some(of_io(error, event.to_string()))
        }
        event if event.is_failure() => Some(invalid(event.to_string(), "")),
        _ => None,
    }
}

/// `FileNotFoundError`, `PermissionError` and their like, with a message of ours.
pub(crate) fn of_io(error: &io::Error, message: String) -> PyErr {
    PyErr::from(io::Error::new(error.kind(), message))
}

/// Runs what must not panic, and turns a panic into an exception.
pub(crate) fn guarded<T>(run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|it| (*it).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let message = format!("tollproof failed: {text}; this is a bug, please report it");
        Err(pyo3::exceptions::PyRuntimeError::new_err(message))
    })
}
