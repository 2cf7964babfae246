//! A reader: a program or a server that is asked prompts.

use std::time::Duration;

use tollproof_core::without_secrets;

use super::choice::ReaderSettings;
use super::error::{ReaderError, Result};
use super::program;
use super::prompt::{ReaderPrompt, ReaderReply};
use super::server::ReaderServer;
use crate::client::is_loopback;
use crate::program::UserProgram;

/// A reader. It can be used by several threads.
#[derive(Debug)]
pub struct Reader {
    name: String,
    is_local: bool,
    access: ReaderAccess,
}

/// Access to it.
#[derive(Debug)]
enum ReaderAccess {
    Program { program: UserProgram, timeout: Duration, model: Option<String> },
    Server(Box<ReaderServer>),
}

impl Reader {
    /// The reader of these settings. Nothing is sent or started, and no key is read.
    ///
    /// # Errors
    ///
    /// The settings lack what the reader needs.
    pub fn new(settings: ReaderSettings) -> Result<Self> {
        let ReaderSettings { kind, url, model, command, timeout, .. } = &settings;
        let of_model = model.as_ref().map(|it| format!(", model {it}")).unwrap_or_default();
        match (url, command) {
            (Some(url), _) => {
                let port = url.port().map(|it| format!(":{it}")).unwrap_or_default();
                let host = url.host_str().unwrap_or_default();
                let name = format!("{kind} at {host}{port}{of_model}");
                let is_local = is_loopback(url);
                let server = ReaderServer::new(settings.clone(), url)?;
                Ok(Self { name, is_local, access: ReaderAccess::Server(Box::new(server)) })
            }
            (None, Some(program)) => Ok(Self {
                name: format!("{kind} `{}`{of_model}", program.name()),
                is_local: false,
                access: ReaderAccess::Program {
                    program: program.clone(),
                    timeout: *timeout,
                    model: model.clone(),
                },
            }),
            (None, None) => Err(ReaderError::NoReader),
        }
    }

    /// Its name, for people: `openai at 127.0.0.1:11434, model x`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether what it is asked goes to this machine alone, as far as the address shows it. Where a program sends it is not
    /// known, so that it is not local.
    pub fn is_local(&self) -> bool {
        self.is_local
    }

    /// The request for a prompt as it would be sent, with `******` in place of the key; for a program its words and its
    /// standard input, with `***` in place of passwords. It has the texts of the draft.
    pub fn shown(&self, prompt: &ReaderPrompt) -> String {
        match &self.access {
            ReaderAccess::Server(server) => server.shown(prompt),
            ReaderAccess::Program { program, .. } => {
                let words: Vec<String> = [program.name()]
                    .into_iter()
                    .chain(program.arguments().iter().map(String::as_str))
                    .map(without_secrets)
                    .collect();
                format!("{}\n\n{}\n", serde_json::json!(words), prompt.line)
            }
        }
    }

    /// Asks one prompt, and waits for the answer. Once `stop` says so, it ends soon.
    ///
    /// # Errors
    ///
    /// The reader cannot be asked, or gave no answer.
    pub fn ask(&self, prompt: &ReaderPrompt, stop: &dyn Fn() -> bool) -> Result<ReaderReply> {
        match &self.access {
            ReaderAccess::Server(server) => server.ask(prompt, stop),
            ReaderAccess::Program { program, timeout, model } => {
                let text = program::ask(program, &prompt.line, *timeout, stop)?;
                Ok(ReaderReply { text, model: model.clone(), tokens: None })
            }
        }
    }
}
