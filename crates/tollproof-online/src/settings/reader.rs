//! The reader of a user: who answers questions about drafts.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::credentials::KeyCommand;
use crate::program::UserProgram;

/// The kind of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReaderKind {
    /// Any program: a line of JSON on its standard input, JSON on its standard output.
    Command,
    /// Any server that is compatible with OpenAI: Ollama, llama.cpp, vLLM, LM Studio, and hosted ones.
    OpenAi,
    /// The API of Anthropic.
    Anthropic,
}

/// The name of a reader that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown reader `{0}`; expected `command`, `openai` or `anthropic`")]
pub struct UnknownReaderKind(String);

impl ReaderKind {
    /// The name in settings: `openai`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

impl fmt::Display for ReaderKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ReaderKind {
    type Err = UnknownReaderKind;

    fn from_str(text: &str) -> Result<Self, UnknownReaderKind> {
        let known = [Self::Command, Self::OpenAi, Self::Anthropic];
        known.into_iter().find(|it| it.name() == text).ok_or_else(|| UnknownReaderKind(text.to_owned()))
    }
}

/// The reader's part of a user's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ReaderSection {
    /// The kind of reader.
    pub(crate) kind: Option<ReaderKind>,
    /// The address of the server, such as `http://127.0.0.1:11434/v1`.
    #[serde(deserialize_with = "super::address::one")]
    pub(crate) url: Option<String>,
    /// The model, by the server's name for it.
    pub(crate) model: Option<String>,
    /// The program that reads, and its arguments. No shell is used.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>", length(min = 1)))]
    pub(crate) command: Option<UserProgram>,
    /// The program that prints the key, and its arguments. No shell is used.
    #[cfg_attr(test, schemars(with = "Option<Vec<String>>", length(min = 1)))]
    pub(crate) key_command: Option<KeyCommand>,
    /// The time an answer may take, in seconds; by default 120.
    #[serde(deserialize_with = "time")]
    #[cfg_attr(test, schemars(range(min = 1, max = 3600)))]
    pub(crate) timeout: Option<u32>,
    /// The longest answer, in tokens of the model.
    #[serde(deserialize_with = "tokens")]
    #[cfg_attr(test, schemars(range(min = 1, max = 1_000_000)))]
    pub(crate) max_tokens: Option<u32>,
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    within(deserializer, 3600)
}

fn tokens<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    within(deserializer, 1_000_000)
}

fn within<'de, D: Deserializer<'de>>(deserializer: D, most: u32) -> Result<Option<u32>, D::Error> {
    let number = Option::<u32>::deserialize(deserializer)?;
    match number {
        Some(number) if number == 0 || number > most => {
            Err(D::Error::custom(format_args!("expected a number from 1 to {most}")))
        }
        number => Ok(number),
    }
}
