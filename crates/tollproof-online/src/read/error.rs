//! Errors of a reader, before and after a request.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use tollproof_history::reason;

use crate::client::ClientError;
use crate::credentials::KeyError;
use crate::settings::{ReaderKind, UnknownReaderKind};

/// A result of a reader.
pub(super) type Result<T, E = ReaderError> = std::result::Result<T, E>;

/// An error of a reader, before or after a request. Nothing of the prompt, the answer or the key is in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReaderError {
    /// Neither the settings nor anything else names a reader.
    #[error("no reader is named; use --reader, `reader:` in your own settings, or `TOLLPROOF_READER`")]
    NoReader,
    /// An address or a model is named, and not how it is asked.
    #[error("how is the reader asked? Set `kind` or `TOLLPROOF_READER` to `openai` or `anthropic`")]
    NoKind,
    /// A reader that does not exist.
    #[error(transparent)]
    UnknownKind(#[from] UnknownReaderKind),
    /// Something that the reader needs is missing.
    #[error("the reader `{kind}` needs {needs}")]
    Missing {
        /// The reader.
        kind: ReaderKind,
        /// The missing part, with its option.
        needs: &'static str,
    },
    /// Something is set that is for other readers.
    #[error("`{option}` is not for the reader `{kind}`; remove it, or name another reader")]
    NotForKind {
        /// The reader.
        kind: ReaderKind,
        /// The option.
        option: &'static str,
    },
    /// The address of the server is not one.
    #[error("`{0}` is not the address of a server; write one such as `http://127.0.0.1:11434/v1`")]
    Address(String),
    /// The command is neither a program nor a list of words.
    #[error(
        "the command of the reader is invalid; write one program, or a JSON list such as `[\"reader\", \"-p\"]`"
    )]
    Command,
    /// The request must not be sent.
    #[error(transparent)]
    Request(#[from] ClientError),
    /// The program that prints the key gave none.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The program cannot be started, or its output cannot be read.
    #[error("cannot run the reader `{program}`: {}; check its `command`", reason(error))]
    Start {
        /// The program.
        program: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The program failed.
    #[error("the reader `{program}` failed: {status}")]
    Failed {
        /// The program.
        program: String,
        /// Exit status.
        status: ExitStatus,
    },
    /// Nothing could be sent, in any try.
    #[error("the reader cannot be reached: {0}")]
    Unreachable(String),
    /// No whole answer came, in any try.
    #[error("the reader gave no complete answer: {0}")]
    Lost(String),
    /// The answer took too long.
    #[error("the reader gave no complete answer in {}; raise its `timeout` in your settings", seconds(*.0))]
    TimedOut(Duration),
    /// A program printed too much.
    #[error("the answer of the reader is larger than 4 MiB")]
    TooLong,
    /// The server asks for a longer pause than a run waits.
    #[error("the reader asks to wait {}; continue then", seconds(*.0))]
    Busy(Duration),
    /// The server refused the key, or needs one.
    #[error("the reader refused the key with status {0}; check `TOLLPROOF_READER_KEY` or `key-command`")]
    KeyRefused(u16),
    /// The server needs a key and got none.
    #[error("the reader needs a key (status {0}); set `TOLLPROOF_READER_KEY` or `key-command`")]
    NoKey(u16),
    /// The server has another address.
    #[error("the reader answered with the redirect {0}, which is not followed; correct its `url`")]
    Redirect(u16),
    /// The server does not know the address or the model.
    #[error("the reader does not know this `url` or `model` (status {status}){}", said(message.as_ref()))]
    Unknown {
        /// The status: 404.
        status: u16,
        /// The server's own words.
        message: Option<String>,
    },
    /// The server refused the request, or failed in each try.
    #[error("the reader answered with status {status}{}", said(message.as_ref()))]
    Status {
        /// The status.
        status: u16,
        /// The server's own words.
        message: Option<String>,
    },
    /// The answer is not that of such a server.
    #[error("the answer is not that of a server for the reader `{0}`; check its `url`")]
    Foreign(ReaderKind),
    /// The answer contains no JSON object.
    #[error("the answer of the reader contains no JSON object")]
    NoObject,
    /// The answer ended at the limit of tokens.
    #[error("the answer of the reader reached its limit of tokens; raise its `max-tokens` in your settings")]
    CutShort,
    /// The model does not answer this.
    #[error("the model declined to answer")]
    Declined,
    /// The user stopped it.
    #[error("stopped before the reader answered")]
    Stopped,
}

impl ReaderError {
    /// Whether all further prompts would fail too.
    pub fn is_final(&self) -> bool {
        match self {
            // 402 and 403 are about the account, 405 and 429 about all requests.
            Self::Status { status, .. } => matches!(status, 402 | 403 | 405 | 429),
            Self::Failed { .. }
            | Self::Lost(_)
            | Self::TimedOut(_)
            | Self::TooLong
            | Self::Foreign(_)
            | Self::NoObject
            | Self::CutShort
            | Self::Declined
            | Self::Stopped => false,
            _ => true,
        }
    }

    /// Whether an answer came that may be another one the next time.
    pub(super) fn is_nonsense(&self) -> bool {
        matches!(self, Self::NoObject | Self::Foreign(_))
    }
}

fn said(message: Option<&String>) -> String {
    message.map(|it| format!(": {it}")).unwrap_or_default()
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} milliseconds", time.as_millis()),
        1 => "1 second".to_owned(),
        some @ 2..=119 => format!("{some} seconds"),
        some => format!("{} minutes", some.div_ceil(60)),
    }
}
