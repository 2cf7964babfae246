//! The load progress of a page.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::events::{RequestSent, ResponseReceived};

/// A page is done when it has asked for nothing for so long.
const QUIET: Duration = Duration::from_millis(500);

/// A request that takes longer is not waited for: it may be a stream.
const LONG: Duration = Duration::from_secs(5);

/// The most requests that are counted.
const MOST: usize = 5_000;

/// The load progress of a page.
pub(super) struct LoadState {
    pub(super) is_loaded: bool,
    /// The last request for the page itself, and whether what is there until then is loaded.
    page: Option<(String, bool)>,
    /// The status of the page.
    pub(super) status: Option<u16>,
    /// The number of redirects of the page, also by scripts.
    pub(super) redirects: u8,
    /// The requests that have not ended, by session and id.
    open: HashMap<(String, String), Instant>,
    active: Instant,
}

impl LoadState {
    pub(super) fn new() -> Self {
        Self {
            is_loaded: false,
            page: None,
            status: None,
            redirects: 0,
            open: HashMap::new(),
            active: Instant::now(),
        }
    }

    /// Whether nothing more is expected.
    pub(super) fn is_quiet(&self) -> bool {
        let now = Instant::now();
        let is_open = self.open.values().any(|since| now.duration_since(*since) < LONG);
        self.is_loaded && !is_open && now.duration_since(self.active) >= QUIET
    }

    pub(super) fn asked(&mut self, session: &str, asked: RequestSent, main: &str) {
        self.active = Instant::now();
        let kind = asked.r#type.unwrap_or_default();
        if kind == "Document" && asked.frame_id.as_deref() == Some(main) {
            self.redirects = self.redirects.saturating_add(u8::from(self.page.is_some()));
            let was_loaded = self.is_loaded;
            self.page = Some((asked.request_id.clone(), was_loaded));
            self.is_loaded = false;
        }
        let is_stream = matches!(&*kind, "EventSource" | "Ping" | "WebSocket" | "Media");
        if !is_stream && self.open.len() < MOST {
            self.open.insert((session.to_owned(), asked.request_id), self.active);
        }
    }

    pub(super) fn answered(&mut self, answered: &ResponseReceived, main: &str) {
        if answered.r#type == "Document" && answered.frame_id.as_deref() == Some(main) {
            self.status = Some(answered.response.status);
        }
    }

    pub(super) fn ended(&mut self, session: &str, request: String, is_failed: bool) {
        self.active = Instant::now();
        if let Some((page, was_loaded)) = &self.page
            && *page == request
            && is_failed
        {
            // The page stays what it is.
            self.is_loaded |= was_loaded;
        }
        self.open.remove(&(session.to_owned(), request));
    }

    /// A frame with a process of its own has gone.
    pub(super) fn detached(&mut self, session: &str) {
        self.open.retain(|(of, _), _| of != session);
    }
}
