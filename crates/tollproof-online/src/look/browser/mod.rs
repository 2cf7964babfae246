//! Renders pages in a browser, which is started when the first page needs it.

#![cfg_attr(not(unix), expect(dead_code, reason = "no browser runs on this system"))]

#[cfg(unix)]
mod chromium;
mod find;
mod picture;
mod problem;
#[cfg(not(unix))]
mod without;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use url::Url;

#[cfg(unix)]
use self::chromium::Browser;
pub use self::find::find_browser;
pub(super) use self::picture::View;
pub use self::picture::{OptInPicture, PictureError};
pub use self::problem::BrowserProblem;
pub(super) use self::problem::RenderError;
#[cfg(not(unix))]
use self::without::NoBrowser as Browser;
use super::directory::Directory;
use super::turns::Turns;

/// How many pages are open at once. Each takes 100 MB or more.
const AT_ONCE: usize = 2;

/// How often a browser is started in a run, in case that pages make it fail.
const MAX_STARTS: usize = 3;

/// Which browser renders pages that need one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BrowserChoice {
    /// None: such pages are not checked.
    #[default]
    None,
    /// The one that [`find_browser`] finds.
    Find,
    /// This program.
    Path(PathBuf),
}

/// A page as a browser shows it.
#[derive(Debug)]
pub(super) struct RenderedPage {
    /// The page with its frames, as HTML that says what the page is now.
    pub(super) html: String,
    /// The address after redirects and scripts.
    pub(super) url: Url,
    pub(super) redirects: u8,
    /// Whether every frame could be read.
    pub(super) is_complete: bool,
}

/// How a browser is started, and what pages in it may reach and take.
#[derive(Debug)]
pub(super) struct RenderOptions {
    pub(super) choice: BrowserChoice,
    pub(super) without_sandbox: bool,
    pub(super) directory: Arc<Directory>,
    /// How long a page may load.
    pub(super) time: Duration,
    /// How much of a page is read, in bytes.
    pub(super) max_body: usize,
}

/// Renders pages. It can be used by several threads.
#[derive(Debug)]
pub(super) struct Renderer {
    options: RenderOptions,
    turns: Turns,
    state: Mutex<RendererState>,
}

#[derive(Debug, Default)]
struct RendererState {
    browser: Option<Arc<Browser>>,
    starts: usize,
    problem: Option<BrowserProblem>,
}

impl Renderer {
    pub(super) fn new(options: RenderOptions) -> Self {
        Self { options, turns: Turns::new(AT_ONCE), state: Mutex::default() }
    }

    /// The browser of the run, if one was started.
    #[cfg(all(test, unix))]
    pub(super) fn running(&self) -> Option<Arc<Browser>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).browser.clone()
    }

    /// Why no page could be rendered, if one needed it.
    pub(super) fn problem(&self) -> Option<BrowserProblem> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).problem.clone()
    }

    /// Renders a page.
    pub(super) fn render(
        &self,
        url: &Url,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<RenderedPage, RenderError> {
        self.with_browser(|browser| browser.render(url, &self.options, stopped))
    }

    /// Makes a picture of a page, of at most so many bytes.
    pub(super) fn picture(
        &self,
        url: &Url,
        max_bytes: usize,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<View, RenderError> {
        self.with_browser(|browser| browser.picture(url, &self.options, max_bytes, stopped))
    }

    fn with_browser<T>(
        &self,
        run: impl FnOnce(&Browser) -> Result<T, RenderError>,
    ) -> Result<T, RenderError> {
        if self.options.choice == BrowserChoice::None {
            return Err(RenderError::NoBrowser(BrowserProblem::Off));
        }
        let _turn = self.turns.take("");
        let browser = self.browser().map_err(RenderError::NoBrowser)?;
        let end = run(&browser);
        if matches!(end, Err(RenderError::Lost)) {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.browser.take_if(|it| Arc::ptr_eq(it, &browser));
        }
        end
    }

    /// The browser of the run.
    fn browser(&self) -> Result<Arc<Browser>, BrowserProblem> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(browser) = &state.browser {
            return Ok(Arc::clone(browser));
        }
        if let Some(problem) = &state.problem {
            return Err(problem.clone());
        }
        state.starts += 1;
        let started = self.program().and_then(|path| {
            if state.starts > MAX_STARTS {
                return Err(BrowserProblem::NotStarted { path });
            }
            Browser::start(&path, &self.options)
        });
        match started {
            Ok(browser) => Ok(Arc::clone(state.browser.insert(Arc::new(browser)))),
            Err(problem) => {
                state.problem = Some(problem.clone());
                Err(problem)
            }
        }
    }

    fn program(&self) -> Result<PathBuf, BrowserProblem> {
        match &self.options.choice {
            BrowserChoice::None => Err(BrowserProblem::Off),
            BrowserChoice::Find if cfg!(windows) => Err(BrowserProblem::Unsupported),
            BrowserChoice::Find => find_browser().ok_or(BrowserProblem::NotFound),
            BrowserChoice::Path(path) => Ok(path.clone()),
        }
    }
}
