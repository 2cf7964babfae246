//! Errors of tools, and of the server.

use std::fmt::{self, Display};
use std::io;

use tollproof_core::{StrictError, one_line};
use tollproof_history::reason;
use tollproof_project::{ConfigError, ExplainError, ProjectError, UserRulesError};

/// A result of a tool.
pub(crate) type Result<T, E = ToolError> = std::result::Result<T, E>;

/// An error that the assistant sees: a line of text, or one for each error in rules or settings.
#[derive(Debug)]
pub(crate) struct ToolError(String);

impl ToolError {
    pub(crate) fn new(message: impl Display) -> Self {
        Self(one_line(&message.to_string()))
    }

    fn list(errors: &[StrictError]) -> Self {
        let lines: Vec<String> = errors.iter().map(|error| one_line(&error.to_string())).collect();
        Self(lines.join("\n"))
    }
}

impl Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<ProjectError> for ToolError {
    fn from(error: ProjectError) -> Self {
        match error {
            ProjectError::Config(ConfigError::Invalid(error)) => Self::list(&[*error]),
            ProjectError::Invalid(errors) => Self::list(&errors),
            error => Self::new(error),
        }
    }
}

impl From<ExplainError> for ToolError {
    fn from(error: ExplainError) -> Self {
        match error {
            ExplainError::Project(error) => error.into(),
            error => Self::new(error),
        }
    }
}

impl From<ConfigError> for ToolError {
    fn from(error: ConfigError) -> Self {
        ProjectError::from(error).into()
    }
}

impl From<UserRulesError> for ToolError {
    fn from(error: UserRulesError) -> Self {
        ProjectError::from(error).into()
    }
}

/// The reason that the server cannot start, or ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The folder with the drafts cannot be opened.
    #[error("cannot open the folder `{name}`: {}", reason(error))]
    Folder {
        /// The name of the folder.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The thread of the server cannot start.
    #[error("the server cannot start: {}", reason(.0))]
    Runtime(#[source] io::Error),
    /// The server failed.
    #[error("the server failed: {0}")]
    Failed(String),
    /// The client did not speak the protocol.
    #[error("the client did not begin with `initialize`; start this command from an MCP client")]
    NoInitialize,
}
