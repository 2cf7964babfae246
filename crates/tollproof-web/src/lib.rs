//! tollproof as WebAssembly: what the page and the npm package call.
//!
//! Values cross the border as JSON text, which JavaScript reads and writes faster than anything else; `npm/src` has the
//! functions with their types.

mod address;
mod check;
mod convert;
mod fields;
mod json_string;
mod language;
mod options;
mod readings;
mod rules;
mod tables;
mod text;
mod value_fix;
mod yaml;

use wasm_bindgen::prelude::wasm_bindgen;

use options::CheckOptions;

/// Starts the engine with the rules, vocabulary and providers that were prepared for it; call it first.
#[wasm_bindgen(js_name = loadPrepared)]
pub fn load_prepared(bytes: Vec<u8>) {
    tollproof_core::load_prepared(bytes.leak());
}

/// Takes the texts of a language: `es.bin` or `fr.bin`, which the build script of tollproof-core wrote.
#[wasm_bindgen(js_name = loadLanguage)]
pub fn load_language(code: &str, bytes: Vec<u8>) -> Result<(), String> {
    language::load(code, bytes)
}

/// Chooses a language for everything that is said from now on: `en`, or one that was loaded.
#[wasm_bindgen(js_name = chooseLanguage)]
pub fn choose_language(code: &str) -> Result<(), String> {
    language::choose(code)
}

/// Checks a JSON value: one draft, or a list of drafts.
#[wasm_bindgen]
pub fn check(value: &str, options: &str) -> Result<String, String> {
    check::check(value, &CheckOptions::read(options)?)
}

/// The providers.
#[wasm_bindgen]
pub fn providers() -> String {
    fields::providers()
}

/// The fields of a provider's kind, with pointers in the spelling of a draft.
#[wasm_bindgen]
pub fn fields(provider: &str, kind: &str, value: &str) -> Result<String, String> {
    let kind = options::kind(provider, kind)?;
    Ok(fields::fields(kind, options::spelled_kind(kind, value)))
}

/// The labels of people above columns and before values, by the role that they mean.
#[wasm_bindgen]
pub fn headings() -> String {
    fields::headings()
}

/// The parts of an address in one line or cell, by the roles of their fields; `null` if they cannot be told from each other.
#[wasm_bindgen(js_name = addressParts)]
pub fn address_parts(text: &str, provider: &str) -> Result<String, String> {
    Ok(address::parts(text, options::kind(provider, "")?))
}

/// A built-in rule with its documentation; `null` if there is none with this id.
#[wasm_bindgen]
pub fn rule(id: &str) -> String {
    rules::rule(id)
}

/// Checks a text in any format.
#[wasm_bindgen(js_name = checkText)]
pub fn check_text(text: &str, options: &str) -> Result<String, String> {
    text::check(text, &CheckOptions::read(options)?)
}

/// Reads the drafts of a file that is not a workbook.
#[wasm_bindgen]
pub fn read(bytes: Vec<u8>, file_name: &str) -> String {
    tables::read(bytes, file_name)
}

/// Reads the drafts of a workbook, from the sheets that `workbooks/` makes of it.
#[wasm_bindgen(js_name = readSheets)]
pub fn read_sheets(sheets: &str, file_name: &str) -> Result<String, String> {
    tables::read_sheets(sheets, file_name)
}

/// Writes drafts of a provider as a file.
#[wasm_bindgen]
pub fn write(values: &str, format: &str, provider: &str) -> Result<String, String> {
    tables::write(values, format, options::kind(provider, "")?)
}

/// Converts a draft to another provider's.
#[wasm_bindgen]
pub fn convert(value: &str, from: &str, to: &str) -> Result<String, String> {
    convert::convert(value, from, to)
}

/// Explains a provider's answer to a draft.
#[wasm_bindgen]
pub fn explain(answer: &str, value: &str, options: &str) -> Result<String, String> {
    convert::explain(answer, value, &CheckOptions::read(options)?)
}

/// The questions to a reader about a draft: as a message for an assistant, and one by one.
#[wasm_bindgen]
pub fn questions(value: &str, options: &str) -> Result<String, String> {
    readings::questions(value, &CheckOptions::read(options)?)
}

/// Sorts what an assistant answered.
#[wasm_bindgen]
pub fn answers(text: &str, value: &str, options: &str) -> Result<String, String> {
    readings::answers(text, value, &CheckOptions::read(options)?)
}

/// Measures a sample message as a text message.
#[wasm_bindgen]
pub fn sample(text: &str) -> String {
    convert::sample(text)
}
