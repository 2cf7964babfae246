//! Pages rendered by a browser, which is started when the first page needs it.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use url::Url;

#[cfg(unix)]
use crate::chromium::Browser;
use crate::find::find_browser;
use crate::options::{BrowserChoice, RenderOptions};
use crate::page::{PageView, RenderedPage};
use crate::problem::{BrowserProblem, RenderError, Result};
#[cfg(not(unix))]
use crate::without::NoBrowser as Browser;

/// The number of pages open at once. Each takes 100 MB or more.
const AT_ONCE: usize = 2;

/// The most starts of a browser in a run, in case pages make it fail.
const MAX_STARTS: usize = 3;

/// Renders pages. It can be used by several threads.
#[derive(Debug)]
pub struct Renderer {
    options: RenderOptions,
    slots: Slots,
    state: Mutex<RendererState>,
}

#[derive(Debug, Default)]
struct RendererState {
    browser: Option<Arc<Browser>>,
    starts: usize,
    problem: Option<BrowserProblem>,
}

impl Renderer {
    /// A renderer that has no browser yet.
    #[must_use]
    pub fn new(options: RenderOptions) -> Self {
        Self { options, slots: Slots::new(AT_ONCE), state: Mutex::default() }
    }

    /// The browser of the run, if one was started.
    #[cfg(all(test, unix))]
    pub(crate) fn running(&self) -> Option<Arc<Browser>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).browser.clone()
    }

    /// The reason no page could be rendered, if one needed it.
    pub fn problem(&self) -> Option<BrowserProblem> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).problem.clone()
    }

    /// Renders a page, as it is some time after it is quiet: windows open `late`, and boxes are ticked. Once `stopped`, it ends.
    ///
    /// # Errors
    ///
    /// The reason that the page was not rendered.
    pub fn render(
        &self,
        url: &Url,
        late: Duration,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<RenderedPage> {
        self.with_browser(|browser| browser.render(url, &self.options, late, stopped))
    }

    /// Makes a picture of a page, of at most so many bytes. Once `stopped`, it ends.
    ///
    /// # Errors
    ///
    /// The reason that a picture is missing; [`RenderError::TooLarge`] if none is small enough.
    pub fn picture(
        &self,
        url: &Url,
        max_bytes: usize,
        stopped: &(dyn Fn() -> bool + Sync),
    ) -> Result<PageView> {
        self.with_browser(|browser| browser.picture(url, &self.options, max_bytes, stopped))
    }

    fn with_browser<T>(&self, run: impl FnOnce(&Browser) -> Result<T>) -> Result<T> {
        if self.options.choice == BrowserChoice::None {
            return Err(RenderError::NoBrowser(BrowserProblem::Off));
        }
        let _slot = self.slots.take();
        let browser = self.browser()?;
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

/// Lets a bounded number of threads render at once. The others wait.
#[derive(Debug)]
struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place among those that render, until it is dropped.
struct Slot<'s>(&'s Slots);

impl Slots {
    fn new(count: usize) -> Self {
        Self { free: Mutex::new(count), freed: Condvar::new() }
    }

    fn take(&self) -> Slot<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Slot(self)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}
