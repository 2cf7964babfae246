//! The choice of a browser, and how it renders.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::destinations::Destinations;

/// The browser that renders pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BrowserChoice {
    /// None: such pages are not checked.
    #[default]
    None,
    /// The one that [`find_browser`](crate::find_browser) finds.
    Find,
    /// This program.
    Path(PathBuf),
}

/// Options of a browser: its program, and the limits of pages in it.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// The browser.
    pub choice: BrowserChoice,
    /// Whether the browser may run without its sandbox: as root, and where a system gives it none.
    pub without_sandbox: bool,
    /// The destinations that pages may reach.
    pub destinations: Arc<dyn Destinations>,
    /// The name that requests add to what the browser calls itself.
    pub name: String,
    /// Whether a frame is left out, by its address in lower case.
    pub skips_frame: fn(&str) -> bool,
    /// The time that a page may take to load.
    pub time: Duration,
    /// The part of a page that is read, in bytes.
    pub max_body: usize,
}
