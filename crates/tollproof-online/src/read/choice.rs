//! Choice of a reader: the command line before the environment before the user's settings, and never a project.

use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use tollproof_core::without_secrets;
use url::Url;

use super::error::{ReaderError, Result};
use crate::client::check_address;
use crate::credentials::KeyCommand;
use crate::program::UserProgram;
use crate::settings::{ReaderKind, ReaderSection, UserSettings};

/// Anthropic's server.
const ANTHROPIC: &str = "https://api.anthropic.com";

/// The time an answer may take, unless the settings say it.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The pause before the second try; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// The reader options of a command line. All of it takes precedence over environment and settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReaderChoice {
    /// The kind of reader.
    pub kind: Option<ReaderKind>,
    /// The address of its server.
    pub url: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// Its program, or a JSON list of the program and its arguments. It runs in the current folder.
    pub command: Option<String>,
}

/// The reader that is asked, with everything that is needed to ask it.
#[derive(Clone, Debug)]
pub struct ReaderSettings {
    pub(super) kind: ReaderKind,
    /// The address of the server; none for programs.
    pub(super) url: Option<Url>,
    pub(super) model: Option<String>,
    /// For programs.
    pub(super) command: Option<UserProgram>,
    pub(super) key: Option<SecretString>,
    pub(super) key_command: Option<KeyCommand>,
    pub(super) timeout: Duration,
    pub(super) pause: Duration,
    pub(super) max_tokens: Option<u32>,
}

impl ReaderSettings {
    /// Finds the reader by the user's settings, the environment and the command line. `TOLLPROOF_READER` is the kind,
    /// `TOLLPROOF_READER_URL`, `…_MODEL`, `…_COMMAND` and `…_KEY` the rest. A kind other than that of the settings has
    /// none of their address, model, command and key.
    ///
    /// # Errors
    ///
    /// No reader is named, or something is missing or invalid.
    pub fn find(
        settings: &UserSettings,
        environment: &dyn Fn(&str) -> Option<String>,
        choice: &ReaderChoice,
    ) -> Result<Self> {
        let set = |name: &str| environment(name).filter(|it| !it.is_empty());
        let of_environment = ReaderSection {
            kind: set("TOLLPROOF_READER").map(|it| it.parse()).transpose()?,
            url: set("TOLLPROOF_READER_URL"),
            model: set("TOLLPROOF_READER_MODEL"),
            command: set("TOLLPROOF_READER_COMMAND")
                .map(|command| program(&command, &calm_folder(settings)))
                .transpose()?,
            ..ReaderSection::default()
        };
        let here = || std::env::current_dir().unwrap_or_default();
        let of_command_line = ReaderSection {
            kind: choice.kind,
            url: choice.url.clone(),
            model: choice.model.clone(),
            command: choice.command.as_deref().map(|command| program(command, &here())).transpose()?,
            ..ReaderSection::default()
        };
        let own = settings.reader().cloned().unwrap_or_default();
        let section = over(over(own, of_environment), of_command_line);
        Self::of(section, set("TOLLPROOF_READER_KEY").map(SecretString::from))
    }

    /// The kind of reader.
    pub fn kind(&self) -> ReaderKind {
        self.kind
    }

    fn of(section: ReaderSection, key: Option<SecretString>) -> Result<Self> {
        let ReaderSection { kind, url, model, command, key_command, timeout, max_tokens } = section;
        let kind = match kind.or(command.is_some().then_some(ReaderKind::Command)) {
            Some(kind) => kind,
            None if url.is_some() || model.is_some() => return Err(ReaderError::NoKind),
            None => return Err(ReaderError::NoReader),
        };
        let url = match kind {
            ReaderKind::Anthropic => Some(url.unwrap_or_else(|| ANTHROPIC.to_owned())),
            ReaderKind::OpenAi | ReaderKind::Command => url,
        };
        let missing = |needs| Err(ReaderError::Missing { kind, needs });
        match kind {
            ReaderKind::Command if url.is_some() => {
                return Err(ReaderError::NotForKind { kind, option: "url" });
            }
            ReaderKind::Command if command.is_none() => {
                return missing("a `command`, a program that answers");
            }
            ReaderKind::OpenAi | ReaderKind::Anthropic if command.is_some() => {
                return Err(ReaderError::NotForKind { kind, option: "command" });
            }
            ReaderKind::OpenAi if url.is_none() => {
                return missing("a `url`, such as `http://127.0.0.1:11434/v1`");
            }
            ReaderKind::Anthropic if model.is_none() => return missing("a `model`"),
            _ => {}
        }
        let url = url.map(|it| address(&it)).transpose()?;
        let timeout = timeout.map_or(TIMEOUT, |seconds| Duration::from_secs(seconds.into()));
        Ok(Self { kind, url, model, command, key, key_command, timeout, pause: PAUSE, max_tokens })
    }
}

/// Adds the lower settings of the same reader to the upper ones.
fn over(mut lower: ReaderSection, upper: ReaderSection) -> ReaderSection {
    // A command names its kind too.
    let of = |settings: &ReaderSection| {
        settings.kind.or(settings.command.is_some().then_some(ReaderKind::Command))
    };
    let (old, new) = (of(&lower), of(&upper));
    if new.is_some() && old.is_some() && new != old {
        let ReaderSection { timeout, max_tokens, .. } = lower;
        lower = ReaderSection { timeout, max_tokens, ..ReaderSection::default() };
    }
    // A key is for the server that it was set for.
    if upper.url.is_some() && upper.url != lower.url {
        lower.key_command = None;
    }
    ReaderSection {
        kind: new.or(lower.kind),
        url: upper.url.or(lower.url),
        model: upper.model.or(lower.model),
        command: upper.command.or(lower.command),
        key_command: upper.key_command.or(lower.key_command),
        timeout: upper.timeout.or(lower.timeout),
        max_tokens: upper.max_tokens.or(lower.max_tokens),
    }
}

/// The folder for programs that the environment names: that of the settings, or else the user's own.
fn calm_folder(settings: &UserSettings) -> PathBuf {
    let own =
        settings.path().parent().filter(|folder| folder.is_absolute() && folder.is_dir()).map(Path::to_owned);
    own.or_else(|| std::env::home_dir().filter(|it| it.is_dir())).unwrap_or_else(std::env::temp_dir)
}

/// A program, or a JSON list of a program and its arguments.
fn program(text: &str, folder: &Path) -> Result<UserProgram> {
    let words = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|_| ReaderError::Command)?
    } else {
        vec![text.to_owned()]
    };
    let mut program = UserProgram::new(words).ok_or(ReaderError::Command)?;
    program.set_folder(folder);
    Ok(program)
}

fn address(text: &str) -> Result<Url> {
    let invalid = || ReaderError::Address(without_secrets(text));
    let url: Url = text.parse().map_err(|_| invalid())?;
    check_address(&url)?;
    if url.query().is_some() || url.fragment().is_some() { Err(invalid()) } else { Ok(url) }
}
