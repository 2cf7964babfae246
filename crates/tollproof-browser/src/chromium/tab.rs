//! One page in a browser context of its own, closed when it is dropped.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use url::Url;

use super::devtools::{BrowserMessage, DevTools};
use super::events::{Attached, AuthRequired, FrameInfo, PageEvent, Paused, event};
use super::load::LoadState;
use super::proxy::Pass;
use crate::problem::{RenderError, Result};

/// The interval of checks whether the run was stopped or the page is done.
const TICK: Duration = Duration::from_millis(50);

/// The most redirects of a page.
const MAX_REDIRECTS: u8 = 20;

/// The most frames with processes of their own.
const MAX_FRAMES: usize = 20;

/// Takes ways out of a page that the proxy and the interception of requests do not see, before its scripts run.
const WITHOUT_SOCKETS: &str = "for (const name of ['WebSocket', 'WebSocketStream', 'WebTransport', 'RTCPeerConnection', \
    'webkitRTCPeerConnection']) delete globalThis[name];";

/// An open page.
pub(super) struct Tab<'b> {
    devtools: &'b DevTools,
    /// Dropped first, so that nothing leaves while the page is closed.
    pass: Option<Pass>,
    user_agent: &'b str,
    context: String,
    pub(super) main: String,
    /// The main frame, which has the name of its target.
    target: String,
    /// The sessions of frames with processes of their own, those around others first.
    pub(super) frames: Vec<String>,
    /// Whether frames were left out.
    pub(super) has_more_frames: bool,
    load: LoadState,
    has_crashed: bool,
    until: Instant,
    stopped: &'b (dyn Fn() -> bool + Sync),
    inbox: Receiver<BrowserMessage>,
    answers: Sender<BrowserMessage>,
}

impl<'b> Tab<'b> {
    /// Opens an empty page.
    pub(super) fn open(
        devtools: &'b DevTools,
        pass: Pass,
        user_agent: &'b str,
        until: Instant,
        stopped: &'b (dyn Fn() -> bool + Sync),
    ) -> Result<Self> {
        let (answers, inbox) = channel();
        let mut tab = Self {
            devtools,
            pass: Some(pass),
            user_agent,
            context: String::new(),
            main: String::new(),
            target: String::new(),
            frames: Vec::new(),
            has_more_frames: false,
            load: LoadState::new(),
            has_crashed: false,
            until,
            stopped,
            inbox,
            answers,
        };
        let context = tab.call("", "Target.createBrowserContext", &json!({ "disposeOnDetach": true }))?;
        context["browserContextId"].as_str().ok_or(RenderError::Failed)?.clone_into(&mut tab.context);
        devtools.route(&tab.context, &tab.answers);
        let context = tab.context.clone();
        tab.call(
            "",
            "Browser.setDownloadBehavior",
            &json!({ "behavior": "deny", "browserContextId": context }),
        )?;
        tab.call("", "Target.createTarget", &json!({ "url": "about:blank", "browserContextId": context }))?;
        while tab.main.is_empty() {
            tab.next()?;
        }
        let main = tab.main.clone();
        for (method, params) in tab.guards() {
            // The next page, in a process of its own perhaps, is guarded by what was answered.
            tab.call(&main, method, &params)?;
        }
        Ok(tab)
    }

    /// Opens an address, and waits as [`Tab::settle`] does.
    pub(super) fn load(&mut self, url: &Url) -> Result<()> {
        let main = self.main.clone();
        let opened = self.call(&main, "Page.navigate", &json!({ "url": url.as_str() }))?;
        if opened.get("errorText").is_some() {
            return Err(RenderError::Failed);
        }
        self.settle(Duration::ZERO)
    }

    /// Waits for some time, and until the page is loaded and quiet, or its time is over.
    pub(super) fn settle(&mut self, least: Duration) -> Result<()> {
        let from = Instant::now() + least;
        while Instant::now() < from || !self.load.is_quiet() {
            match self.next() {
                // What is there by now is read.
                Err(RenderError::TimedOut) if !(self.stopped)() => break,
                other => drop(other?),
            }
            if self.load.redirects > MAX_REDIRECTS {
                return Err(RenderError::Failed);
            }
        }
        Ok(())
    }

    /// Gives the page more time.
    pub(super) fn more_time(&mut self, time: Duration) {
        self.until = Instant::now() + time;
    }

    /// Returns the page's address, and how often it was redirected. An error if it is not a page of the web.
    pub(super) fn place(&self, frame: &FrameInfo) -> Result<(Url, u8)> {
        let is_success = self.load.status.is_some_and(|it| (200..300).contains(&it));
        let url = format!("{}{}", frame.url, frame.url_fragment);
        let url = Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.filter(|_| is_success && frame.unreachable_url.is_none()).ok_or(RenderError::Failed)?;
        Ok((url, self.load.redirects))
    }

    /// Sends a command and waits for its answer. The session `""` is the browser itself.
    pub(super) fn call(&mut self, session: &str, method: &str, params: &Value) -> Result<Value> {
        let asked = self.send(session, method, params)?;
        loop {
            if let Some((id, result)) = self.next()?
                && id == asked
            {
                return result.ok_or(RenderError::Failed);
            }
        }
    }

    fn send(&self, session: &str, method: &str, params: &Value) -> Result<u64> {
        let session = Some(session).filter(|it| !it.is_empty());
        self.devtools.send(session, method, params, &self.answers)
    }

    /// Waits a little for a message. Returns an answer, and handles an event.
    fn next(&mut self) -> Result<Option<(u64, Option<Value>)>> {
        if Instant::now() >= self.until || (self.stopped)() {
            return Err(RenderError::TimedOut);
        }
        match self.inbox.recv_timeout(TICK) {
            Ok(BrowserMessage::Answer { id, result }) => Ok(Some((id, result))),
            Ok(BrowserMessage::Event { session, method, params }) => {
                if let Some(event) = event(&method, params) {
                    self.handle(session.as_deref().unwrap_or_default(), event)?;
                }
                Ok(None)
            }
            Ok(BrowserMessage::Lost) | Err(RecvTimeoutError::Disconnected) => Err(RenderError::Lost),
            Err(RecvTimeoutError::Timeout) => Ok(None),
        }
    }

    fn handle(&mut self, session: &str, event: PageEvent) -> Result<()> {
        let is_main = session == self.main;
        match event {
            PageEvent::Attached(attached) => return self.attached(attached),
            PageEvent::Detached { session } => {
                self.load.detached(&session);
                self.frames.retain(|it| *it != session);
            }
            PageEvent::Paused(paused) => return self.decide(session, &paused),
            PageEvent::AuthRequired(wanted) => return self.authorize(session, &wanted),
            PageEvent::Dialog => {
                self.send(session, "Page.handleJavaScriptDialog", &json!({ "accept": false }))?;
            }
            PageEvent::Loaded if is_main => self.load.is_loaded = true,
            PageEvent::Asked(asked) => self.load.asked(session, asked, &self.target),
            PageEvent::Answered(answered) => self.load.answered(&answered, &self.target),
            PageEvent::Ended { request, is_failed } => self.load.ended(session, request, is_failed),
            PageEvent::Crashed if is_main => return Err(RenderError::Failed),
            PageEvent::Crashed => self.has_crashed = true,
            PageEvent::Loaded => {}
        }
        Ok(())
    }

    /// Whether the process of a frame has failed.
    pub(super) fn has_crashed(&self) -> bool {
        self.has_crashed
    }

    /// Something new was opened, and waits. Windows and workers that live on their own are closed; workers of the page never
    /// run, because their requests are not seen here.
    fn attached(&mut self, attached: Attached) -> Result<()> {
        let Attached { session_id: session, target_info: target } = attached;
        match &*target.r#type {
            "page" if self.main.is_empty() => {
                (self.main, self.target) = (session, target.target_id);
                Ok(())
            }
            "iframe" if self.frames.len() < MAX_FRAMES => {
                for (method, params) in self.guards() {
                    self.send(&session, method, &params)?;
                }
                self.frames.push(session);
                Ok(())
            }
            "iframe" => {
                self.has_more_frames = true;
                Ok(())
            }
            "worker" => Ok(()),
            _ => self.send("", "Target.closeTarget", &json!({ "targetId": target.target_id })).map(drop),
        }
    }

    /// Commands that guard a page or a frame. The last lets it run.
    fn guards(&self) -> [(&'static str, Value); 10] {
        let paused = json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true });
        [
            ("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*" }], "handleAuthRequests": true })),
            (
                "Network.enable",
                json!({ "maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0 }),
            ),
            ("Network.setBypassServiceWorker", json!({ "bypass": true })),
            ("Network.setExtraHTTPHeaders", json!({ "headers": { "Referer": "" } })),
            ("Page.enable", json!({})),
            (
                "Page.addScriptToEvaluateOnNewDocument",
                json!({ "source": WITHOUT_SOCKETS, "runImmediately": true }),
            ),
            ("DOM.enable", json!({})),
            ("Emulation.setUserAgentOverride", json!({ "userAgent": self.user_agent })),
            ("Target.setAutoAttach", paused),
            ("Runtime.runIfWaitingForDebugger", json!({})),
        ]
    }

    /// Lets a request go, if it only reads and is one of the web.
    fn decide(&self, session: &str, paused: &Paused) -> Result<()> {
        let reads = matches!(&*paused.request.method, "GET" | "HEAD" | "OPTIONS");
        let is_web = ["http://", "https://"].iter().any(|it| paused.request.url.starts_with(it));
        let id = &paused.request_id;
        let sent = if reads && is_web {
            self.send(session, "Fetch.continueRequest", &json!({ "requestId": id }))
        } else {
            let params = json!({ "requestId": id, "errorReason": "Aborted" });
            self.send(session, "Fetch.failRequest", &params)
        };
        sent.map(drop)
    }

    /// Shows the pass to the proxy, and nothing to anyone else.
    fn authorize(&self, session: &str, wanted: &AuthRequired) -> Result<()> {
        let is_proxy = wanted.auth_challenge.source.as_deref() == Some("Proxy");
        let response = match self.pass.as_ref().filter(|_| is_proxy) {
            Some(pass) => {
                json!({ "response": "ProvideCredentials", "username": pass.user(), "password": pass.secret() })
            }
            None => json!({ "response": "CancelAuth" }),
        };
        let params = json!({ "requestId": wanted.request_id, "authChallengeResponse": response });
        self.send(session, "Fetch.continueWithAuth", &params).map(drop)
    }
}

impl Drop for Tab<'_> {
    fn drop(&mut self) {
        self.pass = None;
        // Errors: the browser has ended.
        let _ = self.send("", "Target.disposeBrowserContext", &json!({ "browserContextId": self.context }));
        let sessions: Vec<String> = self.frames.drain(..).chain([self.main.clone()]).collect();
        self.devtools.forget(&self.context, &sessions);
    }
}
