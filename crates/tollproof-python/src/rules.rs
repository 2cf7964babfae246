//! The built-in rules and the providers, for programs that show them.

use pyo3::prelude::*;
use serde::Serialize;
use tollproof_core::{Kind, Prevents, Provider, RuleFile, Severity, Translation, builtin_rules, decode};

use crate::errors;

/// A rule with its documentation.
#[derive(Debug, Serialize)]
struct RulePage<'r> {
    id: &'r str,
    title: &'r str,
    severity: Severity,
    enabled: bool,
    message: &'r str,
    help: &'r str,
    docs: &'r str,
    source: &'r [String],
    prevents: &'r [Prevents],
}

/// The built-in rules as a JSON list, in the order of their ids.
#[pyfunction]
pub(crate) fn rules(language: &str) -> PyResult<String> {
    let language = language
        .parse()
        .map_err(|error: tollproof_core::UnknownLanguage| errors::invalid(error.to_string(), ""))?;
    let translation = Translation::of(language);
    let mut pages = Vec::new();
    for (id, text) in builtin_rules() {
        let file: RuleFile = decode(&format!("rules/{id}.yaml"), text)
            .map_err(|error| errors::invalid(error.to_string(), ""))?;
        let page = RulePage {
            id,
            title: translation.text(&file.title),
            severity: file.severity,
            enabled: file.enabled,
            message: translation.text(&file.message),
            help: translation.text(&file.help),
            docs: translation.text(&file.docs),
            source: &file.source,
            prevents: &file.prevents,
        };
        pages.push(serde_json::to_string(&page).unwrap_or_default());
    }
    Ok(format!("[{}]", pages.join(",")))
}

/// The providers in the order in which they are tried on a draft: their names, titles and kinds.
#[pyfunction]
pub(crate) fn providers() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let all = Provider::all().iter();
    all.map(|provider| (provider.name(), provider.title(), provider.kinds().map(Kind::name).collect()))
        .collect()
}
