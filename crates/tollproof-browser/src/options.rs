//! The choice of a browser, and how it renders.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::destinations::Destinations;

/// Which browser renders pages that need one.
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

/// How a browser is started, and what pages in it may reach and take.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// The browser.
    pub choice: BrowserChoice,
    /// Whether the browser may run without its sandbox: as root, and where a system gives it none.
    pub without_sandbox: bool,
    /// What pages may reach.
    pub destinations: Arc<dyn Destinations>,
    /// The name that requests add to what the browser calls itself.
    pub name: String,
    /// Whether a frame is left out, by its address in lower case.
    pub skips_frame: fn(&str) -> bool,
    /// How long a page may load.
    pub time: Duration,
    /// How much of a page is read, in bytes.
    pub max_body: usize,
}
