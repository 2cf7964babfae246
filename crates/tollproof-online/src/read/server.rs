//! A reader that is a server: one request for a prompt, again where a server asks for that.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use secrecy::SecretString;
use serde_json::Value;
use tollproof_history::reason;
use url::Url;

use super::choice::ReaderSettings;
use super::error::{ReaderError, Result};
use super::extras::Extras;
use super::pause::SharedPause;
use super::prompt::{ReaderPrompt, ReaderReply};
use super::said::{message, one_line};
use super::{anthropic, openai};
use crate::client::{
    Authentication, Client, ClientError, ClientOptions, HttpAnswer, HttpRequest, Method, Repeat, RequestBody,
    Sent,
};
use crate::running::POLL;
use crate::settings::ReaderKind;

/// The longest pause that a run waits.
const MAX_PAUSE: Duration = Duration::from_secs(300);

/// The most tries of a request.
const TRIES: u32 = 4;

/// The largest answer, in bytes.
pub(super) const MAX_ANSWER: usize = 4 << 20;

/// The longest name of a model, in characters.
const MAX_NAME: usize = 100;

/// A server that reads. It can be used by several threads.
#[derive(Debug)]
pub(super) struct ReaderServer {
    settings: ReaderSettings,
    url: Url,
    client: Arc<Client>,
    pause: SharedPause,
    /// The key, once it was needed.
    key: Mutex<Option<Authentication>>,
    known: Mutex<KnownExtras>,
}

/// The server's known traits.
#[derive(Clone, Copy, Debug)]
struct KnownExtras {
    extras: Extras,
    /// Whether the server has taken a request with them.
    is_accepted: bool,
}

impl ReaderServer {
    /// A server at an address. Nothing is sent, and no key is read.
    pub(super) fn new(settings: ReaderSettings, base: &Url) -> Result<Self> {
        let is_openai = settings.kind == ReaderKind::OpenAi;
        let base = base.as_str().trim_end_matches('/');
        let url = if is_openai {
            format!("{}{}", base.trim_end_matches(openai::PATH), openai::PATH)
        } else {
            format!("{}{}", base.trim_end_matches("/v1"), anthropic::PATH)
        };
        let url = url.parse().map_err(|_| ReaderError::Address(base.to_owned()))?;
        let client = Client::new(ClientOptions {
            timeout: settings.timeout,
            tries: TRIES,
            pause: settings.pause,
            max_pause: MAX_PAUSE,
            max_body: MAX_ANSWER,
            ..ClientOptions::default()
        })?;
        // Anthropic takes the schema as that of a tool, and always wants a limit.
        let of_anthropic =
            Extras { schema: false, no_thinking: false, log_probabilities: false, ..Extras::ALL };
        let extras = if is_openai { Extras::ALL } else { of_anthropic };
        Ok(Self {
            settings,
            url,
            client: Arc::new(client),
            pause: SharedPause::default(),
            key: Mutex::default(),
            known: Mutex::new(KnownExtras { extras, is_accepted: false }),
        })
    }

    /// The request for a prompt, without its key.
    pub(super) fn shown(&self, prompt: &ReaderPrompt) -> String {
        let has_key = self.settings.key.is_some() || self.settings.key_command.is_some();
        let key = if has_key { self.with_key("******".into()) } else { Authentication::None };
        self.request(prompt, self.known().extras).to_text(&key)
    }

    /// Asks a prompt. What the server refuses of the request is left out, until it has taken one.
    pub(super) fn ask(&self, prompt: &ReaderPrompt, stop: &dyn Fn() -> bool) -> Result<ReaderReply> {
        let key = self.key()?;
        let KnownExtras { mut extras, is_accepted } = self.known();
        loop {
            let answer = self.send(&self.request(prompt, extras), &key, stop)?;
            let said = message(&answer.body, prompt, &key);
            if answer.is_success() {
                let known = KnownExtras { extras, is_accepted: true };
                *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
                return self.reply(&answer, prompt, &key);
            }
            match extras.without_refused(said.as_deref().unwrap_or_default()) {
                Some(less) if !is_accepted && matches!(answer.status, 400 | 422 | 501) => extras = less,
                _ => return Err(refusal(&answer, said, !matches!(key, Authentication::None))),
            }
        }
    }

    fn known(&self) -> KnownExtras {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request(&self, prompt: &ReaderPrompt, extras: Extras) -> HttpRequest {
        let ReaderSettings { kind, model, max_tokens, .. } = &self.settings;
        let model = model.as_deref();
        let (body, headers) = match kind {
            ReaderKind::Anthropic => {
                let (name, version) = anthropic::VERSION;
                let version = (name.to_owned(), version.to_owned());
                (anthropic::body(prompt, model, *max_tokens, extras), vec![version])
            }
            ReaderKind::OpenAi | ReaderKind::Command => {
                (openai::body(prompt, model, *max_tokens, extras), Vec::new())
            }
        };
        let body =
            RequestBody { content_type: "application/json".to_owned(), bytes: body.to_string().into_bytes() };
        HttpRequest {
            method: Method::Post,
            url: self.url.clone(),
            headers,
            body: Some(body),
            // To be asked twice changes nothing.
            repeat: Repeat::Read,
        }
    }

    /// The key: that of the environment, or what the program of the settings prints. It is asked for once.
    fn key(&self) -> Result<Authentication> {
        let mut known = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = &*known {
            return Ok(key.clone());
        }
        let secret = match (&self.settings.key, &self.settings.key_command) {
            (Some(key), _) => Some(key.clone()),
            (None, command) => command.as_ref().map(|it| it.run()).transpose()?,
        };
        let key = secret.map_or(Authentication::None, |it| self.with_key(it));
        Ok(known.insert(key).clone())
    }

    fn with_key(&self, secret: SecretString) -> Authentication {
        let (name, prefix) = match self.settings.kind {
            ReaderKind::Anthropic => ("x-api-key", ""),
            ReaderKind::OpenAi | ReaderKind::Command => ("Authorization", "Bearer "),
        };
        Authentication::Header { name: name.to_owned(), prefix: prefix.to_owned(), secret }
    }

    /// Sends a request until an answer comes that is worth reading. All who ask wait together.
    fn send(
        &self,
        request: &HttpRequest,
        key: &Authentication,
        stop: &dyn Fn() -> bool,
    ) -> Result<HttpAnswer> {
        let mut tries = self.client.tries(request.repeat);
        loop {
            self.pause.wait(stop)?;
            let started = Instant::now();
            let sent = self.send_once(request, key, stop)?;
            let timeout = self.settings.timeout;
            match &sent {
                // What it lacks it will lack again.
                Sent::Answer(answer) if answer.status == 501 => {}
                // A model that is too slow is not faster the next time.
                Sent::Lost(_) | Sent::NotSent(_) if started.elapsed() + POLL >= timeout => {
                    return Err(ReaderError::TimedOut(timeout));
                }
                sent => {
                    if let Some(pause) = tries.next(sent, Duration::MAX) {
                        self.pause.add(pause);
                        continue;
                    }
                }
            }
            return match tries.result(sent) {
                Sent::Answer(answer) => Ok(answer),
                Sent::NotSent(why) => Err(ReaderError::Unreachable(why)),
                Sent::Lost(why) => Err(ReaderError::Lost(why)),
            };
        }
    }

    /// Sends a request on a thread of its own, which a stop leaves to end by itself.
    fn send_once(
        &self,
        request: &HttpRequest,
        key: &Authentication,
        stop: &dyn Fn() -> bool,
    ) -> Result<Sent> {
        let (sender, receiver) = channel::<Result<Sent, ClientError>>();
        let (client, request, key) = (Arc::clone(&self.client), request.clone(), key.clone());
        let send = move || {
            // The other side may have been stopped.
            let _ = sender.send(client.send_once(&request, &key));
        };
        let failed = |error: io::Error| ReaderError::Lost(reason(&error));
        std::thread::Builder::new().spawn(send).map_err(failed)?;
        loop {
            match receiver.recv_timeout(POLL) {
                Ok(sent) => return Ok(sent?),
                Err(RecvTimeoutError::Timeout) if stop() => return Err(ReaderError::Stopped),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ReaderError::Lost("the request ended by itself".to_owned()));
                }
            }
        }
    }

    fn reply(&self, answer: &HttpAnswer, prompt: &ReaderPrompt, key: &Authentication) -> Result<ReaderReply> {
        let kind = self.settings.kind;
        let body: Value = serde_json::from_slice(&answer.body).map_err(|_| ReaderError::Foreign(kind))?;
        let mut reply = match kind {
            ReaderKind::Anthropic => anthropic::reply(&body)?,
            ReaderKind::OpenAi | ReaderKind::Command => openai::reply(&body, prompt)?,
        };
        // The name is stored, and a server may repeat its key anywhere.
        let model = reply.model.filter(|it| !key.is_shown_in(it));
        let model = model.map(|it| one_line(&it, MAX_NAME)).filter(|it| !it.is_empty());
        reply.model = model.or_else(|| self.settings.model.clone());
        Ok(reply)
    }
}

/// Reads an answer that is not a success.
fn refusal(answer: &HttpAnswer, message: Option<String>, has_key: bool) -> ReaderError {
    let status = answer.status;
    match status {
        // Its words may show the key.
        401 if has_key => ReaderError::KeyRefused(status),
        401 => ReaderError::NoKey(status),
        404 => ReaderError::Unknown { status, message },
        300..=399 => ReaderError::Redirect(status),
        _ => match answer.retry_after.filter(|it| *it > MAX_PAUSE) {
            Some(pause) if status == 429 || status >= 500 => ReaderError::Busy(pause),
            _ => ReaderError::Status { status, message },
        },
    }
}
