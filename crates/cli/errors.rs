//! Converts errors that prevent or stop a run to messages of the command line.

use std::fmt::Display;
use std::io;

use tollproof_core::{KindRole, StrictError, UnknownRule};
use tollproof_history::{HistoryError, name_of, reason};
use tollproof_project::{
    BaselineError, ConfigError, ExplainError, GitError, InputRole, OutputConflict, ProjectError, RecordError,
    UserRulesError,
};

use crate::counts::Exit;
use crate::terminal::filter::Medium;
use crate::terminal::one_line;

/// Result of a command that can fail.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

#[derive(Debug)]
pub(crate) struct Failure {
    cause: Cause,
    /// Lines after the message.
    more: String,
    exit: Exit,
}

#[derive(Debug)]
enum Cause {
    /// A message for people.
    Text(String),
    /// Errors in rules or settings, which each report format renders in its own way.
    Invalid(Vec<StrictError>),
}

/// An error as text for standard error.
#[derive(Debug)]
pub(crate) struct ErrorText {
    pub(crate) text: String,
    pub(crate) medium: Medium,
}

impl Failure {
    /// A one-line message in the style of clap's errors.
    pub(crate) fn new(message: impl Display) -> Self {
        Self::list(message, &[])
    }

    /// A message followed by a list, one item per line.
    pub(crate) fn list(message: impl Display, items: &[String]) -> Self {
        let mut text = format!("error: {}\n", one_line(&message.to_string()));
        items.iter().for_each(|item| text += &format!("  {}\n", one_line(item)));
        Self { cause: Cause::Text(text), more: String::new(), exit: Exit::Unable }
    }

    /// Errors in rules or settings.
    pub(crate) fn invalid(errors: Vec<StrictError>) -> Self {
        Self { cause: Cause::Invalid(errors), more: String::new(), exit: Exit::Unable }
    }

    /// Adds a line.
    pub(crate) fn line(self, line: impl Display) -> Self {
        Self { more: self.more + &one_line(&line.to_string()) + "\n", ..self }
    }

    /// The failure with another exit status than that of a run that could not start.
    #[cfg(feature = "online")]
    pub(crate) fn with_exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// The exit status of the run.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Standard output is open but cannot be written, for example because its disk is full.
    pub(crate) fn stdout(error: io::Error) -> Self {
        Failure::new(format_args!("cannot write to standard output: {}", reason(&error)))
    }

    /// Renders the failure; `lay_out` renders errors in rules or settings.
    pub(crate) fn render(self, lay_out: impl FnOnce(&[StrictError]) -> ErrorText) -> ErrorText {
        let mut text = match self.cause {
            Cause::Text(text) => ErrorText { text, medium: Medium::Screen { escapes: false } },
            Cause::Invalid(errors) => lay_out(&errors),
        };
        text.text += &self.more;
        text
    }

    /// Renders the failure without a report format.
    pub(crate) fn plain(self) -> ErrorText {
        self.render(|errors| {
            let lines = errors.iter().map(|error| format!("error: {}\n", one_line(&error.to_string())));
            ErrorText { text: lines.collect(), medium: Medium::Screen { escapes: false } }
        })
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Config(ConfigError::Invalid(error)) => Self::invalid(vec![*error]),
            ProjectError::Invalid(errors) => Self::invalid(errors),
            ProjectError::UnknownRule(UnknownRule { nearest: None, .. }) => {
                Failure::new(format_args!("{error}; `tollproof rule` lists all rules"))
            }
            ProjectError::Baseline(BaselineError::Unreadable { error: ref why, .. })
                if why.kind() == io::ErrorKind::NotFound =>
            {
                Failure::new(format_args!("{error}; `tollproof baseline write` creates one"))
            }
            ProjectError::Baseline(BaselineError::Version { .. }) => Failure::new(format_args!(
                "{error}: use the version of tollproof that wrote it, or delete it and run `tollproof baseline write`"
            )),
            ProjectError::Git(error) => Failure::new(format_args!("cannot determine what changed: {error}")),
            ProjectError::History(HistoryError::Records(ref records)) => {
                let records: Vec<String> = records.iter().map(ToString::to_string).collect();
                Self::list(error, &records)
            }
            ProjectError::Record(RecordError::NotAnUpdate) => Failure::new(format_args!(
                "`--record` is for update requests, and this is a submit request; use `--kind {}` if it is an update, \
                 or `--history` to compare it with earlier submissions",
                KindRole::Update
            )),
            ProjectError::Record(RecordError::SeveralDrafts) => {
                Self::new("`--record` is for one draft; name a file with one draft")
            }
            ProjectError::OutputConflict(OutputConflict { path, role }) => Failure::new(format_args!(
                "cannot write the report to `{}`: it is {}; choose another name",
                name_of(&path),
                input(role)
            )),
            error => Self::new(error),
        }
    }
}

impl From<ExplainError> for Failure {
    fn from(error: ExplainError) -> Self {
        match error {
            ExplainError::Project(error) => error.into(),
            error => Self::new(error),
        }
    }
}

/// The role of a file that a report would overwrite.
fn input(role: InputRole) -> String {
    match role {
        InputRole::Draft | InputRole::Record | InputRole::Answer => format!("{role} that this run reads"),
        InputRole::Config | InputRole::Baseline | InputRole::Rule | InputRole::Schema => {
            format!("{role} of this run")
        }
        role => role.to_string(),
    }
}

/// A one-line message in the style of clap's errors, as `format!` writes it.
macro_rules! failure {
    ($($part:tt)*) => { $crate::errors::Failure::new(format_args!($($part)*)) };
}
pub(crate) use failure;

/// Implements `From` for error types by converting to [`ProjectError`] first.
macro_rules! failures {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                ProjectError::from(error).into()
            }
        })*
    };
}

failures!(BaselineError, ConfigError, GitError, HistoryError, OutputConflict, RecordError, UserRulesError);
