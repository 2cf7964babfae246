//! Why a page was not rendered.

use std::path::PathBuf;

/// Why no browser renders pages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserProblem {
    /// No browser is wanted.
    #[error("no browser may be used")]
    Off,
    /// None was found on this machine.
    #[error("no Chromium, Chrome or Edge was found; install one, or name it with `--browser`")]
    NotFound,
    /// Chromium has no sandbox for root, and is not started without one.
    #[error("Chromium has no sandbox for root; run as another user, or allow it with `--no-sandbox`")]
    IsRoot,
    /// This system gives Chromium no sandbox, and it is not started without one.
    #[error("this system gives Chromium no sandbox; allow user namespaces, or allow it with `--no-sandbox`")]
    NoSandbox,
    /// The program did not start, or did not answer as Chromium does.
    #[error("`{}` did not start as a browser; check that it is Chromium, or name another with `--browser`", path.display())]
    NotStarted {
        /// The program.
        path: PathBuf,
    },
    /// Browsers are not driven on this system.
    #[error("pages are rendered on Linux and macOS only")]
    Unsupported,
}

/// Why a page was not rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::look) enum RenderError {
    /// Without a browser.
    NoBrowser(BrowserProblem),
    /// It took too long, or the run was stopped.
    TimedOut,
    /// The page has more than is read.
    TooLarge,
    /// The page did not open, or its process failed.
    Failed,
    /// The browser has ended.
    Lost,
}

impl RenderError {
    /// The reason as facts have it.
    pub(in crate::look) fn why(&self) -> &'static str {
        match self {
            Self::TimedOut => "time-out",
            Self::TooLarge => "too-large",
            Self::NoBrowser(_) | Self::Failed | Self::Lost => "needs-browser",
        }
    }
}
