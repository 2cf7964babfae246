//! Renders untrusted pages in a browser of this machine.
//!
//! [`Renderer`] starts Chromium when the first page needs it and drives it by the DevTools protocol. All that a page loads goes
//! through a proxy on the loopback address, which connects only to what [`Destinations`] names.

#[cfg(unix)]
mod chromium;
mod destinations;
mod find;
mod options;
mod page;
mod problem;
mod renderer;
#[cfg(all(test, unix))]
mod tests;
#[cfg(not(unix))]
mod without;

pub use destinations::Destinations;
pub use find::find_browser;
pub use options::{BrowserChoice, RenderOptions};
pub use page::{PageView, RenderedPage};
pub use problem::{BrowserProblem, RenderError};
pub use renderer::Renderer;
