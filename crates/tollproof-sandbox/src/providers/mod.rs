//! The providers' APIs: a file or a folder each, with a table of its routes.

mod aws;
mod bandwidth;
mod bird;
mod events;
mod infobip;
mod plivo;
mod telnyx;
mod twilio;
pub(crate) mod webhooks;

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use jiff::Timestamp;
use serde_json::Value;

pub(crate) use self::bird::is_path as is_bird_path;

use crate::api::{ApiCall, ApiRoute, ApiSurface, Handled};
use crate::options::SandboxOptions;

/// The APIs, in the order of the docs.
pub(crate) static SURFACES: [&ApiSurface; 7] = [
    &bird::SURFACE,
    &twilio::SURFACE,
    &telnyx::SURFACE,
    &aws::SURFACE,
    &bandwidth::SURFACE,
    &infobip::SURFACE,
    &plivo::SURFACE,
];

/// The APIs that the options choose.
pub(crate) fn chosen(options: &SandboxOptions) -> impl Iterator<Item = &'static ApiSurface> {
    let names = &options.providers;
    SURFACES
        .into_iter()
        .filter(move |surface| names.is_empty() || names.iter().any(|name| name == surface.name))
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
    ApiRoute { operation, method, path: path.into(), target: None, handle, body: None }
}

/// The name and the password of Basic credentials.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let bytes = BASE64.decode(token(headers, "Basic")?).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.split_once(':').map(|(name, password)| (name.to_owned(), password.to_owned()))
}

/// Puts the members of an object into another one.
fn merge(object: &mut Value, members: &Value) {
    for (name, value) in members.as_object().into_iter().flatten() {
        object[name] = value.clone();
    }
}

/// A time in UTC with this many digits after the second.
fn stamp(time: Timestamp, digits: usize) -> String {
    format!("{time:.digits$}")
}

/// A US number in E.164, with or without `+` or `+1`.
fn e164(number: &str) -> String {
    match number.len() {
        10 => format!("+1{number}"),
        11 if number.starts_with('1') => format!("+{number}"),
        _ => number.to_owned(),
    }
}
