//! Chromium, driven by the DevTools protocol over a pipe.

mod devtools;
mod events;
mod flags;
mod frames;
mod load;
mod memory;
mod process;
mod proxy;
mod tab;
mod view;

use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use url::Url;

use self::devtools::{BrowserMessage, DevTools};
use self::process::Process;
use self::proxy::GuardedProxy;
use self::tab::Tab;
use crate::options::RenderOptions;
use crate::page::{PageView, RenderedPage};
use crate::problem::{BrowserProblem, RenderError, Result};

/// The time a browser has to start.
const START: Duration = Duration::from_secs(20);

/// The time limit to read a loaded page.
const READ: Duration = Duration::from_secs(5);

/// The size limit of all that a page loads, as a multiple of that of one page.
const TRAFFIC: u64 = 20;

/// A running browser.
#[derive(Debug)]
pub(crate) struct Browser {
    devtools: DevTools,
    user_agent: String,
    proxy: GuardedProxy,
    /// Ends with the browser.
    #[cfg_attr(not(test), expect(dead_code, reason = "it is dropped"))]
    process: Process,
}

impl Browser {
    /// Starts a browser, and waits until it answers.
    pub(crate) fn start(path: &Path, options: &RenderOptions) -> Result<Self, BrowserProblem> {
        if process::is_root() && !options.without_sandbox {
            return Err(BrowserProblem::IsRoot);
        }
        let failed = |_| BrowserProblem::NotStarted { path: path.to_owned() };
        let proxy = GuardedProxy::start(&options.destinations).map_err(failed)?;
        let flags = |profile: &Path| flags::flags(profile, proxy.address(), options.without_sandbox);
        let (process, pipe) = Process::start(path, flags).map_err(failed)?;
        let devtools = DevTools::new(pipe).map_err(failed)?;
        match greet(&devtools) {
            Some(own) => Ok(Self { devtools, user_agent: format!("{own} {}", options.name), proxy, process }),
            None if process.lacks_sandbox() => Err(BrowserProblem::NoSandbox),
            None => Err(BrowserProblem::NotStarted { path: path.to_owned() }),
        }
    }

    /// Renders a page in a context of its own.
    pub(crate) fn render(
        &self,
        url: &Url,
        options: &RenderOptions,
        late: Duration,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<RenderedPage> {
        let mut tab = self.open(options, stopped)?;
        tab.load(url)?;
        tab.settle(late)?;
        tab.more_time(READ);
        let read = frames::read(&mut tab, options.skips_frame, options.max_body)?;
        let (url, redirects) = tab.place(&read.frame)?;
        Ok(RenderedPage { html: read.html, url, redirects, is_complete: read.is_complete })
    }

    /// Makes a picture of a page.
    pub(crate) fn picture(
        &self,
        url: &Url,
        options: &RenderOptions,
        max_bytes: usize,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<PageView> {
        let mut tab = self.open(options, stopped)?;
        view::resize(&mut tab)?;
        tab.load(url)?;
        tab.more_time(2 * READ);
        view::view(&mut tab, options.skips_frame, max_bytes)
    }

    fn open<'b>(
        &'b self,
        options: &RenderOptions,
        stopped: &'b (dyn Fn() -> bool + Sync),
    ) -> Result<Tab<'b>> {
        let until = Instant::now() + options.time;
        let bytes = TRAFFIC * options.max_body as u64;
        let pass = self.proxy.pass(bytes, until + 2 * READ).ok_or(RenderError::Failed)?;
        Tab::open(&self.devtools, pass, &self.user_agent, until, stopped)
    }

    /// The process and its profile, for tests.
    #[cfg(test)]
    pub(crate) fn process(&self) -> (u32, std::path::PathBuf) {
        (self.process.id(), self.process.folder().map(Path::to_owned).unwrap_or_default())
    }

    /// The address of the proxy, for tests.
    #[cfg(test)]
    pub(crate) fn proxy(&self) -> std::net::SocketAddr {
        self.proxy.address()
    }
}

/// Asks a browser who it is, and to pause all that it opens until we have seen it.
fn greet(devtools: &DevTools) -> Option<String> {
    let (answers, inbox) = mpsc::channel();
    let until = Instant::now() + START;
    let ask = |method: &str, params: Value| {
        let asked = devtools.send(None, method, &params, &answers).ok()?;
        loop {
            match inbox.recv_timeout(until.saturating_duration_since(Instant::now())).ok()? {
                BrowserMessage::Answer { id, result } if id == asked => return result,
                BrowserMessage::Lost => return None,
                _ => {}
            }
        }
    };
    let version = ask("Browser.getVersion", json!({}))?;
    let kinds = ["page", "shared_worker", "service_worker"].map(|kind| json!({ "type": kind }));
    let paused =
        json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": kinds });
    ask("Target.setAutoAttach", paused)?;
    Some(version["userAgent"].as_str()?.to_owned())
}
