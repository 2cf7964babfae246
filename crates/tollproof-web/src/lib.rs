//! tollproof as WebAssembly: what the page and the npm package call.
//!
//! Values cross the border as JSON text, which JavaScript reads and writes faster than anything else; `npm/src` has the
//! functions with their types.

mod check;
mod fields;
mod json_string;
mod options;
mod rules;
mod value_fix;

use wasm_bindgen::prelude::wasm_bindgen;

use options::CheckOptions;

/// Checks a JSON value: one draft, or a list of drafts.
#[wasm_bindgen]
pub fn check(value: &str, options: &str) -> Result<String, String> {
    check::check(value, &CheckOptions::read(options)?)
}

/// The providers.
#[wasm_bindgen]
#[must_use]
pub fn providers() -> String {
    fields::providers()
}

/// The fields of a provider's kind.
#[wasm_bindgen]
pub fn fields(provider: &str, kind: &str) -> Result<String, String> {
    Ok(fields::fields(options::kind(provider, kind)?))
}

/// A built-in rule with its documentation; `null` if there is none with this id.
#[wasm_bindgen]
#[must_use]
pub fn rule(id: &str) -> String {
    rules::rule(id)
}
