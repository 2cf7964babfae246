//! The providers' APIs: one file each, with a table of its routes.

mod bird;

use axum::http::HeaderMap;

pub(crate) use self::bird::is_path as is_bird_path;

use crate::api::{ApiCall, ApiRoute, ApiSurface, Handled};
use crate::options::SandboxOptions;

/// The APIs, in the order of the docs.
pub(crate) static SURFACES: [&ApiSurface; 1] = [&bird::SURFACE];

/// The APIs that the options choose.
pub(crate) fn chosen(options: &SandboxOptions) -> impl Iterator<Item = &'static ApiSurface> {
    let names = &options.providers;
    SURFACES.into_iter().filter(move |it| names.is_empty() || names.iter().any(|name| name == it.name))
}

/// The names of the providers that the sandbox has.
pub fn names() -> impl Iterator<Item = &'static str> {
    SURFACES.iter().map(|it| it.name)
}

/// The token after the name of a scheme in `Authorization`.
fn token<'h>(headers: &'h HeaderMap, scheme: &str) -> Option<&'h str> {
    let value = headers.get("authorization")?.to_str().ok()?;
    let (found, token) = value.trim().split_once(' ')?;
    found.eq_ignore_ascii_case(scheme).then(|| token.trim())
}

/// A row of a table of routes.
fn route(
    operation: &'static str,
    method: &'static str,
    path: impl Into<String>,
    handle: fn(&ApiCall<'_>) -> Handled,
) -> ApiRoute {
    ApiRoute { operation, method, path: path.into(), handle }
}
