//! No browser: descriptors cannot be given to one on this system.

use std::path::Path;

use url::Url;

use super::{BrowserProblem, RenderError, RenderOptions, RenderedPage, View};

/// A browser that never runs.
#[derive(Debug)]
pub(in crate::look) enum NoBrowser {}

impl NoBrowser {
    pub(super) fn start(_: &Path, _: &RenderOptions) -> Result<Self, BrowserProblem> {
        Err(BrowserProblem::Unsupported)
    }

    pub(super) fn render(
        &self,
        _: &Url,
        _: &RenderOptions,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Result<RenderedPage, RenderError> {
        match *self {}
    }

    pub(super) fn picture(
        &self,
        _: &Url,
        _: &RenderOptions,
        _: usize,
        _: &(dyn Fn() -> bool + Sync),
    ) -> Result<View, RenderError> {
        match *self {}
    }
}
