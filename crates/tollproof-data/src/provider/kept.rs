//! Texts of a provider's files, kept as long as the program runs.

use std::collections::BTreeMap;

use crate::suggest::bare;

/// The text in lower case and without whitespace.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace()).flat_map(char::to_lowercase).collect()
}

pub fn keep_all(texts: &[String]) -> Vec<&'static str> {
    texts.iter().map(|text| keep(text)).collect()
}

pub fn keep_table(table: &BTreeMap<String, Vec<String>>) -> Vec<(&'static str, Vec<&'static str>)> {
    table.iter().map(|(name, texts)| (keep(name), keep_all(texts))).collect()
}

/// The names in the normalized form that look-ups compare.
pub(super) fn bare_all(names: &[String]) -> Vec<&'static str> {
    names.iter().map(|name| keep(&bare(name))).collect()
}

/// Leaks a copy, because providers live as long as the program.
pub fn keep(text: &str) -> &'static str {
    text.to_owned().leak()
}
