//! No browser: descriptors cannot be given to one on this system.

use std::path::Path;
use std::time::Duration;

use url::Url;

use crate::options::RenderOptions;
use crate::page::{PageView, RenderedPage};
use crate::problem::{BrowserProblem, Result};

/// A browser that never runs.
#[derive(Debug)]
pub(crate) enum NoBrowser {}

impl NoBrowser {
    pub(crate) fn start(_: &Path, _: &RenderOptions) -> Result<Self, BrowserProblem> {
        Err(BrowserProblem::Unsupported)
    }

    pub(crate) fn render(
        &self,
        _: &Url,
        _: &RenderOptions,
        _: Duration,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Result<RenderedPage> {
        match *self {}
    }

    pub(crate) fn picture(
        &self,
        _: &Url,
        _: &RenderOptions,
        _: usize,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Result<PageView> {
        match *self {}
    }
}
