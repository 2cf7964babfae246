//! Reasons a page was not rendered.

use std::path::PathBuf;

/// The reason no browser renders pages.
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

/// A result of rendering.
pub(crate) type Result<T, E = RenderError> = std::result::Result<T, E>;

/// Reasons a page was not rendered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// No browser renders it.
    #[error(transparent)]
    NoBrowser(#[from] BrowserProblem),
    /// It took too long, or the run was stopped.
    #[error("the page took too long, or the run was stopped")]
    TimedOut,
    /// The page, or the smallest picture of it, has more than is read.
    #[error("the page is too large")]
    TooLarge,
    /// The page did not open, or its process failed.
    #[error("the page did not open")]
    Failed,
    /// The browser has ended.
    #[error("the browser has ended")]
    Lost,
}
